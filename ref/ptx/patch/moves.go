package patch

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"stealproof/ref/ptx/syntax"
)

// spot is where an access is moved to: to a certain instruction of its function.
type spot struct {
	place
	behind bool
}

// late moves a load or store behind the next access of the same block.
func (e *edit) late() error {
	if e.insn.kind != load && e.insn.kind != store {
		return e.noFit("loads and stores")
	}
	f := e.place.function
	f.know()
	for i := e.place.index; slices.Equal(f.next[i], []int{i + 1}) && !f.entered(i+1); i++ {
		n := slices.IndexFunc(f.places, func(p place) bool { return p.index == i+1 && p.access && read(p).kind != fence })
		if n < 0 {
			continue
		}
		next := f.places[n]
		if address(next.in) == address(e.place.in) {
			return e.noFit("accesses of two locations")
		}
		return e.to([]spot{{next, true}})
	}
	return e.noFit("accesses that another one follows at once")
}

// entered says whether an instruction can come behind another one than that which
// stands before it.
func (f *function) entered(i int) bool {
	for k, next := range f.next {
		if k != i-1 && slices.Contains(next, i) {
			return true
		}
	}
	return false
}

// address is where an access goes, as it stands in the text.
func address(in *syntax.Instruction) string {
	for i := range in.Operands {
		if o := &in.Operands[i]; o.Kind == syntax.IsAddress {
			return fmt.Sprint(o.Base, o.Register, o.Name, o.Value)
		}
	}
	return ""
}

func (e *edit) behind() error { return e.relocate(true) }
func (e *edit) before() error { return e.relocate(false) }

func (e *edit) relocate(behind bool) error {
	var spots []spot
	for site := range strings.SplitSeq(e.Argument, "/") {
		partners, err := e.partners(site)
		if err != nil {
			return err
		}
		for _, p := range partners {
			spots = append(spots, spot{p, behind})
		}
	}
	return e.to(spots)
}

// partners are the copies of another access that belong to this one: those behind it,
// or else the last before it.
func (e *edit) partners(site string) ([]place, error) {
	if !e.place.access && !e.named() {
		return nil, e.noFit("accesses and fences")
	}
	p := Patch{Operator: e.Operator, Argument: site}
	name, part, err := p.other()
	if err != nil {
		return nil, err
	}
	all, err := e.text.at(name, part)
	if err != nil {
		return nil, err
	}
	f := e.place.function
	all = slices.DeleteFunc(all, func(p place) bool { return p.function != f || p.index == e.place.index })
	later := slices.DeleteFunc(slices.Clone(all), func(p place) bool { return !f.dominates(e.place.index, p.index) })
	if len(later) > 0 {
		return later, nil
	}
	var nearest []place
	for _, p := range all {
		if f.dominates(p.index, e.place.index) && (len(nearest) == 0 || f.dominates(nearest[0].index, p.index)) {
			nearest = []place{p}
		}
	}
	if len(nearest) == 0 {
		return nil, fmt.Errorf("in function %s no %s surely comes before or behind it", f.Name, site)
	}
	return nearest, nil
}

// to moves the access to some spots: to one of them on every way.
func (e *edit) to(spots []spot) error {
	f, x := e.place.function, e.place.index
	down := f.dominates(x, spots[0].index)
	for _, s := range spots {
		if f.dominates(x, s.index) != down {
			return errors.New("some of these places come before it, and some behind it")
		}
	}
	if down && f.escapes(x, spots) {
		return errors.New("not every way leads from it to there, so that it would be left out")
	}
	for _, s := range spots {
		text, err := e.carried(s, down)
		if err != nil {
			return err
		}
		e.insert(s.place, s.behind, text)
	}
	e.replace(e.place, "")
	return nil
}

// escapes says whether the function can end behind an instruction without coming to
// one of the spots.
func (f *function) escapes(from int, spots []spot) bool {
	seen := map[int]bool{}
	todo := slices.Clone(f.next[from])
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[i] || slices.ContainsFunc(spots, func(s spot) bool { return s.index == i }) {
			continue
		}
		seen[i] = true
		if len(f.next[i]) == 0 {
			return true
		}
		todo = append(todo, f.next[i]...)
	}
	return false
}

// exchange lets two accesses change places.
func (e *edit) exchange() error {
	partners, err := e.partners(e.Argument)
	if err != nil {
		return err
	}
	if len(partners) != 1 {
		return fmt.Errorf("%s stands behind it %d times", e.Argument, len(partners))
	}
	other := edit{Patch: e.Patch, text: e.text, place: partners[0], insn: read(partners[0])}
	down := e.place.function.dominates(e.place.index, other.place.index)
	there, err := e.carried(spot{other.place, false}, down)
	if err != nil {
		return err
	}
	here, err := other.carried(spot{e.place, false}, !down)
	if err != nil {
		return err
	}
	e.replace(e.place, here)
	e.replace(other.place, there)
	return nil
}

// carried is the access as it is made at another spot, if what it needs is there, and
// nobody needs what it gives before.
func (e *edit) carried(s spot, down bool) (string, error) {
	f, x := e.place.function, e.place.index
	if s.in.Guard >= 0 {
		return "", errors.New("what it is moved to is not always executed")
	}
	from, to := x, s.index
	if !down {
		from, to = s.index, x
	}
	way := f.between(from, to)
	if s.behind == down {
		way = append(way, s.index) // it is on the other side then
	}
	beyond := f.after(from, to) // where the value may be looked at too early, or an old one be lost
	if s.behind == down {
		beyond[s.index] = true
	}
	for _, d := range f.writes[x] {
		for i := range beyond {
			if i != x && (slices.Contains(f.reads[i], d) || slices.Contains(f.writes[i], d)) {
				return "", fmt.Errorf("what it gives is needed before, in %s", e.text.module.LineOf(&f.Code[i]))
			}
		}
	}
	c := carrier{edit: e, way: way, down: down}
	insn := e.insn
	var made []string
	for _, r := range f.reads[x] {
		name, err := c.register(r)
		if err != nil {
			return "", err
		}
		if old := f.Registers[r].Name; name != old {
			insn.guard = renamed(insn.guard, old, name)
			for k := range insn.operands {
				insn.operands[k] = renamed(insn.operands[k], old, name)
			}
		}
	}
	made = c.made
	if target := read(s.place); s.behind && target.kind == swap {
		condition, err := e.succeeded(s.place, &target)
		if err != nil {
			return "", err
		}
		c.declared = joined(c.declared, ".reg .pred "+temporary+"p;")
		made = append(made, condition)
		insn.guard = "@" + temporary + "p "
	}
	text := insn.String()
	if c.declared != "" {
		text = block(c.declared, append(made, text)...)
	}
	name := e.text.module.SiteOf(e.place.in)
	if strings.Contains(name, "*/") {
		name = e.place.site
	}
	return text + " /* site " + name + " */", nil
}

// succeeded computes whether a compare-and-swap has succeeded.
func (e *edit) succeeded(at place, i *instruction) (string, error) {
	expected := &at.in.Operands[i.addressAt()+1]
	if e.insn.guard != "" || i.result() == "_" || expected.Kind == syntax.IsRegister && expected.Register == at.in.Operands[0].Register {
		return "", errors.New("whether the swap has succeeded cannot be told there")
	}
	return fmt.Sprintf("setp.eq.b%d %sp, %s, %s;", i.bits, temporary, i.operands[0], i.operands[i.addressAt()+1]), nil
}

// carrier finds what an access needs at another spot.
type carrier struct {
	*edit
	way      []int // the instructions between the spot and where the access stood
	down     bool
	declared string
	made     []string // what is computed there once more
	depth    int
}

// mostComputed bounds what is computed once more.
const mostComputed = 20

// register is the name of a register that has the same value there: itself, if nobody
// writes it on the way, or one that is computed anew.
func (c *carrier) register(r int32) (string, error) {
	f := c.place.function
	name := f.Registers[r].Name
	if !slices.ContainsFunc(c.way, func(i int) bool { return slices.Contains(f.writes[i], r) }) {
		return name, nil
	}
	definitions := f.definitions(r)
	if c.depth++; c.down || len(definitions) != 1 || !isPure(&f.Code[definitions[0]]) || c.depth > mostComputed {
		return "", fmt.Errorf("register %s, which it needs, has another value there", name)
	}
	in := &f.Code[definitions[0]]
	insn := read(place{function: f, index: definitions[0], in: in})
	for _, needed := range f.reads[definitions[0]] {
		n, err := c.register(needed)
		if err != nil {
			return "", err
		}
		for k := range insn.operands[1:] {
			insn.operands[k+1] = renamed(insn.operands[k+1], f.Registers[needed].Name, n)
		}
	}
	again := fmt.Sprintf("%s%d", temporary, len(c.made))
	kind := "pred"
	if t := f.Registers[r].Type; t.Class != syntax.Predicate {
		kind = fmt.Sprintf("b%d", t.Bits)
	}
	c.declared = joined(c.declared, fmt.Sprintf(".reg .%s %s;", kind, again))
	insn.operands[0] = again
	c.made = append(c.made, insn.String())
	return again, nil
}

var registerNames = regexp.MustCompile(`[%$A-Za-z_][\w$]*`)

// renamed puts a register in the place of another one.
func renamed(text, old, name string) string {
	return registerNames.ReplaceAllStringFunc(text, func(found string) string {
		if found == old {
			return name
		}
		return found
	})
}
