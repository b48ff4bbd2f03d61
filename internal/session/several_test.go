package session_test

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/session/sessiontest"
)

// A yard has a simulated machine for each host of a study.
type yard struct {
	rigs  map[string]*sessiontest.Rig
	study *assay.Study
	store string
	*sessiontest.Teller
	// stop ends the runs of the latest call.
	stop  *session.Stop
	calls int
}

// newYard has a machine for each label, each a computer of its own.
func newYard(t *testing.T, labels ...string) *yard {
	t.Helper()
	y := &yard{rigs: map[string]*sessiontest.Rig{}, study: sessiontest.Blocks(6, "old", "new"), Teller: &sessiontest.Teller{}}
	for _, label := range labels {
		r := sessiontest.New(t, sessiontest.Bench("Sum", map[string]float64{"new": 0.1}))
		r.Host, y.store = label, r.Store
		y.rigs[label] = r
		y.study.Hosts = append(y.study.Hosts, assay.Host{Label: label, Address: "ssh:" + label})
	}
	return y
}

// yardOf has a machine for each label, where "new" takes ln(times) of that of "old".
func yardOf(t *testing.T, effects map[string]float64) *yard {
	t.Helper()
	y := newYard(t, slices.Sorted(maps.Keys(effects))...)
	for label, e := range effects {
		y.rigs[label].Benchmarks[0].Effects["new"] = e
	}
	hosts := y.study.Hosts
	y.study = labtest.Study("old", "new")
	y.study.Hosts, y.study.Decide.MaxBlocks = hosts, 30
	return y
}

// A place is a machine of a yard, whose runs are named by it.
type place struct {
	*sessiontest.Rig
	goarch string
}

// Platform implements lab.Machine.
func (p place) Platform(ctx context.Context) (assay.Platform, error) {
	out, err := p.Simulator.Platform(ctx)
	out.Host, out.ID = p.Host, out.ID+p.goarch
	return out, err
}

// measure measures on all machines.
func (y *yard) measure(t *testing.T, more time.Duration) ([]session.MachineResult, error) {
	t.Helper()
	y.calls++
	y.stop = session.NewStop()
	cfg := session.Config{Options: session.Options{Store: y.store, Trust: true, More: more}, Study: y.study, Command: "assay compare old new",
		Progress: session.NewProgress(y.Teller), Lease: &session.Lease{}, Stop: y.stop, Cache: y.store + ".cache"}
	configs := session.Several(cfg)
	for i := range configs {
		h := configs[i].Study.Hosts[0]
		p := place{y.rigs[h.Label], h.GOARCH}
		configs[i].Simulation = &session.Simulation{Builder: p, Machine: p, Run: h.Label + strings.Repeat("x", y.calls),
			Seed: uint64(i + 1), Created: time.Unix(int64(y.calls), 0)}
	}
	return session.MeasureAll(t.Context(), configs)
}

// groups lists the runs of the store with their group, by the number of the group: "a 1".
func (y *yard) groups(t *testing.T) (out []string) {
	t.Helper()
	kept, err := record.List(y.store)
	if err != nil {
		t.Fatal(err)
	}
	var known []string
	for _, e := range kept {
		if !slices.Contains(known, e.Group) {
			known = append(known, e.Group)
		}
		out = append(out, e.Run+" "+string(rune('1'+slices.Index(known, e.Group))))
	}
	slices.Sort(out)
	return out
}

// groupsOnly lists the groups of the store's runs in their order. Each run is of all
// machines.
func (y *yard) groupsOnly(t *testing.T) (out []string) {
	t.Helper()
	kept, err := record.List(y.store)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range kept {
		if e.Group == "" || e.Machines != len(y.study.Hosts) || e.Machine == "" {
			t.Errorf("%+v is in no group of all machines", e)
		}
		out = append(out, e.Group)
	}
	return out
}

// Each machine measures its own copy of the study, and what it tells has its label; the line
// of progress has them all.
func TestSeveral(t *testing.T) {
	y := newYard(t, "a", "b")
	list, err := y.measure(t, 0)
	if err != nil || len(list) != 2 {
		t.Fatalf("got %+v, %v", list, err)
	}
	for i, label := range []string{"a", "b"} {
		if m := list[i]; m.Machine != label || m.Err != nil || m.Result.Spent.Blocks != 6 || m.Run.Plan.Machines != 2 || !y.Heard("assay: "+label+": run "+label+"x: ") {
			t.Errorf("got %s, %v, said %q", m.Machine, m.Err, y.Said)
		}
	}
	if !slices.ContainsFunc(y.Lines, func(l string) bool { return strings.Contains(l, "a: ") && strings.Contains(l, "; b: ") }) {
		t.Errorf("told %q, want a line of both", y.Lines)
	}
	if len(y.study.Hosts) != 2 {
		t.Errorf("the study became one of %+v", y.study.Hosts)
	}
}

// Two platforms of one computer are measured one after the other: a trial of one would be
// noise in those of the other.
func TestOneAfterTheOther(t *testing.T) {
	y := newYard(t, "wide", "small")
	small := y.study.Hosts[1]
	small.GOARCH = "386"
	y.study.Hosts[1] = small
	y.rigs["small"].Host = "wide"
	var mu sync.Mutex
	var order []string
	for label, r := range y.rigs {
		r.Hook = func(q lab.RunRequest) error {
			mu.Lock()
			defer mu.Unlock()
			if q.Block > 0 && (len(order) == 0 || order[len(order)-1] != label) {
				order = append(order, label)
			}
			return nil
		}
	}
	if _, err := y.measure(t, 0); err != nil {
		t.Fatal(err)
	}
	if want := []string{"wide", "small"}; !slices.Equal(order, want) {
		t.Errorf("got blocks in turns of %q, want %q", order, want)
	}
}

// More adds blocks to all runs of the newest group; without a group it is an error.
func TestMoreOfSeveral(t *testing.T) {
	y := newYard(t, "a", "b")
	for _, r := range y.rigs {
		r.Benchmarks[0].Effects["new"] = math.Log1p(0.01) // the smallest that matters: it takes long to decide
	}
	_, err := y.measure(t, 3*time.Second)
	errortest.Want(t, err, assay.CodeNoRun, assay.ExitUsage)
	if _, err := y.measure(t, 0); err != nil {
		t.Fatal(err)
	}
	list, err := y.measure(t, 3*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		if m.Result.Spent.Blocks <= 6 {
			t.Errorf("%s: got %+v, want more than 6 blocks", m.Machine, m.Result.Spent)
		}
	}
	if got, want := y.groups(t), []string{"axx 1", "bxx 1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Where the code of one machine's run has changed since, a new group begins on all, also
// where a run is finished.
func TestChangedCodeOfSeveral(t *testing.T) {
	y := newYard(t, "a", "b", "c")
	for _, label := range []string{"a", "c"} {
		y.rigs[label].EndAt(3, func() error { return errors.New("no route to host") })
	}
	if _, err := y.measure(t, 0); err != nil {
		t.Fatal(err)
	}
	y.rigs["c"].BuiltAs = map[string]string{"new": "edited"}
	list, err := y.measure(t, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		if m.Err != nil || m.Result.Run != m.Machine+"xx" || m.Result.Spent.Blocks != 6 {
			t.Errorf("%s: got %v, %+v, want a new run of 6 blocks", m.Machine, m.Err, m.Result)
		}
	}
	if got, want := y.groups(t), []string{"ax 1", "axx 2", "bx 1", "bxx 2", "cx 1", "cxx 2"}; !slices.Equal(got, want) ||
		!y.Heard("is not taken up again: the code it measured has changed since; new runs begin") {
		t.Errorf("got %q, said %q, want %q", got, y.Said, want)
	}
}

// A machine that has no run says why.
func TestMissingMachine(t *testing.T) {
	w := session.MachineResult{Machine: "a", Err: errors.New("no route\nto host")}.Missing()
	if w.Code != assay.CodeMachineLost || w.Text != "a has no run" || !slices.Equal(w.Facts, []string{"no route; to host"}) {
		t.Errorf("got %+v", w)
	}
}

// Machines that are measured side by side have a run each, joined by a group, and claim
// by the list of all.
func TestSeveralMachinesClaim(t *testing.T) {
	y := yardOf(t, map[string]float64{"alpha": -0.05, "beta": -0.08, "gamma": 0})
	list, err := y.measure(t, 0)
	if err != nil {
		t.Fatal(err)
	}
	var sources []runs.Source
	for i, m := range list {
		if m.Result == nil {
			t.Fatalf("%s: %v", m.Machine, m.Err)
		}
		if m.Err != nil || m.Machine != y.study.Hosts[i].Label || m.Result.Machine != m.Machine || m.Result.Rule.Heads != 3 || m.Run.Plan.Number != i+1 {
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
	if g := y.groupsOnly(t); len(g) != 3 || g[0] != g[1] || g[1] != g[2] {
		t.Errorf("groups %v", g)
	}
	if !y.Heard("assay: beta: run betax: 1 benchmark × 2 variants") {
		t.Errorf("progress has no labels: %q", y.Said)
	}
	if _, err := y.measure(t, 0); err != nil || len(y.groupsOnly(t)) != 6 || y.groupsOnly(t)[0] == y.groupsOnly(t)[5] {
		t.Errorf("the same line after the end: %v, groups %v, want new ones", err, y.groupsOnly(t))
	}
}

// A machine that is lost ends its run, and the others go on. The same line completes the
// group: what is finished is shown, what is not goes on.
func TestLostMachine(t *testing.T) {
	y := yardOf(t, map[string]float64{"alpha": -0.05, "beta": -0.08})
	y.rigs["beta"].Hook = func(r lab.RunRequest) error {
		if r.Block == 5 {
			return errors.New("no route to host")
		}
		return nil
	}
	list, err := y.measure(t, 0)
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
	y.rigs["beta"].Hook = nil
	before := len(y.rigs["alpha"].Log())
	again, err := y.measure(t, 0)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(y.rigs["alpha"].Log()); n != before {
		t.Errorf("alpha was finished, and ran %d more trials", n-before)
	}
	if a, b := again[0].Result, again[1].Result; a.Run != list[0].Result.Run || b.Run != list[1].Result.Run || b.Spent.Stop != assay.StopDecided {
		t.Errorf("runs %s and %s, beta %q; want the same, decided", a.Run, b.Run, b.Spent.Stop)
	}
	if g := y.groupsOnly(t); len(g) != 2 || g[0] != g[1] {
		t.Errorf("groups %v, want one of two runs", g)
	}
}

// A machine lost before its first block has no run; with the same line it gets one, in
// the same group.
func TestMachineLostEarly(t *testing.T) {
	y := yardOf(t, map[string]float64{"alpha": -0.05, "beta": -0.08})
	y.rigs["beta"].Hook = func(lab.RunRequest) error { return errors.New("gone") }
	list, err := y.measure(t, 0)
	if err != nil || list[0].Result == nil || list[1].Result != nil || list[1].Err == nil {
		t.Fatalf("%+v, %v", list, err)
	}
	y.rigs["beta"].Hook = nil
	if list, err = y.measure(t, 0); err != nil || list[1].Result == nil {
		t.Fatalf("%+v, %v", list, err)
	}
	if g := y.groupsOnly(t); len(g) != 2 || g[0] != g[1] {
		t.Errorf("groups %v, want one", g)
	}
}

// A signal ends all machines after their block.
func TestStopSeveralMachines(t *testing.T) {
	y := yardOf(t, map[string]float64{"alpha": -0.0101, "beta": -0.0102})
	y.study.Decide.MinBlocks = 25
	trials := 0
	y.rigs["alpha"].Hook = func(lab.RunRequest) error {
		if trials++; trials == 30 {
			y.stop.Request()
		}
		return nil
	}
	list, err := y.measure(t, 0)
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
	y := yardOf(t, map[string]float64{"alpha": 0, "beta": 0})
	y.study.Hosts[1].Label = "alpha"
	_, err := y.measure(t, 0)
	if err == nil || !strings.Contains(err.Error(), "one machine") || len(y.rigs["alpha"].Log()) > 0 {
		t.Errorf("got %v after %d trials", err, len(y.rigs["alpha"].Log()))
	}
}
