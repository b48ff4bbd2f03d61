package assay

import (
	"encoding/json"
	"math"
	"testing"
	"time"
)

// A verdict follows from the metric and the sign; its word says whether that is good.
func TestDiffering(t *testing.T) {
	for _, c := range []struct {
		m        Metric
		down, up Verdict
	}{
		{Metric{Name: MetricTime, Better: BetterLower}, Faster, Slower},
		{Metric{Name: Quantiles[2].Metric(), Better: BetterLower}, Faster, Slower},
		{Metric{Name: MetricBytes, Better: BetterLower}, Less, More},
		{Metric{Name: MetricRate, Better: BetterHigher}, Lower, Higher},
		{Metric{Name: "trees"}, Changed, Changed},
	} {
		down, up := Differing(c.m, -1), Differing(c.m, 1)
		if down != c.down || up != c.up {
			t.Errorf("%s: got %s and %s, want %s and %s", c.m.Name, down, up, c.down, c.up)
		}
		if known := c.m.Better != BetterUnknown; down.Good() == (c.m.Loss() < 0) && known || !down.Differs() || !up.Differs() {
			t.Errorf("%s: %s good %t, %s good %t", c.m.Name, down, down.Good(), up, up.Good())
		}
	}
	for _, v := range []Verdict{Same, Unclear, SameCoded, Withheld} {
		if v.Differs() {
			t.Errorf("%q claims a difference", v)
		}
	}
}

// What assay does not define has no direction, except quantiles and what the collector
// does, of which less is better.
func TestKnownBetter(t *testing.T) {
	for metric, want := range map[string]Better{
		MetricRequests: BetterHigher, MetricAllocs: BetterLower, "latency.p75": BetterLower, "gc.of-tomorrow": BetterLower, "trees/op": BetterUnknown,
	} {
		if got := KnownBetter(metric); got != want {
			t.Errorf("%s: got %q, want %q", metric, got, want)
		}
	}
}

func TestChangeOfLog(t *testing.T) {
	if got := ChangeOfLog(math.Log(1.25)); math.Abs(float64(got)-0.25) > 1e-12 || math.Abs(got.Log()-math.Log(1.25)) > 1e-12 {
		t.Errorf("got %v", got)
	}
	if i := (Interval{Lo: -0.02, Hi: 0.03}); !i.Covers(0) || i.Covers(0.04) || i.Within(0.02) || !i.Within(0.03) {
		t.Errorf("%v covers and is within the wrong things", i)
	}
}

// An address says which kind of machine a host is; exactly one holds of each.
func TestHostKinds(t *testing.T) {
	for address, want := range map[string]string{"": "local", LocalAddress: "local", "bench1": "named", "ssh:me@box": "ssh", "agent:m4": "agent", "pool:quiet": "pool"} {
		h, got := Host{Address: address}, "ssh"
		_, agent := h.Agent()
		switch {
		case h.Local():
			got = "local"
		case h.Named():
			got = "named"
		case agent:
			got = "agent"
		case h.OfPool():
			got = "pool"
		}
		if got != want || h.OfHub() != (want == "agent" || want == "pool") {
			t.Errorf("%q: got %s, of a hub %t", address, got, h.OfHub())
		}
	}
}

// One machine is told from another of the same model where both say which they are.
func TestPlatformIs(t *testing.T) {
	a := Platform{ID: "x", Host: "1"}
	if !a.Is(Platform{ID: "x"}) || a.Is(Platform{ID: "x", Host: "2"}) || a.Is(Platform{ID: "y", Host: "1"}) {
		t.Error("a platform is the wrong machine")
	}
	if got := (Platform{GOOS: "linux", GOARCH: "arm64", CPU: "AMD EPYC", Emulated: "qemu-aarch64"}).String(); got != "linux/arm64 AMD EPYC, emulated" {
		t.Errorf("got %s", got)
	}
}

func TestMergedHistograms(t *testing.T) {
	h := NewHistogram([]float64{3, 1, 3, 2})
	sum := Merge(h, Histogram{Values: []float64{2, 4}, Counts: []int{5, 1}})
	if h.Total() != 4 || sum.Total() != 10 || sum.Counts[1] != 6 {
		t.Errorf("got %+v and %+v", h, sum)
	}
	if got := Beyond(20_000, 0.9999); got != 2 {
		t.Errorf("p99.99 of 20,000: %d beyond, want 2", got)
	}
}

// A missing value is null, there and back; 0 is a value.
func TestValueJSON(t *testing.T) {
	for _, v := range []Value{{}, {OK: true}, {X: -1.5, OK: true}} {
		data, err := json.Marshal(v)
		back := Value{X: 9, OK: true}
		if err != nil || json.Unmarshal(data, &back) != nil || back != v || v.OK == (string(data) == "null") {
			t.Errorf("%+v: %s, back %+v, %v", v, data, back, err)
		}
	}
}

// An error says what is wrong, the facts and what to type next.
func TestErrorText(t *testing.T) {
	err := NewError(ExitRefused, CodeNoRun, "there is no run", []string{"the store is empty"}, "assay run")
	if got, want := err.Error(), "there is no run   [no-run]\n  the store is empty\n  try: assay run"; got != want || err.Exit != ExitRefused {
		t.Errorf("got %q, want %q", got, want)
	}
	if !(Warning{Code: CodePair}).Minor() || (Warning{Code: CodeNoisy}).Minor() {
		t.Error("the wrong warnings are minor")
	}
}

// A variant has its own command line, or that of its workload; placeholders are found in
// all commands, for services in variables, too.
func TestWorkloadCommands(t *testing.T) {
	cmd := Workload{Kind: KindCommand, Prepare: []string{"mk", PlaceTmp}, Run: []string{PlaceBin, "x"}}
	if own := (Variant{Run: []string{"./old"}}); len(cmd.Commands(own)) != 2 || cmd.Command(own)[0] != "./old" || cmd.Uses(own, PlaceBin) || !cmd.Uses(own, PlaceTmp) {
		t.Errorf("got %q", cmd.Commands(own))
	}
	svc := Workload{Kind: KindService, Env: map[string]string{"ADDR": ":" + PlacePort}, Service: &Service{Start: []string{PlaceBin}, Load: []string{"load"}}}
	if !svc.IsProgram() || !svc.Uses(Variant{}, PlacePort) || svc.Uses(Variant{}, PlaceName) || len(svc.Commands(Variant{})) != 2 {
		t.Errorf("got %q", svc.Commands(Variant{}))
	}
}

// A plan lists how its benchmarks are measured if some run side by side.
func TestGearsOfPlan(t *testing.T) {
	p := &Plan{Study: Study{Base: "old"}, Benchmarks: []PlannedBenchmark{
		{Benchmark: Benchmark{Name: "Slices"}, Gear: GearSlices, N: 7, Slices: 3},
		{Benchmark: Benchmark{Name: "Plain"}, N: 5},
		{Benchmark: Benchmark{Name: "Timed"}, N: 5, BenchTime: time.Second},
	}}
	got := p.Gears()
	if len(got) != 3 || got[0].Slices != 3 || got[1].Gear != GearProcesses || got[1].N != 5 || got[2].N != 0 {
		t.Errorf("got %+v", got)
	}
	if all := (&Plan{Benchmarks: p.Benchmarks[1:]}).Gears(); all != nil {
		t.Errorf("of processes alone: got %+v", all)
	}
	p.Study.Workloads = []Workload{{Kind: KindGoTest}}
	if p.Outdated() {
		t.Error("the plan is outdated")
	}
	if asked := (&Plan{Study: Study{Measure: Measure{Pair: GearProcesses}}}); !asked.Outdated() {
		t.Error("a plan whose study asks for a gear is not outdated")
	}
	for _, old := range []PlannedBenchmark{{Gear: GearSlices, Long: true}, {Gear: GearTurns}} {
		if !(&Plan{Study: p.Study, Benchmarks: []PlannedBenchmark{{}, old}}).Outdated() {
			t.Errorf("%+v is not outdated", old)
		}
	}
	if !p.HasGear(GearSlices) || p.HasGear(GearTurns) {
		t.Error("the gears of the plan are wrong")
	}
}
