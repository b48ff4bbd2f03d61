package markdown

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// A headline is what a result says in one line.
type headline struct {
	sheet *sheet.Sheet
	// pull writes the names of a pull request in place of those in sentences of the record;
	// nil where the result is of none.
	pull *strings.Replacer
}

// prose is a sentence of the record, about "this PR" where that was measured.
func (m headline) prose(text string) string {
	if m.pull != nil {
		text = m.pull.Replace(text)
	}
	return Prose(text)
}

// verdict is the heading's: a gate that does not hold, else how many benchmarks changed, or
// where that is no answer, the first line of the answer.
func (m headline) verdict() string {
	a := m.sheet.Result.Answer
	if len(a.Text) == 0 {
		a.Text = []string{string(a.Verdict)}
	}
	switch {
	case a.Gate == answer.GateFailed:
		return m.prose(a.Text[0])
	case m.cannotTell():
		return fmt.Sprintf("cannot tell on this runner (%s %%)", sheet.PlusMinus(m.sheet.Result.Noise.Floor))
	case a.Gate == answer.GateOpen:
		return m.prose(a.Text[0])
	case m.quiet() && m.sheet.Result.Answer.Verdict == assay.SameCoded:
		return string(assay.SameCoded)
	case m.quiet():
		return "no change in " + printable.Count(m.sheet.Benchmarks(), "benchmark")
	case m.tallies() && len(m.sheet.Result.Tables[0].Rows) == 1: // "`Decode` faster −8.0 % [−8.8, −7.2]", "`Decode` within ±4.1 %"
		t := m.sheet.Result.Tables[0]
		e := sheet.EntryOf(t, t.Rows[0])
		f := m.sheet.Fields(e, m.sheet.Shown[0])
		if c, _ := e.Of(m.sheet.Shown[0]); c.Bound() != "" {
			f.Change, f.Interval = sheet.Cell{}, sheet.Cell{}
		}
		return sheet.JoinWords(" ", Code(t.Rows[0].Benchmark.Name), f.Verdict.Text, f.Change.Joined(), f.Interval.Joined())
	case m.tallies():
		return Prose(m.tally())
	}
	return m.prose(a.Text[0])
}

// tallies reports whether the heading counts benchmarks: those of one variant against the
// base, where the question is about them.
func (m headline) tallies() bool {
	return len(m.sheet.Shown) == 1 && m.sheet.Result.Arc == nil && m.sheet.Result.Race == nil && !m.sheet.Serves && !m.sheet.Foreign &&
		len(m.sheet.Result.Tables) > 0 && len(m.sheet.Result.Tables[0].Rows) > 0
}

// tally is "2 slower, 1 faster, 8 same", and what differs in the other metrics that
// decide: "allocs/op: 1 more".
func (m headline) tally() string {
	var parts []string
	for i, t := range m.sheet.Result.Tables {
		if i > 0 && !t.Decides {
			continue
		}
		words := m.words(t, i == 0)
		switch {
		case words == "":
		case i == 0:
			parts = append(parts, words)
		default:
			parts = append(parts, sheet.MetricWords(t.Metric.Name)+": "+words)
		}
	}
	return strings.Join(parts, "; ")
}

// words counts the verdicts of a table, the worst first: all of them, or those that claim
// a change.
func (m headline) words(t assay.Table, all bool) string {
	by := map[assay.Verdict][]assay.Comparison{}
	for _, c := range sheet.AllCells(t) {
		by[c.Verdict] = append(by[c.Verdict], c)
	}
	var parts []string
	for _, v := range []assay.Verdict{assay.Slower, assay.More, assay.Lower, assay.Faster, assay.Less, assay.Higher, assay.Changed,
		assay.Unclear, assay.Saturated, assay.Invalid, assay.Same, assay.SameCoded} {
		switch {
		case len(by[v]) == 0 || !all && !v.Differs():
		case v == assay.Unclear:
			parts = append(parts, answer.Counts(by[v]))
		default:
			parts = append(parts, printable.Int(len(by[v]))+" "+sheet.VerdictWords(by[v][0]))
		}
	}
	return strings.Join(parts, ", ")
}

// cannotTell reports whether the runner was too noisy for the question. Where a change is
// proved nevertheless, the comment says so.
func (m headline) cannotTell() bool {
	noisy := slices.ContainsFunc(m.sheet.Result.Warnings, func(w assay.Warning) bool { return w.Code == assay.CodeNoisy })
	return noisy && m.sheet.Result.Noise.Known() && !m.any(assay.Verdict.Differs) &&
		m.any(func(v assay.Verdict) bool { return v == assay.Unclear })
}

// any reports whether any metric that decides has such a verdict, over the suite or for a
// benchmark.
func (m headline) any(is func(assay.Verdict) bool) bool {
	return slices.ContainsFunc(m.sheet.Result.Tables, func(t assay.Table) bool {
		return t.Decides && slices.ContainsFunc(append(sheet.AllCells(t), t.Geomean...), func(c assay.Comparison) bool { return is(c.Verdict) })
	})
}

// quiet reports whether nothing changed: neither what decides, nor counts that do not.
func (m headline) quiet() bool {
	a := m.sheet.Result.Answer
	if a.Verdict != assay.Same && a.Verdict != assay.SameCoded || a.Gate == answer.GateFailed || a.Gate == answer.GateOpen || m.sheet.Result.Arc != nil {
		return false
	}
	for _, t := range m.sheet.Result.Tables {
		if t.Decides && !sheet.Unchanged(t.Rows) || !t.Decides && len(sheet.ChangedRows(t)) > 0 && counted(t.Metric.Name) {
			return false
		}
	}
	return !slices.ContainsFunc(m.sheet.Result.Warnings, inSight)
}

// texts are the lines of the answer, except those in the heading.
func (m headline) texts() []string {
	var out []string
	head := m.verdict()
	for _, t := range sheet.AnswerLines(m.sheet.Result.Answer) {
		if t = m.prose(t); t != head && t != "" && t != answer.Coverage(m.sheet.Result) {
			out = append(out, t)
		}
	}
	return out
}

// pushVerdict is the verdict as later comments remember it.
func (m headline) pushVerdict() string {
	switch {
	case m.sheet.Result.Answer.Gate == answer.GateFailed:
		return "gate failed"
	case m.cannotTell():
		return "cannot tell"
	case m.quiet():
		return string(m.sheet.Result.Answer.Verdict)
	case m.tallies():
		return m.words(m.sheet.Result.Tables[0], true)
	}
	return string(m.sheet.Result.Answer.Verdict)
}
