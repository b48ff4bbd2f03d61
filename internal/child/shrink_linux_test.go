//go:build !portable && !race

package child

import (
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// TestMemory: what a starter has when a child begins is no peak of the child, whatever it
// needs later, and a grown starter shrinks before its next job. The race detector keeps
// memory of its own for all of ours.
func TestMemory(t *testing.T) {
	f, err := os.Open("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	m := &memory{statm: int(f.Fd())}
	start := func() uint64 {
		m.beforeJob(int(r.Fd()))
		m.beforeStart()
		return m.afterStart()
	}
	floor := start()
	const more = 16 << 20
	ballast := make([]byte, more)
	for i := range ballast {
		ballast[i] = 1
	}
	if m.known(floor, floor) != 0 || m.known(floor+1, floor) != floor+1 {
		t.Error("a peak is known above the floor only")
	}
	if f := start(); f < floor+more*3/4 {
		t.Errorf("with %d bytes more: floor %d, before %d", more, f, floor)
	}
	runtime.KeepAlive(ballast)
	if m.last.own < m.base.own+largeGrowth {
		t.Errorf("own memory %d, at first %d", m.last.own, m.base.own)
	}
	if f := start(); f > floor+more/2 {
		t.Errorf("after a shrink: floor %d, at first %d", f, floor)
	}
	taken, err := unix.Mmap(-1, 0, more, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	for i := range taken {
		taken[i] = 1
	}
	m.known(1<<40, floor) // so far above that nothing is reset
	if err := unix.Munmap(taken); err != nil {
		t.Fatal(err)
	}
	if f := start(); f < floor+more*3/4 {
		t.Errorf("with %d bytes less: floor %d, before %d; the peak stays", more, f, floor)
	}
	if m.known(0, floor); start() > floor+more/2 {
		t.Error("the peak was not reset")
	}
	var none *memory
	if none.beforeStart(); none.known(none.afterStart(), ownPeak()) != 0 {
		t.Error("without a starter: a child's peak is that of this process")
	}
}
