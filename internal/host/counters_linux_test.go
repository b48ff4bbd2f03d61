package host

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestCounters(t *testing.T) {
	ok, why := Counters()
	if ok != (why == "") || strings.Contains(why, "\n") {
		t.Errorf("%v, %q", ok, why)
	}
	t.Logf("here: %v %s", ok, why)
}

func TestRefusal(t *testing.T) {
	for _, test := range []struct {
		err      error
		paranoia int
		virtual  bool
		want     string // a part
	}{
		{unix.EACCES, 3, true, "sysctl kernel.perf_event_paranoid=2"},
		{unix.EPERM, 4, false, "kernel.perf_event_paranoid is 4"},
		{unix.EPERM, 2, false, "seccomp"},
		{unix.EACCES, -1, true, "seccomp"},
		{unix.ENOENT, 2, true, "this virtual machine"},
		{unix.ENOENT, 2, false, "no driver"},
		{unix.ENOSYS, 2, true, "built without"},
		{errors.New("odd"), 2, true, "perf_event_open: odd"},
	} {
		if got := refusal(test.err, test.paranoia, test.virtual); !strings.Contains(got, test.want) {
			t.Errorf("%v, paranoid %d, virtual %v: %q, want %q in it", test.err, test.paranoia, test.virtual, got, test.want)
		}
	}
}
