package fuzz

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"stealproof/model"
	"stealproof/ref"
)

func plantedCampaign(t testing.TB, p Planted, seed uint64, runs int) *Campaign {
	t.Helper()
	spec, err := model.ParseSpec(p.Spec)
	if err != nil {
		t.Fatal(err)
	}
	c := &Campaign{Spec: spec, Shape: p.Shape, Seed: seed, Runs: runs, Schedule: model.Schedule{Strategy: DefaultStrategy}}
	if p.Program != "" {
		d, err := ref.FindDesign(spec.Structure)
		if err != nil {
			t.Fatal(err)
		}
		program, err := model.ParseProgram(d.Kind, p.Program)
		if err != nil {
			t.Fatal(err)
		}
		c.Program = &program
	}
	return c
}

func TestMeasure(t *testing.T) {
	only := os.Getenv("MEASURE")
	for _, p := range Register {
		if only != "" && !strings.Contains(p.Spec, only) {
			continue
		}
		worst := 0
		kinds := map[string]int{}
		for seed := uint64(1); seed <= 10; seed++ {
			c := plantedCampaign(t, p, seed*1000003, 100000)
			r, err := c.Run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if r.Failure == nil {
				worst = -r.Executions
				fmt.Println(p.Spec, r.Verdict, r.Executions, r.Undecided)
				break
			}
			worst = max(worst, r.Failure.Run)
			kinds[r.Failure.Finding.Kind]++
		}
		base := "-"
		b := p
		sp, _ := model.ParseSpec(p.Spec)
		for _, k := range []string{"defect", "variant", "width", "vnull", "fill", "failed", "compare"} {
			delete(sp.Settings, k)
		}
		b.Spec = sp.String()
		for seed := uint64(1); seed <= 3; seed++ {
			c := plantedCampaign(t, b, seed*1000003, max(worst*4, 100))
			r, err := c.Run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if r.Failure != nil {
				base = fmt.Sprint("BASE FAILS ", r.Failure.Run)
			}
		}
		fmt.Println(p.Spec, worst, kinds, b.Spec, base)
	}
}
