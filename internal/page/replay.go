package page

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/analysis/replay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/ruler"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// A Replay is the way of a machine's run to its answer, and what its blocks say under
// other conditions. The script moves marks and shows words; each verdict is of package
// analysis.
type Replay struct {
	Machine int `json:"machine"`
	// Metric is the one that the answer's first figure is of.
	Metric string      `json:"metric"`
	Rows   []replayRow `json:"rows"`
	// Frames are in the order of blocks, Margins in that of minimum effects. Fixed is the
	// index of the study's own in Margins.
	Frames  []look `json:"frames"`
	Margins []look `json:"margins,omitempty"`
	Fixed   int    `json:"fixed"`
	Without []look `json:"without,omitempty"`
	// Both has other minimum effects with a benchmark left out, by the keys of both with a
	// space between them.
	Both []look `json:"both,omitempty"`
	// Note says for which minimum effect the error rates hold, Limits which conditions
	// there are no looks at.
	Note   string `json:"note"`
	Limits string `json:"limits,omitempty"`
	// Whole is the label of what the study answers, and Rest says of what the answer's card
	// still is while its number and sentence are a look's.
	Whole string `json:"whole"`
	Rest  string `json:"rest"`
	// Decided is the head of the column that says since when, and Chain what a chain's
	// changes are against.
	Decided string `json:"decided"`
	Chain   string `json:"chain,omitempty"`
}

// A replayRow is a variant over the whole suite, or a benchmark of the only variant.
type replayRow struct {
	Variant   string `json:"variant"`
	Benchmark string `json:"benchmark,omitempty"`
}

// A look is what a run says of each row, at one time or under one condition.
type look struct {
	// Key stands for it in the address: a number of blocks, percent, or a benchmark.
	Key string `json:"key"`
	// Label says when or under which condition, Short the same beside its control.
	Label string `json:"label"`
	Short string `json:"short"`
	// Least is the minimum effect, where it is another.
	Least float64 `json:"least,omitempty"`
	// Zone is the same in the words of the ruler's legend.
	Zone  string     `json:"zone,omitempty"`
	Heads []lookHead `json:"heads"`
	// Large is the number of the row that the look answers with.
	Large *large `json:"large,omitempty"`
	// Answer is the first sentence of the answer, "" for the frames of a race. Open says
	// that not all is decided.
	Answer string `json:"answer,omitempty"`
	Open   string `json:"open,omitempty"`
}

// A lookHead is what a look says of a row; its verdict is "" before the row was measured.
type lookHead struct {
	// At is the change, and the ends of its interval if there is one.
	At       []float64     `json:"at,omitempty"`
	Change   string        `json:"change,omitempty"`
	Interval string        `json:"interval,omitempty"`
	Verdict  assay.Verdict `json:"verdict,omitempty"`
	Word     string        `json:"word,omitempty"`
	Mark     string        `json:"mark,omitempty"`
	Note     string        `json:"note,omitempty"`
	// Decided means that the stop rule needed no more blocks.
	Decided bool `json:"decided,omitempty"`
	// Counts says how the benchmarks are counted.
	Counts string `json:"counts,omitempty"`

	rare answer.Rarity
}

// NewReplay returns the replay of a machine's run, in words.
func NewReplay(machine int, r *assay.Result, x *replay.Replay) Replay {
	s := sheet.New(r, true, false)
	u := ruler.Of(r, nil)
	m := sheet.Deciding(r).Metric
	if len(r.Tables) > 0 {
		m = answer.LeadOf(r).Table.Metric
	}
	out := Replay{Machine: machine, Metric: m.Name, Frames: []look{}, Rows: replayRows(r, u), Decided: "decided"}
	out.Whole = "after all " + printable.Count(x.Blocks, s.BlockNoun())
	out.Rest = "How sure, how much and why: " + out.Whole + "."
	if r.Arc != nil {
		base := r.Base
		out.Decided += " against " + base
		out.Chain = "Changes and what is decided are of each step against " + base + ", not against the step before it."
	}
	looks := replayed{s, m, u, out.Rows}
	for _, f := range x.Frames {
		l := looks.of(f.Heads, f.Answer, x.MinEffect)
		l.Key = strconv.Itoa(f.Blocks)
		l.Label = "after " + printable.Int(f.Blocks) + " of " + printable.Count(x.Blocks, s.BlockNoun())
		if f.Blocks == x.Blocks {
			l = looks.of(f.Heads, r.Answer, x.MinEffect)
			l.Key, l.Label = strconv.Itoa(f.Blocks), out.Whole
		}
		l.Short = l.Label
		out.Frames = append(out.Frames, l)
	}
	for i, o := range x.Margins {
		answer := o.Answer
		if o.MinEffect == x.MinEffect {
			out.Fixed, answer = i, r.Answer
		}
		l := looks.of(o.Heads, answer, o.MinEffect)
		l.Key, l.Zone, l.Least = keyOfLeast(o), sheet.MinEffect(o.MinEffect), o.MinEffect
		l.Short = l.Zone
		l.Label = "with a minimum effect of " + l.Short
		if i == out.Fixed && o.MinEffect == x.MinEffect {
			l.Short += ", as the study fixed it"
			out.Note = "The study fixed " + l.Zone + " before it ran: its error rates hold for that minimum effect. Others are for looking."
		}
		out.Margins = append(out.Margins, l)
	}
	for _, o := range x.Without {
		l := looks.of(o.Heads, o.Answer, o.MinEffect)
		l.Key = o.Without.String()
		l.Short, l.Label = l.Key, "without "+l.Key
		out.Without = append(out.Without, l)
	}
	for _, o := range x.Both {
		l := looks.of(o.Heads, o.Answer, o.MinEffect)
		without := o.Without.String()
		l.Key, l.Zone, l.Least = keyOfLeast(o)+" "+without, sheet.MinEffect(o.MinEffect), o.MinEffect
		l.Label = "with a minimum effect of " + l.Zone + ", without " + without
		l.Short = l.Label
		out.Both = append(out.Both, l)
	}
	out.Limits = limitsOf(x)
	return out
}

func keyOfLeast(o replay.Outlook) string {
	return strings.TrimSuffix(printable.Percent(o.MinEffect), " %")
}

// limitsOf says which conditions a replay has no looks at, "" if it has all.
func limitsOf(x *replay.Replay) string {
	var parts []string
	if n := len(x.Without); n > 0 && n < x.Common {
		parts = append(parts, "One can leave out the "+printable.Int(n)+" of "+printable.Count(x.Common, "benchmark")+" with the largest changes.")
	}
	if len(x.Without) > 0 && len(x.Margins) > 1 && len(x.Both) == 0 {
		parts = append(parts, "The page looks at another minimum effect or at a benchmark left out, one at a time.")
	}
	return strings.Join(parts, " ")
}

// replayRows returns the variants, and the benchmarks that the ruler of the result has.
func replayRows(r *assay.Result, u *ruler.Ruler) (out []replayRow) {
	if len(r.Tables) == 0 {
		return nil
	}
	heads := answer.Headlines(answer.LeadOf(r).Table)
	for _, v := range r.Variants {
		if c, ok := answer.Find(heads, v.Name); ok && c.N > 0 {
			out = append(out, replayRow{Variant: v.Name})
		}
	}
	if u != nil {
		for _, x := range u.Rows {
			if x.Benchmark != "" {
				out = append(out, replayRow{x.Variant, x.Benchmark})
			}
		}
	}
	return out
}

// A replayed puts looks into words.
type replayed struct {
	sheet  *sheet.Sheet
	metric assay.Metric
	ruler  *ruler.Ruler
	rows   []replayRow
}

func (x replayed) of(heads []analysis.Head, a assay.Answer, least float64) look {
	l := x.at(heads)
	if len(a.Text) > 0 {
		l.Answer, l.Open = a.Text[0], answer.Open(a)
	}
	if x.ruler == nil || x.sheet.Result.Answer.Asks.Kind() == assay.AskCauses { // causes have no frames
		return l
	}
	lead := x.ruler.Rows[x.ruler.Lead]
	i := slices.Index(x.rows, replayRow{lead.Variant, lead.Benchmark})
	if use := slices.Index(x.rows, replayRow{Variant: a.Use}); i >= 0 && use >= 0 {
		i = use
	}
	if i >= 0 && l.Heads[i].Verdict != "" {
		l.Large = x.large(x.rows[i], l.Heads[i], least)
	}
	return l
}

// large is the number of a row in large print. Before there is an interval there is
// none.
func (x replayed) large(row replayRow, h lookHead, least float64) *large {
	out := &large{Text: h.Change, Of: sheet.MetricOf(x.ruler.Metric, cmp.Or(row.Benchmark, row.Variant)), Class: sheet.ToneOf(h.Verdict).Class()}
	if !h.rare.Typical() {
		text, of := ruler.LargeRarity(h.rare)
		return &large{Text: text, Of: out.Of + ": " + of}
	}
	if len(h.At) == 3 {
		out.Text = ruler.LargeText(h.Verdict, h.Change, h.Interval, least)
	} else if h.Interval != "" {
		out.Of += ", " + h.Interval
	}
	return out
}

func (x replayed) at(heads []analysis.Head) look {
	l := look{Heads: make([]lookHead, len(x.rows))}
	for _, h := range heads {
		x.put(l, h, replayRow{Variant: h.Variant})
		for _, b := range h.Rows {
			x.put(l, b, replayRow{h.Variant, b.Benchmark.String()})
		}
	}
	return l
}

func (x replayed) put(l look, h analysis.Head, at replayRow) {
	if i := slices.Index(x.rows, at); i >= 0 {
		l.Heads[i] = x.head(h)
	}
}

func (x replayed) head(h analysis.Head) lookHead {
	e := sheet.Entry{Metric: x.metric, Base: h.Base, Cells: []assay.Comparison{h.Comparison}}
	change, interval, _ := sheet.ChangeCells(e, h.Comparison)
	out := lookHead{Change: change.Joined(), Interval: interval.Joined(), Verdict: h.Verdict, Word: sheet.VerdictWords(h.Comparison), Mark: sheet.Mark(h.Comparison), Decided: h.Decided, Note: h.Reason, Counts: sheet.Counts(x.metric, h.Counts), rare: h.Rare}
	if c := float64(h.Change); change.Num && !math.IsInf(c, 0) && !math.IsNaN(c) {
		out.At = []float64{coarse(c)}
		if i := h.Interval; i != nil {
			out.At = append(out.At, coarse(float64(i.Lo)), coarse(float64(i.Hi)))
		}
	}
	return out
}
