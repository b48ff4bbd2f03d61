//go:build unix

package build

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// eightVariants are versions of gofmt of which each needs something compiled,
// and three the standard library.
func eightVariants() []assay.Variant {
	other := "arm64"
	if runtime.GOARCH == other {
		other = "amd64"
	}
	vs := []assay.Variant{
		{}, {Tags: []string{"x"}}, {LDFlags: []string{"-X main.x=1"}}, {LDFlags: []string{"-w"}}, {GCFlags: []string{"-l"}},
		{GCFlags: []string{"all=-l"}}, {GCFlags: []string{"all=-B"}}, {Build: map[string]string{"GOARCH": other}},
	}
	for i := range vs {
		vs[i].Name = fmt.Sprint(i)
	}
	return vs
}

// BenchmarkEightVariants builds eight variants of gofmt with nothing in any cache, and
// the same with go build by hand, GOMAXPROCS of them at a time: "ratio" is the time of
// the first by that of the second, at most 1.1. "cpu-ratio" is the same of the CPU time
// of all go commands and compilers, which other load on the machine disturbs less.
// "cached-ms" is the time in which a later run learns that all eight are there.
func BenchmarkEightVariants(b *testing.B) {
	dir := b.TempDir()
	var ours, hand, cached cost
	for i := range b.N {
		cache := filepath.Join(dir, fmt.Sprint("assay", i))
		if i%2 == 0 { // the page cache favours the second
			hand.add(byHand(b, dir))
		}
		goCache := b.TempDir()
		ours.add(byAssay(b, dir, cache, goCache))
		cached.add(byAssay(b, dir, cache, goCache))
		if i%2 == 1 {
			hand.add(byHand(b, dir))
		}
	}
	n := float64(b.N)
	b.ReportMetric(ours.wall/hand.wall, "ratio")
	b.ReportMetric(ours.cpu/hand.cpu, "cpu-ratio")
	b.ReportMetric(hand.wall/n, "hand-s")
	b.ReportMetric(ours.wall/n, "assay-s")
	b.ReportMetric(1000*cached.wall/n, "cached-ms")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkKit links gofmt from a kit in another folder, in an empty environment, and
// relinks it here, in turns: "ratio" is the time of the first by that of the second, at
// most 1.05. "cpu-ratio" is the same of the CPU time of the linkers, which other load on the
// machine disturbs less.
func BenchmarkKit(b *testing.B) {
	builder := New(b.TempDir())
	r := Request{Study: b.TempDir(), Variant: assay.Variant{Name: "v"}, Package: "cmd/gofmt", Program: true, Layout: 1}
	made, err := builder.Kit(b.Context(), r)
	if err != nil {
		b.Fatal(err)
	}
	k, place := sent(b, made)
	out := filepath.Join(b.TempDir(), "x")
	var here, there cost
	timed := func(sum *cost, link func() error) {
		start, cpu := time.Now(), childrenCPU(b)
		if err := link(); err != nil {
			b.Fatal(err)
		}
		sum.add(cost{time.Since(start).Seconds(), childrenCPU(b) - cpu})
	}
	both := []func(){
		func() { timed(&there, func() error { return k.Link(b.Context(), place, r.Layout, 0, out) }) },
		func() {
			timed(&here, func() error { _, err := builder.Relink(b.Context(), r, out); return err })
		},
	}
	both[0]()
	both[1]()
	here, there = cost{}, cost{}
	for i := range b.N {
		r.Layout++
		both[i%2]()
		both[1-i%2]()
	}
	n := float64(b.N)
	b.ReportMetric(there.wall/here.wall, "ratio")
	b.ReportMetric(there.cpu/here.cpu, "cpu-ratio")
	b.ReportMetric(1000*there.wall/n, "kit-ms")
	b.ReportMetric(1000*here.wall/n, "relink-ms")
	b.ReportMetric(0, "ns/op")
}

// A cost is the time that something took and the CPU time of the processes that
// it started, in seconds.
type cost struct{ wall, cpu float64 }

func (c *cost) add(d cost) { c.wall, c.cpu = c.wall+d.wall, c.cpu+d.cpu }

// childrenCPU is the CPU time of all children that have ended, in seconds.
func childrenCPU(b *testing.B) float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()).Seconds()
}

// byAssay takes the variants from a new Builder.
func byAssay(b *testing.B, dir, cache, goCache string) cost {
	b.Setenv("GOCACHE", goCache)
	builder := New(cache)
	return timeEight(b, len(eightVariants()), func(v assay.Variant) error {
		_, err := builder.Binary(b.Context(), Request{Study: dir, Variant: v, Package: "cmd/gofmt", Program: true})
		return err
	})
}

// byHand runs go build itself, with the flags and the environment of assay's
// builds, so that both compile the same.
func byHand(b *testing.B, dir string) cost {
	b.Setenv("GOCACHE", b.TempDir())
	builder := New(dir)
	return timeEight(b, runtime.GOMAXPROCS(0), func(v assay.Variant) error {
		j, err := builder.job(b.Context(), Request{Study: dir, Variant: v})
		if err != nil {
			return err
		}
		args := append([]string{"build", "-o", filepath.Join(dir, v.Name)}, j.flags()...)
		cmd := exec.Command(j.tc.Go(), append(args, "cmd/gofmt")...)
		cmd.Env, cmd.Dir = j.env, dir
		return cmd.Run()
	})
}

// timeEight does something to all variants, some at a time.
func timeEight(b *testing.B, atATime int, do func(assay.Variant) error) cost {
	b.Helper()
	var wg sync.WaitGroup
	slots := make(chan struct{}, atATime)
	start, cpu := time.Now(), childrenCPU(b)
	for _, v := range eightVariants() {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if err := do(v); err != nil {
				b.Errorf("variant %s: %v", v.Name, err)
			}
		})
	}
	wg.Wait()
	return cost{time.Since(start).Seconds(), childrenCPU(b) - cpu}
}
