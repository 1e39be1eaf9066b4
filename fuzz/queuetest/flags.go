package queuetest

import (
	"flag"
	"fmt"
	"os"
	"strconv"

	"stealproof/model"
)

// The flags belong to test binaries that import this package, and to no others:
// a command that imports package fuzz has none of them.
var (
	seedFlag   = flag.Uint64("stealproof.seed", defaultSeed, "seed of the first random run")
	checksFlag = flag.Int("stealproof.checks", 0, "number of random runs (default 10000, with -short 1000)")
	memoryFlag = flag.String("stealproof.memory", "", "memory to run on: sc (default), ptx, rc11 or tso")
	caseFlag   = flag.String("stealproof.case", "", "run this saved case, and nothing else")
)

// choices are what flags and environment say.
type choices struct {
	seed   uint64
	checks int // 0 for the default
	memory model.Spec
	file   string
}

// chosen reads the flags, and for those that were not given the environment.
func chosen() (choices, error) {
	given := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
	return choose(given, os.Getenv, choiceTexts{
		seed: strconv.FormatUint(*seedFlag, 10), checks: strconv.Itoa(*checksFlag), memory: *memoryFlag, file: *caseFlag,
	})
}

// choiceTexts are the flags as text.
type choiceTexts struct{ seed, checks, memory, file string }

func choose(given map[string]bool, env func(string) string, flags choiceTexts) (c choices, err error) {
	pick := func(name, variable, value string) (text, from string) {
		if v := env(variable); v != "" && !given[name] {
			return v, variable
		}
		return value, "-" + name
	}
	text, from := pick("stealproof.seed", "STEALPROOF_SEED", flags.seed)
	if c.seed, err = strconv.ParseUint(text, 10, 64); err != nil {
		return c, fmt.Errorf("%s=%q: expected a number from 0 up", from, text)
	}
	text, from = pick("stealproof.checks", "STEALPROOF_CHECKS", flags.checks)
	if c.checks, err = strconv.Atoi(text); err != nil || c.checks < 0 || c.checks == 0 && from != "-stealproof.checks" {
		return c, fmt.Errorf("%s=%q: expected a number from 1 up", from, text)
	}
	text, from = pick("stealproof.memory", "STEALPROOF_MEMORY", flags.memory)
	if text != "" {
		if c.memory, err = model.ParseSpec(text); err != nil {
			return c, fmt.Errorf("%s: %w", from, err)
		}
	}
	c.file, _ = pick("stealproof.case", "STEALPROOF_CASE", flags.file)
	return c, nil
}

// fuzzing says whether this is a worker of go test -fuzz.
func fuzzing() bool {
	f := flag.Lookup("test.fuzzworker")
	return f != nil && f.Value.String() == "true"
}
