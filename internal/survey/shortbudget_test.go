package survey

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/errortest"
)

// What is left out is named, with the budget that it would take: in proportion to what half
// of this one was enough for.
func TestLeftOut(t *testing.T) {
	var bs []assay.PlannedBenchmark
	for i := range 6 {
		bs = append(bs, assay.PlannedBenchmark{Benchmark: assay.Benchmark{Name: fmt.Sprint("B", i)}})
	}
	w := leftOut(planned(oldNew(), bs...), 2)
	wantText(t, "a warning", w.String(), "4 of 6 benchmarks are not measured: half of the time was over when the others were calibrated   [left-out]\n"+
		"  B2, B3, B4, B5\n  try: assay compare --budget 30m old new")
}

// An error that the end of the budget caused says so, however it came; others stay.
func TestTooShort(t *testing.T) {
	p := planned(oldNew())
	p.Study.Decide.Budget = 90 * time.Second
	other := errors.New("no space left on device")
	if err := tooShort(t.Context(), other, p); err != other {
		t.Errorf("got %v, want the error as it was", err)
	}
	over, cancel := context.WithCancelCause(t.Context())
	cancel(ErrNoTime)
	stopped, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("interrupted"))
	if err := tooShort(stopped, other, p); err != other {
		t.Errorf("interrupted: got %v, want the error as it was", err)
	}
	for name, err := range map[string]error{"its cause": tooShort(t.Context(), fmt.Errorf("run X: %w", ErrNoTime), p), "the context's": tooShort(over, other, p)} {
		text := errortest.Want(t, err, assay.CodeShortBudget, assay.ExitRefused)
		wantText(t, name, text, "the budget of 1m30s was over before every benchmark had run once: nothing was measured   [short-budget]\n"+
			"  fewer benchmarks (-bench=PATTERN) take less time\n  try: assay compare --budget 15m old new")
	}
}

// A plan that decides nothing says what is lacking: time, with what is already over, or
// blocks.
func TestShortBudget(t *testing.T) {
	const values = "   [short-budget]\n  the values so far are printed, without a verdict\n  try: assay compare "
	for _, c := range []struct {
		name         string
		budget, left time.Duration
		most         int // blocks
		want         string
	}{
		{"enough", time.Minute, 0, 0, ""},
		{"a fifth too little", 15 * time.Second, 13 * time.Second, 0, ""},
		// 5 blocks of 3 s and a quarter more, after 4 s.
		{"time", 10 * time.Second, 6 * time.Second, 0, "nothing can be decided: a verdict takes 5 blocks, and 2 fit into 10s" + values + "--budget 23s old new"},
		{"blocks", time.Minute, 0, 4, "nothing can be decided: a verdict takes 5 blocks, and the study asks for 4 at most" + values + "--blocks 5- --budget=10m old new"},
	} {
		s := oldNew()
		s.Decide.Budget, s.Decide.MaxBlocks = c.budget, c.most
		p := planned(s, oneSecond)
		p.Left = c.left
		got := ""
		if w, ok := shortBudget(p); ok {
			got = w.String()
		}
		wantText(t, c.name, got, c.want)
		if p.Benchmarks = nil; c.want != "" {
			if w, ok := shortBudget(p); ok {
				t.Errorf("%s: got %v for a plan without benchmarks", c.name, w)
			}
		}
	}
	long := oneSecond
	long.Trial = 6 * time.Hour
	w, _ := shortBudget(planned(oldNew(), long))
	wantText(t, "days", w.String(), "nothing can be decided: a verdict takes 5 blocks, and 0 fit into 10m0s   [short-budget]\n"+
		"  the values so far are printed, without a verdict\n  the blocks would take days: measure fewer benchmarks or variants")
}
