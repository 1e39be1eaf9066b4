package fences

import (
	"fmt"
	"io"
	"text/tabwriter"

	"stealproof/ref"
)

// WriteTable prints, for each access, the order that it has, the one that suffices,
// and what happens if that is one step weaker; and beside it the file, by site, in
// which somebody has saved the case, if there is one.
func (a *Answer) WriteTable(w io.Writer, files map[int]string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "access\tas it is\tsuffices\tone step weaker")
	needed := map[int]Needed{}
	for _, n := range a.Needed {
		needed[n.Site] = n
	}
	for _, s := range a.Sites {
		weaker := ""
		if n, found := needed[s.Site]; found {
			weaker = fmt.Sprintf("%s: %s", orderName(s.Kind, n.Weaker), n.Case.Found)
			if files[s.Site] != "" {
				weaker += ", " + files[s.Site]
			}
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", a.Design.Sites[s.Site], orderName(s.Kind, s.Given), orderName(s.Kind, a.Sufficient[s.Site]), weaker)
	}
	return t.Flush()
}

// orderName is an order as one would write it at the site.
func orderName(kind ref.AccessKind, o ref.Order) string {
	if kind == ref.Fence && o == ref.Weak {
		return "no fence"
	}
	return o.String()
}
