package manual

import (
	"github.com/spf13/pflag"
)

// flags lists those of a set, if there are any.
func (p *roff) flags(title string, fl *pflag.FlagSet) {
	if !fl.HasAvailableFlags() {
		return
	}
	p.section(title)
	fl.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name, text := pflag.UnquoteUsage(f)
		word := "--" + f.Name
		if f.Shorthand != "" {
			word = "-" + f.Shorthand + ", " + word
		}
		if name != "" {
			word += " " + name
		}
		switch f.DefValue {
		case "", "false", "0", "0s", "[]":
		default:
			text += " (default " + f.DefValue + ")"
		}
		p.item(word, text)
	})
}
