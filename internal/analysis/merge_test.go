package analysis

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// machineResult is a result of one study on a platform.
func machineResult(run string, p assay.Platform, base float64) assay.Result {
	p.ID = run
	return assay.Result{Run: run, Study: "s", StudyHash: "h", Base: "old", Platform: p, Created: time.Unix(int64(base), 0),
		Tables: []assay.Table{{Metric: assay.Metric{Name: assay.MetricTime}, Rows: []assay.Row{
			{Benchmark: assay.Benchmark{Name: "both"}, Base: base}, {Benchmark: assay.Benchmark{Name: "only-" + run}, Base: base}}}}}
}

// partsOf are the parts of results without records.
func partsOf(names []string, results ...assay.Result) (out []Part) {
	for i, r := range results {
		p := Part{Result: r}
		if i < len(names) {
			p.Name = names[i]
		}
		out = append(out, p)
	}
	return out
}

// Machines are called by their labels.
func TestMergeByLabels(t *testing.T) {
	on := func(run, host string) assay.Result {
		r := machineResult(run, assay.Platform{GOOS: "linux", Host: host}, 1)
		r.Platform.ID = "one"
		r.Machine = "box " + run
		return r
	}
	m, err := Merge(partsOf(nil, on("aaaa", "1"), on("bbbb", "2")))
	if err != nil || m.Machines[1].Name != "box bbbb" {
		t.Errorf("two computers: %v %v", m, err)
	}
}

func TestMergeSideBySide(t *testing.T) {
	a := machineResult("aaaa", assay.Platform{GOOS: "linux", GOARCH: "amd64", CPU: "i9"}, 10)
	b := machineResult("bbbb", assay.Platform{GOOS: "darwin", GOARCH: "arm64", CPU: "M4"}, 8)
	m, err := Merge(partsOf(nil, a, b, a))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Machines) != 2 || m.Machines[0].Name != "linux/amd64" || m.Machines[1].Name != "darwin/arm64" {
		t.Errorf("machines %v, want two by their system", m.Machines)
	}
	if len(m.Warnings) != 1 || m.Warnings[0].Code != "merge-twice" {
		t.Errorf("warnings %v, want merge-twice", m.Warnings)
	}
	if len(m.Across) != 3 {
		t.Fatalf("%d benchmarks across, want 3", len(m.Across))
	}
	x := m.Across[0]
	if x.Values[1] != (assay.Value{X: 8, OK: true}) || x.Changes[0].OK || !x.Changes[1].OK || x.Changes[1].X > -0.199 || x.Changes[1].X < -0.201 {
		t.Errorf("both: %+v, want -20 %%", x)
	}
	if y := m.Across[2]; y.Values[0].OK || y.Changes[1].OK {
		t.Errorf("%+v: a machine that lacks a benchmark has a value", y)
	}
}

func TestMergeNames(t *testing.T) {
	linux := assay.Platform{GOOS: "linux", GOARCH: "amd64", CPU: "i9", Procs: 2, Power: "mains"}
	with := func(f func(*assay.Platform)) assay.Platform { p := linux; f(&p); return p }
	for _, tc := range []struct {
		b     assay.Platform
		given []string
		want  string
	}{
		{with(func(p *assay.Platform) { p.CPU = "M4" }), nil, "i9|M4"},
		{with(func(p *assay.Platform) { p.Procs = 1 }), nil, "GOMAXPROCS=2|GOMAXPROCS=1"},
		{with(func(p *assay.Platform) { p.Power = "battery" }), nil, "on mains|on battery"},
		{with(func(p *assay.Platform) { p.GOARCH = "386"; p.Power = "battery" }), nil, "linux/amd64|linux/386"},
		{with(func(p *assay.Platform) { p.Power = "battery" }), []string{"", "laptop"}, "on mains|laptop"},
		{linux, nil, "run aaaa|run bbbb"},
	} {
		m, err := Merge(partsOf(tc.given, machineResult("aaaa", linux, 1), machineResult("bbbb", tc.b, 2)))
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Machines[0].Name + "|" + m.Machines[1].Name; got != tc.want {
			t.Errorf("got %s, want %s", got, tc.want)
		}
	}
}

// Two computers of one model are two machines, one computer is one.
func TestMergeHosts(t *testing.T) {
	on := func(run, id, host string) assay.Result {
		r := machineResult(run, assay.Platform{GOOS: "linux", Host: host}, float64(len(run)))
		r.Platform.ID = id
		return r
	}
	for _, test := range []struct {
		name string
		b    assay.Result
		want int // machines; 0 is refused
	}{
		{"another box", on("bb", "model", "two"), 2},
		{"the same box", on("bb", "model", "one"), 0},
		{"a box that is not known", on("bb", "model", ""), 0},
		{"the same box as another platform", on("bb", "model of 32 bits", "one"), 2},
	} {
		m, err := Merge(partsOf(nil, on("a", "model", "one"), test.b))
		switch {
		case err != nil && test.want > 0:
			t.Errorf("%s: %v", test.name, err)
		case err == nil && len(m.Machines) != test.want:
			t.Errorf("%s: %d machines, want %d", test.name, len(m.Machines), test.want)
		}
	}
}

func TestMergeRefuses(t *testing.T) {
	a := machineResult("aaaa", assay.Platform{GOOS: "linux"}, 1)
	other := machineResult("bbbb", assay.Platform{GOOS: "darwin"}, 2)
	other.StudyHash = "another"
	again := machineResult("aaaa", a.Platform, 2)
	again.Run = "cccc"
	for code, list := range map[string][]assay.Result{
		"merge-studies": {a, other}, "merge-platform": {a, again}, "merge-runs": nil,
		"merge-names": {a, machineResult("dddd", assay.Platform{GOOS: "darwin"}, 3)},
	} {
		_, err := Merge(partsOf([]string{"x", "x"}, list...))
		var e *assay.Error
		if !errors.As(err, &e) || string(e.Code) != code || e.Exit != assay.ExitUsage {
			t.Errorf("got %v, want %s", err, code)
		}
		if code == "merge-studies" && (!strings.Contains(err.Error(), "another") || !strings.Contains(err.Error(), "aaaa")) {
			t.Errorf("%v does not name both", err)
		}
	}
}
