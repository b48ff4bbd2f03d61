package lab_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/survey"
)

// fixed is the stop rule of these tests: so many blocks of everything.
type fixed struct {
	turns  []assay.Turn
	blocks int
}

func (f *fixed) Add([]assay.Trial) { f.blocks-- }

func (f *fixed) Next() assay.NextBlock {
	if f.blocks <= 0 {
		return assay.NextBlock{Stop: "blocks"}
	}
	return assay.NextBlock{Turns: f.turns}
}

func silent(lab.Event) {}

// prepare plans a study on a simulated machine.
func prepare(t *testing.T, m *labtest.Simulator, s *assay.Study) (*assay.Plan, *lab.Builds) {
	t.Helper()
	builds, err := lab.Build(t.Context(), m, s, silent)
	if err != nil {
		t.Fatal(err)
	}
	p, err := survey.Prepare(t.Context(), survey.Setup{Study: s, Machine: m, Builds: builds, Events: silent,
		Platform: assay.Platform{CPUs: 2}, Run: "test", Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	p.ControlEvery = 1 // these tests count what runs in a block
	return p, builds
}

func sim(bs ...labtest.Benchmark) *labtest.Simulator {
	return &labtest.Simulator{Seed: 1, Start: time.Millisecond, LinkTime: time.Millisecond, Benchmarks: bs}
}

// What runs, and in which order, is what the design drew.
func TestJobRunsTheDesign(t *testing.T) {
	m := sim(labtest.Benchmark{Name: "X", Time: time.Microsecond}, labtest.Benchmark{Name: "Y", Time: time.Microsecond})
	p, builds := prepare(t, m, labtest.Study("old", "new"))
	rec, err := record.Create(t.TempDir(), p, assay.Platform{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	rule := &fixed{blocks: 3, turns: []assay.Turn{{Benchmark: p.Benchmarks[0].Benchmark, Inner: 2}, {Benchmark: p.Benchmarks[1].Benchmark, Inner: 1}}}
	before := len(m.Log())
	stop, err := (&lab.Job{Plan: p, Machine: m, Builds: builds, Record: rec, Rule: rule, Events: silent}).Run(t.Context())
	if err != nil || stop != "blocks" {
		t.Fatalf("stopped by %q, %v", stop, err)
	}
	var want []string
	for block := 1; block <= 3; block++ {
		for _, s := range design.BlockOf(p, assay.NextBlock{Turns: rule.turns}, block, 1).Slots {
			want = append(want, fmt.Sprintf("%s %s %d %d", s.Benchmark.Name, s.Variant, block, s.Round))
		}
	}
	if got := m.Log()[before:]; !slices.Equal(got, want) {
		t.Errorf("ran\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	// Each trial says which binary it ran: every block has links of its own.
	ran := map[string]int{}
	for _, tr := range rec.Run().Trials {
		if len(tr.Binary) != 32 {
			t.Errorf("trial %d says it ran %q, want 128 bits in hex", tr.ID, tr.Binary)
		}
		ran[tr.Binary] = tr.Block
	}
	if len(ran) != 3*len(p.Variants) {
		t.Errorf("%d binaries ran, want one of each variant in three blocks", len(ran))
	}
}

// An interrupt in the middle of a block leaves it torn, and everything before.
func TestCancelKeepsCompleteBlocks(t *testing.T) {
	m := sim(labtest.Benchmark{Name: "X", Time: time.Microsecond})
	p, builds := prepare(t, m, labtest.Study("old", "new"))
	rec, err := record.Create(t.TempDir(), p, assay.Platform{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	ctx, cancel := context.WithCancel(t.Context())
	trials := 0
	m.Hook = func(lab.RunRequest) error {
		if trials++; trials == 8 { // the second trial of block 3
			cancel()
			return ctx.Err()
		}
		return nil
	}
	rule := &fixed{blocks: 9, turns: []assay.Turn{{Benchmark: p.Benchmarks[0].Benchmark, Inner: 1}}}
	stop, err := (&lab.Job{Plan: p, Machine: m, Builds: builds, Record: rec, Rule: rule, Events: silent}).Run(ctx)
	if !errors.Is(err, context.Canceled) || stop != assay.StopInterrupted {
		t.Errorf("stopped by %q, %v", stop, err)
	}
	if got, trials := len(rec.Run().Blocks()), len(rec.Run().Trials); got != 2 || trials != 7 {
		t.Errorf("%d complete blocks, %d trials kept; want 2 and 7", got, trials)
	}
}

// N aims at the trial time, and grows where a benchmark allocates too little
// for eight GC cycles, or where set-up would outweigh the work.
func TestCalibration(t *testing.T) {
	for _, tc := range []struct {
		name     string
		b        labtest.Benchmark
		start    time.Duration
		min, max time.Duration // of the measured time
	}{
		{"plain", labtest.Benchmark{Time: time.Microsecond}, time.Millisecond, 80 * time.Millisecond, 140 * time.Millisecond},
		// 4 MiB a cycle: 1000 B/op need 33,600 operations, 336 ms.
		{"allocates", labtest.Benchmark{Time: 10 * time.Microsecond, Bytes: 1000}, time.Millisecond, time.Second, time.Second},
		{"allocates much", labtest.Benchmark{Time: 10 * time.Microsecond, Bytes: 4000}, time.Millisecond, 80 * time.Millisecond, 140 * time.Millisecond},
		// Eight cycles would take hours, and cost nothing.
		{"allocates little", labtest.Benchmark{Time: time.Millisecond, Bytes: 10}, time.Millisecond, 80 * time.Millisecond, 140 * time.Millisecond},
		{"long set-up", labtest.Benchmark{Time: time.Microsecond}, 200 * time.Millisecond, 300 * time.Millisecond, 400 * time.Millisecond},
		// The first operation of a process is another than the next.
		{"one operation is enough", labtest.Benchmark{Time: 92 * time.Millisecond}, time.Millisecond, 184 * time.Millisecond, 184 * time.Millisecond},
		{"slow operation", labtest.Benchmark{Time: 3 * time.Second}, time.Millisecond, 3 * time.Second, 3 * time.Second},
	} {
		tc.b.Name = "X"
		m := sim(tc.b)
		m.Start = tc.start
		p, _ := prepare(t, m, labtest.Study("old", "new"))
		measured := time.Duration(p.Benchmarks[0].N) * tc.b.Time
		if measured < tc.min || measured > tc.max {
			t.Errorf("%s: N = %d measures %v, want %v to %v", tc.name, p.Benchmarks[0].N, measured, tc.min, tc.max)
		}
	}
}

func TestFixedIterationsAreNotCalibrated(t *testing.T) {
	s := labtest.Study("old", "new")
	s.Workloads[0].BenchIters = 12345
	p, _ := prepare(t, sim(labtest.Benchmark{Name: "X", Time: time.Microsecond}), s)
	if got := p.Benchmarks[0].N; got != 12345 {
		t.Errorf("N = %d, want the 12345 that were asked for", got)
	}
}

// A second preparation of the same artifacts runs nothing.
func TestMemoSparesTheSurvey(t *testing.T) {
	known := map[string][]byte{}
	memo := survey.Memo{
		Store: func(id, name string, v any) (err error) { known[id+name], err = json.Marshal(v); return err },
		Load:  func(id, name string, v any) bool { return json.Unmarshal(known[id+name], v) == nil },
	}
	m := sim(labtest.Benchmark{Name: "X", Time: time.Microsecond})
	s := labtest.Study("old", "new")
	builds, err := lab.Build(t.Context(), m, s, silent)
	if err != nil {
		t.Fatal(err)
	}
	setup := survey.Setup{Study: s, Machine: m, Builds: builds, Memo: memo, Events: silent, Platform: assay.Platform{CPUs: 2}}
	first, err := survey.Prepare(t.Context(), setup)
	if err != nil {
		t.Fatal(err)
	}
	m.Hook = func(r lab.RunRequest) error { return fmt.Errorf("ran %v again", r.Names) }
	again, err := survey.Prepare(t.Context(), setup)
	if err != nil {
		t.Fatal(err)
	}
	if first.Benchmarks[0].N != again.Benchmarks[0].N {
		t.Errorf("N was %d, is %d", first.Benchmarks[0].N, again.Benchmarks[0].N)
	}
}

// Variants inside one binary are found by the key, measured by their own names.
func TestVariantsByKey(t *testing.T) {
	var bs []labtest.Benchmark
	for _, n := range []string{"Path/func_append", "Path/func_literal", "Other", "Path/func_append/deep", "Path/func_literal/deep", "Lonely/func_append"} {
		bs = append(bs, labtest.Benchmark{Name: n, Time: time.Microsecond})
	}
	s := labtest.Study("build")
	s.By, s.Base = &assay.By{Key: "/func_([a-z]+)", Names: []string{"old"}}, ""
	p, _ := prepare(t, sim(bs...), s)
	var got []string
	for _, b := range p.Benchmarks {
		for _, v := range p.Variants {
			got = append(got, b.Name+" in "+v.Name+" is "+b.NameFor(v, p.Study.Base))
		}
	}
	want := []string{
		"Path in old is Path/func_append", "Path in literal is Path/func_literal", "Path in control is Path/func_append",
		"Path/deep in old is Path/func_append/deep", "Path/deep in literal is Path/func_literal/deep", "Path/deep in control is Path/func_append/deep",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
