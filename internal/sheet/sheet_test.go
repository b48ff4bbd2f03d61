package sheet

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// Rows makes n rows of a verdict, each a bit smaller than the one before.
func Rows(n int, v assay.Verdict, change assay.Change) []assay.Row {
	var out []assay.Row
	for i := range n {
		b := assay.Benchmark{Name: fmt.Sprintf("%s%02d", v, i)}
		c := assay.Comparison{Variant: "b", Benchmark: b, Verdict: v, N: 10, Change: change * assay.Change(1-float64(i)/1000)}
		out = append(out, assay.Row{Benchmark: b, Base: 1, Cells: []assay.Comparison{c}})
	}
	return out
}

func TestCap(t *testing.T) {
	for _, c := range []struct {
		name string
		rows []assay.Row
		// kept counts worse, better and others; first and tail as printed.
		worse, better, others int
		first, tail           string
	}{
		{"all changed fit", slices.Concat(Rows(50, assay.Same, 0), Rows(3, assay.Faster, -.2), Rows(4, assay.Slower, .1), Rows(2, assay.Unclear, .02)),
			4, 3, 0, "slower00", "… 2 unclear, 50 same (assay show r1 --all)"},
		{"room for the better", slices.Concat(Rows(60, assay.Slower, .1), Rows(30, assay.Faster, -.2)),
			30, 10, 0, "slower00", "… 30 slower, 20 faster (assay show r1 --all)"},
		{"few better", slices.Concat(Rows(60, assay.Slower, .1), Rows(3, assay.Faster, -.2)),
			37, 3, 0, "slower00", "… 23 slower (assay show r1 --all)"},
		{"none worse", Rows(60, assay.Faster, -.2), 0, 40, 0, "faster00", "… 20 faster (assay show r1 --all)"},
		{"without verdicts", Rows(60, assay.Withheld, .2), 0, 0, 40, "00", "… 20 without verdict (assay show r1 --all)"},
	} {
		p := choice{New(&assay.Result{Run: "r1"}, false, false)}
		kept, tail := p.cap(c.rows, MaxRows)
		n := map[class]int{}
		for _, r := range kept {
			n[classOf(r)]++
		}
		if others := len(kept) - n[isWorse] - n[isBetter]; n[isWorse] != c.worse || n[isBetter] != c.better || others != c.others {
			t.Errorf("%s: kept %d worse, %d better, %d others, want %d, %d, %d", c.name, n[isWorse], n[isBetter], others, c.worse, c.better, c.others)
		}
		if kept[0].Benchmark.Name != c.first || tail != c.tail {
			t.Errorf("%s: first %q, tail %q, want %q, %q", c.name, kept[0].Benchmark.Name, tail, c.first, c.tail)
		}
	}
}

// What the geomean's changes are of is the record's figure, over complete blocks: the
// rows may have others, and their mean is none of it.
func TestGeomeanOfBase(t *testing.T) {
	tab := assay.Table{Rows: Rows(2, assay.Same, 0), Common: 2, GeomeanBase: 5}
	tab.Rows[0].Base, tab.Rows[1].Base = 2, 8
	if got := GeomeanBase(tab); got != 5 {
		t.Errorf("got %g, want 5", got)
	}
	tab.GeomeanBase, tab.Geomean = 0, []assay.Comparison{{N: 3, Value: 6, Change: 0.2}}
	if got := GeomeanBase(tab); math.Abs(got-5) > 1e-9 {
		t.Errorf("got %g of an older record, want 5", got)
	}
	tab.Geomean = nil
	if got := GeomeanBase(tab); got == got {
		t.Errorf("got %g where the record does not say, want NaN", got)
	}
}

func TestUnchanged(t *testing.T) {
	exact := assay.Comparison{Verdict: assay.Same, Exact: true}
	same := assay.Comparison{Verdict: assay.Same}
	row := func(c assay.Comparison) assay.Row { return assay.Row{Cells: []assay.Comparison{c}} }
	for _, c := range []struct {
		rows []assay.Row
		want string
	}{
		{[]assay.Row{row(exact), row(exact)}, "unchanged in all 2 (exact)"},
		{[]assay.Row{row(exact), row(same)}, "unchanged in all 2 (1 exact)"},
		{[]assay.Row{row(same), row(same)}, "unchanged in all 2"},
	} {
		if got := unchangedText(c.rows); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	for v, want := range map[assay.Verdict]bool{assay.Same: true, assay.SameCoded: true, assay.Unclear: false,
		assay.More: false, assay.Invalid: false, assay.Withheld: false} {
		if got := isUnchanged(row(assay.Comparison{Verdict: v})); got != want {
			t.Errorf("verdict %q is unchanged: got %t, want %t", v, got, want)
		}
	}
}

func TestNotes(t *testing.T) {
	p := New(&assay.Result{Rule: assay.Rule{MinBlocks: 10, Confidence: .99}}, false, false)
	e := Entry{Metric: assay.Metric{Name: "sec/op", MinEffect: .005}, Base: 1}
	covers, beyond := &assay.Interval{Lo: -.01, Hi: .02}, &assay.Interval{Lo: .002, Hi: .02}
	for _, c := range []struct {
		c    assay.Comparison
		want string
	}{
		{assay.Comparison{Verdict: assay.Unclear, Interval: covers, Reason: "the interval covers 0", MoreBlocks: 9, MoreTime: 40e9}, ""},
		{assay.Comparison{Verdict: assay.Unclear, Interval: beyond, Reason: "not claimed: 1 of 40 comparisons", MoreBlocks: 1}, "not claimed: 1 of 40 comparisons"},
		{assay.Comparison{Verdict: assay.Unclear, N: 4}, "10 blocks needed, 4 so far"},
		{assay.Comparison{Verdict: assay.Slower, Interval: beyond, MayBeSmall: true}, "the change may be below 0.5 %"},
		{assay.Comparison{Verdict: assay.Slower, Interval: beyond}, ""},
		{assay.Comparison{Verdict: assay.Slower, Interval: beyond, Change: .002, Benchmark: assay.Benchmark{Name: GeomeanWord}}, EndWords},
		{assay.Comparison{Verdict: assay.Slower, Interval: beyond, Change: .002, Benchmark: assay.Benchmark{Name: "X"}}, ""},
		{assay.Comparison{Verdict: assay.Invalid, Reason: "drift"}, "drift"},
		{assay.Comparison{Verdict: assay.Withheld, N: 3, Reason: "not measured together"}, "8 results needed for an interval, 3 here"},
		{assay.Comparison{Verdict: assay.Same, Interval: covers}, ""},
	} {
		if got := p.NoteOf(e, c.c); got != c.want {
			t.Errorf("note of %+v: got %q, want %q", c.c, got, c.want)
		}
	}
}

func TestFootnotesGroup(t *testing.T) {
	var n Notes
	n.Add("the change may be below 1 %", "a")
	n.Add("needs ~9 blocks", "b")
	for i := range 7 {
		n.Add("the change may be below 1 %", fmt.Sprint(i))
	}
	want := []string{"the change may be below 1 %: a, 0, 1, 2, 3, 4, … 2 more", "b: needs ~9 blocks"}
	if got := n.Lines(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A base that was not measured prints no zero, a base that is zero does.
func TestBaseCell(t *testing.T) {
	failed := []assay.Comparison{{Verdict: assay.Invalid, Reason: "trial failed"}}
	fine := []assay.Comparison{{Verdict: assay.Unclear, N: 12, Value: 20e-9, Difference: 20e-9}}
	for _, c := range []struct {
		metric string
		cells  []assay.Comparison
		want   string
	}{
		{"sec/op", fine, "–"}, {"B/s", fine, "–"}, {"sys-sec/op", fine, "0 ns"}, {"B/op", fine, "0 B"},
		{"sys-sec/op", failed, "–"}, {"allocs/op", failed, "–"},
	} {
		e := Entry{Metric: assay.Metric{Name: c.metric}, Cells: c.cells}
		if got := e.BaseCell().Joined(); got != c.want {
			t.Errorf("%s: got %q, want %q", c.metric, got, c.want)
		}
	}
}

func TestConditions(t *testing.T) {
	for _, c := range []struct {
		p    assay.Platform
		want []string
	}{
		{assay.Platform{GOOS: "linux", GOARCH: "386", CPU: "X", CPUs: 2, Procs: 2}, []string{"linux/386 X, 2 CPUs"}},
		{assay.Platform{GOOS: "linux", GOARCH: "amd64", CPUs: 2, Procs: 1, Power: "battery", Profile: "balanced"},
			[]string{"linux/amd64 , 2 CPUs", "GOMAXPROCS=1", "balanced profile", "on battery"}},
		{assay.Platform{}, nil},
	} {
		got := slices.DeleteFunc(Platform(c.p), func(s string) bool { return s == "" })
		if !slices.Equal(got, c.want) {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestEffectLabels(t *testing.T) {
	gc, slices := assay.Switch{Factor: "gc", From: "greentea", To: "classic"}, assay.Switch{To: "stack slices off"}
	for _, c := range []struct {
		switches []assay.Switch
		want     string
	}{
		{[]assay.Switch{gc}, "gc: greentea to classic"},
		{[]assay.Switch{slices}, "stack slices off"},
		{[]assay.Switch{gc, slices}, "gc classic × stack slices off"},
		{nil, ""},
	} {
		if got := SwitchLabel(assay.Effect{Switches: c.switches}); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestNoiseInWords(t *testing.T) {
	for _, c := range []struct {
		n    assay.Noise
		want string
	}{
		{assay.Noise{}, ""},
		{assay.Noise{Control: "control"}, "noise not known yet"},
		{assay.Noise{Control: "control", Change: -.0012}, "noise not known yet"},
		{assay.Noise{Control: "control", Change: -.0012, Floor: .004}, "noise ±0.4 % (A/A)"},
	} {
		if got := New(&assay.Result{Noise: c.n}, false, false).Noise(); got != c.want {
			t.Errorf("noise of %+v: got %q, want %q", c.n, got, c.want)
		}
	}
}

// A Go benchmark may report a metric that is called as one of a service.
func TestServicesOf(t *testing.T) {
	table := func(metric string, benches ...string) assay.Table {
		x := assay.Table{Metric: assay.Metric{Name: metric}}
		for _, b := range benches {
			x.Rows = append(x.Rows, assay.Row{Benchmark: assay.Benchmark{Name: b}})
		}
		return x
	}
	for _, c := range []struct {
		tables []assay.Table
		want   string
		all    bool
	}{
		{[]assay.Table{table("sec/op", "a"), table("tx/s", "a")}, "[]", false},
		{[]assay.Table{table("latency.p50", "a", "b"), table("tx/s", "b", "a")}, "[a b]", true},
		{[]assay.Table{table("cpu-sec/ktx", "a"), table("sec/op", "b")}, "[a]", false},
		{[]assay.Table{table("gc.mark", "a")}, "[]", false},
		{nil, "[]", false},
	} {
		got, all := servicesOf(&assay.Result{Tables: c.tables})
		if fmt.Sprint(got) != c.want || all != c.all {
			t.Errorf("services of %v: got %v, %t, want %s, %t", c.tables, got, all, c.want, c.all)
		}
	}
}

// Every metric that the root package names has a label of its own.
func TestLabelsDiffer(t *testing.T) {
	seen := map[string]string{}
	for _, l := range slices.Concat(loadLabels, serverLabels, gcLabels) {
		if old := seen[l.Text]; old != "" || l.Text == "" {
			t.Errorf("%s and %s are both called %q", old, l.metric, l.Text)
		}
		seen[l.Text] = l.metric
		if assay.KnownBetter(l.metric) == assay.BetterUnknown {
			t.Errorf("%s is no metric of package assay", l.metric)
		}
	}
}

func TestQuantilesInOrder(t *testing.T) {
	got := []string{"latency.px", "latency.p99.9", "latency.p100", "latency.p50", "latency.p99", "latency.p9"}
	slices.SortFunc(got, byPlace)
	want := "latency.p9 latency.p50 latency.p99 latency.p99.9 latency.p100 latency.px"
	if strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPointsFormat(t *testing.T) {
	iv := func(half float64) *assay.Interval {
		return &assay.Interval{Lo: assay.Change(0.052 - half), Hi: assay.Change(0.052 + half)}
	}
	for _, c := range []struct {
		change assay.Change
		i      *assay.Interval
		want   string
	}{
		{0.052, nil, "+5.2"}, {0.052, iv(0.004), "+5.2"}, {0.052, iv(0.2), "+5"}, {-0.052, iv(0.00002), "−5.2"},
		{-0.0001, nil, "0.0"}, {assay.Change(math.NaN()), nil, None}, {-0.002, iv(0.2), "0"},
	} {
		if got := Points(c.change, c.i); got != c.want {
			t.Errorf("points(%v, %v): got %q, want %q", c.change, c.i, got, c.want)
		}
	}
}
