package child

import (
	"slices"
	"sync"
	"time"

	assay "github.com/seed-1318a441/assay"

	"github.com/seed-1318a441/assay/internal/fault"
)

// sampleEvery is the interval of sampling a server's memory and CPU time.
const sampleEvery = 250 * time.Millisecond

// A sample is the resources of a server's processes at one moment.
type sample struct {
	at  time.Time
	rss uint64 // bytes
	// cpu is the CPU time since their start, including that of the children that they
	// have waited for.
	cpu time.Duration
}

// A Sampler samples a server while it is under load; StartSampling makes one.
type Sampler struct {
	tree    *tree
	stop    chan struct{}
	done    sync.WaitGroup
	samples []sample
}

// StartSampling samples a process and its descendants at once and then four times a
// second, until End.
func StartSampling(pid int) *Sampler {
	s := &Sampler{tree: newTree(pid), stop: make(chan struct{})}
	s.take()
	s.done.Go(s.run)
	return s
}

func (s *Sampler) run() {
	defer fault.Exit()
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			s.take()
		case <-s.stop:
			s.tree.grow() // the last sample includes all processes
			s.take()
			return
		}
	}
}

// take adds a sample, unless no process of the server is visible.
func (s *Sampler) take() {
	if now := s.tree.look(); now.rss > 0 || now.cpu > 0 {
		s.samples = append(s.samples, now)
	}
}

// End takes the last sample and returns all, in order.
func (s *Sampler) End() Samples {
	close(s.stop)
	s.done.Wait()
	return s.samples
}

// Samples are the resources of a server's processes over a period, in order.
type Samples []sample

// CPU returns the CPU time used between two moments, interpolated linearly between
// samples.
func (u Samples) CPU(from, to time.Time) time.Duration {
	return max(0, u.cpuAt(to)-u.cpuAt(from))
}

func (u Samples) cpuAt(t time.Time) time.Duration {
	i, _ := slices.BinarySearchFunc(u, t, func(s sample, t time.Time) int { return s.at.Compare(t) })
	switch {
	case len(u) == 0:
		return 0
	case i == 0:
		return u[0].cpu
	case i == len(u):
		return u[i-1].cpu
	}
	a, b := u[i-1], u[i]
	part := float64(t.Sub(a.at)) / float64(b.at.Sub(a.at))
	return a.cpu + time.Duration(part*float64(b.cpu-a.cpu))
}

// Memory returns the resident sets between two moments, and their mean in bytes, 0 if
// none is known.
func (u Samples) Memory(from, to time.Time) (list []assay.MemorySample, mean float64) {
	for _, s := range u {
		// The first and the last are taken just outside of the load.
		if s.rss == 0 || s.at.Before(from.Add(-sampleEvery/2)) || s.at.After(to.Add(sampleEvery/2)) {
			continue
		}
		list = append(list, assay.MemorySample{At: max(0, s.at.Sub(from).Seconds()), Bytes: s.rss})
		mean += float64(s.rss)
	}
	if len(list) > 0 {
		mean /= float64(len(list))
	}
	return list, mean
}
