package bisect_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/bisect"
)

// An oracle knows at which commit the benchmark changed, and which cannot be
// measured.
type oracle struct {
	n, culprit int
	broken     map[int]bool
}

// finding is what a perfect measurement finds.
func (o oracle) finding(ask bisect.Ask) bisect.Finding {
	f := bisect.Finding{Kind: ask.Kind, Index: ask.Index, Good: ask.Good, Bad: ask.Bad, Commit: fmt.Sprint(ask.Index),
		Blocks: 10, Place: bisect.PlaceChanged, Change: &bisect.Estimate{Change: 0.1}, Whole: &bisect.Estimate{Change: 0.1}}
	if ask.Kind == bisect.AskProbe {
		switch {
		case o.broken[ask.Index]:
			f.Place, f.Blocks = bisect.PlaceSkip, 0
		case ask.Index >= o.culprit:
			f.Place = bisect.PlaceBad
		default:
			f.Place = bisect.PlaceGood
		}
	}
	return f
}

// run bisects with the oracle and checks on the way what must always hold.
func (o oracle) run(t *testing.T, alpha float64) *bisect.Result {
	t.Helper()
	b := bisect.NewBisection(o.n, alpha)
	spent, ahead := 0.0, []int(nil)
	for step := 0; ; step++ {
		ask, ok := b.Next()
		if !ok {
			break
		}
		if step > 2*o.n+2 {
			t.Fatalf("n %d: no end after %d measurements", o.n, step)
		}
		f := o.finding(ask)
		if ask.Kind == bisect.AskProbe && f.Place != bisect.PlaceSkip {
			spent += ask.Alpha
			if !slices.Contains(ahead, ask.Index) && ahead != nil {
				t.Errorf("n %d: commit %d is probed, built ahead were %v", o.n, ask.Index, ahead)
			}
		}
		if ahead = b.Ahead(); f.Place == bisect.PlaceSkip {
			ahead = nil // who skips was not foreseen
		}
		if err := b.Add(f); err != nil {
			t.Fatal(err)
		}
	}
	if first := alpha / float64(log2(o.n)+2); spent+first > alpha*(1+1e-9) {
		t.Errorf("n %d: the ends and the probes spent %g of the error rate %g", o.n, spent+first, alpha)
	}
	return b.Result(assay.Commit{Hash: "good"}, commits(o.n), assay.Metric{Name: assay.MetricTime, Better: assay.BetterLower})
}

func commits(n int) (out []assay.Commit) {
	for i := range n {
		out = append(out, assay.Commit{Hash: fmt.Sprint(i)})
	}
	return out
}

func log2(n int) (k int) {
	for 1<<k < n {
		k++
	}
	return k
}

// Every culprit of every history up to 70 commits is found, in ceil(log2 n)
// probes at most.
func TestBisectionFindsEveryCulprit(t *testing.T) {
	for n := 1; n <= 70; n++ {
		for culprit := range n {
			r := oracle{n: n, culprit: culprit}.run(t, 0.05)
			if r.Status != bisect.StatusFound || r.Culprit.Hash != fmt.Sprint(culprit) || len(r.Candidates) != 1 || r.Verdict != assay.Slower {
				t.Fatalf("n %d: %s %v of %v, want commit %d", n, r.Status, r.Culprit, r.Candidates, culprit)
			}
			if r.Probes > log2(n) {
				t.Errorf("n %d, culprit %d: %d probes, want %d at most", n, culprit, r.Probes, log2(n))
			}
		}
	}
}

// With commits that cannot be measured, in rows too, the culprit is among the
// candidates, and every candidate but the last is one of those.
func TestBisectionSkips(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 0))
	for range 3000 {
		o := oracle{n: 1 + rnd.IntN(100), broken: map[int]bool{}}
		o.culprit = rnd.IntN(o.n)
		for range rnd.IntN(4) {
			from := rnd.IntN(o.n)
			for i := from; i < min(from+1+rnd.IntN(8), o.n-1); i++ { // the end was measured
				o.broken[i] = true
			}
		}
		r := o.run(t, 0.05)
		var names []string
		for i, c := range r.Candidates {
			names = append(names, c.Hash)
			var index int
			fmt.Sscan(c.Hash, &index)
			if last := i == len(r.Candidates)-1; o.broken[index] == last {
				t.Fatalf("%+v: candidate %d of %v", o, index, r.Candidates)
			}
		}
		if !slices.Contains(names, fmt.Sprint(o.culprit)) {
			t.Fatalf("%+v: candidates %v", o, names)
		}
		if most := log2(o.n) + len(o.broken) + 6; r.Probes > most {
			t.Errorf("%+v: %d probes, want %d at most", o, r.Probes, most)
		}
	}
}

// Undecided measurements spend error rate like others, since each could have decided
// wrongly: with 63 undecided commits the ends and the probes together stay within what
// was promised, and no measurement has a rate of 0.
func TestBisectionUndecidedSpendTheirShare(t *testing.T) {
	for _, n := range []int{2, 64, 1000} {
		b := bisect.NewBisection(n, 0.05)
		spent, probes := 0.0, 0
		for ask, ok := b.Next(); ok && ask.Kind != bisect.AskRecheck; ask, ok = b.Next() {
			f := bisect.Finding{Kind: ask.Kind, Index: ask.Index, Good: ask.Good, Bad: ask.Bad, Place: bisect.PlaceUndecided, Blocks: 10}
			if ask.Kind == bisect.AskEnds {
				f.Place = bisect.PlaceChanged
			}
			if !ask.Again { // which goes on with the same confidence sequence
				spent += ask.Alpha
				probes++
			}
			if ask.Alpha < 1e-9 {
				t.Fatalf("n %d: measurement %d is to be decided at %g", n, probes, ask.Alpha)
			}
			if err := b.Add(f); err != nil {
				t.Fatal(err)
			}
		}
		if probes != n || spent > 0.05*(1+1e-9) {
			t.Errorf("n %d: the ends and %d undecided commits spent %g of the error rate .05", n, probes-1, spent)
		}
	}
}

// answers feeds a bisection with places, in order, and returns the indices of its
// measurements.
func answers(t *testing.T, b *bisect.Bisection, places ...bisect.Place) (asked []int) {
	t.Helper()
	for _, p := range places {
		ask, ok := b.Next()
		if !ok {
			t.Fatalf("done before %s", p)
		}
		asked = append(asked, ask.Index)
		f := bisect.Finding{Kind: ask.Kind, Index: ask.Index, Good: ask.Good, Bad: ask.Bad, Place: p,
			Change: &bisect.Estimate{Change: 0.05}, Whole: &bisect.Estimate{Change: 0.1}}
		if err := b.Add(f); err != nil {
			t.Fatal(err)
		}
	}
	return asked
}

func TestBisectionStates(t *testing.T) {
	const (
		good, bad, between, undecided, skip = bisect.PlaceGood, bisect.PlaceBad, bisect.PlaceBetween, bisect.PlaceUndecided, bisect.PlaceSkip
		changed, same                       = bisect.PlaceChanged, bisect.PlaceSame
	)
	for _, x := range []struct {
		name   string
		n      int
		places []bisect.Place
		asked  []int
		status string
		next   string // the kind asked for next, "" when done
	}{
		{"no change", 8, []bisect.Place{same}, []int{7}, bisect.StatusNoChange, ""},
		{"ends undecided", 8, []bisect.Place{undecided, undecided}, []int{7, 7}, bisect.StatusUndecided, bisect.AskEnds},
		{"ends decided later", 8, []bisect.Place{undecided, changed}, []int{7, 7}, bisect.StatusUnfinished, bisect.AskProbe},
		{"one commit", 1, []bisect.Place{changed, changed}, []int{0, 0}, bisect.StatusFound, ""},
		{"undecided twice is a skip", 8, []bisect.Place{changed, undecided, undecided, good, bad, changed}, []int{7, 3, 3, 4, 5, 5}, bisect.StatusFound, ""},
		{"undecided once", 8, []bisect.Place{changed, undecided, bad, bad, bad, changed}, []int{7, 3, 3, 1, 0, 0}, bisect.StatusFound, ""},
		{"all skipped", 4, []bisect.Place{changed, skip, skip, skip, changed}, []int{3, 1, 2, 0, 3}, bisect.StatusFound, ""},
		{"not confirmed", 2, []bisect.Place{changed, good, same}, []int{1, 0, 1}, bisect.StatusUnconfirmed, ""},
		{"culprit does not build again", 2, []bisect.Place{changed, good, skip}, []int{1, 0, 1}, bisect.StatusUnconfirmed, ""},
		{"re-check undecided", 2, []bisect.Place{changed, good, undecided}, []int{1, 0, 1}, bisect.StatusUnconfirmed, bisect.AskRecheck},
		{"re-check undecided twice", 2, []bisect.Place{changed, good, undecided, undecided}, []int{1, 0, 1, 1}, bisect.StatusUnconfirmed, bisect.AskRecheck},
		{"between", 8, []bisect.Place{changed, between, good}, []int{7, 3, 1}, bisect.StatusUnfinished, bisect.AskProbe},
	} {
		b := bisect.NewBisection(x.n, 0.05)
		if asked := answers(t, b, x.places...); !slices.Equal(asked, x.asked) {
			t.Errorf("%s: asked for %v, want %v", x.name, asked, x.asked)
		}
		r := b.Result(assay.Commit{Hash: "good"}, commits(x.n), assay.Metric{Name: assay.MetricTime})
		if next, _ := b.Next(); r.Status != x.status || next.Kind != x.next {
			t.Errorf("%s: %q, next %q, want %q, next %q", x.name, r.Status, next.Kind, x.status, x.next)
		}
	}
}

// A probe in the middle: the search continues in the larger part, against that part's own
// ends, and the result has both parts.
func TestBisectionSpread(t *testing.T) {
	b := bisect.NewBisection(16, 0.05)
	answers(t, b, bisect.PlaceChanged)
	ask, _ := b.Next()
	half := func(x assay.Change) *bisect.Estimate { return &bisect.Estimate{Change: x} }
	if err := b.Add(bisect.Finding{Kind: ask.Kind, Index: ask.Index, Good: ask.Good, Bad: ask.Bad, Place: bisect.PlaceBetween,
		Change: half(0.04), Whole: half(0.10)}); err != nil {
		t.Fatal(err)
	}
	next, _ := b.Next()
	if next.Good != ask.Index || next.Bad != 15 || next.Index <= ask.Index {
		t.Errorf("after %+v the smaller part is searched: %+v", ask, next)
	}
	for {
		ask, ok := b.Next()
		if !ok {
			break
		}
		place := map[string]bisect.Place{bisect.AskProbe: bisect.PlaceBad, bisect.AskRecheck: bisect.PlaceChanged}[ask.Kind]
		if err := b.Add(bisect.Finding{Kind: ask.Kind, Index: ask.Index, Good: ask.Good, Bad: ask.Bad, Place: place, Change: half(0.06)}); err != nil {
			t.Fatal(err)
		}
	}
	r := b.Result(assay.Commit{Hash: "good"}, commits(16), assay.Metric{Name: assay.MetricTime})
	if !r.Spread || len(r.Parts) != 2 || r.Parts[0].Searched || !r.Parts[1].Searched {
		t.Fatalf("spread %v, parts %+v, want two, the second searched", r.Spread, r.Parts)
	}
	if got := r.Parts[0].To.Hash + " " + r.Parts[1].From.Hash + " " + r.Culprit.Hash; got != "7 7 8" {
		t.Errorf("parts and culprit %s, want 7 7 8", got)
	}
}

// A finding for another measurement, or without content, is an error and changes nothing:
// a log of another bisection is noticed.
func TestBisectionRefuses(t *testing.T) {
	b := bisect.NewBisection(8, 0.05)
	for _, f := range []bisect.Finding{
		{Kind: bisect.AskProbe, Index: 3, Good: -1, Bad: 7, Place: bisect.PlaceGood},
		{Kind: bisect.AskEnds, Index: 6, Good: -1, Bad: 7, Place: bisect.PlaceChanged},
		{Kind: bisect.AskEnds, Index: 7, Good: -1, Bad: 7, Place: bisect.PlaceGood},
		{Kind: bisect.AskEnds, Index: 7, Good: -1, Bad: 7, Place: bisect.PlaceSkip},
		{Kind: bisect.AskEnds, Index: 7, Good: -1, Bad: 7},
	} {
		if err := b.Add(f); err == nil {
			t.Errorf("%+v was taken", f)
		}
	}
	if ask, _ := b.Next(); ask.Kind != bisect.AskEnds || len(b.Findings()) != 0 {
		t.Errorf("refused findings changed the state: %+v", ask)
	}
}

// A log read again brings the bisection to where it was, whatever byte it was cut
// off at.
func TestLogTornAnywhere(t *testing.T) {
	q := bisect.Question{Hash: "abc", Command: "assay bisect a b"}
	path := filepath.Join(t.TempDir(), "bisect-abc", "log.jsonl")
	l := openLog(t, path, q)
	o := oracle{n: 20, culprit: 11}
	b := bisect.NewBisection(o.n, 0.05)
	for ask, ok := b.Next(); ok; ask, ok = b.Next() {
		f := o.finding(ask)
		if err := l.Append(f); err != nil {
			t.Fatal(err)
		}
		if err := b.Add(f); err != nil {
			t.Fatal(err)
		}
	}
	l.Close()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := 0; cut <= len(whole); cut += 7 {
		torn := filepath.Join(t.TempDir(), "log.jsonl")
		if err := os.WriteFile(torn, whole[:cut], 0o666); err != nil {
			t.Fatal(err)
		}
		l := openLog(t, torn, q)
		want := max(bytes.Count(whole[:cut], []byte("\n"))-1, 0)
		if len(l.Findings) != want || want > 0 && !reflect.DeepEqual(l.Findings, b.Findings()[:want]) {
			t.Fatalf("cut at byte %d: %d findings, want %d", cut, len(l.Findings), want)
		}
		again := bisect.NewBisection(o.n, 0.05)
		for _, f := range l.Findings {
			if err := again.Add(f); err != nil {
				t.Fatalf("cut at byte %d: %v", cut, err)
			}
		}
		l.Close()
		if after := openLog(t, torn, q); len(after.Findings) != want {
			t.Errorf("cut at byte %d: the second opening has %d findings", cut, len(after.Findings))
		}
	}
}

func openLog(t *testing.T, path string, q bisect.Question) *bisect.Log {
	t.Helper()
	l, err := bisect.OpenLog(path, q, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func TestLogRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"another question": `{"question":"other"}` + "\n",
		"no question":      `{"kind":"ends"}` + "\n",
		"no JSON":          `{"question":"abc"}` + "\nwhat\n",
	} {
		path := filepath.Join(t.TempDir(), "log.jsonl")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := bisect.OpenLog(path, bisect.Question{Hash: "abc"}, false); err == nil {
			t.Errorf("%s: the log was taken", name)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%s: a log that was refused was changed to %q", name, got)
		}
	}
}

// Whatever stands in a log, reading and replaying it ends well, and what is
// appended to it is read back.
func FuzzLog(f *testing.F) {
	f.Add([]byte(`{"question":"abc"}` + "\n" + `{"kind":"ends","index":7,"good":-1,"bad":7,"place":"changed"}` + "\n"))
	f.Add([]byte(`{"question":"abc"}`))
	f.Add([]byte("\n\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "log.jsonl")
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		l, err := bisect.OpenLog(path, bisect.Question{Hash: "abc"}, false)
		if err != nil {
			return
		}
		b := bisect.NewBisection(8, 0.05)
		for _, f := range l.Findings {
			if b.Add(f) != nil {
				break
			}
		}
		b.Result(assay.Commit{}, commits(8), assay.Metric{Name: "m"})
		before := len(l.Findings)
		if err := l.Append(bisect.Finding{Kind: bisect.AskEnds}); err != nil {
			t.Fatal(err)
		}
		l.Close()
		if l = openLog(t, path, bisect.Question{Hash: "abc"}); len(l.Findings) != before+1 {
			t.Errorf("%d findings after one was appended to %d", len(l.Findings), before)
		}
	})
}
