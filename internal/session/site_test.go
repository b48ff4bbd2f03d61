package session

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/live"
	"github.com/seed-1318a441/assay/internal/machine"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
)

// hereConfig is that of a study of the module Tiny on this computer.
func hereConfig(t *testing.T) (Config, *heard) {
	t.Helper()
	h := &heard{}
	s := twoVariants(sourcetest.Module(t), assay.Workload{Kind: assay.KindGoTest})
	return Config{Study: s, Command: "assay compare . .", Progress: NewProgress(h), Lease: &Lease{}, Stop: NewStop(), Cache: t.TempDir()}, h
}

// While a session is open nothing that it starts has the credentials of the shell, but for
// those that the study passes on.
func TestSiteWithholds(t *testing.T) {
	ownFolders(t)
	t.Setenv("MY_TEST_TOKEN", "one")
	t.Setenv("MY_OTHER_TOKEN", "two")
	cfg, _ := hereConfig(t)
	cfg.Study.Measure.Pass = []string{"MY_OTHER_TOKEN"}
	s, err := Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := os.LookupEnv("MY_TEST_TOKEN"); ok || os.Getenv("MY_OTHER_TOKEN") != "two" || !slices.Contains(s.site.withheld, "MY_TEST_TOKEN") ||
		slices.Contains(s.site.withheld, "MY_OTHER_TOKEN") {
		t.Errorf("got %q of %q, want it withheld and the other passed on", got, s.site.withheld)
	}
	if s.Close(); os.Getenv("MY_TEST_TOKEN") != "one" {
		t.Error("the credential is not given back")
	}
}

// An error has all machines that cannot be measured on, and gives the credentials back.
func TestNoMachineElsewhere(t *testing.T) {
	t.Setenv("MY_TEST_TOKEN", "one")
	cfg, _ := hereConfig(t)
	cfg.Hub = filepath.Join(t.TempDir(), "none")
	cfg.Study.Hosts = []assay.Host{{Label: "bench1", Address: "agent:bench1"}, {Label: "bench2", Address: "agent:bench2"}}
	_, err := MeasureAll(t.Context(), Several(cfg))
	if text := errortest.Want(t, err, assay.CodeNoHub, assay.ExitRefused); !strings.Contains(text, "\n  bench2: ") {
		t.Errorf("got %s, want both machines", text)
	}
	if os.Getenv("MY_TEST_TOKEN") != "one" {
		t.Error("the credential is not given back")
	}
}

// A freeing teller lets a machine go as soon as somebody is said to wait for it.
type freeing struct {
	*heard
	leave func() error
}

func (f freeing) Warn(w assay.Warning) {
	f.heard.Warn(w)
	f.leave()
}

// A session holds the machine until the command ends. It waits for another one, unless it is told not to wait.
func TestWaitForMachine(t *testing.T) {
	ownFolders(t)
	cfg, h := hereConfig(t)
	occupy := func() func() error {
		leave, err := host.Occupy(t.Context(), host.Occupant{PID: 7, Command: "assay run"}, func(host.Occupant) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		return leave
	}
	leave := occupy()
	cfg.NoWait = true
	s, err := Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	errortest.Want(t, s.WaitForMachine(t.Context()), assay.CodeMachineBusy, assay.ExitRefused)
	s.Config.NoWait, s.Config.Progress = false, NewProgress(freeing{h, leave})
	if err := s.WaitForMachine(t.Context()); err != nil || len(h.warned) != 1 || h.warned[0].Code != assay.CodeMachineBusy {
		t.Fatalf("got %v, warned %+v, want one that waited", err, h.warned)
	}
	if o, ok := host.Occupied(); !ok || o.Command != "assay compare . ." {
		t.Errorf("got %+v, want it occupied by this one", o)
	}
	if err := s.WaitForMachine(t.Context()); err != nil { // its own
		t.Errorf("the second time: got %v", err)
	}
	if s.Config.Lease.Release(); func() bool { _, ok := host.Occupied(); return ok }() {
		t.Error("the machine is still occupied")
	}
}

// What would end a session later ends it before it waits.
func TestForesee(t *testing.T) {
	ownFolders(t)
	cfg, h := hereConfig(t)
	cfg.Study.Workloads[0].Bench = "Nothing"
	s, err := Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	leave, err := host.Occupy(t.Context(), host.Occupant{PID: 7, Command: "assay run"}, func(host.Occupant) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // it does not wait
	defer cancel()
	if text := errortest.Want(t, s.WaitForMachine(ctx), assay.CodeNoBenchmarks, assay.ExitBuild); !strings.Contains(text, "Nothing") || len(h.warned) != 0 {
		t.Errorf("got %s, warned %+v", text, h.warned)
	}
}

// Building is not the budget's: that starts with the plan, and only once.
func TestBudgetStartsAfterBuilding(t *testing.T) {
	ownFolders(t)
	cfg, _ := hereConfig(t)
	s, err := Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	defer s.Config.Lease.Release()
	if err := s.Build(t.Context()); err != nil || !s.budget.started.IsZero() {
		t.Fatalf("got %v, started at %v, want a build before the budget", err, s.budget.started)
	}
	if _, _, err := s.plan(t.Context()); err != nil || s.budget.started.IsZero() {
		t.Errorf("got %v, started at %v, want the plan within the budget", err, s.budget.started)
	}
}

func TestBudgetLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pause := NewPause(nil, nil)
		s := &Session{Config: Config{Progress: NewProgress(&heard{}), Study: &assay.Study{Decide: assay.Decide{Budget: 10 * time.Minute}}}}
		s.budget.progress = s.Config.Progress
		s.Config.Progress.Follow(func(live.Event) {}, pause, false)
		time.Sleep(time.Hour)
		s.budget.start()
		time.Sleep(time.Minute)
		s.budget.start() // runs already
		if got, want := s.budgetLeft(), 9*time.Minute; got != want {
			t.Errorf("after a minute: got %v left, want %v", got, want)
		}
		pause.Toggle()
		time.AfterFunc(time.Hour, pause.Toggle)
		pause.wait(func(live.Event) {})
		if got, want := s.budgetLeft(), 9*time.Minute; got != want {
			t.Errorf("after a pause: got %v left, want %v", got, want)
		}
		time.Sleep(time.Hour)
		if got := s.budgetLeft(); got != 1 { // 0 would be all of it
			t.Errorf("after the budget: got %v, want the least", got)
		}
		s.Config.More = 2 * time.Hour
		if got, want := s.budgetLeft(), 59*time.Minute; got != want {
			t.Errorf("with --more: got %v left, want %v", got, want)
		}
	})
}

// Who waits for a long build hears that it is not the budget's.
func TestBuilding(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for took, want := range map[time.Duration][]string{time.Second: nil, time.Minute: {"assay: still building; the budget of 1m30s begins after that"}} {
			h := &heard{}
			built := NewProgress(h).Building(90 * time.Second)
			time.Sleep(took)
			built()
			if time.Sleep(time.Hour); !slices.Equal(h.said, want) {
				t.Errorf("%v: got %q, want %q", took, h.said, want)
			}
		}
	})
}

// publishedRun is a copy of a published run, open to go on with it.
func publishedRun(t *testing.T) *record.Record {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "studies", "queue-path", "record"))); err != nil {
		t.Fatal(err)
	}
	rec, err := record.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// The noise of a run is remembered of its machine; that of a search is not, nor of a run
// without any.
func TestKeepFloor(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	rec := publishedRun(t)
	run := rec.Run()
	tracker := analysis.NewTracker(run.Plan, time.Hour)
	for _, block := range run.Blocks() {
		tracker.Next()
		tracker.Add(block)
	}
	r := tracker.Result(run.Platform, assay.StopDecided)
	study := run.Plan.Study
	study.Hosts = []assay.Host{{Label: "bench1", Address: "ssh:me@bench1"}}
	s := &Session{Config: Config{Study: &study, Progress: NewProgress(&heard{}), Options: Options{AA: true}}, Platform: run.Platform, Record: rec}
	s.ruleName = assay.RuleProbe
	keepFloor(s, tracker, r)
	s.ruleName = ""
	none := *r
	none.Noise.Floor = 0
	keepFloor(s, tracker, &none)
	if got := machine.FloorsAt("ssh:me@bench1"); len(got) != 0 {
		t.Errorf("got %+v of a search and a run without noise", got)
	}
	keepFloor(s, tracker, r)
	got := machine.FloorsAt("ssh:me@bench1")
	if len(got) != 1 || got[0].Floor != r.Noise.Floor || got[0].Label != "bench1" || got[0].Study != study.Name || !got[0].AA ||
		got[0].Blocks != r.Spent.Blocks || len(got[0].Smallest) != len(analysis.ReachTimes) {
		t.Errorf("got %+v, want the noise of %v over %d blocks", got, r.Noise.Floor, r.Spent.Blocks)
	}
}

// A computer with an unfinished run of the same study is the one to go on with, if it says
// which one it is.
func TestHasUnfinished(t *testing.T) {
	plan := publishedRun(t).Run().Plan
	store := t.TempDir()
	plan.Run, plan.StudyHash = "7k2m", design.StudyHash(&plan.Study)
	rec, err := record.Create(store, plan, assay.Platform{ID: "p", Host: "one"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	c := &Config{Study: &plan.Study, Options: Options{Store: store}}
	has := c.hasUnfinished()
	for name, want := range map[string]bool{"one": true, "two": false, "": false} {
		if got := has(assay.Platform{ID: "p", Host: name}); got != want {
			t.Errorf("%q: got %t, want %t", name, got, want)
		}
	}
	other := plan.Study
	other.Decide.MinEffect *= 2
	c.Study = &other
	if c.hasUnfinished()(assay.Platform{ID: "p", Host: "one"}) {
		t.Error("a run of another study is taken for it")
	}
}

// A run that ends after its block says so to who follows it event by event as well.
func TestStopping(t *testing.T) {
	var none *Progress
	none.Stopping("assay: stops") // nobody listens
	h, kinds := &heard{}, []string(nil)
	p := NewProgress(h)
	p.Stopping("assay: stops")
	p.Follow(func(e live.Event) { kinds = append(kinds, e.Kind) }, nil, false)
	p.Stopping("assay: stops again")
	if !reflect.DeepEqual(h.said, []string{"assay: stops", "assay: stops again"}) || !reflect.DeepEqual(kinds, []string{live.KindStop}) {
		t.Errorf("said %q, told %q", h.said, kinds)
	}
}

// Machines of a command line may be names of the user's own file, which says where they are.
func TestReadHosts(t *testing.T) {
	dir := ownConfig(t)
	disktest.Write(t, dir, map[string]string{"assay/machines.toml": "[bench1]\nhost = \"ssh:bench1.lan\"\ngoarch = \"386\"\n"})
	got, err := ReadHosts([]string{"local", "bench1"})
	if err != nil || len(got) != 2 || got[0].Address != "local" || got[1].Address != "ssh:bench1.lan" || got[1].Label != "bench1" || got[1].GOARCH != "386" {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := ReadHosts([]string{"ssh:"}); err == nil || !strings.HasPrefix(err.Error(), "ssh: ") {
		t.Errorf("got %v, want an error that begins with the value", err)
	}
	if _, err := ReadHosts([]string{"bench2"}); err == nil || !strings.Contains(err.Error(), "bench2") {
		t.Errorf("got %v, want that bench2 is unknown", err)
	}
}
