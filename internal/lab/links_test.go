package lab_test

import (
	"slices"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/record"
)

// Variants that differ in run settings only are one program, linked once a block;
// the control has a link of its own only where there is another program.
func TestOneLinkABuildAndBlock(t *testing.T) {
	for _, tc := range []struct {
		name    string
		builtAs map[string]string
		want    []string // of two blocks, sorted
	}{
		{"one build", map[string]string{"small": "x", "large": "x", assay.ControlName: "x"}, []string{"x", "x"}},
		{"two builds", map[string]string{"small": "x", "large": "y", assay.ControlName: "x"}, []string{"x", "x", "x", "x", "y", "y"}},
	} {
		m := sim(labtest.Benchmark{Name: "X", Time: time.Microsecond})
		m.BuiltAs = tc.builtAs
		s := labtest.Study("small", "large")
		s.Variants[0].Env, s.Variants[1].Env = map[string]string{"GOGC": "50"}, map[string]string{"GOGC": "400"}
		p, builds := prepare(t, m, s)
		rec, err := record.Create(t.TempDir(), p, assay.Platform{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		before := len(m.Links())
		rule := &fixed{blocks: 2, turns: []assay.Turn{{Benchmark: p.Benchmarks[0].Benchmark, Inner: 1}}}
		if _, err := (&lab.Job{Plan: p, Machine: m, Builds: builds, Record: rec, Rule: rule, Events: silent}).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		got := m.Links()[before:]
		slices.Sort(got)
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: linked %v, want %v", tc.name, got, tc.want)
		}
		seeds := map[uint64]bool{}
		for _, tr := range rec.Run().Trials {
			seeds[tr.Layout] = true
		}
		if len(seeds) != len(tc.want) {
			t.Errorf("%s: trials name %d layouts, want %d", tc.name, len(seeds), len(tc.want))
		}
		rec.Close()
	}
}
