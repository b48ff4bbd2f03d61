//go:build !portable

package trial

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	assay "github.com/seed-1318a441/assay"
)

// inTurn is the order of tests: arms as they come.
func inTurn(arms int) func(int) []int {
	return func(int) []int {
		order := make([]int, arms)
		for i := range order {
			order[i] = i
		}
		return order
	}
}

func slicesOf(t *testing.T, n int, names ...string) Slices {
	s := Slices{Warm: 2, Rounds: 5, Order: inTurn(len(names)), Timeout: time.Minute}
	for _, name := range names {
		s.Arms = append(s.Arms, goTest(t, n, name))
	}
	return s
}

// Slices gives each arm a value a round, whatever order the rounds have, and runs the
// binary to its end.
func TestSlices(t *testing.T) {
	s := slicesOf(t, 100, "Plain", "Plain", "Plain")
	var rounds []int
	s.Order = func(round int) []int {
		rounds = append(rounds, round)
		return []int{round % 3, (round + 1) % 3, (round + 2) % 3}
	}
	out, err := s.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(rounds, []int{0, 1, 2, 3, 4, 5}) {
		t.Errorf("asked for the order of rounds %v; the first slice of all runs by itself", rounds)
	}
	for i, o := range out {
		if o.Status != assay.StatusOK || !strings.Contains(string(o.Stdout), "PASS") {
			t.Errorf("arm %d: %s %q\n%s", i, o.Status, o.Reason, tailOf(o.Stdout))
		}
		for _, metric := range []string{assay.MetricTime, assay.MetricBytes, assay.MetricAllocs} {
			if got := len(o.Slices[metric]); got != 5 {
				t.Errorf("arm %d: %d values of %s, want 5", i, got, metric)
			}
		}
		if o.User != 0 {
			t.Errorf("arm %d: CPU time %v, want none: it holds collections between slices", i, o.User)
		}
	}
}

// One slice of one arm at a time runs, in the given order: each slice stamps its
// beginning and its end into a file.
func TestSlicesTakeTurns(t *testing.T) {
	log := t.TempDir() + "/log"
	s := slicesOf(t, 1, "Stamp", "Stamp", "Stamp")
	for i := range s.Arms {
		s.Arms[i].Env = append(slices.Clone(s.Arms[i].Env), "STAMP="+log, fmt.Sprintf("STAMP_NAME=%d", i))
	}
	s.Order = func(round int) []int { return [][]int{{2, 0, 1}, {1, 2, 0}}[round%2] }
	if _, err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	// The first slice of each runs by itself.
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")[3:]
	if got, want := strings.Join(lines, " "), "2 0 1 1 2 0 2 0 1 1 2 0 2 0 1 1 2 0"; got != want {
		t.Errorf("slices ran in the order %s, want %s", got, want)
	}
}

// If one arm ends, its outcome says so; the others are skipped, and nothing of them is
// left.
func TestSlicesThatEnd(t *testing.T) {
	for _, tc := range []struct {
		name   string
		status assay.Status
	}{
		{"Skip", assay.StatusNoResult}, {"Missing", assay.StatusNoResult}, {"Exit0", assay.StatusNoResult},
		{"Exit3", assay.StatusFailed}, {"Fatal", assay.StatusFailed}, {"FatalLate", assay.StatusFailed},
		{"Panic", assay.StatusFailed}, {"Deadlock", assay.StatusFailed}, {"Checkdead", assay.StatusFailed},
	} {
		out, err := slicesOf(t, 100, "Plain", tc.name, "Plain").Run(t.Context())
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		if out[1].Status != tc.status || out[1].Reason == "" || out[1].Slices != nil {
			t.Errorf("%s: %s %q, want %s", tc.name, out[1].Status, out[1].Reason, tc.status)
		}
		if died := out[1].RuntimeFault != ""; died != (tc.name == "Checkdead") {
			t.Errorf("%s: a fault of the runtime: %v", tc.name, died)
		}
		for _, i := range []int{0, 2} {
			if out[i].Status != assay.StatusSkipped {
				t.Errorf("%s: the other arm is %s %q", tc.name, out[i].Status, out[i].Reason)
			}
		}
	}
}

// A benchmark that prints cannot be told from package testing, and is refused.
func TestSlicesThatPrint(t *testing.T) {
	for _, name := range []string{"NoNewline", "LogLines", "Flood", "Fakes", "LongLines", "Units"} {
		if _, err := slicesOf(t, 100, "Plain", name).Run(t.Context()); !errors.Is(err, ErrPrints) {
			t.Errorf("%s: error %v, want that it prints", name, err)
		}
	}
}

// What hangs is ended by the time limit, and all arms with it.
func TestSlicesTimeout(t *testing.T) {
	s := slicesOf(t, 100, "Plain", "Hang")
	s.Timeout = 2 * time.Second
	out, err := s.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if out[1].Status != assay.StatusTimeout {
		t.Errorf("%s %q, want a timeout", out[1].Status, out[1].Reason)
	}
}

// All arms run on the given processors, and collect with the world stopped.
func TestSlicesOnOneCPU(t *testing.T) {
	var allowed unix.CPUSet
	if err := unix.SchedGetaffinity(0, &allowed); err != nil {
		t.Fatal(err)
	}
	cpu := 0
	for !allowed.IsSet(cpu) {
		cpu++
	}
	s := slicesOf(t, 1, "Affinity", "Affinity")
	s.CPUs = []int{cpu}
	for i := range s.Arms {
		s.Arms[i].Env = append(slices.Clone(s.Arms[i].Env), "GODEBUG=panicnil=1")
	}
	out, err := s.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range out {
		for _, n := range o.Slices["cpus"] {
			if n != 1 {
				t.Errorf("arm %d may use %g processors, want 1", i, n)
			}
		}
		for _, stopped := range o.Slices["stopped"] {
			if stopped != 1 {
				t.Errorf("arm %d: GODEBUG is not the variant's with gcstoptheworld=2 added", i)
			}
		}
		if len(o.Slices["cpus"]) != 5 || len(o.Slices["stopped"]) != 5 {
			t.Errorf("arm %d: slices %v", i, o.Slices)
		}
	}
}
