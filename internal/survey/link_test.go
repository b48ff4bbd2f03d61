package survey

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab"
)

// oneSecond is a benchmark of which a block of three variants takes 3 s and its links.
var oneSecond = assay.PlannedBenchmark{Benchmark: assay.Benchmark{Package: "p", Name: "X"}, N: 1, Trial: time.Second}

// Blocks use links again if fresh ones would take more than a fifth of the time, so often
// that they take that, but of few blocks not all the same ones.
func TestReuseLinks(t *testing.T) {
	for _, c := range []struct {
		name   string
		link   time.Duration // of a block
		change func(*assay.Study)
		want   int
	}{
		{"cheap", 700 * time.Millisecond, nil, 0},
		{"dear, many blocks", 2900 * time.Millisecond, func(s *assay.Study) { s.Decide.MinBlocks = 21 }, 4},
		{"a little dear, many blocks", 800 * time.Millisecond, func(s *assay.Study) { s.Decide.MinBlocks = 21 }, 2},
		{"dear, five blocks", 2900 * time.Millisecond, nil, 2}, // three links of each variant
		{"very dear", time.Hour, nil, 2},
		{"very dear, nine blocks", time.Hour, func(s *assay.Study) { s.Decide.MinBlocks = 9 }, 4}, // in blocks 1, 5 and 9
		{"race", 2900 * time.Millisecond, func(s *assay.Study) { s.Decide.Race = true }, 0},
		{"steps", 2900 * time.Millisecond, func(s *assay.Study) { s.Steps = &assay.Steps{} }, 0},
		{"by", 2900 * time.Millisecond, func(s *assay.Study) { s.By = &assay.By{} }, 0},
		{"factors", 2900 * time.Millisecond, func(s *assay.Study) { s.Factors = []assay.Factor{{}} }, 0},
	} {
		s := oldNew()
		if c.change != nil {
			c.change(s)
		}
		p := planned(s, oneSecond)
		p.Link = c.link
		reuseLinks(p)
		if p.Relink != c.want || p.Link != c.link/time.Duration(max(c.want, 1)) {
			t.Errorf("%s: a fresh link each %d blocks, %v a block; want each %d", c.name, p.Relink, p.Link, c.want)
		}
	}
}

// Every variant is linked once if there is time for a verdict only then.
func TestSettleLinks(t *testing.T) {
	for _, c := range []struct {
		budget time.Duration
		once   bool
	}{
		{23 * time.Second, false}, // 5 blocks of 4.5 s: two have one link
		{22 * time.Second, true},
		{15 * time.Second, true},
		{14 * time.Second, false}, // no verdict either way
		{0, false},
	} {
		s := oldNew()
		s.Decide.Budget = c.budget
		p := planned(s, oneSecond)
		p.Link, p.Align = 3*time.Second, 64
		settleLinks(p, time.Second)
		if once := p.Study.Measure.Layouts == 1; once != c.once || once != (p.Link == 0) || once != (p.Relink == 0) || once != (p.Align == 0) {
			t.Errorf("%v: layouts %d, links of %v, each %d blocks; want once %t", c.budget, p.Study.Measure.Layouts, p.Link, p.Relink, c.once)
		}
		if !c.once {
			continue
		}
		w := p.Warnings[0]
		if w.Code != assay.CodeSlowLinks || w.Facts[0] != "a link takes 1s; the 5 blocks that a verdict takes would take 22.5s with fresh links" {
			t.Errorf("%v: got %v", c.budget, w)
		}
		wantText(t, "advised", w.Try, "assay compare --budget 29s old new") // a quarter more than 22.5 s
	}
}

// settled settles the links of a plan on a machine, where the artifacts of both variants are
// as changed.
func settled(t *testing.T, m *made, p *assay.Plan, change func(*lab.Artifact), memo Memo, earlier *assay.Plan, options ...func(*surveyor)) {
	t.Helper()
	of := map[string][]lab.Artifact{}
	for _, v := range p.Study.Variants {
		a := lab.Artifact{ID: "id-" + v.Name, Package: "p", CanLayout: true, CanAlign: true}
		if change != nil && v.Name == "new" {
			change(&a)
		}
		of[v.Name] = []lab.Artifact{a}
	}
	y := surveyed(t, &p.Study, m, shelf{of: of})
	y.Memo, y.Earlier = memo, earlier
	for _, set := range options {
		set(y)
	}
	if err := (&linker{y, p}).settle(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// All variants have fresh, aligned links, or none: what one cannot do no one does, and the
// plan says so. A program that was given needs no note that it cannot be linked.
func TestFreshLinks(t *testing.T) {
	for _, c := range []struct {
		name           string
		change         func(*lab.Artifact)
		layouts, align int
		codes          []assay.Code
	}{
		{"both", nil, 0, 64, nil},
		{"no alignment", func(a *lab.Artifact) { a.CanAlign = false }, 0, 0, []assay.Code{assay.CodeNoAlign}},
		{"no layouts", func(a *lab.Artifact) { a.CanLayout = false }, 1, 0, []assay.Code{assay.CodeNoLayouts}},
		{"given", func(a *lab.Artifact) { a.CanLayout, a.Given = false, true }, 1, 0, nil},
	} {
		m := &made{links: []time.Duration{time.Millisecond}}
		p := planned(oldNew(), oneSecond)
		settled(t, m, p, c.change, Memo{}, nil)
		var codes []assay.Code
		for _, w := range p.Warnings {
			codes = append(codes, w.Code)
			if !strings.HasPrefix(w.Text, "new cannot") {
				t.Errorf("%s: got %q, want the variant in it", c.name, w.Text)
			}
		}
		if p.Study.Measure.Layouts != c.layouts || p.Align != c.align || !slices.Equal(codes, c.codes) || (len(m.linked) > 0) != (c.layouts == 0) {
			t.Errorf("%s: layouts %d, aligned to %d, warnings %v, %d links; want %d, %d, %v",
				c.name, p.Study.Measure.Layouts, p.Align, codes, len(m.linked), c.layouts, c.align, c.codes)
		}
	}
}

// A link takes what the fastest of three takes, each with a layout of its own, and those of
// a block share the CPUs. It is timed once for an artifact, unless it was slow.
func TestLinkTime(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		links     []time.Duration
		want      time.Duration // of a block: three links on two CPUs
		remembers bool
	}{
		{[]time.Duration{90 * ms, 20 * ms, 30 * ms}, 30 * ms, true},
		{[]time.Duration{20 * ms, 90 * ms, 30 * ms}, 30 * ms, true},
		{[]time.Duration{2200 * ms, 2100 * ms, 2300 * ms}, 2100 * ms * 3 / 2, false},
	} {
		m, memo := &made{links: c.links}, inMemory()
		var p *assay.Plan
		for range 2 {
			p = planned(oldNew(), oneSecond)
			settled(t, m, p, nil, memo, nil, func(s *surveyor) { s.FreshLinks = true }) // whatever they cost
			if p.Link != c.want {
				t.Errorf("links of %v: those of a block take %v, want %v", c.links, p.Link, c.want)
			}
		}
		want := map[bool]int{true: linkTries, false: 2 * linkTries}[c.remembers]
		if len(m.linked) != want || m.dropped != want {
			t.Errorf("links of %v: %d made and %d dropped, want %d", c.links, len(m.linked), m.dropped, want)
		}
		seen := map[uint64]bool{}
		for _, l := range m.linked {
			seen[l.Layout] = true
			if l.Artifact.ID != "id-old" || l.Align != funcAlign || l.Layout == 0 {
				t.Errorf("linked %+v, want the base, aligned", l)
			}
		}
		if len(seen) != linkTries {
			t.Errorf("links of %d layouts, want %d", len(seen), linkTries)
		}
	}
}

// A run that goes on makes no links to time them: it has those of the earlier run, and more
// as it has more variants.
func TestLinksOfEarlier(t *testing.T) {
	m := &made{links: []time.Duration{time.Hour}}
	p := planned(oldNew(), oneSecond)
	p.Variants = append(p.Variants, assay.Variant{Name: "newer"})
	settled(t, m, p, nil, Memo{}, &assay.Plan{Link: 300 * time.Millisecond, Align: 32, Variants: make([]assay.Variant, 3)})
	if p.Link != 400*time.Millisecond || p.Align != 32 || len(m.linked) > 0 {
		t.Errorf("links of %v, aligned to %d, %d made; want 400ms, 32 and none", p.Link, p.Align, len(m.linked))
	}
	p = planned(oldNew(), oneSecond)
	p.Study.Measure.Layouts = 1
	if settled(t, m, p, nil, Memo{}, nil); len(m.linked) > 0 {
		t.Errorf("%d links of a run with one layout", len(m.linked))
	}
}
