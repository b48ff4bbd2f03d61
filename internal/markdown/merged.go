package markdown

import (
	"io"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// WriteMerged writes one study on several machines as a comment: a section for each
// machine as [Write] has it, with an answer of its own.
func WriteMerged(w io.Writer, x *assay.Merged, o Options) error {
	all := newMarkdown(&assay.Result{Study: x.Study, Warnings: x.Warnings}, o)
	all.pin("### assay: " + Code(x.Study) + " on " + printable.Count(len(x.Machines), "machine"))
	all.add(Prose(x.Question))
	overall(all, x)
	var verdicts []string
	for i := range x.Machines {
		r := &x.Machines[i].Result
		m := newMarkdown(r, Options{Head: o.Head, Branch: o.Branch})
		m.pin(sheet.JoinWords(" · ", "#### "+Code(x.Machines[i].Name)+": "+m.head.verdict(), answer.Coverage(r)))
		if m.head.quiet() {
			m.pin(strings.Join(m.head.texts(), "<br>\n"))
		} else {
			m.body()
		}
		m.add(strings.Join(m.links(), " · "))
		if v := m.head.pushVerdict(); !slices.Contains(verdicts, v) {
			verdicts = append(verdicts, v)
		}
		all.blocks = append(all.blocks, m.blocks...)
	}
	all.add(all.notices())
	all.add("Nothing is averaged over machines, and there is no verdict on the machines themselves: they cannot be interleaved.")
	if a := Address(o.Report); a != "" {
		all.pin("[Interactive report](" + a + ")")
	}
	all.earlier()
	verdict := "machines differ"
	switch {
	case len(verdicts) == 1:
		verdict = verdicts[0]
	case x.Answer != nil && x.Answer.Verdict != assay.Mixed:
		verdict = string(x.Answer.Verdict)
	}
	all.remember(verdict, x.Study)
	_, err := io.WriteString(w, fit(all.blocks))
	return err
}

// overall adds the answer over all machines, and what each machine shows of every variant.
func overall(all *comment, x *assay.Merged) {
	if x.Answer == nil {
		return
	}
	all.head.pull = newMarkdown(&x.Machines[0].Result, all.o).head.pull
	var lines []string
	for _, t := range x.Answer.Text {
		lines = append(lines, all.head.prose(t))
	}
	lines[0] = "**" + lines[0] + "**"
	all.pin(strings.Join(lines, "<br>\n"))
	t := sheet.OverTable(x, false)
	var rows [][]string
	for _, r := range t.Rows {
		switch {
		case r.Heads != nil:
			continue
		case r.Cells != nil:
			r.Cells = slices.Clone(r.Cells)
			r.Cells[0].Text = Code(strings.TrimSpace(r.Cells[0].Text))
		case r.Lead != "":
			r.Lead = "**" + Code(r.Lead) + "**"
		}
		row := columnsOf(t, r, true)
		for len(row) < 4 {
			row = append(row, "")
		}
		rows = append(rows, row)
	}
	all.add(mdTable([]string{Prose(t.Columns[0].Head), Prose(t.Columns[1].Head), "verdict", "over machines"}, []string{toLeft, toRight, toLeft, toLeft}, rows))
	all.add(Prose(x.Answer.Basis))
}
