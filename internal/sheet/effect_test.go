package sheet

import (
	"testing"

	"github.com/seed-1318a441/assay"
)

var (
	gcSwitch    = assay.Switch{Factor: "gc", From: "on", To: "off"}
	levelSwitch = assay.Switch{Factor: "level", From: "1", To: "2"}
)

func effectOf(v assay.Verdict, change assay.Change, switches ...assay.Switch) assay.Effect {
	return assay.Effect{Switches: switches, Whole: changeOf("b", v, change, 0.01)}
}

// Effects stand in groups by what was held, those of two switches last; what is not known
// of two of them is only counted.
func TestEffectTable(t *testing.T) {
	same := effectOf(assay.SameCoded, 0, levelSwitch)
	same.Held, same.Whole.Reason = "b", "no effect possible: no binary reads it"
	one := effectOf(assay.Slower, 0.1, gcSwitch)
	one.Cells = []assay.Comparison{changeOf("b", assay.Slower, 0.2, 0.01)}
	one.Cells[0].Benchmark.Name = "A"
	table := tableOf(assay.MetricTime, assay.Slower, assay.Slower)
	table.Common = 2
	table.Effects = []assay.Effect{one, effectOf(assay.Unclear, 0, levelSwitch), same, effectOf(assay.Unclear, 0, gcSwitch, levelSwitch)}
	s := New(resultOf([]string{"a", "b"}, table), false, false)
	sameLines(t, "effects", linesOf(s.EffectTable(table, Layout{})),
		"# switch, mean over the others|effect on time, geomean of 2",
		"gc: on to off|+10.0 %|[+9.0, +11.0]|slower", "level: 1 to 2|0.0 %|[−1.0, +1.0]|within ±1.0 %",
		"", "# switch, others as in b|effect on time, geomean of 2", "level: 1 to 2: –  no effect possible: no binary reads it",
		"… interactions: 1 within ±1.0 % (assay show r1 --all)")
	sameLines(t, "with all", linesOf(New(s.Result, true, false).EffectTable(table, Layout{Bare: true}))[:3],
		"# switch, mean over the others|effect on time, geomean of 2", "gc: on to off|+10.0 %|slower", "  A|+20.0 %|slower")
	one.Cells[0].Benchmark.Package = "x.org/glua"
	table.Rows = []assay.Row{{Benchmark: one.Cells[0].Benchmark}, {Benchmark: assay.Benchmark{Package: "x.org/tengo", Name: "A"}}}
	sameLines(t, "of two packages", linesOf(New(s.Result, true, false).EffectTable(table, Layout{Bare: true}))[2:3], "  glua.A|+20.0 %|slower")
	table.Effects[3] = effectOf(assay.Slower, 0.05, gcSwitch, levelSwitch)
	lines := linesOf(s.EffectTable(table, Layout{Bare: true}))
	sameLines(t, "a known interaction", lines[len(lines)-2:], "# two switches|together, beyond each alone", "gc off × level 2|+5.0 %|slower")
}

// Effects of one factor with nothing held say what the table of variants says.
func TestOneFactor(t *testing.T) {
	held := effectOf(assay.Same, 0, gcSwitch)
	held.Held = "b"
	one := effectOf(assay.Same, 0, gcSwitch)
	for _, c := range []struct {
		name string
		all  []assay.Effect
		want bool
	}{
		{"none", nil, true}, {"of one factor", []assay.Effect{one, one}, true}, {"of two factors", []assay.Effect{one, effectOf(assay.Same, 0, levelSwitch)}, false},
		{"held", []assay.Effect{one, held}, false}, {"of two switches", []assay.Effect{one, effectOf(assay.Same, 0, gcSwitch, levelSwitch)}, false},
	} {
		if got := OneFactor(c.all); got != c.want {
			t.Errorf("%s: got %t, want %t", c.name, got, c.want)
		}
	}
}

// Something is known of the effects of a table when one of them is decided.
func TestNoEffect(t *testing.T) {
	table := assay.Table{Effects: []assay.Effect{effectOf(assay.Unclear, 0, gcSwitch), effectOf(assay.SameCoded, 0, levelSwitch)}}
	if !NoEffect(table) {
		t.Error("an effect is decided where all are unclear or of the same code")
	}
	table.Effects[0].Whole.Verdict = assay.Invalid
	if !NoEffect(table) {
		t.Error("an effect is decided where there is no ratio")
	}
	table.Effects[0].Whole.Verdict = assay.Same
	if NoEffect(table) {
		t.Error("no effect is decided where one is the same")
	}
}

// One line names the factors, each once, and counts the effects over all tables.
func TestEffectStanding(t *testing.T) {
	table := assay.Table{Effects: []assay.Effect{effectOf(assay.Slower, 0.1, gcSwitch), effectOf(assay.Unclear, 0, gcSwitch, levelSwitch)}}
	for _, c := range []struct {
		tables []assay.Table
		want   string
	}{
		{[]assay.Table{{}}, ""}, {[]assay.Table{table}, "gc, gc × level on 1 metric: 1 slower, 1 within ±1.0 %"},
		{[]assay.Table{table, table}, "gc, gc × level on 2 metrics: 2 slower, 2 within ±1.0 %"},
	} {
		if got := EffectStanding(c.tables); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// The notes on effects leave out those of the same code, and those that are only counted.
func TestEffectNotes(t *testing.T) {
	small := effectOf(assay.Slower, 0.015, gcSwitch)
	small.Whole.MayBeSmall = true
	same := effectOf(assay.SameCoded, 0, levelSwitch)
	same.Whole.Reason = "no binary reads it"
	pair := effectOf(assay.Unclear, 0, gcSwitch, levelSwitch)
	pair.Whole.Interval, pair.Whole.Reason = nil, "2 of 4 blocks"
	table := assay.Table{Metric: timeMetric, Effects: []assay.Effect{small, same, pair}}
	for all, want := range map[bool][]string{false: {"gc: on to off: the change may be below 1 %"}, true: {"gc: on to off: the change may be below 1 %",
		"gc off × level 2: 2 of 4 blocks"}} {
		var n Notes
		n.KeepEffects(New(resultOf([]string{"a", "b"}, table), all, false), table)
		sameLines(t, "notes", n.Lines(), want...)
	}
}
