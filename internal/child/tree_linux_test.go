package child

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMembers: who belongs to a server, and who does not.
func TestMembers(t *testing.T) {
	us := os.Getpid()
	all := map[int]stat{
		1: {parent: 0, group: 1}, us: {parent: 1, group: us},
		// We started a starter and a load generator, the starter a server.
		us + 1: {parent: us, group: us}, us + 2: {parent: us, group: us + 2},
		us + 10: {parent: us + 1, group: us + 10},
		us + 11: {parent: us + 10, group: us + 10}, // a child
		us + 12: {parent: us + 11, group: us + 12}, // a grandchild in a group of its own
		us + 13: {parent: 1, group: us + 10},       // whose parent has ended
		us + 14: {parent: us + 1, group: us + 14},  // and one that left the group
		us + 15: {parent: us + 14, group: us + 14},
		// What is read while it changes: a circle, and a parent that has gone.
		us + 20: {parent: us + 21, group: 5}, us + 21: {parent: us + 20, group: 5}, us + 22: {parent: us + 99, group: 5},
	}
	check := func(leader int, want ...int) {
		t.Helper()
		got := membersOf(leader, all)
		slices.Sort(got)
		for i := range got {
			got[i] -= us
		}
		if !slices.Equal(got, want) {
			t.Errorf("of %d: %v, want %v", leader-us, got, want)
		}
	}
	check(us+10, 10, 11, 12, 13, 14, 15)
	check(us+99, 99)
	// A leader that we started ourselves: our children are not its.
	all[us+10] = stat{parent: us, group: us + 10}
	check(us+10, 10, 11, 12, 13)
}

// TestLook: what this process uses itself.
func TestLook(t *testing.T) {
	tr := &tree{leader: os.Getpid(), members: []int{os.Getpid()}, next: time.Now().Add(time.Hour)}
	before, begin := tr.look(), ownCPU(t)
	garbage := make([]byte, 32<<20)
	for ownCPU(t)-begin < 60*time.Millisecond {
		for i := range garbage {
			garbage[i]++
		}
	}
	after := tr.look()
	if got, most := after.cpu-before.cpu, ownCPU(t); got < 50*time.Millisecond || got > most {
		t.Errorf("used %v of CPU, want 50ms to %v", got, most)
	}
	if after.rss < before.rss+16<<20 || before.rss < 1<<20 {
		t.Errorf("resident: %d, then %d with 32 MB more", before.rss, after.rss)
	}
	if got := (&tree{leader: 1 << 30}).look(); got.rss != 0 || got.cpu != 0 {
		t.Errorf("a process that is not there uses %+v", got)
	}
}

func FuzzStat(f *testing.F) {
	const fields = " S 40 41 42 0 -1 4194560 1 2 3 4 50 60 70 80 20 0 1 0 100 200 300"
	f.Add("39 (server)" + fields)
	f.Add("39 (a) b) R 1 2" + fields)
	f.Add("39 (server) S 1 2")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		s, ok := parseStat([]byte(text))
		if !ok && s != (stat{}) {
			t.Errorf("%q: %+v", text, s)
		}
		// Whatever its name, a process is what stands behind it.
		if strings.ContainsAny(text, ")") {
			return
		}
		want := stat{parent: 40, group: 41, user: 50, sys: 60, cuser: 70, csystem: 80}
		if s, ok := parseStat([]byte("39 (" + text + ")" + fields)); !ok || s != want {
			t.Errorf("named %q: %+v, %v", text, s, ok)
		}
	})
}
