package bisect

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// estimate is a change with its interval.
func estimate(change, lo, hi assay.Change) *Estimate {
	return &Estimate{Change: change, Interval: &assay.Interval{Lo: lo, Hi: hi}}
}

// found is a bisection that found one commit, whose step is the whole change.
func found() *Result {
	culprit := assay.Commit{Hash: "0123456789abcdef", Subject: "copy less", Parents: 1}
	return &Result{
		Study: "queue", Metric: assay.MetricTime, Confidence: 0.95, Commits: 12, Changing: 12, Command: "assay bisect a b",
		Good: assay.Commit{Hash: "1111111111111111", Subject: "release"}, Bad: assay.Commit{Hash: "2222222222222222"},
		Status: StatusFound, Verdict: assay.Slower, Whole: estimate(0.2, 0.18, 0.22),
		Culprit: &culprit, Candidates: []assay.Commit{culprit},
		Recheck: &Finding{Kind: AskRecheck, Place: PlaceChanged, Change: estimate(0.21, 0.17, 0.25), Blocks: 14, Run: "7k2m"},
		Share:   1, Probes: 4, Measured: 10 * time.Minute, Took: 25 * time.Minute,
	}
}

// unfound is a bisection that ended before it could name a commit.
func unfound(status string, verdict assay.Verdict) *Result {
	r := found()
	r.Status, r.Verdict, r.Culprit, r.Candidates, r.Recheck, r.Probes = status, verdict, nil, nil, nil, 0
	return r
}

// answerOf is what stands between the first line and what the search cost.
func answerOf(lines []string) []string {
	lines = lines[2:]
	return lines[:slices.Index(lines, "")]
}

// The question is said first, then the answer with what proves it, and then what it cost.
func TestFound(t *testing.T) {
	want := []string{
		"bisect queue: 12 commits after 111111111 release, up to 222222222; sec/op",
		"",
		"ANSWER  012345678 copy less made it slower",
		"        +21.0 % [+17.0, +25.0] against its parent, 14 blocks",
		"        +20.0 % [+18.0, +22.0] from GOOD to BAD",
		"",
		"4 probes of 12 commits; 25m0s, of which 10m0s measuring (2.5×); probability of naming a wrong commit: at most 5 %",
		"the re-check in full: assay show 7k2m",
	}
	if got := Lines(found(), History{}); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A change of few of the benchmarks is counted before their geomean.
func TestEstimateOfFewBenchmarks(t *testing.T) {
	e := estimate(0.209, 0.15, 0.27)
	e.Benchmarks = "1 of 2 benchmarks slower (Sum +46.0 % [+44.0, +48.0]), 1 the same"
	if got, want := e.String(), e.Benchmarks+"; geomean +20.9 % [+15.0, +27.0]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// An answer names no commit unless its step is proved, and says what can be done where
// nothing was found.
func TestAnswers(t *testing.T) {
	const whole = "        +20.0 % [+18.0, +22.0] from GOOD to BAD"
	for _, c := range []struct {
		name string
		of   func() *Result
		want []string
	}{
		{"the step is not proved", func() *Result {
			r := found()
			r.Status, r.Recheck.Place = StatusUnconfirmed, PlaceUndecided
			return r
		}, []string{"ANSWER  not confirmed: the probes lead to 012345678 copy less", "        +21.0 % [+17.0, +25.0] against its parent, 14 blocks: undecided", whole}},
		{"the parent does not build", func() *Result {
			r := found()
			r.Status, r.Recheck = StatusUnconfirmed, &Finding{Place: PlaceSkip, Why: "build-failed"}
			return r
		}, []string{"ANSWER  not confirmed: the probes lead to 012345678 copy less", "        against its parent: skip, build-failed", whole}},
		{"one of several", func() *Result {
			r := found()
			r.Candidates = []assay.Commit{{Hash: "aaaaaaaaaaaa", Subject: "one"}, *r.Culprit}
			return r
		}, []string{"ANSWER  one of these 2 commits made it slower", "        aaaaaaaaa one   (could not be measured)",
			"        012345678 copy less", "        +21.0 % [+17.0, +25.0] against the last one measured before them, 14 blocks", whole}},
		{"a merge", func() *Result {
			r := found()
			r.Culprit.Parents = 2
			return r
		}, []string{"ANSWER  012345678 copy less made it slower", "        +21.0 % [+17.0, +25.0] against its parent, 14 blocks",
			"        a merge: assay bisect 012345678^ 012345678^2 searches the commits it merged", whole}},
		{"ends that were not measured", func() *Result {
			r := found()
			r.Whole, r.Verdict = nil, assay.Faster
			return r
		}, []string{"ANSWER  012345678 copy less made it faster", "        +21.0 % [+17.0, +25.0] against its parent, 14 blocks", "        BAD is faster than GOOD"}},
		{"the same code", func() *Result {
			r := unfound(StatusNoChange, assay.Same)
			r.Whole, r.Why = nil, "the same code"
			return r
		}, []string{"ANSWER  no difference between GOOD and BAD: nothing to find (the same code)", "        --force measures them all the same"}},
		{"no change", func() *Result {
			r := unfound(StatusNoChange, assay.Same)
			r.Whole = estimate(0.001, -0.004, 0.006)
			return r
		}, []string{"ANSWER  no difference between GOOD and BAD: nothing to find", "        +0.1 % [−0.4, +0.6] from GOOD to BAD"}},
		{"undecided", func() *Result { return unfound(StatusUndecided, assay.Unclear) },
			[]string{"ANSWER  not decided whether GOOD and BAD differ: nothing was searched", whole,
				"        a larger --min-effect needs less time"}},
		{"stopped before the ends", func() *Result {
			r := unfound(StatusUnfinished, assay.Unclear)
			r.Whole, r.Resume = nil, r.Command
			return r
		}, []string{"ANSWER  not finished: GOOD and BAD are not yet compared", "        assay bisect a b   (resumes)"}},
		{"stopped between", func() *Result {
			r := unfound(StatusUnfinished, assay.Slower)
			r.Bracket = &Bracket{After: assay.Commit{Hash: "aaaaaaaaaaaa", Subject: "one"}, UpTo: assay.Commit{Hash: "bbbbbbbbbbbb", Subject: "two"}, Commits: 3}
			r.Resume = "assay bisect --budget=40m a b"
			return r
		}, []string{"ANSWER  not finished: one of 3 commits made it slower", "        after aaaaaaaaa one", "        up to bbbbbbbbb two", whole,
			"        assay bisect --budget=40m a b   (resumes)"}},
		{"stopped before the re-check", func() *Result {
			r := unfound(StatusUnfinished, assay.Slower)
			r.Bracket, r.Resume = &Bracket{UpTo: assay.Commit{Hash: "bbbbbbbbbbbb", Subject: "two"}, Commits: 1}, r.Command
			return r
		}, []string{"ANSWER  not finished: the probes lead to bbbbbbbbb two", whole, "        assay bisect a b   (resumes)"}},
	} {
		if got := answerOf(Lines(c.of(), History{})); !slices.Equal(got, c.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// Where the change is spread, the part of the commit and where the rest lies are told.
func TestSpread(t *testing.T) {
	r := found()
	r.Spread, r.Share = true, 0.4
	got := answerOf(Lines(r, History{}))
	want := []string{"        the change is spread over several commits: this one is about 40 % of it", "        the others are smaller than half of what was searched"}
	if got = got[len(got)-2:]; !slices.Equal(got, want) {
		t.Errorf("without parts: got %q, want %q", got, want)
	}
	from, middle, to := assay.Commit{Hash: "aaaaaaaaaaaa"}, assay.Commit{Hash: "bbbbbbbbbbbb", Subject: "b"}, assay.Commit{Hash: "cccccccccccc"}
	r.Parts = []Part{{From: from, To: middle, Change: 0.12, Share: 0.6, Searched: true}, {From: middle, To: to, Change: 0.07, Share: 0.35}}
	got = answerOf(Lines(r, History{}))
	want = []string{want[0], "        about 60 % of it, +12.0 %, after aaaaaaaaa up to bbbbbbbbb b (searched)",
		"        about 35 % of it, +7.0 %, after bbbbbbbbb b up to ccccccccc"}
	if got = got[len(got)-3:]; !slices.Equal(got, want) {
		t.Errorf("with parts: got %q, want %q", got, want)
	}
}

// Versions of a module are named in full, and are called versions.
func TestVersions(t *testing.T) {
	r := found()
	r.Good, r.Bad = assay.Commit{Hash: "v1.0.0-alpha.1"}, assay.Commit{Hash: "v1.4.0-alpha.7"}
	r.Commits, r.Culprit = 1, &assay.Commit{Hash: "v1.2.0-alpha.22"}
	r.Spread, r.Share = true, 0.5
	lines := Lines(r, History{Versions: true})
	if want := "bisect queue: 1 version after v1.0.0-alpha.1, up to v1.4.0-alpha.7; sec/op"; lines[0] != want {
		t.Errorf("got %q, want %q", lines[0], want)
	}
	if want := "ANSWER  v1.2.0-alpha.22 made it slower"; lines[2] != want {
		t.Errorf("got %q, want %q", lines[2], want)
	}
	if got := strings.Join(lines, "\n"); strings.Contains(got, "commit") || !strings.Contains(got, "a wrong version") || !strings.Contains(got, "over several versions") {
		t.Errorf("versions are called commits in\n%s", got)
	}
}

// The cost has no ratio where nothing was measured, and counts what could not be measured.
func TestSpent(t *testing.T) {
	r := found()
	r.Probes, r.Skipped, r.Measured, r.Took, r.Confidence = 1, 2, 0, 3*time.Second, 0.99
	r.Recheck.Run = ""
	lines := Lines(r, History{})
	want := "1 probe of 12 commits, 2 could not be measured; 3s, of which 0s measuring; probability of naming a wrong commit: at most 1 %"
	if got := lines[len(lines)-1]; got != want {
		t.Errorf("got %q, want %q and nothing after it", got, want)
	}
}

// What strangers wrote into a commit or a study breaks no line and moves no cursor.
func TestHostile(t *testing.T) {
	const evil = "\x1b[2J\u202eevil\n::error::x\r" + "long "
	r := found()
	r.Study, r.Good.Subject, r.Bad.Subject, r.Culprit.Subject = evil, evil, evil, strings.Repeat(evil, 200)
	r.Candidates = []assay.Commit{{Hash: "a", Subject: evil}, *r.Culprit}
	r.Spread, r.Parts = true, []Part{{From: r.Good, To: *r.Culprit}}
	for _, l := range Lines(r, History{}) {
		if strings.ContainsAny(l, "\x1b\u202e\n\r") || strings.Contains(l, " ::error") || len(l) > 1000 {
			t.Errorf("got %q", l)
		}
	}
}
