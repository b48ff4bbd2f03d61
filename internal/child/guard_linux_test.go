//go:build !portable

package child

import (
	"strings"
	"testing"
	"time"
)

// What takes the machine from everybody else is killed, and told by what it took. Each
// script goes on far beyond its limit, because other programs may give as much back in the
// meantime.
func TestGuard(t *testing.T) {
	for _, test := range []struct {
		name, script, want string
		limits             limits
	}{
		{"processes", "i=0; while [ $i -lt 3000 ]; do sleep 60 & i=$((i+1)); done; wait", "processes and threads more than before", limits{tasks: 100}},
		{"memory", "head -c 4096m /dev/zero | tail -c 4095m | sleep 60", "it was killed when the machine had ", limits{tasks: 1 << 20, memory: 1 << 60, taken: 64 << 20}},
		{"disk", "i=0; while [ $i -lt 32 ]; do dd if=/dev/zero of=big$i bs=1048576 count=64 2>/dev/null; sync; i=$((i+1)); done; sleep 60", "it was killed when it had written ", limits{tasks: 1 << 20, disk: 1 << 60, taken: 16 << 20}},
	} {
		t.Run(test.name, func(t *testing.T) {
			old := machineLimits
			machineLimits = test.limits
			defer func() { machineLimits = old }()
			e, err := Run(t.Context(), Command{Path: "/bin/sh", Args: []string{"-c", test.script}, Dir: t.TempDir(), Timeout: time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(e.Limit, test.want) || e.TimedOut || e.Code != -1 {
				t.Errorf("ended with %d, timed out %v, limit %q; want %q", e.Code, e.TimedOut, e.Limit, test.want)
			}
		})
	}
	e, err := Run(t.Context(), Command{Path: "/bin/sh", Args: []string{"-c", "sleep 0.6"}, Dir: t.TempDir(), Timeout: time.Minute})
	if err != nil || e.Limit != "" || e.Code != 0 {
		t.Errorf("what takes nothing ended with %d, %q, %v", e.Code, e.Limit, err)
	}
}
