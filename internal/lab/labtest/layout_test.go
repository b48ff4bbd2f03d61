package labtest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/slow"
)

// layoutMachine has one benchmark that layouts move by 3 % and noise by little.
func layoutMachine(seed uint64) *labtest.Simulator {
	return &labtest.Simulator{Seed: seed, Start: time.Millisecond, LinkTime: 50 * time.Millisecond, Layout: 0.03,
		Benchmarks: []labtest.Benchmark{{Name: "X", Time: time.Microsecond, Noise: labtest.Normal(0.002)}}}
}

// With one link the difference of two binaries is found for certain, though it
// is their layout's only; the result must not claim it of the code.
func TestOneLayoutSaysForTheseBinaries(t *testing.T) {
	s := labtest.Study("old", "new")
	s.Measure.Layouts = 1
	r, err := labtest.Run(t.Context(), layoutMachine(1), s, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if r.Rule.Scope != "for these binaries" {
		t.Errorf("scope is %q", r.Rule.Scope)
	}
}

// Fresh layouts in every block make layout a part of the noise: hardly any run may call
// two equal programs different, however certain one pair of binaries looks.
func TestFreshLayoutsDoNotFoolTheVerdict(t *testing.T) { checkFreshLayouts(t, 7) }

func TestSlowFreshLayoutsDoNotFoolTheVerdict(t *testing.T) {
	slow.Test(t)
	checkFreshLayouts(t, 20)
}

func checkFreshLayouts(t *testing.T, studies int) {
	wrong := 0
	for seed := range uint64(studies) {
		s := labtest.Study("old", "new")
		s.Decide.MaxBlocks = 25
		r, err := labtest.Run(t.Context(), layoutMachine(seed), s, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		c := r.Tables[0].Rows[0].Cells[0]
		if c.Verdict.Differs() {
			wrong++
		}
	}
	if wrong > 1 { // at 1 % each, two of 20 have probability .017
		t.Errorf("%d of %d runs called equal programs different", wrong, studies)
	}
}

// Fresh layouts align functions in all variants or in none, and the plan says so.
func TestAlign(t *testing.T) {
	for _, test := range []struct {
		unaligned    string
		layouts      int
		align, notes int
	}{{"", 0, 64, 0}, {"new", 0, 0, 1}, {"new", 1, 0, 0}, {"", 1, 0, 0}} {
		m, s := machine(), inBlocks(10)
		m.Unaligned, s.Measure.Layouts = test.unaligned, test.layouts
		_, run := readRun(t, m, s)
		notes := 0
		for _, w := range run.Plan.Warnings {
			if w.Code == "no-align" {
				notes++
			}
		}
		if run.Plan.Align != test.align || notes != test.notes {
			t.Errorf("%+v: aligned to %d with %d notes", test, run.Plan.Align, notes)
		}
	}
}

// Of slices the share between layouts is that of the scatter of blocks which slices do
// not explain: known where every variant has links of its own, and of nothing else.
func TestShareOfSlices(t *testing.T) {
	share := func(layout float64, s *assay.Study) assay.Comparison {
		m := sliced(nil)
		m.Layout = layout
		m.Seed = 3 // with which slices agree with the plain run
		r, _ := readRun(t, m, s)
		return r.Tables[0].Rows[0].Cells[0]
	}
	if c := share(0.05, inBlocks(20)); c.LayoutShare < 0.9 || c.LayoutRange == nil || c.LayoutRange.Lo > c.LayoutShare || c.LayoutRange.Hi < c.LayoutShare {
		t.Errorf("share %.2f, %v, want most of the variance", c.LayoutShare, c.LayoutRange)
	}
	if c := share(0, inBlocks(20)); c.LayoutRange == nil || c.LayoutRange.Lo > 0.2 {
		t.Errorf("share %.2f, %v without layouts, want an interval that begins near 0", c.LayoutShare, c.LayoutRange)
	}
	one := inBlocks(20)
	one.Measure.Layouts = 1
	if c := share(0.05, one); c.LayoutRange != nil || c.LayoutShare != 0 {
		t.Errorf("share %.2f, %v of one link, want none", c.LayoutShare, c.LayoutRange)
	}
}

// What placement does to binaries as shipped is measured before the first block, where
// functions are aligned in the blocks, and told where it exceeds the minimum effect.
func TestPlacement(t *testing.T) {
	plan := func(placement float64, change func(*labtest.Simulator, *assay.Study)) *assay.Plan {
		m, s := sliced(nil), inBlocks(2)
		m.Placement, m.LinkTime = placement, 10*time.Millisecond
		if change != nil {
			change(m, s)
		}
		_, run := readRun(t, m, s)
		return run.Plan
	}
	note := func(p *assay.Plan) (text string) {
		for _, w := range p.Warnings {
			if w.Code == "placement" {
				text = w.Text + " " + strings.Join(w.Facts, " ")
			}
		}
		return text
	}
	p := plan(0.07, nil)
	if got := p.Benchmarks[0].Placement; got < 0.03 || got > 0.15 {
		t.Errorf("placement %.3f, want about 0.07", got)
	}
	if got := note(p); !strings.Contains(got, "linked in another order, differs: X by ±") || !strings.Contains(got, "--layouts 1") {
		t.Errorf("note %q, want the figure and --layouts 1", got)
	}
	if p := plan(0.001, nil); p.Benchmarks[0].Placement > 0.005 || note(p) != "" {
		t.Errorf("placement %.3f, note %q, want less than the minimum effect and no note", p.Benchmarks[0].Placement, note(p))
	}
	for name, change := range map[string]func(*labtest.Simulator, *assay.Study){
		"one layout":     func(_ *labtest.Simulator, s *assay.Study) { s.Measure.Layouts = 1 },
		"not aligned":    func(m *labtest.Simulator, _ *assay.Study) { m.Unaligned = "new" },
		"processes":      func(m *labtest.Simulator, _ *assay.Study) { m.Benchmarks[0].Bytes, m.Benchmarks[0].Allocs = 300, 1 },
		"no time":        func(m *labtest.Simulator, s *assay.Study) { s.Decide.Budget, m.LinkTime = 5*time.Second, time.Second },
		"costs too much": func(m *labtest.Simulator, s *assay.Study) { s.Decide.Budget, m.LinkTime = time.Minute, time.Second },
	} {
		if p := plan(0.07, change); p.Benchmarks[0].Placement != 0 || note(p) != "" {
			t.Errorf("%s: placement %.3f, note %q, want none", name, p.Benchmarks[0].Placement, note(p))
		}
	}
}
