package design

import (
	"testing"

	"github.com/seed-1318a441/assay"
)

// What a plan settles is found out again; what somebody changed is not.
func TestAsked(t *testing.T) {
	study := func(change func(s *assay.Study)) assay.Study {
		s := assay.Study{Name: "s", Variants: []assay.Variant{{Name: "a"}, {Name: "b"}}, Workloads: []assay.Workload{{Kind: assay.KindGoTest}}}
		s.SetDefaults()
		change(&s)
		return s
	}
	for _, c := range []struct {
		name    string
		asked   func(s *assay.Study)
		settle  func(p *assay.Plan)
		ok      bool
		layouts int
		base    string
	}{
		{"as it was", func(s *assay.Study) {}, func(p *assay.Plan) {}, true, 0, "a"},
		{"platform", func(s *assay.Study) {}, func(p *assay.Plan) { p.Study.Measure.GOMAXPROCS = 4 }, true, 0, "a"},
		{"layouts settled", func(s *assay.Study) {}, func(p *assay.Plan) { p.Study.Measure.Layouts = 1 }, true, 0, "a"},
		{"layouts asked", func(s *assay.Study) { s.Measure.Layouts = 1 }, func(p *assay.Plan) {}, true, 1, "a"},
		{"base found", func(s *assay.Study) { s.By, s.Base = &assay.By{Key: "/x"}, "a" }, func(p *assay.Plan) { p.Study.Base = "x=1" }, true, 0, "a"},
		{"no base asked", func(s *assay.Study) { s.By, s.Base = &assay.By{Key: "/x"}, "" }, func(p *assay.Plan) { p.Study.Base = "x=1" }, true, 0, ""},
		{"another base", func(s *assay.Study) {}, func(p *assay.Plan) { p.Study.Base = "b" }, false, 0, ""},
		{"other layouts", func(s *assay.Study) { s.Measure.Layouts = 1 }, func(p *assay.Plan) { p.Study.Measure.Layouts = 0 }, false, 0, ""},
		{"another margin", func(s *assay.Study) {}, func(p *assay.Plan) { p.Study.Decide.MinEffect = 0.5 }, false, 0, ""},
	} {
		s := study(c.asked)
		p := &assay.Plan{Study: s, StudyHash: StudyHash(&s)}
		c.settle(p)
		got, ok := Asked(p)
		if ok != c.ok || ok && (got.Measure.Layouts != c.layouts || got.Base != c.base) {
			t.Errorf("%s: got %+v, %v", c.name, got, ok)
		}
	}
}
