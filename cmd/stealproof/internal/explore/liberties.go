package explore

import (
	"context"
	"errors"
	"fmt"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/explore/search"
	"stealproof/model"
	"stealproof/ref"
)

// checkLiberties refuses flags that speak of one search, of one text.
func (f *flags) checkLiberties(changed func(flag string) bool) error {
	if !f.liberties {
		return nil
	}
	for _, name := range []string{"fences", "checkpoint", "resume", "history", "html"} {
		if changed(name) {
			return fmt.Errorf("--%s does not apply to --liberties: it makes a search of the module and one of each text that a compiler may make of it", name)
		}
	}
	return nil
}

// withLiberties searches the structure as it is, and as a compiler may have changed its
// weak accesses.
func (f *flags) withLiberties(ctx context.Context, con *console.Console, x *search.Search) (model.Verdict, error) {
	if x.Subject.Memory().Structure != ref.MemoryPTX {
		return model.NotRun, errors.New("--liberties needs --memory ptx: what else a compiler may do to weak accesses is among the executions of that memory alone")
	}
	texts, err := x.Subject.Liberties()
	if err != nil {
		return model.NotRun, err
	}
	if x.Failure.Module.File == "" {
		return model.NotRun, fmt.Errorf("--liberties: %s is no module: compilers change the PTX of a kernel", x.Subject.Spec())
	}
	f.exhaustive.Several = true
	verdict, err := f.searchFor(ctx, con, x)
	if len(texts) == 0 {
		con.Print("nobody waits for a weak load in a loop that a compiler may change\n")
	}
	for i, text := range texts {
		if err != nil || ctx.Err() != nil {
			return verdict, err
		}
		with := *x
		with.Subject = text
		if verdict == model.Violation {
			with.Failure.Save = "" // which has the first one
		}
		con.Print("\nwhat a compiler may make of it, %d of %d:\n", i+1, len(texts))
		var found model.Verdict
		found, err = f.searchFor(ctx, con, &with)
		verdict = verdict.And(found)
	}
	return verdict, err
}
