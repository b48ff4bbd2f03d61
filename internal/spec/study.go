package spec

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
)

// decodeStudy reads the whole file and then checks what more than one table
// has to say about.
func decodeStudy(root *table) (*assay.Study, error) {
	s := &assay.Study{}
	if err := checkBeside(root); err != nil {
		return nil, err
	}
	if err := root.fill("", studyKeys(s, root)); err != nil {
		return nil, err
	}
	for _, check := range []func(*assay.Study, *table) error{checkVariants, checkFactors, checkWorkloads, checkSteps, checkSuite, checkMetrics} {
		if err := check(s, root); err != nil {
			return nil, err
		}
	}
	if len(s.Workloads) == 0 {
		s.Workloads = []assay.Workload{{Kind: assay.KindGoTest}}
	}
	SetDefaults(s)
	if err := s.Validate(); err != nil {
		return nil, faultf(root.at, codeValue, "%v", err)
	}
	return s, nil
}

// SetDefaults is Study.SetDefaults, but for the base of variants that are
// found out later, or are yet to be crossed.
func SetDefaults(s *assay.Study) {
	if s.Base == "" && s.Uncrossed() {
		s.Base = crossedBase(s)
	}
	base := s.Base
	s.SetDefaults()
	if s.By != nil {
		s.Base = base
	}
}

func studyKeys(s *assay.Study, root *table) schema {
	return schema{
		"name":     str(&s.Name),
		"question": str(&s.Question),
		"base":     str(&s.Base),
		"only":     text(&s.Only, only),
		"seed":     seed(&s.Measure.Seed),
		"source":   source(&s.Source),
		"variant":  many(newVariant(s), finishVariant(s)),
		"factor":   many(newFactor(s), finishFactor(s)),
		"by":       by(s),
		"workload": many(newWorkload(s), func(*table) error { return nil }),
		"machine":  many(newMachine, oneMachine()),
		"decide":   one(decideKeys(&s.Decide)),
		"measure":  one(measureKeys(&s.Measure)),
		"steps":    steps(s, root),
		"phase":    many(newPhase(s), finishPhase(s)),
		"gates":    one(gatesKeys(&s.Gates)),
		"report":   one(reportKeys(&s.Report)),
		"explain":  one(explainKeys(&s.Explain)),
	}
}

// homeOf says where a key belongs, as "in [decide]", where there is just one
// such place.
func homeOf(key string) string {
	switch key {
	case "base", "only", "question", "seed":
		return "at the top of the file"
	}
	var s assay.Study
	homes := map[string]schema{
		"[source]": sourceKeys(&s.Source), "[[variant]]": variantKeys(&assay.Variant{}), "[by]": byKeys(&assay.By{}),
		"[[factor]]": factorKeys(&assay.Factor{}, &table{}), "[decide]": decideKeys(&s.Decide), "[measure]": measureKeys(&s.Measure),
		"[gates]": gatesKeys(&s.Gates), "[report]": reportKeys(&s.Report),
		"[explain]": explainKeys(&s.Explain),
	}
	found := homesIn(homes, key)
	if home := workloadHome(key); home != "" {
		found = append(found, home)
	}
	if len(found) == 0 {
		// Steps have the keys of variants, which is where those belong.
		found = homesIn(map[string]schema{inSteps: stepsKeys(&chain{}), "a step of " + inSteps: stepKeys(&stepItem{}), "[[phase]]": phaseKeys(&assay.Phase{})}, key)
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

func homesIn(homes map[string]schema, key string) (found []string) {
	for where, keys := range homes {
		if _, ok := keys[key]; ok {
			found = append(found, "in "+where)
		}
	}
	return found
}

func sourceKeys(s *assay.Source) schema {
	return schema{
		"dir":     str(&s.Dir),
		"repo":    str(&s.Dir),
		"go":      text(&s.Go, toolchain),
		"package": text(&s.Package, MainPackage),
		"overlay": overlay(s),
		"hide":    hide(&s.Hide),

		"benchmarks_from": text(&s.BenchmarksFrom, nonEmpty("names no revision")),
		"suite":           text(&s.Suite, suite),
	}
}

func variantKeys(v *assay.Variant) schema {
	return schema{
		"name":       text(&v.Name, VariantName),
		"go":         text(&v.Go, toolchain),
		"rev":        str(&v.Rev),
		"module":     text(&v.Module, ModuleVersion),
		"experiment": words(&v.Experiment),
		"gcflags":    strs(&v.GCFlags),
		"ldflags":    strs(&v.LDFlags),
		"tags":       words(&v.Tags),
		"pgo":        text(&v.PGO, Profile),
		"build":      pairs(&v.Build, checkBuildVar),
		"env":        runVars(&v.Env),
		"run":        commandLine(&v.Run, CommandMarks...),
		"select":     str(&v.Select),
	}
}

// only checks which fraction of the crossing is asked for.
func only(s string) (string, error) {
	if s != assay.OnlyMainEffects {
		return "", fmt.Errorf("is not known to this assay; it has %q", assay.OnlyMainEffects)
	}
	return s, nil
}

func newVariant(s *assay.Study) func(*table) (string, schema) {
	return func(*table) (string, schema) {
		s.Variants = append(s.Variants, assay.Variant{})
		return "[[variant]]", variantKeys(&s.Variants[len(s.Variants)-1])
	}
}

const besideRev = "cannot stand beside rev: both say where the code comes from"

// finishVariant checks the variant that was read last.
func finishVariant(s *assay.Study) func(*table) error {
	return func(t *table) error {
		v := s.Variants[len(s.Variants)-1]
		name := t.find("name")
		if name == nil {
			return faultf(t.at, codeKey, "[[variant]] has no name")
		}
		if slices.ContainsFunc(s.Variants[:len(s.Variants)-1], func(w assay.Variant) bool { return w.Name == v.Name }) {
			return name.wrong("is used twice")
		}
		if v.Rev != "" && v.Module != "" {
			return t.find("module").wrong(besideRev)
		}
		return nil
	}
}

// VariantName checks the name of a variant.
func VariantName(s string) (string, error) {
	switch {
	case strings.TrimSpace(s) == "":
		return "", errors.New("is no name")
	case s == assay.ControlName:
		return "", errors.New("is reserved for the base's second appearance")
	case strings.ContainsAny(s, "\n\r"):
		return "", errors.New("has a line break in it")
	}
	return s, nil
}

// checkVariants checks the base and the number of variants, with or without
// [by].
func checkVariants(s *assay.Study, root *table) error {
	if s.By != nil {
		return checkBy(s, root)
	}
	for i, v := range s.Variants {
		if v.Select != "" {
			e := root.find("variant").value.items[i].table.find("select")
			return faultf(e.at, codeKey, `"select" needs a [by] that says what to select by`)
		}
	}
	switch {
	case len(s.Factors) > 0:
		return nil // checkFactors knows the base
	case len(s.Variants) == 0:
		return faultf(root.at, codeKey, "study has neither [[variant]] nor [[factor]] nor [by] nor [steps]")
	}
	return checkBase(root, VariantNames(s.Variants))
}

// VariantNames are the names of variants, in their order.
func VariantNames(vs []assay.Variant) []string {
	var names []string
	for _, v := range vs {
		names = append(names, v.Name)
	}
	return names
}

func checkBase(root *table, names []string) error {
	e := root.find("base")
	if e == nil || slices.Contains(names, e.value.text) {
		return nil
	}
	return e.wrong("is not a variant" + orClose(e.value.text, names))
}

// checkBy leaves one variant, the build, unless the variants are written out
// with what each of them selects.
func checkBy(s *assay.Study, root *table) error {
	selected := 0
	for _, v := range s.Variants {
		if v.Select != "" {
			selected++
		}
	}
	switch {
	case len(s.Variants) == 0:
		s.Variants = []assay.Variant{BuildOnly()}
	case selected == len(s.Variants):
		return checkBase(root, VariantNames(s.Variants))
	case selected > 0 || len(s.Variants) > 1:
		return faultf(root.find("variant").at, codeKey, "with [by] there is one [[variant]], the build, or each has its select")
	}
	if len(s.By.Names) > 0 {
		return checkBase(root, s.By.Names)
	}
	return nil
}

// BuildOnly is the variant whose sub-benchmarks are compared, where nobody
// says how it is to be built.
func BuildOnly() assay.Variant { return assay.Variant{Name: WorkingTree} }

func by(s *assay.Study) setter {
	return func(e *entry) error {
		s.By = &assay.By{}
		if err := one(byKeys(s.By))(e); err != nil {
			return err
		}
		if s.By.Key == "" {
			return faultf(e.at, codeKey, "[by] has no key")
		}
		return nil
	}
}

func byKeys(b *assay.By) schema {
	return schema{"key": text(&b.Key, ByKey), "names": strs(&b.Names)}
}

var subKey = regexp.MustCompile(`^/[\pL\pN_.-]+$`)

// ByKey checks what picks the sub-benchmarks: "/name" for name=value, or a
// regular expression with one group.
func ByKey(s string) (string, error) {
	if subKey.MatchString(s) {
		return s, nil
	}
	re, err := regexp.Compile(s)
	if err != nil {
		return "", notRegexp(err)
	}
	if re.NumSubexp() != 1 {
		return "", errors.New(`is neither "/name" nor a regular expression with one group such as "/func_(.+)"`)
	}
	return s, nil
}

// tryMerge is how several machines are compared.
const tryMerge = "assay run on each machine, then assay merge RUN..."

// newMachine has the keys of the one machine that there is. It leaves no trace
// in the study.
func newMachine(*table) (string, schema) {
	return "[[machine]]", schema{
		"name": str(new(string)),
		"host": text(new(string), func(s string) (string, error) {
			if s != "local" {
				return "", errors.New(`is not known to this assay, which measures where it runs; write "local"`)
			}
			return s, nil
		}),
		"agent": func(e *entry) error {
			return &fault{at: e.at, code: codeKey, text: `"agent" names another machine, and this assay measures where it runs`, try: tryMerge}
		},
	}
}

func oneMachine() func(*table) error {
	machines := 0
	return func(t *table) error {
		if machines++; machines > 1 {
			return &fault{at: t.at, code: codeKey, text: "a second [[machine]]: this assay measures where it runs", try: tryMerge}
		}
		return nil
	}
}
