package spec

import (
	"reflect"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/spec/document"
)

// writeSteps writes the phases and [steps].
func writeSteps(w *document.Writer, s *assay.Study) {
	if s.Steps == nil {
		return
	}
	for _, p := range s.Steps.Phases {
		w.Section("[[phase]]", document.Rows{}.Str("id", p.ID).Str("name", p.Name)...)
	}
	if s.Decide.Compare != assay.CompareBase {
		w.Comment("The steps of an optimisation, each compared with the one before and with the base.")
	}
	w.Section("[steps]", stepsRows(s)...)
}

func stepsRows(s *assay.Study) document.Rows {
	st := s.Steps
	var r document.Rows
	byName := map[string]assay.Variant{}
	for i, v := range s.Variants {
		byName[v.Name] = v
		if i == 0 && (st.Range == "" || !reflect.DeepEqual(v, beginOf(st))) {
			r = r.Inner("base", itemRows(v, st.Module))
		}
	}
	r = r.Str("range", st.Range).Str("module", st.Module).Number("every", st.Every).Str("touching", st.Touching).Str("dir", st.Dir)
	if st.Range != "" || st.Dir != "" {
		return r
	}
	var text strings.Builder
	text.WriteString("[")
	for _, step := range st.List {
		item := itemRows(byName[step.Variant], st.Module).Str("phase", step.Phase).Prose("story", step.Story)
		item = item.List("watch", step.Watch).Str("view", step.View).Str("aside", step.Aside)
		text.WriteString("\n  " + item.Inline() + ",")
	}
	return r.Add("list", text.String()+"\n]", "")
}

// itemRows is a variant as the base or a step has it, with the version alone
// where its module is that of the steps.
func itemRows(v assay.Variant, module string) document.Rows {
	r := variantRows(v, false)
	for i := range r {
		if version, ok := strings.CutPrefix(v.Module, module+"@"); ok && module != "" && r[i].Key == "module" {
			r[i] = document.Row{Key: "version", Value: document.Quote(version)}
		}
	}
	return r
}

func gatesRows(g assay.Gates) document.Rows {
	r := document.Rows{}.Str("api", g.API).Str("tests", g.Tests).Str("unsafe", g.Unsafe).Str("vet", g.Vet).Str("race", g.Race)
	return r.Str("allocs", g.Allocs).Str("against", g.Against)
}
