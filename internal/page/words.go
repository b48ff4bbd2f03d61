package page

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/sheet/account"
	"github.com/seed-1318a441/assay/internal/sheet/chain"
)

// Words are the words of a page. Its script shows them as they are and makes none of its
// own. It formats only figures that depend on the reader's choices, such as axes and
// values under the pointer, in the units given here.
type Words struct {
	// Units are the ladders of units that Metrics name, by their last unit.
	Units    map[string][]unit         `json:"units"`
	Metrics  map[string]metric         `json:"metrics"`
	Verdicts map[assay.Verdict]verdict `json:"verdicts"`
	// Cells has what comparisons say beside their verdict and figures, each text once.
	// The first says nothing.
	Cells []aside `json:"cells"`
	// Title is that of the page, IDs identify the data: study, runs, date.
	Title string   `json:"title"`
	IDs   []string `json:"ids"`
	// Machines are the words of each machine, Facts all that is known of them.
	Machines []machineWords `json:"machines"`
	// Over is the answer over all machines; absent for one.
	Over  *overWords `json:"over,omitempty"`
	Facts table      `json:"facts"`

	index map[aside]int
}

type unit struct {
	Div  float64 `json:"div"`
	Unit string  `json:"unit"`
}

// A metric is how a metric is printed. Group is "service" or "gc" for what is listed with
// those, in the order of At.
type metric struct {
	Label string  `json:"label"`
	Unit  string  `json:"unit"`
	Group string  `json:"group,omitempty"`
	At    float64 `json:"at,omitempty"`
}

type verdict struct {
	Word    string `json:"word"`
	Mark    string `json:"mark"`
	Tone    string `json:"tone"`
	Differs bool   `json:"differs,omitempty"`
}

// An aside is what a comparison says beside its verdict and figures. Change and Interval
// stand where it has no change in percent with an interval, Word and Mark where the verdict
// does not tell them.
type aside struct {
	Note     string `json:"note,omitempty"`
	Aside    string `json:"aside,omitempty"`
	Change   string `json:"change,omitempty"`
	Interval string `json:"interval,omitempty"`
	Word     string `json:"word,omitempty"`
	Mark     string `json:"mark,omitempty"`
}

// words returns the words of a page that no machine has alone: of its metrics and of all
// verdicts.
func (p *Page) words() *Words {
	w := &Words{Units: map[string][]unit{}, Metrics: map[string]metric{}, Verdicts: map[assay.Verdict]verdict{},
		Cells: []aside{{}}, index: map[aside]int{{}: 0}}
	for _, v := range assay.Verdicts {
		w.Verdicts[v] = verdict{Word: sheet.VerdictWords(assay.Comparison{Verdict: v}), Mark: sheet.Mark(assay.Comparison{Verdict: v}),
			Tone: cmp.Or(sheet.ToneOf(v).Class(), "plain"), Differs: v.Differs()}
	}
	// The script needs these for axes, whatever was measured.
	for _, m := range []string{assay.MetricGCMark, assay.MetricGCLive, "latency.p50"} {
		w.metric(m)
	}
	for _, m := range p.Machines {
		w.metricsOf(&m.Result)
	}
	if len(p.Machines) > 0 {
		w.Title, w.IDs = sheet.Title(&p.Machines[0].Result), p.ids()
	}
	w.Facts, w.Over = p.factsTable(), p.over()
	return w
}

// metricsOf adds the metrics of a result.
func (w *Words) metricsOf(r *assay.Result) {
	for _, t := range r.Tables {
		w.metric(t.Metric.Name)
	}
	for _, l := range r.Latencies {
		for _, x := range l.Refused {
			w.metric(x.Metric)
		}
	}
	for _, g := range r.GCs {
		for _, x := range g.Phases {
			w.metric(x.Name)
		}
	}
	for _, e := range r.Explanations {
		w.metric(e.Metric)
	}
}

func (w *Words) metric(name string) {
	ladder := sheet.LadderOf(name)
	l, known := sheet.LabelOf(name)
	x := metric{Label: l.Text, Unit: ladder[len(ladder)-1].Unit}
	switch {
	case sheet.IsGC(name):
		x.Group = "gc"
	case assay.IsLatency(name) || known:
		x.Group = "service"
	}
	if known {
		x.At = sheet.Place(name)
	}
	w.Metrics[name] = x
	units := make([]unit, len(ladder))
	for i, s := range ladder {
		units[i] = unit{s.Div, s.Unit}
	}
	w.Units[x.Unit] = units
}

// say returns the index of what a comparison says, on a sheet that leaves nothing out.
func (w *Words) say(p *sheet.Sheet, m assay.Metric, base float64, c assay.Comparison) int {
	e := sheet.Entry{Metric: m, Base: base, Cells: []assay.Comparison{c}}
	x := aside{Note: p.NoteOf(e, c), Aside: c.Placement()}
	change, interval, _ := sheet.ChangeCells(e, c)
	if math.IsNaN(base) {
		change, interval, _ = chain.ChangeCells(m, c)
	}
	if a, b := plainChange(c); change.Joined() != a || interval.Joined() != b {
		x.Change, x.Interval = change.Joined(), interval.Joined()
	} else {
		x.Aside = sheet.JoinWords(" · ", c.Change.Ratio(m), x.Aside)
	}
	if c.Bound() != "" {
		x.Word = c.Words()
	}
	if v := w.Verdicts[c.Verdict]; sheet.Mark(c) != v.Mark {
		x.Mark = sheet.Mark(c)
	}
	i, ok := w.index[x]
	if !ok {
		i = len(w.Cells)
		w.index[x], w.Cells = i, append(w.Cells, x)
	}
	return i
}

// plainChange returns a change and its interval as the script prints them where no words
// replace them.
func plainChange(c assay.Comparison) (change, interval string) {
	switch {
	case c.Exact:
		return sheet.Change(c.Change, 0), "(exact)"
	case c.Interval == nil:
		return "", ""
	}
	return sheet.Change(c.Change, c.Interval.Half()), c.Interval.String()
}

// machineWords have the words of one machine's result.
type machineWords struct {
	// Large is the number of the answer in large print; absent without a figure.
	Large *large `json:"large,omitempty"`
	// Open says that not all is decided; absent where all is.
	Open string `json:"open,omitempty"`
	// Lead is the variant that the answer's first figure is of, where it recommends none.
	Lead string `json:"lead,omitempty"`
	// Said is the index into Cells of each comparison, in the order of eachComparison.
	// Packed ones have a column of it.
	Said       []int      `json:"said"`
	Why        []whyWords `json:"why,omitempty"`
	Answer     []fact     `json:"answer"`
	Noise      []fact     `json:"noise"`
	Conditions []fact     `json:"conditions"`
	Variants   table      `json:"variants"`
	// Suite says by metric what its figures over the whole suite are of, Counts by
	// variant how the benchmarks are counted.
	Suite  map[string]string `json:"suite"`
	Counts map[string]string `json:"counts"`
	// Layouts says by variant how much of its variance lies between layouts.
	Layouts map[string]string `json:"layouts,omitempty"`
	// Effects have by metric a heading and a name each.
	Effects map[string][][2]string `json:"effects,omitempty"`
	// Places say where the points of the trade-off stand, in their order.
	Places []place              `json:"places,omitempty"`
	Race   *section             `json:"race,omitempty"`
	Steps  map[string]stepWords `json:"steps,omitempty"`
}

// A place is where a point of a trade-off stands.
type place struct {
	Text  string `json:"text"`
	Front bool   `json:"front,omitempty"`
}

// A fact is a name with what is known of it.
type fact struct {
	Name string `json:"name"`
	Text []cell `json:"text"`
}

// stepWords name the variant that was measured for a step, "" for a gap, and say what its
// gates say. Diff is a command that shows its change, DiffLink an address that does;
// Explain is a command that explains it.
type stepWords struct {
	Measured string `json:"measured"`
	Gates    string `json:"gates,omitempty"`
	Diff     string `json:"diff,omitempty"`
	DiffLink string `json:"diff_link,omitempty"`
	Explain  string `json:"explain,omitempty"`
}

func factsOf(facts []sheet.Fact) []fact {
	out := []fact{}
	for _, f := range facts {
		out = append(out, fact{f.Name, cellsOf(f.Text)})
	}
	return out
}

// machine adds the words of a result. p is its sheet, which leaves nothing out; rest is
// the part of the result that was not packed.
func (w *Words) machine(p *sheet.Sheet, rest *assay.Result) {
	r := p.Result
	m := machineWords{Said: []int{}, Answer: factsOf(p.Answer()), Noise: factsOf(sheet.NoiseFacts(r)), Conditions: factsOf(sheet.Conditions(r.Platform)),
		Variants: variantsTable(p), Suite: map[string]string{}, Counts: map[string]string{}, Layouts: map[string]string{}, Effects: map[string][][2]string{}, Steps: map[string]stepWords{}}
	m.Open = answer.Open(r.Answer)
	if len(r.Tables) > 0 && r.Answer.Use == "" {
		m.Lead = answer.LeadOf(r).Variant
	}
	eachComparison(rest, r, func(metric assay.Metric, base float64, c assay.Comparison) {
		m.Said = append(m.Said, w.say(p, metric, base, c))
	})
	short := sheet.New(r, false, false)
	for i := range r.Explanations {
		m.Why = append(m.Why, whyOf(short, &r.Explanations[i]))
	}
	for _, v := range r.Variants {
		m.Counts[v.Name] = sheet.Counts(sheet.Deciding(r).Metric, v)
		if text := sheet.Layouts(r, v.Name); text != "" {
			m.Layouts[v.Name] = text
		}
	}
	for _, t := range r.Tables {
		m.Suite[t.Metric.Name] = suiteWords(p, t)
		for _, e := range t.Effects {
			m.Effects[t.Metric.Name] = append(m.Effects[t.Metric.Name], [2]string{sheet.EffectHeading(e), sheet.SwitchLabel(e)})
		}
	}
	if r.Tradeoff != nil {
		for _, x := range sheet.TradePlaces(r.Tradeoff) {
			m.Places = append(m.Places, place{x.Text, x.Front})
		}
	}
	if r.Race != nil {
		m.Race = raceSection(p)
	}
	if r.Arc != nil {
		for _, s := range r.Arc.Steps {
			gates := strings.Join(chain.GateRemarks(s.Gates), "; ")
			if gates == "" && len(s.Gates) > 0 {
				gates = "held"
			}
			x := chain.Panel{Result: r}
			w := stepWords{Measured: x.Measured(s.Variant), Gates: gates}
			if s.Gap == nil {
				w.Diff, w.DiffLink = x.Diff(s)
				w.Explain = x.Explain(s)
			}
			m.Steps[s.Variant] = w
		}
	}
	w.Machines = append(w.Machines, m)
}

// suiteWords says which benchmarks a metric's figures over the whole suite are of.
func suiteWords(p *sheet.Sheet, t assay.Table) string {
	switch {
	case len(t.Geomean) > 0:
		return sheet.GeomeanWords(p.Result, t, t.Geomean)
	case len(t.Rows) == 1:
		return t.Rows[0].Benchmark.String()
	case len(t.Rows) == 0:
		return "no geomean: not measured"
	}
	withheld := func(c assay.Comparison) bool { return c.Verdict == assay.Withheld && c.N > 0 && c.Reason != "" }
	if c := t.Rows[0].Cells; len(c) > 0 && withheld(c[0]) {
		return "no geomean: " + c[0].Reason
	}
	return "no geomean: a value is zero, or nothing is common to all"
}

func raceSection(p *sheet.Sheet) *section {
	s := &section{Title: "Race", Tables: []table{{Name: "race", Head: []columnHead{{Text: "runner"}, {Text: "left after"}, {"vs the winner", true}, {"interval", true}}, Rows: rowsOf(p.RaceTable(false))}}}
	for _, l := range []string{sheet.RaceWinner(p.Result), sheet.RaceTime(p.Result)} {
		if l != "" {
			s.Lines = append(s.Lines, l)
		}
	}
	return s
}

// variantsTable returns the settings of each variant, and what it was built from.
func variantsTable(p *sheet.Sheet) table {
	t := table{Name: "variants and how they are set", Head: []columnHead{{Text: "variant"}, {Text: "set"}, {Text: "toolchain"}, {Text: "commit"}, {Text: "profile"}, {Text: "note"}}, Rows: [][]cell{}}
	for _, v := range p.Result.Variants {
		profile, note := "", ""
		if v.Profile != nil {
			profile = v.Profile.Path + ", " + sheet.ProfileMatch(*v.Profile) + " match"
		}
		switch {
		case v.Name == p.Result.Base:
			note = "base"
		case v.SameAs != nil:
			note = "≡ " + p.SameText(v)
		}
		var row []cell
		for _, text := range []string{v.Name, strings.Join(v.Words, " "), v.GoVersion, v.Commit[:min(12, len(v.Commit))], profile, note} {
			row = append(row, cell{Text: text})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// factsTable returns what is known about the machines of a page, side by side.
func (p *Page) factsTable() table {
	t := table{Name: "facts about the machines", Head: columnHeads("fact"), Rows: [][]cell{}}
	at := map[string]int{}
	for i, m := range p.Machines {
		head := "value"
		if len(p.Machines) > 1 {
			head = m.Name
		}
		t.Head = append(t.Head, columnHead{Text: head})
		for _, f := range factsOf(sheet.PlatformFacts(m.Result.Platform)) {
			if _, ok := at[f.Name]; !ok {
				at[f.Name] = len(t.Rows)
				t.Rows = append(t.Rows, append([]cell{{Text: f.Name}}, slices.Repeat([]cell{{Text: sheet.None}}, len(p.Machines))...))
			}
			t.Rows[at[f.Name]][i+1] = f.Text[0]
		}
	}
	return t
}

// method says how everything was measured: the facts of the plan, the time spent, and the
// rule.
func (p *Page) method() []string {
	first := &p.Machines[0].Result
	out := slices.Clone(p.Method)
	if len(out) == 0 && first.Spent.Blocks > 0 {
		out = []string{"in each block the variants run back to back, every trial in a fresh process, in an order drawn afresh", "no observation was removed"}
	}
	for _, m := range p.Machines {
		if text := sheet.Spent(&m.Result); text != "" && len(p.Machines) > 1 {
			out = append(out, m.Name+": "+text)
		} else if text != "" {
			out = append(out, text)
		}
	}
	return append(out, sheet.RuleLines(first.Rule)...)
}

// eachComparison calls f with each comparison that the page shows of a result, and with
// the base's value or NaN. web/src/data.ts visits them in the same order.
func eachComparison(r, full *assay.Result, f func(m assay.Metric, base float64, c assay.Comparison)) {
	list := func(m assay.Metric, base float64, cells []assay.Comparison) {
		for _, c := range cells {
			f(m, base, c)
		}
	}
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			list(t.Metric, row.Base, row.Cells)
		}
		list(t.Metric, math.NaN(), t.Geomean)
		for _, s := range t.Steps {
			if s.Whole != nil {
				f(t.Metric, math.NaN(), *s.Whole)
			}
			list(t.Metric, math.NaN(), s.Cells)
		}
		for _, e := range t.Effects {
			f(t.Metric, math.NaN(), e.Whole)
		}
	}
	first := sheet.Deciding(full)
	list(first.Metric, math.NaN(), r.Noise.Cells)
	for _, v := range r.Variants {
		if v.Worst != nil {
			f(first.Metric, baseIn(first, v.Worst.Benchmark), *v.Worst)
		}
	}
	if r.Arc != nil {
		for _, c := range r.Arc.Compound {
			f(assay.Metric{Name: c.Metric}, math.NaN(), c.Direct)
		}
	}
	for _, e := range r.Explanations {
		f(account.Metric(full, &e), e.BaseValue, e.Comparison)
	}
}

// baseIn returns the base's value of a benchmark, NaN if it was not measured.
func baseIn(t assay.Table, b assay.Benchmark) float64 {
	if i := slices.IndexFunc(t.Rows, func(r assay.Row) bool { return r.Benchmark == b }); i >= 0 {
		return t.Rows[i].Base
	}
	return math.NaN()
}
