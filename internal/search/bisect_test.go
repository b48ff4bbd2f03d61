package search_test

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
	"github.com/seed-1318a441/assay/internal/search"
)

// An oracle knows at which commit the benchmark changed, and which cannot be
// measured.
type oracle struct {
	n, culprit int
	broken     map[int]bool
}

// finding is what a perfect measurement finds.
func (o oracle) finding(ask search.Ask) search.Finding {
	f := search.Finding{Kind: ask.Kind, Index: ask.Index, Good: ask.Good, Bad: ask.Bad, Commit: fmt.Sprint(ask.Index),
		Blocks: 10, Place: search.PlaceChanged, Change: &search.Estimate{Change: 0.1}, Whole: &search.Estimate{Change: 0.1}}
	if ask.Kind == search.AskProbe {
		switch {
		case o.broken[ask.Index]:
			f.Place, f.Blocks = search.PlaceSkip, 0
		case ask.Index >= o.culprit:
			f.Place = search.PlaceBad
		default:
			f.Place = search.PlaceGood
		}
	}
	return f
}

// run bisects with the oracle and checks on the way what must always hold.
func (o oracle) run(t *testing.T, alpha float64) *search.Bisected {
	t.Helper()
	b := search.NewBisection(o.n, alpha)
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
		if ask.Kind == search.AskProbe && f.Place != search.PlaceSkip {
			spent += ask.Alpha
			if !slices.Contains(ahead, ask.Index) && ahead != nil {
				t.Errorf("n %d: commit %d is probed, built ahead were %v", o.n, ask.Index, ahead)
			}
		}
		if ahead = b.Ahead(); f.Place == search.PlaceSkip {
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
			if r.Status != search.StatusFound || r.Culprit.Hash != fmt.Sprint(culprit) || len(r.Candidates) != 1 || r.Verdict != assay.Slower {
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
		b := search.NewBisection(n, 0.05)
		spent, probes := 0.0, 0
		for ask, ok := b.Next(); ok && ask.Kind != search.AskRecheck; ask, ok = b.Next() {
			f := search.Finding{Kind: ask.Kind, Index: ask.Index, Good: ask.Good, Bad: ask.Bad, Place: search.PlaceUndecided, Blocks: 10}
			if ask.Kind == search.AskEnds {
				f.Place = search.PlaceChanged
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
func answers(t *testing.T, b *search.Bisection, places ...search.Place) (asked []int) {
	t.Helper()
	for _, p := range places {
		ask, ok := b.Next()
		if !ok {
			t.Fatalf("done before %s", p)
		}
		asked = append(asked, ask.Index)
		f := search.Finding{Kind: ask.Kind, Index: ask.Index, Good: ask.Good, Bad: ask.Bad, Place: p,
			Change: &search.Estimate{Change: 0.05}, Whole: &search.Estimate{Change: 0.1}}
		if err := b.Add(f); err != nil {
			t.Fatal(err)
		}
	}
	return asked
}

func TestBisectionStates(t *testing.T) {
	const (
		good, bad, between, undecided, skip = search.PlaceGood, search.PlaceBad, search.PlaceBetween, search.PlaceUndecided, search.PlaceSkip
		changed, same                       = search.PlaceChanged, search.PlaceSame
	)
	for _, x := range []struct {
		name   string
		n      int
		places []search.Place
		asked  []int
		status string
		next   string // the kind asked for next, "" when done
	}{
		{"no change", 8, []search.Place{same}, []int{7}, search.StatusNoChange, ""},
		{"ends undecided", 8, []search.Place{undecided, undecided}, []int{7, 7}, search.StatusUndecided, ""},
		{"ends decided later", 8, []search.Place{undecided, changed}, []int{7, 7}, search.StatusUnfinished, search.AskProbe},
		{"one commit", 1, []search.Place{changed, changed}, []int{0, 0}, search.StatusFound, ""},
		{"undecided twice is a skip", 8, []search.Place{changed, undecided, undecided, good, bad, changed}, []int{7, 3, 3, 4, 5, 5}, search.StatusFound, ""},
		{"undecided once", 8, []search.Place{changed, undecided, bad, bad, bad, changed}, []int{7, 3, 3, 1, 0, 0}, search.StatusFound, ""},
		{"all skipped", 4, []search.Place{changed, skip, skip, skip, changed}, []int{3, 1, 2, 0, 3}, search.StatusFound, ""},
		{"not confirmed", 2, []search.Place{changed, good, same}, []int{1, 0, 1}, search.StatusUnconfirmed, ""},
		{"culprit does not build again", 2, []search.Place{changed, good, skip}, []int{1, 0, 1}, search.StatusUnconfirmed, ""},
		{"re-check undecided", 2, []search.Place{changed, good, undecided}, []int{1, 0, 1}, search.StatusUnfinished, search.AskRecheck},
		{"re-check undecided twice", 2, []search.Place{changed, good, undecided, undecided}, []int{1, 0, 1, 1}, search.StatusUnconfirmed, ""},
		{"between", 8, []search.Place{changed, between, good}, []int{7, 3, 1}, search.StatusUnfinished, search.AskProbe},
	} {
		b := search.NewBisection(x.n, 0.05)
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
	b := search.NewBisection(16, 0.05)
	answers(t, b, search.PlaceChanged)
	ask, _ := b.Next()
	half := func(x assay.Change) *search.Estimate { return &search.Estimate{Change: x} }
	if err := b.Add(search.Finding{Kind: ask.Kind, Index: ask.Index, Good: ask.Good, Bad: ask.Bad, Place: search.PlaceBetween,
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
		place := map[string]search.Place{search.AskProbe: search.PlaceBad, search.AskRecheck: search.PlaceChanged}[ask.Kind]
		if err := b.Add(search.Finding{Kind: ask.Kind, Index: ask.Index, Good: ask.Good, Bad: ask.Bad, Place: place, Change: half(0.06)}); err != nil {
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
	b := search.NewBisection(8, 0.05)
	for _, f := range []search.Finding{
		{Kind: search.AskProbe, Index: 3, Good: -1, Bad: 7, Place: search.PlaceGood},
		{Kind: search.AskEnds, Index: 6, Good: -1, Bad: 7, Place: search.PlaceChanged},
		{Kind: search.AskEnds, Index: 7, Good: -1, Bad: 7, Place: search.PlaceGood},
		{Kind: search.AskEnds, Index: 7, Good: -1, Bad: 7, Place: search.PlaceSkip},
		{Kind: search.AskEnds, Index: 7, Good: -1, Bad: 7},
	} {
		if err := b.Add(f); err == nil {
			t.Errorf("%+v was taken", f)
		}
	}
	if ask, _ := b.Next(); ask.Kind != search.AskEnds || len(b.Findings()) != 0 {
		t.Errorf("refused findings changed the state: %+v", ask)
	}
}

// A log read again brings the bisection to where it was, whatever byte it was cut
// off at.
func TestLogTornAnywhere(t *testing.T) {
	q := search.Question{Hash: "abc", Command: "assay bisect a b"}
	path := filepath.Join(t.TempDir(), "bisect-abc", "log.jsonl")
	l := openLog(t, path, q)
	o := oracle{n: 20, culprit: 11}
	b := search.NewBisection(o.n, 0.05)
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
		again := search.NewBisection(o.n, 0.05)
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

func openLog(t *testing.T, path string, q search.Question) *search.Log[search.Finding] {
	t.Helper()
	l, err := search.OpenLog[search.Finding](path, q, false)
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
		if _, err := search.OpenLog[search.Finding](path, search.Question{Hash: "abc"}, false); err == nil {
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
		l, err := search.OpenLog[search.Finding](path, search.Question{Hash: "abc"}, false)
		if err != nil {
			return
		}
		b := search.NewBisection(8, 0.05)
		for _, f := range l.Findings {
			if b.Add(f) != nil {
				break
			}
		}
		b.Result(assay.Commit{}, commits(8), assay.Metric{Name: "m"})
		before := len(l.Findings)
		if err := l.Append(search.Finding{Kind: search.AskEnds}); err != nil {
			t.Fatal(err)
		}
		l.Close()
		if l = openLog(t, path, search.Question{Hash: "abc"}); len(l.Findings) != before+1 {
			t.Errorf("%d findings after one was appended to %d", len(l.Findings), before)
		}
	})
}
