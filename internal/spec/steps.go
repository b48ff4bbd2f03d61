package spec

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2/unstable"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/spec/document"
)

const (
	inSteps = "[steps]"
	// maxSteps is the maximum number of steps, as in package milestone.
	maxSteps = 200
	// shortHash is the length of a hash in a step's name. Package milestone finds steps
	// with such names, and gives them the commit's subject.
	shortHash = 10
)

// A stepItem is the base or a step as it is written.
type stepItem struct {
	variant assay.Variant
	step    assay.Step
	version string
	t       *document.Table
}

// A chain is [steps] before it becomes part of the study.
type chain struct {
	steps assay.Steps
	base  *stepItem
	list  []stepItem
}

func stepsKeys(c *chain) document.Schema {
	return document.Schema{
		{Key: "base", Read: c.readBase, Write: c.writeBase},
		document.Text("range", &c.steps.Range, stepRange),
		document.Text("module", &c.steps.Module, modulePath),
		document.Number("every", &c.steps.Every),
		document.Text("touching", &c.steps.Touching, nonEmpty("names no file or folder")),
		document.Text("dir", &c.steps.Dir, localPath),
		{Key: "list", Read: c.readList, Write: c.writeList},
	}
}

// baseKeys are the keys of a variant except its place inside a build.
func baseKeys(i *stepItem) document.Schema {
	keys := variantKeys(&i.variant).Without("select")
	module := slices.IndexFunc(keys, func(f document.Field) bool { return f.Key == "module" })
	return slices.Insert(keys, module, document.Text("version", &i.version, nonEmpty("is no version")))
}

func stepKeys(i *stepItem) document.Schema {
	return append(baseKeys(i),
		document.String("phase", &i.step.Phase),
		document.Prose("story", &i.step.Story),
		document.Strings("watch", &i.step.Watch),
		document.String("view", &i.step.View),
		document.String("aside", &i.step.Aside),
	)
}

func (c *chain) readBase(e *document.Entry) error {
	if e.Value.Table == nil {
		return e.Wrong(`is not a table such as { name = "v1", rev = "v1.2.3" }`)
	}
	c.base = &stepItem{t: e.Value.Table}
	return c.base.t.Fill("base of "+inSteps, baseKeys(c.base))
}

func (c *chain) readList(e *document.Entry) error {
	if !e.Value.IsTables() {
		return e.Wrong(`is not a list of steps such as { name = "pool buffers", rev = "1a2b3c4" }`)
	}
	if n := len(e.Value.Items); n > maxSteps {
		return e.Wrong(fmt.Sprintf("has %d steps; at most %d are measured", n, maxSteps))
	}
	for _, item := range e.Value.Items {
		if item.Table == nil {
			return item.In(e).Wrong("is not a table")
		}
		i := stepItem{t: item.Table}
		if err := i.t.Fill("a step of "+inSteps, stepKeys(&i)); err != nil {
			return err
		}
		c.list = append(c.list, i)
	}
	return nil
}

// steps reads [steps], whose keys depend on each other.
func steps(s *assay.Study, root *document.Table) document.Setter {
	return func(e *document.Entry) error {
		c := &chain{}
		if err := document.One("steps", stepsKeys(c)).Read(e); err != nil {
			return err
		}
		t := e.Value.Table
		for _, check := range []func(*document.Table) error{c.checkSource, c.checkRange} {
			if err := check(t); err != nil {
				return err
			}
		}
		if err := c.settleBase(t, root.Find("base")); err != nil {
			return err
		}
		c.steps.Phases = stepsOf(s).Phases
		*s.Steps = c.steps
		s.Variants = append(s.Variants, c.base.variant)
		return addSteps(s, c.list, s.Steps.Module)
	}
}

// stepsOf returns the steps of the study, and creates them if [[phase]] comes first.
func stepsOf(s *assay.Study) *assay.Steps {
	if s.Steps == nil {
		s.Steps = &assay.Steps{}
	}
	return s.Steps
}

// checkSource checks that exactly one key says what the steps are.
func (c *chain) checkSource(t *document.Table) error {
	var found []*document.Entry
	for _, key := range []string{"list", "range", "dir"} {
		if e := t.Find(key); e != nil {
			found = append(found, e)
		}
	}
	switch len(found) {
	case 0:
		return document.Faultf(t.At, assay.CodeStudyKey, `%s has no steps: it needs one of list, range and dir`, inSteps)
	case 1:
		return nil
	}
	return document.Faultf(found[1].At, assay.CodeStudyKey, "%q cannot be combined with %s: both say what the steps are", found[1].Key, found[0].Key)
}

// checkRange checks the range, and refuses keys that need one.
func (c *chain) checkRange(t *document.Table) error {
	touching := t.Find("touching")
	if c.steps.Range == "" {
		if e := t.Find("every", "touching"); e != nil {
			return document.Faultf(e.At, assay.CodeStudyKey, "%q needs a range, and keeps a part of it", e.Key)
		}
		return nil
	}
	from, to, _ := strings.Cut(c.steps.Range, "..")
	e := t.Find("range")
	switch {
	case c.steps.Module == "":
		return nil
	case touching != nil:
		return document.Faultf(touching.At, assay.CodeStudyKey, `"touching" is for a range of commits, and module makes it one of versions`)
	case !semver.IsValid(from) || !semver.IsValid(to):
		return e.Wrong(`is not a range of versions such as "v1.2.0..v1.4.0", which module makes it`)
	}
	return nil
}

// settleBase gives the base of a range its source, and every base a name: its own, or
// "base".
func (c *chain) settleBase(t *document.Table, top *document.Entry) error {
	if c.base == nil {
		if c.steps.Range == "" {
			return document.Faultf(t.At, assay.CodeStudyKey, `%s has no base: write base = { rev = "…" }, or what else the steps are compared with`, inSteps)
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
	if top != nil && top.Value.Kind == unstable.String {
		b.variant.Name = cmp.Or(b.variant.Name, top.Value.Text)
		if b.variant.Name != top.Value.Text {
			return top.Wrong(fmt.Sprintf("is not the base of %s, which is %q", inSteps, b.variant.Name))
		}
	}
	return b.settleName("base")
}

// beginOf returns the base of a range that names none: where the range begins.
func beginOf(s *assay.Steps) assay.Variant {
	from, _, _ := strings.Cut(s.Range, "..")
	v := assay.Variant{Rev: from}
	if s.Module != "" {
		v = assay.Variant{Module: s.Module + "@" + from}
	}
	v.Name = sourceName(v)
	return v
}

// sourceName returns the name of a variant without one: its version or short revision.
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
		return i.t.Find("module").Wrong(besideRev)
	}
	if i.version == "" {
		return nil
	}
	e := i.t.Find("version")
	switch {
	case v.Module != "":
		return e.Wrong("cannot be combined with module, which has a version in it")
	case v.Rev != "":
		return e.Wrong(besideRev)
	case of == "":
		return e.Wrong("is of no module: add module = \"…\" to " + inSteps)
	}
	var err error
	if v.Module, err = ModuleVersion(of + "@" + i.version); err != nil {
		return e.Wrong("is not a version such as \"v1.2.3\"")
	}
	return nil
}

// settleName names a base or step without a name after its source.
func (i *stepItem) settleName(what string) error {
	v := &i.variant
	if v.Name == "" {
		v.Name = sourceName(*v)
	}
	if v.Name == "" {
		return document.Faultf(i.t.At, assay.CodeStudyKey, "%s has no name, nor a rev, module or version that could be it", what)
	}
	if _, err := VariantName(v.Name); err != nil {
		return document.Faultf(i.t.At, assay.CodeStudyValue, "%s has no name of its own, and %q %v", what, v.Name, err)
	}
	return nil
}

// addSteps adds steps and their variants to the study.
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
			if e := i.t.Find("name"); e != nil {
				return e.Wrong("is used twice")
			}
			return document.Faultf(i.t.At, assay.CodeStudyValue, "step has no name, and %q, which would be its name, is used twice", v.Name)
		}
		i.step.Variant = v.Name
		s.Variants, s.Steps.List = append(s.Variants, v), append(s.Steps.List, i.step)
	}
	return nil
}

func phaseKeys(p *assay.Phase, _ *document.Table) (string, document.Schema) {
	return "", document.Schema{document.Text("id", &p.ID, nonEmpty("is no id")), document.String("name", &p.Name)}
}

// checkPhase checks the phase that was read last.
func checkPhase(list []assay.Phase, t *document.Table) error {
	id := t.Find("id")
	switch {
	case id == nil:
		return document.Faultf(t.At, assay.CodeStudyKey, "[[phase]] has no id")
	case slices.Contains(phaseIDs(list[:len(list)-1]), id.Value.Text):
		return id.Wrong("is used twice")
	}
	return nil
}

func phaseIDs(phases []assay.Phase) (ids []string) {
	return namesOf(phases, func(p assay.Phase) string { return p.ID })
}

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

// checkBeside refuses tables that exclude steps or need them, before anything is read.
func checkBeside(root *document.Table) error {
	if root.Find("steps") != nil {
		if e := root.Find("variant", "factor", "by"); e != nil {
			return document.Faultf(e.At, assay.CodeStudyKey, "%s cannot be combined with %s, whose base and steps are the variants", e.Header(), inSteps)
		}
		return nil
	}
	if e := root.Find("gates"); e != nil {
		return document.Faultf(e.At, assay.CodeStudyKey, `[gates] is for the steps of %s; a limit for slowdowns is "gate" in [decide]`, inSteps)
	}
	if e := root.Find("phase"); e != nil {
		return document.Faultf(e.At, assay.CodeStudyKey, "%s needs %s", e.Header(), inSteps)
	}
	if decide := root.Find("decide"); decide != nil && decide.Value.Table != nil {
		if e := decide.Value.Table.Find("compare"); e != nil {
			return document.Faultf(e.At, assay.CodeStudyKey, `"compare" is for the steps of %s; all other variants are compared with the base`, inSteps)
		}
	}
	return nil
}

// checkSteps checks steps against other tables.
func checkSteps(s *assay.Study, root *document.Table) error {
	if s.Steps == nil {
		return nil
	}
	t := root.Find("steps").Value.Table
	items := []*document.Table{t}
	if e := t.Find("base"); e != nil {
		items[0] = e.Value.Table
	}
	if e := t.Find("list"); e != nil {
		for _, item := range e.Value.Items {
			items = append(items, item.Table)
		}
	}
	if e := t.Find("range"); e != nil && !UsesBuild(s, s.Variants[0]) {
		return document.Faultf(e.At, assay.CodeStudyKey, `"range" changes nothing: no command has %s in it, so nothing is built`, assay.PlaceBin)
	}
	for i, t := range items {
		if err := checkStep(s, i, t); err != nil {
			return err
		}
	}
	return nil
}

// checkStep checks the i-th variant, which is a step or, for 0, the base.
func checkStep(s *assay.Study, i int, t *document.Table) error {
	if i > 0 {
		if phase, ids := t.Find("phase"), phaseIDs(s.Steps.Phases); phase != nil && !slices.Contains(ids, phase.Value.Text) {
			return phase.Wrong("is no id of a [[phase]]" + orClose(phase.Value.Text, ids))
		}
	}
	return checkVariantBuilt(s, s.Variants[i], t)
}

// orClose returns "; did you mean ...?" if one of the words is close, else "".
func orClose(word string, words []string) string {
	if name := printable.NearestName(word, words); name != "" {
		return "; did you mean " + strconv.Quote(name) + "?"
	}
	return ""
}

// stepRange checks a range of commits or versions.
func stepRange(s string) (string, error) {
	from, to, ok := strings.Cut(s, "..")
	switch {
	case !ok || from == "":
		return "", errors.New(`is not a range such as "v1.2.0..v1.4.0"`)
	case strings.HasPrefix(to, "."):
		return "", errors.New("has three dots: a range of steps has two")
	case strings.HasPrefix(from, "-"), strings.HasPrefix(to, "-"), strings.Contains(to, ".."):
		return "", errors.New(`is not a range such as "v1.2.0..v1.4.0"`)
	case strings.ContainsFunc(s, func(r rune) bool { return r == ' ' || !unicode.IsPrint(r) }):
		return "", errors.New("has a blank in it")
	}
	return s, nil
}

// modulePath checks the path of a module without a version.
func modulePath(s string) (string, error) {
	if before, _, ok := strings.Cut(s, "@"); ok {
		return "", fmt.Errorf("has a version in it; write %q, and the versions with range, or version in a step", before)
	}
	if err := module.CheckPath(s); err != nil {
		return "", errors.New(`is not the path of a module such as "golang.org/x/perf"`)
	}
	return s, nil
}

// localPath checks the path of a folder below the study's.
func localPath(s string) (string, error) {
	if !filepath.IsLocal(s) || !fs.ValidPath(path.Clean(s)) {
		return "", errors.New("is not a folder below the study's")
	}
	return path.Clean(s), nil
}

func nonEmpty(problem string) func(string) (string, error) {
	return func(s string) (string, error) {
		if strings.TrimSpace(s) == "" {
			return "", errors.New(problem)
		}
		return s, nil
	}
}
