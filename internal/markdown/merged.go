package markdown

import (
	"io"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// WriteMerged writes one study on several machines as a comment: a section for each
// machine as [Write] has it, with an answer of its own.
func WriteMerged(w io.Writer, x *assay.Merged, o Options) error {
	all := newMarkdown(&assay.Result{Study: x.Study, Warnings: x.Warnings}, o)
	all.pin("### assay: " + Code(x.Study) + " on " + printable.Count(len(x.Machines), "machine"))
	all.add(Prose(x.Question))
	var verdicts []string
	for i := range x.Machines {
		r := &x.Machines[i].Result
		m := newMarkdown(r, Options{Head: o.Head, Branch: o.Branch})
		m.pin("#### " + Code(x.Machines[i].Name) + ": " + m.verdict())
		if m.quiet() {
			m.pin(strings.Join(m.texts(), "<br>\n"))
		} else {
			m.body()
		}
		m.add(strings.Join(m.links(), " · "))
		if v := m.pushVerdict(); !slices.Contains(verdicts, v) {
			verdicts = append(verdicts, v)
		}
		all.blocks = append(all.blocks, m.blocks...)
	}
	all.add(all.notices())
	all.add("Nothing is averaged over machines, and there is no verdict across them: they cannot be interleaved.")
	if a := Address(o.Report); a != "" {
		all.pin("[Interactive report](" + a + ")")
	}
	all.earlier()
	verdict := "machines differ"
	if len(verdicts) == 1 {
		verdict = verdicts[0]
	}
	all.remember(verdict, x.Study)
	_, err := io.WriteString(w, fit(all.blocks))
	return err
}
