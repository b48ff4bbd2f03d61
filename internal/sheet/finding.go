package sheet

import (
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A Digest is the short form of a sheet of services with many variants: what changed, and
// how everything else stands.
type Digest struct{ Sheet *Sheet }

// A finding is a comparison of a service that has a row of its own where most do not. It
// may stand for other variants with the same verdict, whose changes are smaller.
type finding struct {
	Entry
	variant   string
	alike, of int // variants with this verdict, and all of them
}

// found reports whether a comparison says more than that it is unclear or the same.
func found(c assay.Comparison) bool {
	return c.Verdict.Differs() || c.Verdict == assay.Saturated || c.Verdict == assay.Invalid
}

// findings are those of a service: each of metrics that decide, and with others one for
// each verdict of any other metric. Too many of the former are folded as the latter.
func (s Digest) findings(b assay.Benchmark, withOthers bool) (out []finding) {
	var asked, others []finding
	fold := false
	for _, e := range s.entriesOf(b) {
		if !s.Sheet.decides(e.Metric.Name) {
			if withOthers {
				others = append(others, s.foldedFindings(e)...)
			}
			continue
		}
		asked = append(asked, s.findingsOf(e)...)
		fold = fold || len(asked) > MaxRows
	}
	if fold {
		asked = nil
		for _, e := range s.entriesOf(b) {
			if s.Sheet.decides(e.Metric.Name) {
				asked = append(asked, s.foldedFindings(e)...)
			}
		}
	}
	return append(asked, others...)
}

// entriesOf are the entries of a service, details among them.
func (s Digest) entriesOf(b assay.Benchmark) (out []Entry) {
	whole := *s.Sheet
	whole.all = true
	for _, sec := range whole.ServiceSections(b) {
		out = append(out, sec.Entries...)
	}
	return out
}

// decides reports whether a metric decides the run.
func (s *Sheet) decides(metric string) bool { return slices.Contains(s.Result.Rule.Metrics, metric) }

func (s Digest) findingsOf(e Entry) (out []finding) {
	for _, v := range s.Sheet.Shown {
		if c, ok := e.Of(v); ok && found(c) {
			out = append(out, finding{e, v, 1, len(s.Sheet.Shown)})
		}
	}
	return out
}

// foldedFindings has the largest change of each verdict, in place of all.
func (s Digest) foldedFindings(e Entry) (out []finding) {
	for _, f := range s.findingsOf(e) {
		c, _ := e.Of(f.variant)
		i := slices.IndexFunc(out, func(f finding) bool { x, _ := e.Of(f.variant); return x.Verdict == c.Verdict })
		if i < 0 {
			out = append(out, f)
			continue
		}
		out[i].alike++
		if x, _ := e.Of(out[i].variant); math.Abs(c.Change.Log()) > math.Abs(x.Change.Log()) {
			out[i].variant = f.variant
		}
	}
	return out
}

// FindingTable has a row for each comparison of a service that is more than unclear or the
// same, in groups by service: of metrics that decide, or also of others. It has no rows
// where there are none.
func (s Digest) FindingTable(l Layout, others bool) *Table {
	t := &Table{Columns: append([]Column{{Head: "changed"}, {Gap: 2}}, l.columns(1)...)}
	t.Columns[2].Head, t.Columns[2].Gap, t.Columns[4].Gap = "vs "+s.Sheet.Result.Base, 2, 1
	for _, b := range s.Sheet.Services {
		findings := s.findings(b, others)
		if len(findings) == 0 {
			continue
		}
		if len(t.Rows) == 0 {
			t.Heads()
		}
		if len(s.Sheet.Services) > 1 {
			t.Text("", b.Name)
		}
		for _, f := range findings {
			t.Row(append([]Cell{Word(nameAlone(f.Metric.Name)), Word(f.variant)}, l.cells(s.findingFields(f))...)...)
		}
	}
	return t
}

// nameAlone is the name of a metric where no heading says what it is of.
func nameAlone(metric string) string {
	if l, known := LabelOf(metric); known && !IsGC(metric) && !assay.IsLatency(metric) {
		return l.Text
	}
	return MetricWords(metric)
}

func (s Digest) findingFields(f finding) Fields {
	fields := s.Sheet.Fields(f.Entry, f.variant)
	if f.alike > 1 {
		fields.Verdict.Text += " in " + printable.Int(f.alike) + " of " + printable.Int(f.of)
	}
	return fields
}

// FoundSection has the metrics of a service that do not decide and of which a comparison
// says more than that it is unclear or the same.
func (s Digest) FoundSection(b assay.Benchmark) Section {
	whole := *s.Sheet
	whole.all = true
	sections := whole.ServiceSections(b)
	rest := make([][]Entry, len(sections))
	note := ""
	for i := range sections {
		sections[i].Tail = ""
		for _, e := range sections[i].Entries {
			if s.Sheet.decides(e.Metric.Name) || e.Refused != "" || len(s.findingsOf(e)) == 0 {
				continue
			}
			rest[i] = append(rest[i], e)
			if IsShare(e.Metric.Name) {
				note = shareNote
			}
		}
	}
	out := RestOf(b, sections, rest)
	out.Tail = note
	return out
}

// KeepFindings gathers the notes on the rows of [Digest.FindingTable]. With column the
// table has them, but for why servers were saturated.
func (n *Notes) KeepFindings(s Digest, others, column bool) {
	share := false
	for _, b := range s.Sheet.Services {
		for _, x := range s.findings(b, others) {
			f := s.Sheet.Fields(x.Entry, x.variant)
			if s.Sheet.decides(x.Metric.Name) && f.Note != "" && (f.saturated || !column) {
				n.Add(f.Note, s.Sheet.placeOf(x.Entry, x.variant))
			}
			if IsShare(x.Metric.Name) && !share {
				share = true
				n.Add(shareNote, x.Label)
			}
		}
	}
}
