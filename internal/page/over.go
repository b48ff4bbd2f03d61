package page

import (
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// overWords are the answer over all machines, and what each shows of every variant.
type overWords struct {
	Name  string   `json:"name"`
	Class string   `json:"class,omitempty"`
	Open  bool     `json:"open,omitempty"`
	Text  []string `json:"text"`
	Basis string   `json:"basis"`
	// More leads to what is known of each machine's answer.
	More  string `json:"more"`
	Table table  `json:"table"`
}

// over returns the words over all machines, nil where there is one or nothing to compare.
func (p *Page) over() *overWords {
	if p.merged == nil || p.merged.Answer == nil {
		return nil
	}
	a, several := p.merged.Answer, len(p.merged.Heads) > 1
	o := &overWords{Name: "all machines", Class: sheet.AnswerTone(*a).Class(), Open: !a.Decided, More: "how sure, how much, measured on what", Basis: a.Basis, Text: a.Text}
	from := sheet.OverTable(p.merged, false)
	o.Table = table{Name: "variants on every machine, against " + p.Machines[0].Result.Base, Rows: [][]cell{},
		Head: []columnHead{{Text: "machine"}, {"change", true}, {"interval", true}, {Text: "verdict"}, {Text: "over machines"}}}
	if several {
		o.Table.Head = append([]columnHead{{Text: "variant"}}, o.Table.Head...)
	} else {
		o.Table.Name = p.merged.Heads[0].Variant + " on every machine, against " + p.Machines[0].Result.Base
	}
	lead, mixed := "", slices.ContainsFunc(p.merged.Heads, func(h assay.MergedHead) bool { return h.Metric.Name != p.merged.Heads[0].Metric.Name })
	for _, r := range from.Rows {
		switch {
		case r.Lead != "":
			if lead = r.Lead; mixed {
				metric, _, _ := strings.Cut(r.Text, ", ")
				lead += " (" + metric + ")"
			}
		case r.Cells != nil:
			row := cellsOf(r.Cells)
			row[0].Text = strings.TrimLeft(row[0].Text, " ")
			if several {
				row = append([]cell{plainText(lead)}, row...)
			}
			o.Table.Rows = append(o.Table.Rows, row)
		}
	}
	return o
}
