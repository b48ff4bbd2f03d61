package labtest_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
)

// machine is a quiet machine with three benchmarks: "new" is 5 % faster on
// one, 5 % slower on one, the same on one.
func machine() *labtest.Simulator {
	bench := func(name string, change float64) labtest.Benchmark {
		return labtest.Benchmark{Name: name, Time: time.Microsecond, Bytes: 48, Allocs: 2, Noise: labtest.Normal(0.01),
			Effects: map[string]float64{"new": math.Log1p(change)}}
	}
	return &labtest.Simulator{Seed: 1, Start: 2 * time.Millisecond, LinkTime: 100 * time.Millisecond,
		Benchmarks: []labtest.Benchmark{bench("Faster", -0.05), bench("Slower", 0.05), bench("Same", 0)}}
}

func verdicts(r *assay.Result, table int) map[string]assay.Verdict {
	out := map[string]assay.Verdict{}
	for _, row := range r.Tables[table].Rows {
		out[row.Benchmark.Name] = row.Cells[0].Verdict
	}
	return out
}

func TestTruthIsFound(t *testing.T) {
	r, err := labtest.Run(t.Context(), machine(), labtest.Study("old", "new"), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]assay.Verdict{"Faster": assay.Faster, "Slower": assay.Slower, "Same": assay.Same}
	if got := verdicts(r, 0); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if r.Spent.Stop != "decided" || !r.Answer.Decided {
		t.Errorf("stopped by %q, answer %+v", r.Spent.Stop, r.Answer)
	}
	if r.Answer.Verdict != assay.Same && r.Answer.Verdict != assay.Mixed {
		t.Errorf("got %s for the whole study, want mixed or same", r.Answer.Verdict)
	}
	for _, row := range r.Tables[0].Rows {
		c := row.Cells[0]
		truth := map[string]float64{"Faster": -0.05, "Slower": 0.05, "Same": 0}[row.Benchmark.Name]
		if !c.Interval.Covers(assay.Change(truth)) {
			t.Errorf("%s: interval %v does not cover the truth %v", row.Benchmark.Name, c.Interval, truth)
		}
	}
	if r.Noise.Control != assay.ControlName || r.Noise.Floor <= 0 || r.Noise.Floor > 0.02 {
		t.Errorf("noise %+v, want a floor near 1 %%", r.Noise)
	}
}

func TestDeterministicMetricsAreExact(t *testing.T) {
	m := machine()
	m.Benchmarks[0].AllocEffects = map[string]float64{"new": 0.5}
	s := labtest.Study("old", "new")
	s.Decide.MinBlocks = 8 // from which on two that never vary are exact without a control
	r, err := labtest.Run(t.Context(), m, s, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, tab := range r.Tables {
		if tab.Metric.Name != assay.MetricAllocs {
			continue
		}
		for _, row := range tab.Rows {
			want := assay.Same
			if row.Benchmark.Name == "Faster" {
				want = assay.Less
			}
			if c := row.Cells[0]; c.Verdict != want || !c.Exact {
				t.Errorf("%s: got %s, exact %v, want %s, exact", row.Benchmark.Name, c.Verdict, c.Exact, want)
			}
		}
		return
	}
	t.Error("no table of allocs/op")
}

// The first interval may come at 5 blocks at 99 %: nothing is decided before.
func TestNothingIsDecidedEarly(t *testing.T) {
	s := labtest.Study("old", "new")
	s.Decide.MaxBlocks = 4
	r, err := labtest.Run(t.Context(), machine(), s, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range verdicts(r, 0) {
		if v != assay.Unclear {
			t.Errorf("%s is %s after 4 blocks, want unclear", name, v)
		}
	}
}

// A decided benchmark leaves; the undecided one gets the time.
func TestTimeGoesToWhatIsUndecided(t *testing.T) {
	m := machine()
	m.Benchmarks[1].Effects = m.Benchmarks[0].Effects // the geomean is decided early
	m.Benchmarks[2].Noise = labtest.Normal(0.04)      // "Same" takes long
	s := labtest.Study("old", "new")
	s.Decide.Budget = 2 * time.Minute
	if _, err := labtest.Run(t.Context(), m, s, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	blocks := map[string]int{}
	for _, line := range m.Log() {
		f := strings.Fields(line)
		var block int
		fmt.Sscan(f[2], &block)
		blocks[f[0]] = max(blocks[f[0]], block)
	}
	if blocks["Same"] <= blocks["Faster"] {
		t.Errorf("last blocks: %v, want Same to run on after Faster is decided", blocks)
	}
}

func TestFailureExcludesTheBenchmarkForAll(t *testing.T) {
	m := machine()
	m.Benchmarks[1].Fail = func(variant string, block int) (assay.Status, string) {
		if variant == "new" && block == 5 {
			return assay.StatusFailed, "checksum differs"
		}
		return "", ""
	}
	r, err := labtest.Run(t.Context(), m, labtest.Study("old", "new"), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	got := verdicts(r, 0)
	if got["Slower"] != assay.Invalid || got["Faster"] != assay.Faster {
		t.Errorf("got %v, want Slower invalid and Faster faster", got)
	}
	if !slices.ContainsFunc(r.Warnings, func(w assay.Warning) bool { return w.Code == "bench-failed" }) {
		t.Errorf("warnings %v, want bench-failed", r.Warnings)
	}
	for _, line := range m.Log() {
		if f := strings.Fields(line); f[0] == "Slower" && len(f[2]) > 0 && atoi(f[2]) > 5 {
			t.Fatalf("the failed benchmark ran on: %s", line)
		}
	}
}

// A fault of the Go runtime loses its block for its benchmark alone, in the record and in
// what is read from it, also where the variants of a block run side by side.
func TestRuntimeFaultCostsItsBlock(t *testing.T) {
	dies := func(variant string, block int) (assay.Status, string) {
		if variant == "new" && (block == 2 || block == 5) {
			return assay.StatusFailed, checkdead
		}
		return "", ""
	}
	one := machine()
	one.Benchmarks[1].Fail = dies
	for name, m := range map[string]*labtest.Simulator{"processes": one, "slices": sliced(func(b *labtest.Benchmark) { b.Fail = dies })} {
		t.Run(name, func(t *testing.T) {
			r, run := readRun(t, m, inBlocks(12))
			faults, bench := 0, ""
			for _, tr := range run.Trials {
				if tr.RuntimeFault == "checkdead: runnable g" {
					faults, bench = faults+1, tr.Benchmark.Name
				}
			}
			if faults != 2 {
				t.Errorf("the record has %d faults, want 2", faults)
			}
			for _, row := range r.Tables[0].Rows {
				want := 12
				if row.Benchmark.Name == bench {
					want = 10
				}
				if c := row.Cells[0]; c.N != want || c.Verdict == assay.Invalid {
					t.Errorf("%s: %d blocks, %s (%s), want %d", row.Benchmark.Name, c.N, c.Verdict, c.Reason, want)
				}
			}
			i := slices.IndexFunc(r.Warnings, func(w assay.Warning) bool { return w.Code == assay.CodeRuntimeFault })
			if i < 0 || !strings.Contains(fmt.Sprint(r.Warnings[i].Facts), "blocks 2 and 5") {
				t.Errorf("warnings %v, want runtime-fault of blocks 2 and 5", r.Warnings)
			}
		})
	}
}

// dying has a benchmark of which every so many runs of the survey die of a runtime fault,
// counted as if some were done before.
func dying(done, every int) *labtest.Simulator {
	runs := done
	return sliced(func(b *labtest.Benchmark) {
		b.Fail = func(_ string, block int) (assay.Status, string) {
			if runs++; block > 0 || runs%every > 0 {
				return "", ""
			}
			return assay.StatusFailed, checkdead
		}
	})
}

const checkdead = "fatal error: checkdead: runnable g"

// The survey tries a run once more that died of a runtime fault: the discovery, calibration
// and the choice of the gear go on as if nothing had happened. Slices are tried with 4
// processes at a time, so one in 5 dies at most once there.
func TestRuntimeFaultInTheSurvey(t *testing.T) {
	for done := range 5 {
		m, lists := dying(done, 5), 0
		m.Hook = func(r lab.RunRequest) error {
			m.Benchmarks[0].Broken = nil
			if len(r.Names) == 0 {
				if lists++; lists == 1 {
					m.Benchmarks[0].Broken = map[string]string{r.Variant.Name: checkdead}
				}
			}
			return nil
		}
		r, run := readRun(t, m, inBlocks(9))
		if b := run.Plan.Benchmarks[0]; b.Gear != assay.GearSlices || len(run.Plan.Warnings) > 0 {
			t.Errorf("after %d runs: gear %q, warnings %v, want slices and none", done, b.Gear, run.Plan.Warnings)
		}
		if c := r.Tables[0].Rows[0].Cells[0]; c.N != 9 || lists < 2 {
			t.Errorf("%d blocks after %d discoveries", c.N, lists)
		}
	}
}

// One that dies each time is excluded.
func TestRuntimeFaultsInTheSurvey(t *testing.T) {
	_, err := labtest.Run(t.Context(), dying(0, 1), inBlocks(3), t.TempDir())
	if text := errortest.Want(t, err, assay.CodeBenchFailed, assay.ExitBuild); !strings.Contains(text, checkdead) {
		t.Errorf("error %s, want what failed", text)
	}
}

func atoi(s string) (n int) { fmt.Sscan(s, &n); return n }

func TestBudgetStops(t *testing.T) {
	m := machine()
	for i := range m.Benchmarks {
		m.Benchmarks[i].Noise = labtest.Normal(0.3)
	}
	s := labtest.Study("old", "new")
	s.Decide.Budget = 45 * time.Second // beyond the first verdict, for which a run may take a fifth more
	r, err := labtest.Run(t.Context(), m, s, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if r.Spent.Stop != "budget" || r.Spent.Time > 46*time.Second || r.Spent.Time < 35*time.Second {
		t.Errorf("stopped by %q after %v, want by budget within 45 s", r.Spent.Stop, r.Spent.Time)
	}
	if !slices.ContainsFunc(r.Warnings, func(w assay.Warning) bool { return w.Code == "undecided" }) {
		t.Errorf("warnings %v, want undecided", r.Warnings)
	}
}

func TestBlockOrderIsWhatTheDesignDrew(t *testing.T) {
	run := func() []string {
		m := machine()
		s := labtest.Study("old", "new")
		s.Decide.MaxBlocks = 6
		if _, err := labtest.Run(t.Context(), m, s, t.TempDir()); err != nil {
			t.Fatal(err)
		}
		return m.Log()
	}
	a, b := run(), run()
	if !slices.Equal(a, b) {
		t.Error("the same seed ran in another order")
	}
	first := map[string]int{}
	for i := 0; i+1 < len(a); i += 2 {
		if f := strings.Fields(a[i]); atoi(f[2]) > 0 {
			first[f[1]]++
		}
	}
	if len(first) != 2 {
		t.Errorf("first in their rounds: %v, want each of the two variants at times", first)
	}
}

var errCrash = errors.New("the machine crashes")

// crashed reports whether a run ended with errCrash, of which its message has the text.
func crashed(err error) bool { return err != nil && strings.Contains(err.Error(), errCrash.Error()) }

// crashAfter makes a machine die at its n-th trial inside blocks.
func crashAfter(m *labtest.Simulator, n int) {
	m.Hook = func(r lab.RunRequest) error {
		if r.Block == 0 {
			return nil
		}
		if n--; n < 0 {
			return errCrash
		}
		return nil
	}
}
