package doctor

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/doctor/check"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
)

// An examination tells what is wrong here, such as that there is no go command.
func TestExamine(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("XDG_CACHE_HOME is of Linux")
	}
	apart(t, "")
	t.Setenv("PATH", "")
	store := filepath.Join(t.TempDir(), "runs")
	checkup, err := Examine(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	if checkup.Platform.CPUs < 1 || checkup.Name != "" {
		t.Errorf("got %q with %d CPUs, want this computer", checkup.Name, checkup.Platform.CPUs)
	}
	has := func(code assay.Code, level check.Level, text string) bool {
		return slices.ContainsFunc(checkup.Findings, func(f check.Finding) bool {
			return f.Code == code && (level == "" || f.Level == level) && strings.Contains(f.Text, text)
		})
	}
	if !has(assay.CodeNoGo, check.Severe, "no go command") || !has(assay.CodeDisk, "", filepath.Dir(store)) || !has(assay.CodeDisk, "", os.Getenv("XDG_CACHE_HOME")) {
		t.Errorf("got %+v, want that there is no go command, and the room of both folders", checkup.Findings)
	}
}

// checked is what the check says of a run of four names, of which same2 takes as much longer
// on X as it is told.
func checked(t *testing.T, longer float64) (*AA, *assay.Result, string) {
	t.Helper()
	machine := &labtest.Simulator{Seed: 1, Start: 2 * time.Millisecond, LinkTime: 20 * time.Millisecond, Benchmarks: []labtest.Benchmark{
		{Name: "X", Time: 10 * time.Second, Noise: labtest.Normal(0.02), Effects: map[string]float64{"same2": math.Log1p(longer)}},
		{Name: "Y", Time: 10 * time.Second, Noise: labtest.Normal(0.005)}}}
	study, store := labtest.Study("base", "same1", "same2", "same3"), t.TempDir()
	study.Decide.Budget = 100 * time.Hour // simulated: an operation takes so long that few blocks are foretold
	study.Decide.MinBlocks, study.Decide.MaxBlocks = 20, 20
	r, err := labtest.Run(t.Context(), machine, study, store)
	if err != nil {
		t.Fatal(err)
	}
	aa, err := CheckAA(store, r)
	if err != nil {
		t.Fatal(err)
	}
	return aa, r, store
}

// The check of the same code counts a cell for each name and benchmark, and foretells from
// the blocks what the machine shows: less where trials scatter more, and more in more time.
func TestCheckAA(t *testing.T) {
	aa, r, store := checked(t, 0)
	if aa.Run != labtest.RunID || aa.Cells != 6 || len(aa.False) != 0 || aa.Unclear > 3 || aa.Floor != r.Noise.Floor || aa.Floor <= 0 {
		t.Errorf("got %+v, want six cells without a false one, and the floor of the run", aa)
	}
	if !slices.Equal(aa.Times, analysis.ReachTimes) || aa.Suite == nil || len(aa.Benchmarks) != 2 {
		t.Fatalf("got %+v, want the suite and both benchmarks", aa)
	}
	x, y := aa.Benchmarks[0], aa.Benchmarks[1]
	if x.Benchmark.Name != "X" || x.Scatter < 2*y.Scatter || x.Smallest[1] < 2*y.Smallest[1] {
		t.Errorf("got %+v and %+v, want that X is about four times as noisy", x, y)
	}
	for _, b := range aa.Benchmarks {
		if b.Smallest[0] != 0 || b.Smallest[1] <= b.Smallest[2] || b.Smallest[2] <= 0 {
			t.Errorf("%s: got %v, want none in a minute, and smaller changes in more time", b.Benchmark.Name, b.Smallest)
		}
	}
	r.Run = "none"
	_, err := CheckAA(store, r)
	errortest.Want(t, err, assay.CodeNoRun, assay.ExitUsage)
}

// A cell that is called different is a false one, with its change and interval.
func TestCheckAAFalse(t *testing.T) {
	aa, _, _ := checked(t, 0.1)
	if aa.Cells != 6 || len(aa.False) != 1 {
		t.Fatalf("got %+v, want one false cell of six", aa)
	}
	if c := aa.False[0]; c.Benchmark.Name != "X" || c.Verdict != assay.Slower || c.Interval == nil || !c.Interval.Covers(0.1) {
		t.Errorf("got %+v, want that same2 is slower on X by 10 %%", c)
	}
}
