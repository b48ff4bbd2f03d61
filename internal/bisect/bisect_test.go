package bisect_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/bisect"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/session/sessiontest"
)

// A past is a history of commits on a simulated machine, of which one changed the benchmark.
type past struct {
	*sessiontest.Rig
	bisect.History
}

// newPast has n commits after the good one, of which that of an index, and all after it,
// take by so much more time.
func newPast(t *testing.T, n, culprit int, change float64) *past {
	t.Helper()
	p := &past{Rig: sessiontest.New(t, sessiontest.Bench("Sum", nil))}
	p.Good = assay.Commit{Hash: strings.Repeat("a", 40), Subject: "good"}
	effects := p.Benchmarks[0].Effects
	for i := range n {
		c := assay.Commit{Hash: fmt.Sprintf("%040d", i+1)[31:] + strings.Repeat("0", 31), Subject: fmt.Sprintf("commit %d", i)}
		p.Commits = append(p.Commits, c)
		if i >= culprit {
			effects[p.Short(i)] = math.Log1p(change)
		}
	}
	effects[bisect.VariantBad] = math.Log1p(change)
	return p
}

// ends is the study of the two ends.
func (p *past) ends() *assay.Study {
	s := labtest.Study(bisect.VariantGood, bisect.VariantBad)
	s.Name, s.Measure.Layouts, s.Measure.Inner, s.Measure.Trial = "codec", 1, 1, 10*time.Millisecond
	s.Decide.Budget, s.Decide.Confidence = 5*time.Minute, 0.95
	s.Variants[0].Rev, s.Variants[1].Rev = p.Good.Hash, p.Commits[len(p.Commits)-1].Hash
	return s
}

// bisect searches the history by one session.
func (p *past) bisect(t *testing.T, again bool) (*bisect.Result, error) {
	t.Helper()
	p.Teller = &sessiontest.Teller{}
	cfg := p.Config(p.ends())
	cfg.Command = "assay bisect a b"
	return bisect.FindCommit(t.Context(), cfg, p.History, again)
}

// The commit that changed the benchmark is found through the real record and rules, in as
// many probes as halving takes; what was built in advance is told under its own name.
func TestBisect(t *testing.T) {
	p := newPast(t, 16, 10, 0.2)
	got, err := p.bisect(t, false)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Found() || got.Culprit.Subject != "commit 10" || len(got.Candidates) != 1 || got.Probes > 4 || got.Verdict != assay.Slower ||
		math.Abs(float64(got.Whole.Change)-0.2) > 0.01 {
		t.Errorf("got %+v, want commit 10, +20 %%, in 4 probes", got)
	}
	if got.Study != "codec" || got.Command != "assay bisect a b" || got.Platform != p.Found(t, "run2").Platform.ID || got.Confidence != 0.95 || got.Measured <= 0 {
		t.Errorf("got %q by %q on %q with %v, %v measured", got.Study, got.Command, got.Platform, got.Confidence, got.Measured)
	}
	for _, want := range []string{"assay: ends: 000000016 against aaaaaaaaa: changed, +", "assay: probe: 000000008 commit 7: good, ",
		"assay: re-check: 000000011 against its parent: changed, +"} {
		if !p.Teller.Heard(want) {
			t.Errorf("said\n%s\nwant %s", strings.Join(p.Teller.Said, "\n"), want)
		}
	}
}

// What was found is in a log: the same line again measures nothing, and with again all of
// it.
func TestBisectIsRemembered(t *testing.T) {
	p := newPast(t, 8, 3, -0.2)
	first, err := p.bisect(t, false)
	if err != nil {
		t.Fatal(err)
	}
	trials := len(p.Log())
	second, err := p.bisect(t, false)
	if err != nil || len(p.Log()) != trials || second.Culprit.Subject != "commit 3" || second.Verdict != assay.Faster || second.Took != first.Took {
		t.Errorf("got %+v, %v after %d more trials, want the same after none", second, err, len(p.Log())-trials)
	}
	if !p.Teller.Heard(fmt.Sprintf("the bisection resumes after %d measurements", len(first.Findings))) {
		t.Errorf("said %q", p.Teller.Said)
	}
	if _, err := p.bisect(t, true); err != nil || len(p.Log()) <= trials {
		t.Errorf("got %v after %d more trials, want all of them again", err, len(p.Log())-trials)
	}
}

// A user who ends the search loses no probe, and the next one goes on with the run that was
// cut off.
func TestStopBisection(t *testing.T) {
	p := newPast(t, 8, 3, 0.2)
	p.Hook = func(q lab.RunRequest) error {
		if q.Block == 2 && q.Variant.Name == p.Short(3) { // the first probe
			p.Hook = nil
			p.Stop.Request()
		}
		return nil
	}
	got, err := p.bisect(t, false)
	if !errors.Is(err, bisect.ErrStopped) || got == nil || got.Resume != "assay bisect a b" {
		t.Fatalf("got %+v, %v, want that it was stopped", got, err)
	}
	if b := got.Bracket; b == nil || b.After.Subject != "good" || b.UpTo.Subject != "commit 7" || b.Commits != 8 {
		t.Errorf("got bracket %+v, want all 8 commits after good", got.Bracket)
	}
	p.Hook = nil
	got, err = p.bisect(t, false)
	if err != nil || got.Culprit == nil || got.Culprit.Subject != "commit 3" {
		t.Errorf("got %+v, %v, want commit 3", got, err)
	}
	if !p.Teller.Heard("the bisection resumes after 1 measurement") || !p.Teller.Heard("run run3 resumes after block 2") ||
		slices.ContainsFunc(p.Teller.Said, func(s string) bool { return strings.HasPrefix(s, "assay: ends") }) {
		t.Errorf("said %q, want the probe taken up again and the ends not", p.Teller.Said)
	}
}

// A commit that does not build is left out, and the one after it can be blamed only with
// it.
func TestBisectOverBrokenCommits(t *testing.T) {
	p := newPast(t, 8, 4, 0.2)
	p.Fails = map[string][]string{p.Short(3): {"x.go:1:1: undefined: y"}}
	got, err := p.bisect(t, false)
	if err != nil {
		t.Fatal(err)
	}
	var candidates []string
	for _, c := range got.Candidates {
		candidates = append(candidates, c.Subject)
	}
	if want := []string{"commit 3", "commit 4"}; !slices.Equal(candidates, want) || got.Skipped != 1 {
		t.Errorf("got %q with %d skipped, want %q", candidates, got.Skipped, want)
	}
	if !p.Teller.Heard("commit 3: skip, variant \"000000004\" does not build: x.go:1:1: undefined: y") {
		t.Errorf("said %q", p.Teller.Said)
	}
}

// Ends that do not build, or a machine that fails, end the search: no commit is to blame.
func TestBisectFails(t *testing.T) {
	p := newPast(t, 8, 4, 0.2)
	p.Fails = map[string][]string{bisect.VariantGood: {"no"}}
	if got, err := p.bisect(t, false); err == nil || got != nil {
		t.Errorf("got %+v, %v, want an error of the build", got, err)
	}
	p = newPast(t, 8, 4, 0.2)
	p.EndAt(1, func() error { return errors.New("the disk is full") })
	if got, err := p.bisect(t, false); err == nil || !strings.Contains(err.Error(), "the disk is full") {
		t.Errorf("got %+v, %v, want the error of the machine", got, err)
	}
}

// write has every commit from an index up to another build to a code, -1 being the good end.
func (p *past) write(code string, from, to int) {
	if p.Code == nil {
		p.Code = map[string]string{}
	}
	for i := from; i <= to; i++ {
		p.Code[p.Short(i)] = code
	}
}

// measured lists the measurements of a search: their kinds and the commits.
func measured(r *bisect.Result) (out []string) {
	for _, f := range r.Findings {
		if f.Measured > 0 {
			out = append(out, fmt.Sprint(f.Kind, " ", f.Index))
		}
	}
	return out
}

// Ends with the same code need no trial to be the same.
func TestBisectSameEnds(t *testing.T) {
	p := newPast(t, 8, 4, 0)
	p.write("one", bisect.BeforeFirst, 7)
	got, err := p.bisect(t, false)
	if err != nil || got.Status != bisect.StatusNoChange || got.Why != "same code" || len(p.Log()) != 0 {
		t.Errorf("got %+v, %v after %d trials, want no change after none", got, err, len(p.Log()))
	}
}

// Of twenty commits one changes the code: the ends are the only pair of binaries, and one
// comparison answers.
func TestBisectOneChangeOfCode(t *testing.T) {
	p := newPast(t, 20, 12, 0.2)
	p.write("one", bisect.BeforeFirst, 11)
	p.write("two", 12, 19)
	got, err := p.bisect(t, false)
	if err != nil || !got.Found() || got.Culprit.Subject != "commit 12" || got.Changing != 1 || got.Runs != 1 {
		t.Fatalf("got %+v, %v, want commit 12", got, err)
	}
	if want := []string{"ends 19"}; !slices.Equal(measured(got), want) {
		t.Errorf("measured %q, want %q", measured(got), want)
	}
	if got.Recheck.Run != got.Findings[0].Run || got.Recheck.Change == nil || !p.Teller.Heard("assay: at most 1 of 20 commits changed the code") {
		t.Errorf("got re-check %+v, said %q", got.Recheck, p.Teller.Said)
	}
}

// Commits with the same code are measured once: of 20 commits with four codes two probes are
// enough, and a commit that does not build between two of the same code is no suspect.
func TestBisectStretches(t *testing.T) {
	p := newPast(t, 20, 9, 0.2)
	p.write("one", bisect.BeforeFirst, 3)
	p.write("two", 4, 8)
	p.write("three", 9, 14)
	p.write("four", 15, 19)
	p.Fails = map[string][]string{p.Short(6): {"x.go:1:1: undefined: y"}}
	delete(p.Code, p.Short(6))
	got, err := p.bisect(t, false)
	if err != nil || !got.Found() || got.Culprit.Subject != "commit 9" || len(got.Candidates) != 1 || got.Skipped != 0 {
		t.Fatalf("got %+v, %v, want commit 9 alone", got, err)
	}
	if want := []string{"ends 19", "probe 4", "probe 9", "recheck 9"}; !slices.Equal(measured(got), want) {
		t.Errorf("measured %q, want %q", measured(got), want)
	}
	again, err := p.bisect(t, false)
	if err != nil || !reflect.DeepEqual(again, got) {
		t.Errorf("from the log: got %+v, %v, want %+v", again, err, got)
	}
}

// With force, commits are measured whatever their code.
func TestBisectForce(t *testing.T) {
	p := newPast(t, 4, 2, 0.2)
	p.write("one", bisect.BeforeFirst, 1)
	p.write("two", 2, 3)
	s := p.ends()
	s.Measure.Force = true
	got, err := bisect.FindCommit(t.Context(), p.Config(s), p.History, false)
	if want := []string{"ends 3", "probe 1", "probe 2", "recheck 2"}; err != nil || !slices.Equal(measured(got), want) {
		t.Errorf("measured %q, %v, want %q", measured(got), err, want)
	}
}

// Where the budget is over, the search says where the change lies so far, and
// goes on from there with a larger one.
func TestBisectBudget(t *testing.T) {
	p := newPast(t, 64, 40, 0.2)
	s := p.ends()
	s.Decide.Budget = 10 * time.Second
	cfg := p.Config(s)
	cfg.Command = "assay bisect --budget 10s a b"
	got, err := bisect.FindCommit(t.Context(), cfg, p.History, false)
	if err != nil || got.Status != bisect.StatusUnfinished || got.Bracket == nil || got.Bracket.Commits >= 64 || got.Resume != "assay bisect --budget 20s a b" {
		t.Fatalf("got %+v, %v, want fewer commits left and how to go on", got, err)
	}
	if got.Measured > 12*time.Second { // the last block may end after it
		t.Errorf("measured for %v, want 10 s", got.Measured)
	}
	s.Decide.Budget = 5 * time.Minute
	trials := len(p.Log())
	more, err := bisect.FindCommit(t.Context(), p.Config(s), p.History, false)
	if err != nil || !more.Found() || more.Culprit.Subject != "commit 40" || !reflect.DeepEqual(more.Findings[:len(got.Findings)], got.Findings) || len(p.Log()) == trials {
		t.Errorf("got %+v, %v, want commit 40 after the same findings", more, err)
	}
}

// A log that does not belong to the search is refused, with what makes a new one.
func TestBisectionLogOfAnother(t *testing.T) {
	p := newPast(t, 8, 3, 0.2)
	if _, err := p.bisect(t, false); err != nil {
		t.Fatal(err)
	}
	logs, err := filepath.Glob(filepath.Join(p.Store, "bisect-*", "log.jsonl"))
	if err != nil || len(logs) != 1 {
		t.Fatalf("got logs %q, %v, want one", logs, err)
	}
	text, err := os.ReadFile(logs[0])
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	if err := os.WriteFile(logs[0], []byte(strings.Join(slices.Delete(lines, 1, 2), "")), 0o666); err != nil { // without the ends
		t.Fatal(err)
	}
	_, err = p.bisect(t, false)
	if text := errortest.Want(t, err, assay.CodeStore, assay.ExitRefused); !strings.Contains(text, "start again with --again") {
		t.Errorf("got %s", text)
	}
	if got, err := p.bisect(t, true); err != nil || !got.Found() {
		t.Errorf("again: got %+v, %v, want it found", got, err)
	}
}
