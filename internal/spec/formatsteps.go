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
		_, keys := phaseKeys(&p, nil)
		w.Section("[[phase]]", keys.Rows())
	}
	if s.Decide.Compare != assay.CompareBase {
		w.Comment("The steps of an optimisation, each compared with the one before and with the base.")
	}
	w.Section("[steps]", stepsKeys(chainOf(s)).Rows())
}

// chainOf returns the steps of a study as they are written.
func chainOf(s *assay.Study) *chain {
	c := &chain{steps: *s.Steps}
	byName := map[string]assay.Variant{}
	for i, v := range s.Variants {
		byName[v.Name] = v
		if i == 0 && (c.steps.Range == "" || !reflect.DeepEqual(v, beginOf(&c.steps))) {
			c.base = c.item(v, assay.Step{})
		}
	}
	if c.steps.Range == "" && c.steps.Dir == "" {
		for _, step := range c.steps.List {
			c.list = append(c.list, *c.item(byName[step.Variant], step))
		}
	}
	return c
}

// item returns the base or a step, with a version if its module is the one of the steps.
func (c *chain) item(v assay.Variant, step assay.Step) *stepItem {
	i := &stepItem{variant: v, step: step}
	if version, ok := strings.CutPrefix(v.Module, c.steps.Module+"@"); ok && c.steps.Module != "" {
		i.variant.Module, i.version = "", version
	}
	return i
}

func (c *chain) writeBase() string {
	if c.base == nil {
		return ""
	}
	return baseKeys(c.base).Rows().Inline()
}

func (c *chain) writeList() string {
	if c.steps.Range != "" || c.steps.Dir != "" {
		return ""
	}
	var text strings.Builder
	for _, i := range c.list {
		text.WriteString("\n  " + stepKeys(&i).Rows().Inline() + ",")
	}
	return "[" + text.String() + "\n]"
}
