// Package progress finds out which operations are blocking, lock-free or
// wait-free: it suspends every process at each of its accesses.
package progress

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
)

// Level is how much progress an operation makes whatever the others do, in the
// words of the papers.
type Level uint8

// The levels, from nothing known to the strongest.
const (
	// LevelUnknown: a limit was met.
	LevelUnknown Level = iota
	// Blocking: some process, suspended for ever at some point, keeps the
	// operation from ever returning.
	Blocking
	// LockFree: nobody who is suspended keeps the operation from returning, and
	// every execution ends; but others that go on can make it begin anew without
	// bound.
	LockFree
	// WaitFree: it returns within a bound of own accesses, whatever the others do.
	WaitFree
)

var levelNames = [...]string{"unknown", "blocking", "lock-free", "wait-free"}

func (l Level) String() string { return levelNames[l] }

// Operation is what was found about an operation.
type Operation struct {
	Claim *Claim
	Level Level
	// Own is the most accesses of its own that the operation made in all
	// executions of the programs, nobody suspended.
	Own int
	// Starved is the most that it made under a scheduler that wants it to make
	// many, with 8, 16, 32 and 64 times the operations of others.
	Starved []int
	// Stops are the points at which somebody who is suspended keeps the operation
	// from returning. Without any, an operation may still be blocked for ever by
	// nobody: Alone says so.
	Stops []schedule.Point
	Alone bool
	// Case is the shortest case of those.
	Case *model.Case
}

// AsClaimed says whether that is what the table expects.
func (p *Operation) AsClaimed() bool {
	if p.Claim.Level == LevelUnknown {
		return true
	}
	if p.Level != p.Claim.Level {
		return false
	}
	return p.Level != WaitFree || p.Claim.Bound == 0 || p.Own == p.Claim.Bound
}

// Report is what was found about a structure.
type Report struct {
	Subject ref.Subject
	// Expected is what is expected of it, and in which programs.
	Expected *Expected
	Ops      []Operation
	// Executions were made, of Points points of suspension and none.
	Executions, Points int
	// Longest is the longest execution in which nobody was suspended.
	Longest int
	// Spins says whether a process was seen to wait, for ever if the others do
	// not go on: an infinite execution in which nobody completes.
	Spins bool
	// Complete says whether every execution was made; Endless that one had no end
	// within the limit of accesses: a livelock, perhaps.
	Complete, Endless bool
	// Unfinished is the program of which not every execution was made, if there
	// is one.
	Unfinished string
	// Broken says in which way an operation went wrong other than by its result,
	// so that not all executions were made.
	Broken string
	// Wrong says which result was wrong, if one was. That operations return does
	// not depend on what they return.
	Wrong string
}

// Check checks how much progress the operations of a structure make: every
// execution of its programs, and all of them again with each process suspended
// for ever at each of its accesses.
func Check(ctx context.Context, subject ref.Subject, expected *Expected) (*Report, error) {
	r := &Report{Subject: subject, Expected: expected, Complete: true}
	for i := range expected.Claims {
		r.Ops = append(r.Ops, Operation{Claim: &expected.Claims[i]})
	}
	for _, text := range expected.Programs {
		setup, err := prepareText(subject, text)
		if err != nil {
			return nil, err
		}
		if !r.Endless {
			r.explore(ctx, setup)
		}
		if !r.Complete && r.Unfinished == "" {
			r.Unfinished = text
		}
	}
	for i := range r.Ops {
		if err := r.decide(ctx, &r.Ops[i]); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func prepareText(s ref.Subject, program string) (*ref.Setup, error) {
	p, err := s.ParseProgram(program)
	if err != nil {
		return nil, err
	}
	if p.Synchronizes() {
		return nil, errors.New("a program with signals says nothing about progress: who waits for a signal is stopped by the client, not by the structure")
	}
	setup, err := s.Prepare(p)
	if err == nil && setup.Lanes() > 1 {
		err = fmt.Errorf("structure %s: progress is not looked at where lanes carry out operations together", s.Spec())
	}
	return setup, err
}

// decide says what the executions show about an operation.
func (r *Report) decide(ctx context.Context, p *Operation) error {
	if len(p.Stops) > 0 || p.Alone {
		p.Level = Blocking // one witness is enough
		return nil
	}
	if !r.Complete || r.Endless || ctx.Err() != nil {
		return nil
	}
	bounded := true
	for _, times := range []int{8, 16, 32, 64} {
		if p.Claim.Starve == "" {
			break
		}
		setup, err := prepareText(r.Subject, strings.ReplaceAll(p.Claim.Starve, "N", fmt.Sprint(times)))
		if err != nil {
			return err
		}
		p.Starved = append(p.Starved, starve(setup, p.Claim.Victim))
	}
	if n := len(p.Starved); n > 0 {
		bounded = p.Starved[n-1] <= p.Own || p.Starved[n-1] == p.Starved[0]
		p.Own = max(p.Own, p.Starved[0])
	}
	p.Level = LockFree
	if bounded {
		p.Level = WaitFree
	}
	return nil
}
