package labtest_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// A farm measures one study on computers of which each has its own truth.
type farm struct {
	store string
	stop  *session.Stop
	study *assay.Study
	boxes map[string]*labtest.Simulator
	said  strings.Builder
	calls int
}

// newFarm has a computer for each label, where "new" takes ln(times) of that of "old".
func newFarm(t *testing.T, effects map[string]float64) *farm {
	f := &farm{store: t.TempDir(), study: labtest.Study("old", "new"), boxes: map[string]*labtest.Simulator{}}
	f.study.Decide.MaxBlocks = 30
	labels := []string{}
	for label, e := range effects {
		labels = append(labels, label)
		f.boxes[label] = &labtest.Simulator{Seed: uint64(len(label)) + 7, Start: time.Millisecond, Benchmarks: []labtest.Benchmark{
			{Name: "X", Time: time.Microsecond, Noise: labtest.Normal(0.005), Effects: map[string]float64{"new": e}}}}
	}
	slices.Sort(labels)
	for _, label := range labels {
		f.study.Hosts = append(f.study.Hosts, assay.Host{Label: label, Address: "ssh:" + label})
	}
	return f
}

// measure is one call of the command.
func (f *farm) measure(t *testing.T) ([]session.MachineResult, error) {
	t.Helper()
	f.calls++
	f.stop = session.NewStop()
	var lines lockedBuilder
	cfg := session.Config{Options: session.Options{Store: f.store, Trust: true, Within: true}, Study: f.study, Command: "simulated",
		Progress: session.NewProgress(terminal.NewProgress(&lines, false, time.Now)),
		Lease:    &session.Lease{Began: time.Now()}, Stop: f.stop, Cache: f.store + ".cache"}
	list := session.Several(cfg)
	for i := range list {
		label := list[i].Study.Hosts[0].Label
		b := box{f.boxes[label], label}
		list[i].Simulation = &session.Simulation{Builder: b, Machine: b, Run: label + strings.Repeat("x", f.calls), Seed: uint64(i + 1), Created: time.Unix(int64(f.calls), 0)}
	}
	out, err := session.MeasureAll(t.Context(), list)
	f.said.WriteString(lines.String())
	return out, err
}

type lockedBuilder struct {
	mu sync.Mutex
	strings.Builder
}

func (b *lockedBuilder) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Builder.Write(p)
}

// groups lists the groups of a store's runs in their order.
func (f *farm) groups(t *testing.T) (out []string) {
	t.Helper()
	kept, err := record.List(f.store)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range kept {
		if e.Group == "" || e.Machines != len(f.study.Hosts) || e.Machine == "" {
			t.Errorf("%+v is in no group of all machines", e)
		}
		out = append(out, e.Group)
	}
	return out
}

// Machines that are measured side by side have a run each, joined by a group, and claim
// by the list of all.
func TestSeveralMachines(t *testing.T) {
	f := newFarm(t, map[string]float64{"alpha": -0.05, "beta": -0.08, "gamma": 0})
	list, err := f.measure(t)
	if err != nil {
		t.Fatal(err)
	}
	var sources []runs.Source
	for i, m := range list {
		if m.Result == nil {
			t.Fatalf("%s: %v", m.Machine, m.Err)
		}
		if m.Err != nil || m.Machine != f.study.Hosts[i].Label || m.Result.Machine != m.Machine || m.Result.Rule.Heads != 3 || m.Run.Plan.Number != i+1 {
			t.Errorf("%s: %v, machine %q, %d heads", m.Machine, m.Err, m.Result.Machine, m.Result.Rule.Heads)
		}
		sources = append(sources, runs.Source{Result: m.Result, Run: m.Run})
	}
	m, err := runs.MergeSources(sources)
	if err != nil {
		t.Fatal(err)
	}
	h := m.Heads[0]
	if h.Better != 2 || h.Same != 1 || m.Answer.Use != "new" || m.Group != list[0].Run.Plan.Group ||
		!strings.Contains(m.Answer.Text[0], "use new: faster on 2 of 3 machines") || !strings.Contains(m.Answer.Text[0], "gamma") {
		t.Errorf("%+v\n%s", h, strings.Join(m.Answer.Text, "\n"))
	}
	if g := f.groups(t); len(g) != 3 || g[0] != g[1] || g[1] != g[2] {
		t.Errorf("groups %v", g)
	}
	if !strings.Contains(f.said.String(), "assay: beta: run betax: 1 benchmark × 2 variants") {
		t.Errorf("progress has no labels:\n%s", f.said.String())
	}
	if _, err := f.measure(t); err != nil || len(f.groups(t)) != 6 || f.groups(t)[0] == f.groups(t)[5] {
		t.Errorf("the same line after the end: %v, groups %v, want new ones", err, f.groups(t))
	}
}

// A machine that is lost ends its run, and the others go on. The same line completes the
// group: what is finished is shown, what is not goes on.
func TestLostMachine(t *testing.T) {
	f := newFarm(t, map[string]float64{"alpha": -0.05, "beta": -0.08})
	f.boxes["beta"].Hook = func(r lab.RunRequest) error {
		if r.Block == 5 {
			return errors.New("no route to host")
		}
		return nil
	}
	list, err := f.measure(t)
	if err != nil {
		t.Fatal(err)
	}
	a, b := list[0].Result, list[1].Result
	if a.Spent.Stop != assay.StopDecided || b == nil || b.Spent.Stop != assay.StopInterrupted ||
		!slices.ContainsFunc(b.Warnings, func(w assay.Warning) bool {
			return w.Code == assay.CodeMachineLost && strings.Contains(w.Facts[0], "no route to host")
		}) {
		t.Fatalf("alpha %q, beta %v", a.Spent.Stop, list[1].Err)
	}
	f.boxes["beta"].Hook = nil
	before := len(f.boxes["alpha"].Log())
	again, err := f.measure(t)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(f.boxes["alpha"].Log()); n != before {
		t.Errorf("alpha was finished, and ran %d more trials", n-before)
	}
	if a, b := again[0].Result, again[1].Result; a.Run != list[0].Result.Run || b.Run != list[1].Result.Run || b.Spent.Stop != assay.StopDecided {
		t.Errorf("runs %s and %s, beta %q; want the same, decided", a.Run, b.Run, b.Spent.Stop)
	}
	if g := f.groups(t); len(g) != 2 || g[0] != g[1] {
		t.Errorf("groups %v, want one of two runs", g)
	}
}

// A machine lost before its first block has no run; with the same line it gets one, in
// the same group.
func TestMachineLostEarly(t *testing.T) {
	f := newFarm(t, map[string]float64{"alpha": -0.05, "beta": -0.08})
	f.boxes["beta"].Hook = func(lab.RunRequest) error { return errors.New("gone") }
	list, err := f.measure(t)
	if err != nil || list[0].Result == nil || list[1].Result != nil || list[1].Err == nil {
		t.Fatalf("%+v, %v", list, err)
	}
	f.boxes["beta"].Hook = nil
	if list, err = f.measure(t); err != nil || list[1].Result == nil {
		t.Fatalf("%+v, %v", list, err)
	}
	if g := f.groups(t); len(g) != 2 || g[0] != g[1] {
		t.Errorf("groups %v, want one", g)
	}
}

// A signal ends all machines after their block.
func TestStopSeveralMachines(t *testing.T) {
	f := newFarm(t, map[string]float64{"alpha": -0.0101, "beta": -0.0102})
	f.study.Decide.MinBlocks = 25
	trials := 0
	f.boxes["alpha"].Hook = func(lab.RunRequest) error {
		if trials++; trials == 30 {
			f.stop.Request()
		}
		return nil
	}
	list, err := f.measure(t)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		if m.Result != nil && m.Result.Spent.Stop == assay.StopInterrupted {
			continue
		}
		// A simulated machine may have been through with its blocks, or not yet begun.
		if m.Machine == "alpha" || m.Result == nil && !lab.IsInterrupt(m.Err) {
			t.Errorf("%s: %+v %v", m.Machine, m.Result, m.Err)
		}
	}
}

// One machine under two names is refused before anything is measured.
func TestOneMachineTwice(t *testing.T) {
	f := newFarm(t, map[string]float64{"alpha": 0, "beta": 0})
	f.study.Hosts[1].Label = "alpha"
	_, err := f.measure(t)
	if err == nil || !strings.Contains(err.Error(), "one machine") || len(f.boxes["alpha"].Log()) > 0 {
		t.Errorf("got %v after %d trials", err, len(f.boxes["alpha"].Log()))
	}
}
