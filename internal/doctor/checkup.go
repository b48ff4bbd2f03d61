// Package doctor examines this machine, in values and in words: what would spoil a
// measurement, and how much noise a run of the same code under several names shows.
// Package check makes the findings.
package doctor

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/doctor/check"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/machine"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// A Checkup is the result of an examination, as --json prints it.
type Checkup struct {
	// Name is what the machine is called; "" is this computer.
	Name     string          `json:"machine,omitempty"`
	Platform assay.Platform  `json:"platform"`
	Findings []check.Finding `json:"findings"`
	AA       *AA             `json:"aa,omitempty"`
}

// Examine looks for what would spoil measurements whose runs are kept in store.
func Examine(ctx context.Context, store string) (*Checkup, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	p := host.Platform(ctx)
	f := check.Gather(ctx, p, filepath.Dir(filepath.Clean(store)), cache)
	f.Counters = host.Counters()
	f.Counted, f.Tools = true, true
	if f.Go, err = exec.LookPath("go"); err == nil {
		f.Toolchains = toolchain.Versions(ctx)
	}
	return &Checkup{Platform: p, Findings: f.Findings()}, nil
}

// ExamineAt looks for what would spoil measurements on a machine elsewhere. hub is the
// word of --hub.
func ExamineAt(ctx context.Context, h assay.Host, hub string) (checkup *Checkup, err error) {
	m, h, err := machine.Connect(ctx, h, machine.Options{Hub: hub, Work: "assay doctor"})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	checkup = &Checkup{Name: machine.NameOf(h)}
	if checkup.Platform, err = m.Platform(ctx); err != nil {
		return nil, err
	}
	checkup.Findings, err = m.Inspect(ctx, checkup.Platform)
	return checkup, err
}

// An AA is the result of measuring the same code under several names.
type AA struct {
	Run string `json:"run"`
	// Cells is the number of comparisons, False are those called different, and Unclear
	// is the number of undecided ones.
	Cells   int         `json:"cells"`
	False   []FalseCell `json:"false"`
	Unclear int         `json:"unclear"`
	// Floor is the half-width of the A/A interval on the whole suite.
	Floor assay.Change `json:"floor"`
	// Times are the durations of the values of Smallest, in Suite and in Benchmarks.
	// Suite is nil if too little ran.
	Times      []time.Duration  `json:"times_ns"`
	Suite      *analysis.Reach  `json:"suite"`
	Benchmarks []analysis.Reach `json:"benchmarks"`
}

// A FalseCell is a comparison of identical code that was called different.
type FalseCell struct {
	Benchmark assay.Benchmark `json:"benchmark"`
	Verdict   assay.Verdict   `json:"verdict"`
	Change    assay.Change    `json:"change"`
	Interval  *assay.Interval `json:"interval"`
}

// CheckAA counts the false verdicts of a run of the same code under several names. It
// reads the run again, and derives from its blocks which changes the machine can show.
func CheckAA(store string, r *assay.Result) (*AA, error) {
	aa := &AA{Run: r.Run, Floor: r.Noise.Floor, Times: analysis.ReachTimes, False: []FalseCell{}}
	for _, row := range r.Tables[0].Rows {
		for _, cell := range row.Cells {
			aa.Cells++
			switch {
			case cell.Verdict.Differs():
				aa.False = append(aa.False, FalseCell{cell.Benchmark, cell.Verdict, cell.Change, cell.Interval})
			case cell.Verdict == assay.Unclear:
				aa.Unclear++
			}
		}
	}
	return aa, aa.foretell(store, r)
}

func (aa *AA) foretell(store string, r *assay.Result) error {
	run, err := runs.Find(store, r.Run)
	if err != nil {
		return err
	}
	t := analysis.NewTracker(run.Plan, run.Plan.Study.Decide.Budget)
	for _, block := range run.Blocks() {
		t.Add(block)
	}
	aa.Suite, aa.Benchmarks = t.Reach(analysis.ReachTimes...)
	if aa.Benchmarks == nil {
		aa.Benchmarks = []analysis.Reach{}
	}
	return nil
}
