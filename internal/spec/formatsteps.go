package spec

import (
	"reflect"
	"strings"

	"github.com/seed-1318a441/assay"
)

// writeSteps writes the phases and [steps].
func writeSteps(w *tomlWriter, s *assay.Study) {
	if s.Steps == nil {
		return
	}
	for _, p := range s.Steps.Phases {
		w.section("[[phase]]", rows{}.str("id", p.ID).str("name", p.Name)...)
	}
	if s.Decide.Compare != assay.CompareBase {
		w.comment("The steps of an optimisation, each compared with the one before and with the base.")
	}
	w.section("[steps]", stepsRows(s)...)
}

func stepsRows(s *assay.Study) rows {
	st := s.Steps
	var r rows
	byName := map[string]assay.Variant{}
	for i, v := range s.Variants {
		byName[v.Name] = v
		if i == 0 && (st.Range == "" || !reflect.DeepEqual(v, beginOf(st))) {
			r = r.inner("base", itemRows(v, st.Module))
		}
	}
	r = r.str("range", st.Range).str("module", st.Module).number("every", st.Every).str("touching", st.Touching).str("dir", st.Dir)
	if st.Range != "" || st.Dir != "" {
		return r
	}
	var text strings.Builder
	text.WriteString("[")
	for _, step := range st.List {
		item := itemRows(byName[step.Variant], st.Module).str("phase", step.Phase).prose("story", step.Story)
		item = item.list("watch", step.Watch).str("view", step.View).str("aside", step.Aside)
		text.WriteString("\n  " + item.inline() + ",")
	}
	return r.add("list", text.String()+"\n]", "")
}

// itemRows is a variant as the base or a step has it, with the version alone
// where its module is that of the steps.
func itemRows(v assay.Variant, module string) rows {
	r := variantRows(v, false)
	for i := range r {
		if version, ok := strings.CutPrefix(v.Module, module+"@"); ok && module != "" && r[i].key == "module" {
			r[i] = row{key: "version", value: tomlString(version)}
		}
	}
	return r
}

func gatesRows(g assay.Gates) rows {
	r := rows{}.str("api", g.API).str("tests", g.Tests).str("unsafe", g.Unsafe).str("vet", g.Vet).str("race", g.Race)
	return r.str("allocs", g.Allocs).str("against", g.Against)
}
