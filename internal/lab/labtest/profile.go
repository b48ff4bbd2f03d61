package labtest

import (
	"bytes"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay"
)

// Of the profiles that a simulated machine makes.
const (
	samplePeriod = 10_000_000 // ns, as package pprof samples
	objectSize   = 16         // bytes
)

// ProfileOf is a profile of n operations as package pprof writes it. perOp maps a
// stack, the innermost function first, such as "runtime.mallocgc<main.work", to what
// an operation spends there: seconds for assay.CollectCPU, of which there is a sample
// every 10 ms, and objects of 16 bytes for assay.CollectMem. There is no noise.
func ProfileOf(kind string, perOp map[string]float64, n int) []byte {
	p := &profile.Profile{Period: 1, PeriodType: &profile.ValueType{Type: "space", Unit: "bytes"}}
	types := []string{"alloc_objects", "count", "alloc_space", "bytes", "inuse_objects", "count", "inuse_space", "bytes"}
	if kind == assay.CollectCPU {
		p.Period, p.PeriodType = samplePeriod, &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}
		types = []string{"samples", "count", "cpu", "nanoseconds"}
	}
	for t := range slices.Chunk(types, 2) {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: t[0], Unit: t[1]})
	}
	at := map[string]*profile.Location{}
	for _, stack := range slices.Sorted(maps.Keys(perOp)) {
		total := perOp[stack] * float64(n)
		values := []int64{int64(math.Round(total)), objectSize * int64(math.Round(total)), 0, 0}
		if kind == assay.CollectCPU {
			count := int64(math.Round(total * 1e9 / samplePeriod))
			values = []int64{count, samplePeriod * count}
		}
		s := &profile.Sample{Value: values}
		for name := range strings.SplitSeq(stack, "<") {
			s.Location = append(s.Location, location(p, at, name))
		}
		p.Sample = append(p.Sample, s)
	}
	var buf bytes.Buffer
	if err := p.Write(&buf); err != nil {
		panic("labtest: a profile always encodes: " + err.Error())
	}
	return buf.Bytes()
}

// location is that of a function in a profile, added where it is new.
func location(p *profile.Profile, at map[string]*profile.Location, name string) *profile.Location {
	if l, ok := at[name]; ok {
		return l
	}
	f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name, SystemName: name, Filename: "sim.go", StartLine: 1}
	l := &profile.Location{ID: f.ID, Address: 0x1000 * f.ID, Line: []profile.Line{{Function: f, Line: 2}}}
	p.Function, p.Location = append(p.Function, f), append(p.Location, l)
	at[name] = l
	return l
}
