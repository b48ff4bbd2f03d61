package labtest_test

import (
	"math"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
)

// A benchmark that hands out its operations in portions has a time in each trial, beside
// others as alone, and the value that go test -bench has. One that only keeps several CPUs
// busy has a number of operations.
func TestRunParallel(t *testing.T) {
	for _, test := range []struct {
		name      string
		portions  float64
		timed     bool
		allocs    float64
		benchTime time.Duration
	}{
		{"in portions", 8, true, 0, 0},
		{"in portions, and it allocates", 8, true, 1, 0},
		{"in portions, with a -benchtime", 8, true, 0, 40 * time.Millisecond},
		{"on several CPUs, and it allocates", 1.01, false, 1, 0},
	} {
		m := sliced(func(b *labtest.Benchmark) {
			b.Portions, b.Bytes, b.Allocs = test.portions, 300*test.allocs, test.allocs
		})
		m.Code = map[string]string{"old": "code of old", "new": "code of new"}
		s := inBlocks(8)
		s.Workloads[0].BenchTime = test.benchTime
		r, run := readRun(t, m, s)
		b := run.Plan.Benchmarks[0]
		if (b.BenchTime > 0) != test.timed || b.Gear != "" {
			t.Fatalf("%s: planned is %q with trials of %v", test.name, b.Gear, b.BenchTime)
		}
		if test.benchTime > 0 && b.BenchTime != test.benchTime {
			t.Errorf("%s: trials of %v", test.name, b.BenchTime)
		}
		for _, tr := range run.Trials {
			if _, ok := tr.Observations[assay.MetricUser]; ok == test.timed {
				t.Fatalf("%s: observed %v", test.name, tr.Observations)
			}
		}
		row := r.Tables[0].Rows[0]
		if want := m.Benchmarks[0].Time.Seconds(); test.timed && math.Abs(row.Base/want-1) > 0.3 {
			t.Errorf("%s: %v s an operation, want %v", test.name, row.Base, want)
		}
	}
}
