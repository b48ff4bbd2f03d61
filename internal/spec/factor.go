package spec

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/knobs"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/spec/document"
)

// maxCrossed is the maximum number of variants of a matrix.
const maxCrossed = 200

// variantFactor is the name of the factor made of listed variants when they are crossed.
const variantFactor = "variant"

// levelMark separates the level names in the name of a crossed variant.
const levelMark = "/"

// factorKeys are the keys of the factor in t. Its env or build says what plain levels are
// values of, and can follow the levels.
func factorKeys(f *assay.Factor, t *document.Table) document.Schema {
	variable := func(kind string, check func(string) error) document.Field {
		return document.Field{Key: kind, Read: document.Text(kind, new(string), func(s string) (string, error) {
			if s == "GOTOOLCHAIN" {
				return "", errors.New("cannot be: it is set by assay itself; " + toolchainLevel("go1.26.8"))
			}
			if check(s) != nil {
				return "", fmt.Errorf("cannot be: %w", check(s))
			}
			return s, nil
		}).Read, Write: func() string {
			k, name := variableOf(*f)
			if k != kind || name == "" || kind == "env" && name == f.Name && slices.Contains(sweeps, name) {
				return ""
			}
			return document.Quote(name)
		}}
	}
	return document.Schema{
		document.Text("name", &f.Name, factorName),
		variable("env", checkRunVar),
		variable("build", checkBuildVar),
		levels(f, t),
	}
}

func factorName(s string) (string, error) {
	if strings.TrimSpace(s) != s || s == "" || strings.ContainsAny(s, "\n\r") {
		return "", errors.New("is no name for a factor")
	}
	return s, nil
}

func levelName(s string) (string, error) {
	switch {
	case s == "":
		return "", errors.New("is no name for a level")
	case strings.TrimSpace(s) != s || strings.ContainsAny(s, "\n\r"):
		return "", errors.New("has a blank at its end or a line break in it")
	case strings.Contains(s, levelMark):
		return "", fmt.Errorf("has a %q in it, which stands between levels in the names of variants", levelMark)
	case s == assay.ControlName:
		return "", errors.New("is reserved for the base's second appearance")
	}
	return s, nil
}

// LevelName checks the name of a level.
func LevelName(s string) error {
	_, err := levelName(s)
	return err
}

// levels are the levels of a factor: tables, or plain values of a variable.
func levels(f *assay.Factor, t *document.Table) document.Field {
	return document.Field{Key: "levels", Read: func(e *document.Entry) error {
		if e.Value.Kind != unstable.Array {
			return e.Wrong("is not a list of levels")
		}
		for _, item := range e.Value.Items {
			read := plainLevel
			if item.Kind == unstable.Table {
				read = tableLevel
			}
			l, err := read(item.In(e), t)
			if err == nil {
				err = newLevel(f, l, item.In(e))
			}
			if err != nil {
				return err
			}
		}
		return nil
	}, Write: func() string { return formatLevels(*f) }}
}

func tableLevel(e *document.Entry, _ *document.Table) (l assay.Level, err error) {
	t := e.Value.Table
	keys := append(document.Schema{document.Text("name", &l.Setting.Name, levelName)}, variantKeys(&l.Setting).Without("name", "run", "select")...)
	if err := t.Fill("a level of [[factor]]", keys); err != nil {
		return l, err
	}
	if l.Setting.Name == "" {
		return l, document.Faultf(t.At, assay.CodeStudyKey, "a level has no name")
	}
	if l.Setting.Rev != "" && l.Setting.Module != "" {
		return l, t.Find("module").Wrong(besideRev)
	}
	l.Name, l.Setting.Name = l.Setting.Name, ""
	return l, nil
}

// toolchainLevel says how a level of a factor is a toolchain, which is no variable.
func toolchainLevel(name string) string {
	return fmt.Sprintf("write levels = [{ name = %[1]q, go = %[1]q }, ...], without env and build", name)
}

// plainLevel reads a number or a text as the value of the factor's variable.
func plainLevel(e *document.Entry, t *document.Table) (l assay.Level, err error) {
	value, err := plainValue(e)
	if err != nil {
		return l, err
	}
	kind, name := plainVariable(t)
	switch {
	case toolchainName.MatchString(value): // also beside env = "toolchain"
		return l, e.Wrong("is a toolchain, not the value of a variable; " + toolchainLevel(value))
	case name == "":
		return l, e.Wrong(`is not a table such as { name = "…", experiment = ["…"] }; for plain values the factor needs env = "…" or build = "…"`)
	case kind == "env":
		l.Setting.Env = map[string]string{name: value}
	default:
		l.Setting.Build = map[string]string{name: value}
	}
	if err := knobs.CheckRunVariable(name, value); err != nil {
		return l, e.Wrong(err.Error())
	}
	if l.Name, err = levelName(value); err != nil {
		return l, e.Wrong(err.Error() + "; a table can give it another name")
	}
	return l, nil
}

var plainDecimal = regexp.MustCompile(`^-?[0-9]+\.[0-9]+$`)

// plainValue returns the text that a program finds in a variable.
func plainValue(e *document.Entry) (string, error) {
	switch n, isInt := e.Value.Integer(); {
	case isInt:
		return strconv.FormatInt(n, 10), nil
	case e.Value.Kind == unstable.String, e.Value.Kind == unstable.Float && plainDecimal.MatchString(e.Value.Text):
		return e.Value.Text, nil
	}
	return "", e.Wrong("is neither a table, nor a number, nor text in quotes")
}

// sweeps are the run variables that a factor can be named after.
var sweeps = []string{"GOGC", "GOMEMLIMIT", "GOMAXPROCS"}

// plainVariable returns the variable of a factor's plain levels and its kind, "env" or
// "build". The name is "" if the factor names none.
func plainVariable(t *document.Table) (kind, name string) {
	if e := t.Find("env", "build"); e != nil {
		return e.Key, e.Value.Text
	}
	if e := t.Find("name"); e != nil && slices.Contains(sweeps, e.Value.Text) {
		return "env", e.Value.Text
	}
	return "", ""
}

// newLevel adds a level that differs from those before it.
func newLevel(f *assay.Factor, l assay.Level, e *document.Entry) error {
	for _, before := range f.Levels {
		switch {
		case before.Name == l.Name:
			return document.Faultf(e.Value.At, assay.CodeStudyValue, "level %q is named twice", l.Name)
		case !before.Setting.SameBuild(l.Setting) || !before.Setting.SameRun(l.Setting):
		case len(settings(l.Setting)) == 0:
			return document.Faultf(e.Value.At, assay.CodeStudyValue, "level %q sets nothing, and neither does %q", l.Name, before.Name)
		default:
			return document.Faultf(e.Value.At, assay.CodeStudyValue, "level %q sets the same as %q", l.Name, before.Name)
		}
	}
	f.Levels = append(f.Levels, l)
	return nil
}

// checkFactor checks the factor that was read last, and names it after its variable.
func checkFactor(list []assay.Factor, t *document.Table) error {
	f, before := &list[len(list)-1], list[:len(list)-1]
	kind, variable := plainVariable(t)
	if f.Name == "" {
		f.Name = variable
	}
	switch e := t.Find(kind); {
	case f.Name == "":
		return document.Faultf(t.At, assay.CodeStudyKey, "[[factor]] has no name")
	case slices.ContainsFunc(before, func(g assay.Factor) bool { return g.Name == f.Name }):
		return document.Faultf(t.At, assay.CodeStudyValue, "factor name %q is used twice", f.Name)
	case t.Find("env") != nil && t.Find("build") != nil:
		return t.Find("build").Wrong("cannot be combined with env: levels are values of one variable")
	case len(f.Levels) < 2:
		return document.Faultf(t.At, assay.CodeStudyValue, "factor %q needs two levels or more", f.Name)
	case e != nil && !slices.ContainsFunc(t.Find("levels").Value.Items, func(v document.Value) bool { return v.Kind != unstable.Table }):
		return e.Wrong("is for levels that are plain values, and all are tables")
	}
	return nil
}

// settings names what a variant sets and another variant would replace or extend. Two
// variants can both set a list such as "experiment": lists are joined.
func settings(v assay.Variant) []string {
	var out []string
	for _, x := range []struct {
		name string
		set  bool
	}{
		{"go", v.Go != ""}, {"the source", v.Rev+v.Module != ""}, {"pgo", v.PGO != ""}, {"modfile", v.ModFile != ""}, {"experiment", len(v.Experiment) > 0},
		{"gcflags", len(v.GCFlags) > 0}, {"ldflags", len(v.LDFlags) > 0}, {"tags", len(v.Tags) > 0},
	} {
		if x.set {
			out = append(out, x.name)
		}
	}
	return slices.Concat(out, slices.Sorted(maps.Keys(v.Build)), slices.Sorted(maps.Keys(v.Env)), slices.Sorted(maps.Keys(v.Secrets)))
}

func factorSettings(f assay.Factor) []string {
	var out []string
	for _, l := range f.Levels {
		out = append(out, settings(l.Setting)...)
	}
	return out
}

// sharedSetting returns a setting that both lists have and only one can have.
func sharedSetting(a, b []string) string {
	joined := []string{"experiment", "gcflags", "ldflags", "tags"}
	for _, name := range a {
		if slices.Contains(b, name) && !slices.Contains(joined, name) {
			return name
		}
	}
	return ""
}

// checkFactors checks the factors together, and the variants that they multiply.
func checkFactors(s *assay.Study, root *document.Table) error {
	if len(s.Factors) == 0 {
		return nil
	}
	tables := root.Find("factor").Value.Items
	if s.By != nil {
		return document.Faultf(tables[0].At, assay.CodeStudyKey, "[[factor]] cannot be combined with [by], whose variants are inside one build")
	}
	for i, f := range s.Factors {
		if len(s.Variants) > 0 && f.Name == variantFactor {
			return document.Faultf(tables[i].At, assay.CodeStudyValue, "factor name %q is taken: the listed variants use it", f.Name)
		}
		if what := clashingFactor(s, i); what != "" {
			return document.Faultf(tables[i].At, assay.CodeStudyValue, "factor %q sets %s", f.Name, what)
		}
	}
	if err := checkSize(s, tables[0].At); err != nil {
		return err
	}
	return checkCrossedBase(s, root)
}

// clashingFactor says who else sets what the i-th factor sets.
func clashingFactor(s *assay.Study, i int) string {
	mine := factorSettings(s.Factors[i])
	for _, f := range s.Factors[:i] {
		if name := sharedSetting(mine, factorSettings(f)); name != "" {
			return fmt.Sprintf("%s, and so does factor %q", name, f.Name)
		}
	}
	for _, v := range s.Variants {
		if name := sharedSetting(mine, settings(v)); name != "" {
			return fmt.Sprintf("%s, and so does variant %q", name, v.Name)
		}
	}
	return ""
}

// checkSize limits the variants.
func checkSize(s *assay.Study, at document.Position) error {
	product := max(len(s.Variants), 1)
	for _, f := range s.Factors {
		product = min(product*len(f.Levels), 1e9) // no overflow
	}
	if product <= maxCrossed {
		return nil
	}
	count := strconv.Itoa(product)
	if product == 1e9 {
		count = "over a billion"
	}
	return document.Faultf(at, assay.CodeStudyValue, "%s variants; at most %d are crossed", count, maxCrossed)
}

// checkCrossedBase checks that the base names a level of every factor, after the variant
// if variants are listed. A listed variant alone stands for the first level of each.
func checkCrossedBase(s *assay.Study, root *document.Table) error {
	e := root.Find("base")
	if e == nil || slices.Contains(VariantNames(s.Variants), s.Base) {
		return nil
	}
	parts, dimensions := strings.Split(s.Base, levelMark), baseParts(s)
	if n := len(parts) - len(s.Factors); len(s.Variants) > 0 && n > 1 {
		// The name of a variant may have a slash; those of levels have none.
		parts = append([]string{strings.Join(parts[:n], levelMark)}, parts[n:]...)
	}
	if len(parts) != len(dimensions) {
		return e.Wrong(fmt.Sprintf("is not a variant; one is written %q", crossedBase(s)))
	}
	for i, d := range dimensions {
		if slices.Contains(d.names, parts[i]) {
			continue
		}
		problem := fmt.Sprintf("is not a variant: %q is no %s", parts[i], d.what)
		if name := printable.NearestName(parts[i], d.names); name != "" {
			parts[i] = name
			return e.Wrong(problem + "; did you mean " + strconv.Quote(strings.Join(parts, levelMark)) + "?")
		}
		return e.Wrong(problem + "; it has " + strings.Join(d.names, ", "))
	}
	return nil
}

// A dimension holds the values of one part of a crossed variant's name.
type dimension struct {
	what  string
	names []string
}

func baseParts(s *assay.Study) []dimension {
	var out []dimension
	if len(s.Variants) > 0 {
		out = append(out, dimension{"[[variant]]", VariantNames(s.Variants)})
	}
	for _, f := range s.Factors {
		levels := namesOf(f.Levels, func(l assay.Level) string { return l.Name })
		out = append(out, dimension{fmt.Sprintf("level of %q", f.Name), levels})
	}
	return out
}

// crossedBase returns the base of a study that names none: the first of each dimension.
func crossedBase(s *assay.Study) string {
	return strings.Join(namesOf(baseParts(s), func(d dimension) string { return d.names[0] }), levelMark)
}
