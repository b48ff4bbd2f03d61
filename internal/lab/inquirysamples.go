package lab

import (
	"time"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay"
)

// maxCPUTime limits the time of CPU profiles in more blocks than planned: what mostly waits
// has few samples, however often it runs.
const maxCPUTime = time.Minute

// more reports whether CPU profiles of further blocks will have enough samples of every
// variant in time, after so many.
func (in *runningInquiry) more(blocks int) bool {
	fewest := in.samples[in.variants[0].Name]
	for _, v := range in.variants {
		fewest = min(fewest, in.samples[v.Name])
	}
	if in.Blocks > 0 || fewest == 0 || fewest >= assay.EnoughSamples {
		return false
	}
	perBlock := in.took.Seconds() / float64(blocks)
	needed := float64(assay.EnoughSamples) / float64(fewest) * float64(blocks)
	if needed*perBlock > maxCPUTime.Seconds() {
		return false
	}
	in.of += len(in.variants)
	return true
}

// count adds the samples of a CPU profile.
func (in *runningInquiry) count(t assay.EvidenceTrial, data []byte) {
	p, err := profile.ParseData(data)
	if t.Kind != assay.CollectCPU || err != nil { // who explains it says so
		return
	}
	in.took += t.Duration
	for _, s := range p.Sample {
		if len(s.Value) > 0 {
			in.samples[t.Variant] += s.Value[0]
		}
	}
}
