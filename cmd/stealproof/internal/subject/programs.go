package subject

import (
	"fmt"
	"strings"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/fuzz/programs"
	"stealproof/model"
	"stealproof/ref"
)

// shape is the size of the programs that are generated.
func (f *Flags) shape(changed func(string) bool, d *ref.Design) (programs.Shape, error) {
	owned := d.Kind == model.WSDeque || d.Kind == model.Range && !d.Shared
	for _, name := range []string{"owner", "thieves", "processes"} {
		if changed(name) && owned == (name == "processes") {
			return nil, fmt.Errorf("--%s does not apply to %s: %s", name, d.Name,
				map[bool]string{true: "it has an owner and thieves", false: "it has processes without an owner"}[owned])
		}
	}
	if !owned {
		shape, err := programs.ParseShape(f.processes)
		if err != nil {
			return nil, fmt.Errorf("--processes %w", err)
		}
		return shape, nil
	}
	if f.owner < 1 || f.owner > 10000 {
		return nil, fmt.Errorf("--owner %d: expected 1 to 10000 operations", f.owner)
	}
	thieves, err := programs.ParseShape(f.thieves)
	if err != nil {
		return nil, fmt.Errorf("--thieves %w", err)
	}
	return append(programs.Shape{f.owner}, thieves...), nil
}

// ownProgram takes a program as text, or from a file.
func ownProgram(con *console.Console, d *ref.Design, program string) (*model.Program, error) {
	name := "--program"
	if !strings.Contains(program, ":") {
		text, err := con.ReadText(program, "a program")
		if err != nil {
			return nil, fmt.Errorf("--program: expected a program, as in \"0: push pop\", or its file: %w", err)
		}
		name, program = program, text
	}
	p, err := model.ParseProgram(d.Kind, program)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &p, nil
}
