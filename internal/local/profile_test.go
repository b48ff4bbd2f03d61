package local

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// sampled is a profile with so many samples in each function; "a<b" is a inlined into b.
func sampled(counts map[string]int64) *profile.Profile {
	p := &profile.Profile{}
	for names, n := range counts {
		loc := &profile.Location{}
		for name := range strings.SplitSeq(names, "<") {
			loc.Line = append(loc.Line, profile.Line{Function: &profile.Function{Name: name}})
		}
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{loc}, Value: []int64{n}})
	}
	return p
}

func TestMatched(t *testing.T) {
	b := &binary.Print{Funcs: map[string]binary.Hash{"main.run": 1, "main.(*T).m": 2, "slices.Sort[go.shape.int]": 3, "runtime.asyncPreempt.abi0": 4}}
	// 60 of 80 samples: a method, a generic function and one in assembly under their plain
	// names, and one that was inlined into a known one; 20 are of other code.
	got := matched(sampled(map[string]int64{"main.(*T).m": 10, "slices.Sort[...]": 15, "runtime.asyncPreempt": 5, "main.gone<main.run": 30, "other.f": 20}), b)
	if got.Samples != 80 || got.Match != 0.75 {
		t.Errorf("got %d samples, match %g; want 80, 0.75", got.Samples, got.Match)
	}
	if got := matched(&profile.Profile{}, b); got.Samples != 0 || got.Match != 0 {
		t.Errorf("an empty profile: got %+v", got)
	}
}

// A profiler is a machine whose trials leave a profile with so many samples.
type profiler struct {
	samples int64
	runs    int
}

func (p *profiler) Receive(Delivery) {}

// Run implements Customer.
func (p *profiler) Run(context.Context, lab.RunRequest) (trial.Outcome, error) {
	p.runs++
	prof := &profile.Profile{PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 1e7,
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}}}
	f := &profile.Function{ID: 1, Name: "main.main"}
	loc := &profile.Location{ID: 1, Line: []profile.Line{{Function: f}}}
	prof.Function, prof.Location = []*profile.Function{f}, []*profile.Location{loc}
	prof.Sample = []*profile.Sample{{Location: prof.Location, Value: []int64{p.samples}}}
	var data bytes.Buffer
	err := prof.Write(&data)
	return trial.Outcome{Status: assay.StatusOK, Profile: data.Bytes()}, err
}

// A workload is run until its profile has enough samples: a program of 80 ms leaves 8 a run.
func TestCollectEnough(t *testing.T) {
	s := &assay.Study{Workloads: []assay.Workload{{Kind: assay.KindCommand, Names: []string{"p"}}}}
	for samples, want := range map[int64]int{8: 38, 300: 1, 1000: 1} {
		m := &profiler{samples: samples}
		got, err := NewWorkshop(nil, m).collect(t.Context(), lab.BuildRequest{Study: s}, []lab.Artifact{{}})
		if err != nil || m.runs != want || countSamples([]*profile.Profile{got}) != int64(want)*samples {
			t.Errorf("%d samples a run: got %d runs, %v, want %d", samples, m.runs, err, want)
		}
	}
}
