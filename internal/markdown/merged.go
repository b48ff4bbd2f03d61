package markdown

import (
	"io"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// WriteMerged writes one study on several machines as a comment: a section for
// each machine, as [Markdown] has it, each with an answer of its own.
func WriteMerged(w io.Writer, x *assay.Merged, o Options) error {
	var all []block
	title := "### assay: " + Code(x.Study) + " on " + printable.Count(len(x.Machines), "machine")
	all = append(all, block{text: title, pinned: true})
	if x.Question != "" {
		all = append(all, block{text: Prose(x.Question)})
	}
	verdicts := map[string]bool{}
	for i := range x.Machines {
		r := &x.Machines[i].Result
		m := newMarkdown(r, Options{Head: o.Head, Branch: o.Branch})
		m.level = "####"
		m.pin("#### " + Code(x.Machines[i].Name) + ": " + m.verdict())
		if m.quiet() {
			m.pin(strings.Join(m.texts(), "<br>\n"))
		} else {
			m.body()
		}
		m.add(strings.Join(m.links(), " · "))
		verdicts[m.pushVerdict()] = true
		all = append(all, m.blocks...)
	}
	foot := newMarkdown(&assay.Result{Study: x.Study, Warnings: x.Warnings}, o)
	foot.add(foot.notices())
	foot.add("Nothing is averaged over machines, and there is no verdict across them: they cannot be interleaved.")
	if a := Address(o.Report); a != "" {
		foot.pin("[Interactive report](" + a + ")")
	}
	foot.earlier()
	foot.pin(strings.Join(append(foot.remember(mergedVerdict(verdicts)), Marker(x.Study)), "\n"))
	_, err := io.WriteString(w, fitBlocks(append(all, foot.blocks...), MaxSize))
	return err
}

// mergedVerdict is what all machines say, or that they do not.
func mergedVerdict(verdicts map[string]bool) string {
	for v := range verdicts {
		if len(verdicts) == 1 {
			return v
		}
	}
	return "machines differ"
}
