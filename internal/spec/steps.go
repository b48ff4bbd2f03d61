package spec

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
	"golang.org/x/mod/semver"

	"github.com/seed-1318a441/assay"
)

const (
	inSteps = "[steps]"
	// maxSteps is how many steps may be listed, as in package milestone.
	maxSteps = 200
	// shortHash is how much of a hash a step is named after, as in package
	// milestone, which finds the steps by it that need the commit's subject.
	shortHash = 10
)

// A stepItem is the base or one of the steps as it is written.
type stepItem struct {
	variant assay.Variant
	step    assay.Step
	version string
	t       *table
}

// A chain is [steps] before it is a part of the study.
type chain struct {
	steps assay.Steps
	base  *stepItem
	list  []stepItem
}

func stepsKeys(c *chain) schema {
	return schema{
		"base":     c.readBase,
		"list":     c.readList,
		"range":    text(&c.steps.Range, stepRange),
		"every":    number(&c.steps.Every),
		"touching": text(&c.steps.Touching, nonEmpty("names no file or folder")),
		"module":   text(&c.steps.Module, modulePath),
		"dir":      text(&c.steps.Dir, localPath),
	}
}

// baseKeys are those of the base: of a variant, but for its place inside a
// build.
func baseKeys(i *stepItem) schema {
	keys := variantKeys(&i.variant)
	delete(keys, "select")
	keys["version"] = text(&i.version, nonEmpty("is no version"))
	return keys
}

func stepKeys(i *stepItem) schema {
	keys := baseKeys(i)
	maps.Copy(keys, schema{
		"phase": str(&i.step.Phase),
		"story": str(&i.step.Story),
		"watch": strs(&i.step.Watch),
		"view":  str(&i.step.View),
		"aside": str(&i.step.Aside),
	})
	return keys
}

func (c *chain) readBase(e *entry) error {
	if e.value.table == nil {
		return e.wrong(`is not a table such as { name = "v1", rev = "v1.2.3" }`)
	}
	c.base = &stepItem{t: e.value.table}
	return c.base.t.fill("base of "+inSteps, baseKeys(c.base))
}

func (c *chain) readList(e *entry) error {
	if !e.value.isTables() {
		return e.wrong(`is not a list of steps such as { name = "pool buffers", rev = "1a2b3c4" }`)
	}
	if n := len(e.value.items); n > maxSteps {
		return e.wrong(fmt.Sprintf("has %d steps; at most %d are measured", n, maxSteps))
	}
	for _, item := range e.value.items {
		if item.table == nil {
			return item.in(e).wrong("is not a table")
		}
		i := stepItem{t: item.table}
		if err := i.t.fill("a step of "+inSteps, stepKeys(&i)); err != nil {
			return err
		}
		c.list = append(c.list, i)
	}
	return nil
}

// steps reads [steps], whose keys need each other.
func steps(s *assay.Study, root *table) setter {
	return func(e *entry) error {
		c := &chain{}
		if err := one(stepsKeys(c))(e); err != nil {
			return err
		}
		t := e.value.table
		for _, check := range []func(*table) error{c.checkSource, c.checkRange} {
			if err := check(t); err != nil {
				return err
			}
		}
		if err := c.settleBase(t, root.find("base")); err != nil {
			return err
		}
		c.steps.Phases = stepsOf(s).Phases
		*s.Steps = c.steps
		s.Variants = append(s.Variants, c.base.variant)
		return addSteps(s, c.list, s.Steps.Module)
	}
}

// stepsOf is the steps of the study, made where [[phase]] comes first.
func stepsOf(s *assay.Study) *assay.Steps {
	if s.Steps == nil {
		s.Steps = &assay.Steps{}
	}
	return s.Steps
}

// checkSource holds that there is one place where the steps are.
func (c *chain) checkSource(t *table) error {
	var found []*entry
	for _, key := range []string{"list", "range", "dir"} {
		if e := t.find(key); e != nil {
			found = append(found, e)
		}
	}
	switch len(found) {
	case 0:
		return faultf(t.at, codeKey, `%s has no steps: it needs one of list, range and dir`, inSteps)
	case 1:
		return nil
	}
	return faultf(found[1].at, codeKey, "%q cannot stand beside %s: both say what the steps are", found[1].key, found[0].key)
}

// checkRange checks the range, and refuses keys that need one.
func (c *chain) checkRange(t *table) error {
	touching := t.find("touching")
	if c.steps.Range == "" {
		for _, key := range []string{"every", "touching"} {
			if e := t.find(key); e != nil {
				return faultf(e.at, codeKey, "%q needs a range, of which it keeps a part", key)
			}
		}
		return nil
	}
	from, to, _ := strings.Cut(c.steps.Range, "..")
	e := t.find("range")
	switch {
	case c.steps.Module == "":
		return nil
	case touching != nil:
		return faultf(touching.at, codeKey, `"touching" is for a range of commits, and module makes it one of versions`)
	case !semver.IsValid(from) || !semver.IsValid(to):
		return e.wrong(`is not a range of versions such as "v1.2.0..v1.4.0", which module makes it`)
	}
	return nil
}

// settleBase gives the base of a range its source, and every base a name,
// which "base" at the top of the file may be.
func (c *chain) settleBase(t *table, top *entry) error {
	if c.base == nil {
		if c.steps.Range == "" {
			return faultf(t.at, codeKey, `%s has no base: write base = { rev = "…" }, or what else the steps are compared with`, inSteps)
		}
		c.base = &stepItem{t: t}
	}
	b := c.base
	if err := b.settleSource(c.steps.Module); err != nil {
		return err
	}
	if c.steps.Range != "" && b.variant.Rev+b.variant.Module == "" {
		from := beginOf(&c.steps)
		b.variant.Rev, b.variant.Module = from.Rev, from.Module
	}
	if top != nil && top.value.kind == unstable.String {
		b.variant.Name = cmp.Or(b.variant.Name, top.value.text)
		if b.variant.Name != top.value.text {
			return top.wrong(fmt.Sprintf("is not the base of %s, which is %q", inSteps, b.variant.Name))
		}
	}
	return b.settleName("base")
}

// beginOf is the base of a range that names none: where the range begins.
func beginOf(s *assay.Steps) assay.Variant {
	from, _, _ := strings.Cut(s.Range, "..")
	v := assay.Variant{Rev: from}
	if s.Module != "" {
		v = assay.Variant{Module: s.Module + "@" + from}
	}
	v.Name = sourceName(v)
	return v
}

// sourceName is the name of a variant that has none: its version, or its
// revision as people are shown it.
func sourceName(v assay.Variant) string {
	if _, version, ok := strings.Cut(v.Module, "@"); ok {
		return version
	}
	if fullHash.MatchString(v.Rev) {
		return v.Rev[:shortHash]
	}
	return v.Rev
}

var fullHash = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

// settleSource makes a module of the version, and refuses two sources.
func (i *stepItem) settleSource(of string) error {
	v := &i.variant
	if v.Rev != "" && v.Module != "" {
		return i.t.find("module").wrong(besideRev)
	}
	if i.version == "" {
		return nil
	}
	e := i.t.find("version")
	switch {
	case v.Module != "":
		return e.wrong("cannot stand beside module, which has a version in it")
	case v.Rev != "":
		return e.wrong(besideRev)
	case of == "":
		return e.wrong("is of no module: add module = \"…\" to " + inSteps)
	}
	var err error
	if v.Module, err = ModuleVersion(of + "@" + i.version); err != nil {
		return e.wrong("is not a version such as \"v1.2.3\"")
	}
	return nil
}

// settleName gives what has no name that of its source.
func (i *stepItem) settleName(what string) error {
	v := &i.variant
	if v.Name == "" {
		v.Name = sourceName(*v)
	}
	if v.Name == "" {
		return faultf(i.t.at, codeKey, "%s has no name, nor a rev, module or version that could be it", what)
	}
	if _, err := VariantName(v.Name); err != nil {
		return faultf(i.t.at, codeValue, "%s has no name of its own, and %q %v", what, v.Name, err)
	}
	return nil
}

// addSteps adds steps to the study, and the variants that they are.
func addSteps(s *assay.Study, list []stepItem, module string) error {
	for _, i := range list {
		if err := i.settleSource(module); err != nil {
			return err
		}
		if err := i.settleName("step"); err != nil {
			return err
		}
		v := i.variant
		if slices.Contains(VariantNames(s.Variants), v.Name) {
			if e := i.t.find("name"); e != nil {
				return e.wrong("is used twice")
			}
			return faultf(i.t.at, codeValue, "step has no name, and %q, which would be its name, is used twice", v.Name)
		}
		i.step.Variant = v.Name
		s.Variants, s.Steps.List = append(s.Variants, v), append(s.Steps.List, i.step)
	}
	return nil
}

func phaseKeys(p *assay.Phase) schema {
	return schema{"id": text(&p.ID, nonEmpty("is no id")), "name": str(&p.Name)}
}

func newPhase(s *assay.Study) func(*table) (string, schema) {
	return func(*table) (string, schema) {
		phases := &stepsOf(s).Phases
		*phases = append(*phases, assay.Phase{})
		return "[[phase]]", phaseKeys(&(*phases)[len(*phases)-1])
	}
}

// finishPhase checks the phase that was read last.
func finishPhase(s *assay.Study) func(*table) error {
	return func(t *table) error {
		phases := s.Steps.Phases
		id := t.find("id")
		switch {
		case id == nil:
			return faultf(t.at, codeKey, "[[phase]] has no id")
		case slices.Contains(phaseIDs(phases[:len(phases)-1]), id.value.text):
			return id.wrong("is used twice")
		}
		return nil
	}
}

func phaseIDs(phases []assay.Phase) (ids []string) {
	for _, p := range phases {
		ids = append(ids, p.ID)
	}
	return ids
}
