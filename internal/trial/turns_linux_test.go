//go:build !portable

package trial

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/child"
)

// asProgram is a benchmark of the nasty test binary as a command.
func asProgram(t *testing.T, n int, name string) Program {
	t.Helper()
	g := goTest(t, n, name)
	return Program{Path: g.Binary, Args: g.args(), Dir: g.Dir, Env: g.Env, Name: name, Timeout: never}
}

// atTurnstile runs trials side by side in turns.
func atTurnstile(t *testing.T, ctx context.Context, length time.Duration, arms ...Program) []Outcome {
	t.Helper()
	ts := child.NewTurnstile(length, inTurn(len(arms)), slices.Repeat([]float64{1}, len(arms))...)
	out, errs := make([]Outcome, len(arms)), make([]error, len(arms))
	var wg sync.WaitGroup
	for i, p := range arms {
		p.Seat = ts.Seat(i)
		wg.Go(func() { out[i], errs[i] = p.Run(ctx) })
	}
	ts.Run(ctx)
	wg.Wait()
	for _, err := range errs {
		if err != nil && ctx.Err() == nil {
			t.Fatal(err)
		}
	}
	return out
}

// stamps are what BenchmarkSpin left: times at which it ran, in nanoseconds.
func stamps(t *testing.T, file string) (out []int64) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for word := range strings.FieldsSeq(string(text)) {
		n, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, n)
	}
	return out
}

// Programs at a turnstile never run at once: the times at which two of them ran change
// sides once a turn.
func TestTurnsExclude(t *testing.T) {
	dir := t.TempDir()
	var arms []Program
	for i := range 2 {
		p := asProgram(t, 1, "Spin")
		p.Env = append(p.Env, fmt.Sprintf("SPIN=%s/%d", dir, i))
		arms = append(arms, p)
	}
	out := atTurnstile(t, t.Context(), 5*time.Millisecond, arms...)
	type stamp struct {
		at  int64
		arm int
	}
	var all []stamp
	for i, o := range out {
		if o.Status != assay.StatusOK {
			t.Fatalf("%s %q\n%s", o.Status, o.Reason, tailOf(o.Stderr))
		}
		if o.Active <= 0 || o.Active > o.Wall {
			t.Errorf("arm %d was active for %v of %v", i, o.Active, o.Wall)
		}
		for _, at := range stamps(t, fmt.Sprintf("%s/%d", dir, i)) {
			all = append(all, stamp{at, i})
		}
	}
	slices.SortFunc(all, func(a, b stamp) int { return int(a.at - b.at) })
	changes := 0
	for i := range all[1:] {
		if all[i].arm != all[i+1].arm {
			changes++
		}
	}
	// Each stamps 20,000 times. Turns of 5 ms are some dozens; processes that run at once
	// change sides thousands of times, or never where there is one CPU and one runs after
	// the other.
	turns := int((out[0].Active+out[1].Active)/(5*time.Millisecond)) + 4
	if changes < 2 || changes > 2*turns {
		t.Errorf("two programs of %d times changed sides %d times in about %d turns", len(all), changes, turns)
	}
}

// A program that does not start, or fails in its preparation, leaves its seat, and
// the others go on; those that end early leave theirs.
func TestTurnsWithoutOne(t *testing.T) {
	ts := child.NewTurnstile(time.Millisecond, inTurn(3), 1, 1, 1)
	good := asProgram(t, 100, "Plain")
	missing := good
	missing.Path += ".missing"
	bad := Program{Path: "/bin/true", Prepare: []string{"/bin/false"}, Name: "bad", Seat: ts.Seat(2)}
	good.Seat, missing.Seat = ts.Seat(0), ts.Seat(1)
	var wg sync.WaitGroup
	wg.Go(func() {
		if o, err := good.Run(t.Context()); err != nil || o.Status != assay.StatusOK {
			t.Errorf("the good one: %v, %s %q", err, o.Status, o.Reason)
		}
	})
	wg.Go(func() {
		if _, err := missing.Run(t.Context()); err == nil {
			t.Error("a missing program is no error")
		}
	})
	wg.Go(func() {
		if o, err := bad.Run(t.Context()); err != nil || o.Status != assay.StatusFailed {
			t.Errorf("the bad one: %v, %s", err, o.Status)
		}
	})
	ts.Run(t.Context())
	wg.Wait()
}

// The end of the context ends stopped programs too, and their groups.
func TestTurnsEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := asProgram(t, 1, "Hang")
	time.AfterFunc(300*time.Millisecond, cancel)
	atTurnstile(t, ctx, time.Millisecond, p, p) // comes back
}

// A command's time is that of its turns.
func TestConcurrentPrograms(t *testing.T) {
	ts := child.NewTurnstile(time.Millisecond, inTurn(2), 1, 1)
	var wg sync.WaitGroup
	for i := range 2 {
		p := Program{Path: "/bin/sh", Args: []string{"-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"}, Name: "loop", Seat: ts.Seat(i)}
		wg.Go(func() {
			o, err := p.Run(t.Context())
			if err != nil || o.Status != assay.StatusOK {
				t.Errorf("%v, %s %q", err, o.Status, o.Reason)
				return
			}
			if got := o.Observations("loop", 1)[assay.MetricTime]; got != o.Active.Seconds() || o.Active <= 0 || o.Active > o.Wall {
				t.Errorf("sec/op %g, active %v of %v", got, o.Active, o.Wall)
			}
		})
	}
	ts.Run(t.Context())
	wg.Wait()
}
