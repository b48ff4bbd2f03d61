package host

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestCounters(t *testing.T) {
	got := Counters()
	if strings.Contains(got.Why, "\n") || got.Why == "" && got.Cure != "" {
		t.Errorf("%+v", got)
	}
	t.Logf("here: %+v", got)
}

func TestRefusal(t *testing.T) {
	for _, test := range []struct {
		err      error
		paranoia int
		virtual  bool
		want     string // a part
	}{
		{unix.EACCES, 3, true, "sudo sysctl kernel.perf_event_paranoid=2 sudo sysctl kernel.perf_event_paranoid=3"},
		{unix.EPERM, 4, false, "kernel.perf_event_paranoid is 4 "},
		{unix.EPERM, 2, false, "seccomp"},
		{unix.EACCES, -1, true, "seccomp"},
		{unix.ENOENT, 2, true, "this virtual machine"},
		{unix.ENOENT, 2, false, "no driver"},
		{unix.ENOSYS, 2, true, "built without"},
		{errors.New("odd"), 2, true, "perf_event_open: odd"},
	} {
		r := refusal(test.err, test.paranoia, test.virtual)
		if got := strings.Join([]string{r.Why, r.Cure, r.Undo}, " "); !strings.Contains(got, test.want) {
			t.Errorf("%v, paranoid %d, virtual %v: %q, want %q in it", test.err, test.paranoia, test.virtual, got, test.want)
		}
	}
}
