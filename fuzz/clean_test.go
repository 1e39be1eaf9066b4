package fuzz

import (
	"context"
	"fmt"
	"testing"
)

func TestCleanMeasure(t *testing.T) {
	for _, p := range []Planted{
		{Spec: "tz"}, {Spec: "tz:every=1"}, {Spec: "tz:capacity=16,every=1", Shape: Shape{6, 6, 4}}, {Spec: "tz:capacity=5", Shape: Shape{3, 3, 2}}, {Spec: "tz:capacity=4,every=3", Shape: Shape{3, 3}}, {Spec: "tz:capacity=3,every=1", Shape: Shape{6, 6}}, {Spec: "tz:capacity=3", Shape: Shape{3, 3, 2}},
	} {
		c := plantedCampaign(t, p, 1, 300000)
		r, err := c.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(p.Spec, p.Shape, r.Verdict, r.Executions, r.Undecided, r.Elapsed)
		if r.Failure != nil {
			fmt.Println(r.Failure.Case, r.Failure.Finding.Kind, r.Failure.Finding.Explanation)
		}
	}
}
