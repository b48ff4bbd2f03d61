package spec

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/spec/document"
)

// decodeStudy reads the whole file, and then checks tables against each other.
func decodeStudy(root *document.Table) (*assay.Study, error) {
	s := &assay.Study{}
	if err := checkBeside(root); err != nil {
		return nil, err
	}
	if err := root.Fill("", studyKeys(s, root)); err != nil {
		return nil, err
	}
	for _, check := range []func(*assay.Study, *document.Table) error{checkVariants, checkFactors, checkWorkloads, checkSteps, checkSuite, checkMetrics, checkAsks} {
		if err := check(s, root); err != nil {
			return nil, err
		}
	}
	if len(s.Workloads) == 0 {
		s.Workloads = []assay.Workload{{Kind: assay.KindGoTest}}
	}
	SetDefaults(s)
	if err := s.Validate(); err != nil {
		return nil, document.Faultf(root.At, assay.CodeStudyValue, "%v", err)
	}
	return s, nil
}

// SetDefaults is Study.SetDefaults, but not for the base of variants yet to be found.
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

func studyKeys(s *assay.Study, root *document.Table) document.Schema {
	return document.Schema{
		document.String("name", &s.Name),
		document.String("question", &s.Question),
		document.Text("asks", &s.Asks, asks),
		document.String("base", &s.Base),
		document.Seed("seed", &s.Measure.Seed),
		document.List("files", &s.Files, studyFile),
		{Key: "source", Read: source(&s.Source)},
		document.Many("variant", &s.Variants, func(v *assay.Variant, _ *document.Table) (string, document.Schema) {
			return "", variantKeys(v)
		}, checkVariant),
		document.Many("factor", &s.Factors, func(f *assay.Factor, t *document.Table) (string, document.Schema) {
			return "", factorKeys(f, t)
		}, checkFactor),
		{Key: "by", Read: by(s)},
		document.Many("workload", &s.Workloads, workloadKeys, func([]assay.Workload, *document.Table) error { return nil }),
		document.Many("machine", &s.Hosts, machineKeys, checkMachine),
		document.One("decide", decideKeys(&s.Decide)),
		document.One("measure", measureKeys(&s.Measure)),
		{Key: "steps", Read: steps(s, root)},
		{Key: "phase", Read: func(e *document.Entry) error {
			return document.Many("phase", &stepsOf(s).Phases, phaseKeys, checkPhase).Read(e)
		}},
		document.One("gates", gatesKeys(&s.Gates)),
		document.One("report", reportKeys(&s.Report)),
		document.One("explain", explainKeys(&s.Explain)),
	}
}

// hint says where an unknown key belongs, or which key was probably meant.
func hint(u document.UnknownKey) string {
	home := homeOf(u.Entry.Key)
	if u.Where != "" && !strings.HasPrefix(u.Where, "[") {
		home = "" // inside a value; what has the name elsewhere is another thing
	}
	known := u.Keys.Keys()
	right := printable.NearestName(u.Entry.Key, known)
	switch {
	case strings.HasPrefix(u.Where, inWorkload) && strings.HasPrefix(home, "in "+inWorkload):
		return "; it belongs to" + strings.TrimPrefix(home, "in "+inWorkload+",")
	case home != "":
		return "; it belongs " + home
	case right != "":
		return "; did you mean " + strconv.Quote(right) + "?"
	case u.Where == "":
		return ": this assay does not know it"
	}
	return "; it has " + strings.Join(known, ", ")
}

// homeOf returns the only place where a key belongs, as "in [decide]", or "".
func homeOf(key string) string {
	switch key {
	case "asks", "base", "files", "question", "seed":
		return "at the top of the file"
	}
	var s assay.Study
	homes := map[string]document.Schema{
		"[source]": sourceKeys(&s.Source), "[[variant]]": variantKeys(&assay.Variant{}), "[by]": byKeys(&assay.By{}),
		"[[factor]]": factorKeys(&assay.Factor{}, &document.Table{}), "[decide]": decideKeys(&s.Decide), "[measure]": measureKeys(&s.Measure),
		"[gates]": gatesKeys(&s.Gates), "[report]": reportKeys(&s.Report),
		"[explain]": explainKeys(&s.Explain),
	}
	found := homesIn(homes, key)
	if home := workloadHome(key); home != "" {
		found = append(found, home)
	}
	if len(found) == 0 {
		// Steps have the keys of variants too, and that is where those belong.
		_, phase := phaseKeys(&assay.Phase{}, nil)
		found = homesIn(map[string]document.Schema{inSteps: stepsKeys(&chain{}), "a step of " + inSteps: stepKeys(&stepItem{}), "[[phase]]": phase}, key)
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

func homesIn(homes map[string]document.Schema, key string) (found []string) {
	for where, keys := range homes {
		if keys.Find(key) != nil {
			found = append(found, "in "+where)
		}
	}
	return found
}

func sourceKeys(s *assay.Source) document.Schema {
	return document.Schema{
		document.String("dir", &s.Dir),
		{Key: "repo", Read: document.String("repo", &s.Dir).Read},
		document.Text("package", &s.Package, MainPackage),
		document.Text("go", &s.Go, toolchain),
		overlay(s),
		document.List("hide", &s.Hide, filePattern),
		document.Text("benchmarks_from", &s.BenchmarksFrom, nonEmpty("names no revision")),
		document.Text("suite", &s.Suite, suite),
	}
}

func variantKeys(v *assay.Variant) document.Schema {
	return document.Schema{
		document.Text("name", &v.Name, VariantName),
		document.Text("go", &v.Go, toolchain),
		document.String("rev", &v.Rev),
		document.Text("module", &v.Module, ModuleVersion),
		document.Words("experiment", &v.Experiment),
		document.Strings("gcflags", &v.GCFlags),
		document.Strings("ldflags", &v.LDFlags),
		document.Words("tags", &v.Tags),
		document.Text("pgo", &v.PGO, Profile),
		document.Text("modfile", &v.ModFile, ModFile),
		document.Pairs("build", &v.Build, checkBuildVar),
		runVars(&v.Env, &v.Secrets),
		commandLine("run", &v.Run, CommandPlaces...),
		document.String("select", &v.Select),
	}
}

const besideRev = "cannot be combined with rev: both say where the code comes from"

// asks reads what a study asks, and knows nearly right words.
func asks(text string) (assay.Ask, error) {
	a, err := assay.ParseAsk(text)
	if err == nil {
		return a, nil
	}
	word, rest, detailed := strings.Cut(text, ":")
	if right := printable.NearestName(word, namesOf(assay.AskKinds, func(k assay.AskKind) string { return string(k) })); right != "" && right != word {
		if detailed {
			right += ":" + rest
		}
		return a, &BadValue{fmt.Sprintf("%v; did you mean %q?", err, right), right}
	}
	return a, err
}

// checkAsks holds what the study asks against what it has.
func checkAsks(s *assay.Study, root *document.Table) error {
	e := root.Find("asks")
	if e == nil {
		return nil
	}
	if problem := s.Asks.Problem(s); problem != "" {
		return e.Wrong(problem)
	}
	for _, m := range s.Asks.Metrics() {
		if problem := notObserved(s, m); problem != "" {
			return e.Wrong(fmt.Sprintf("names %q, which %s", m, problem))
		}
	}
	return nil
}

// checkVariant checks the variant that was read last.
func checkVariant(list []assay.Variant, t *document.Table) error {
	v, name := list[len(list)-1], t.Find("name")
	switch {
	case name == nil:
		return document.Faultf(t.At, assay.CodeStudyKey, "[[variant]] has no name")
	case slices.Contains(VariantNames(list[:len(list)-1]), v.Name):
		return name.Wrong("is used twice")
	case v.Rev != "" && v.Module != "":
		return t.Find("module").Wrong(besideRev)
	}
	return nil
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

// checkVariants checks the base and the number of variants, with or without [by].
func checkVariants(s *assay.Study, root *document.Table) error {
	if s.By != nil {
		return checkBy(s, root)
	}
	for i, v := range s.Variants {
		if v.Select != "" {
			e := root.Find("variant").Value.Items[i].Table.Find("select")
			return document.Faultf(e.At, assay.CodeStudyKey, `"select" needs a [by] that says what to select by`)
		}
	}
	switch {
	case len(s.Factors) > 0:
		return nil // checkFactors knows the base
	case len(s.Variants) == 0:
		return document.Faultf(root.At, assay.CodeStudyKey, "study has neither [[variant]] nor [[factor]] nor [by] nor [steps]")
	}
	return checkBase(root, VariantNames(s.Variants))
}

// VariantNames returns the names of variants, in order.
func VariantNames(vs []assay.Variant) []string {
	return namesOf(vs, func(v assay.Variant) string { return v.Name })
}

func namesOf[T any](list []T, name func(T) string) (names []string) {
	for _, v := range list {
		names = append(names, name(v))
	}
	return names
}

func checkBase(root *document.Table, names []string) error {
	e := root.Find("base")
	if e == nil || slices.Contains(names, e.Value.Text) {
		return nil
	}
	return e.Wrong("is not a variant" + orClose(e.Value.Text, names))
}

// checkBy allows one variant, the build, unless each variant says what it selects.
func checkBy(s *assay.Study, root *document.Table) error {
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
		return document.Faultf(root.Find("variant").At, assay.CodeStudyKey, "with [by] there is one [[variant]], the build, or each has its select")
	}
	if len(s.By.Names) > 0 {
		return checkBase(root, s.By.Names)
	}
	return nil
}

// BuildOnly returns the variant whose sub-benchmarks are compared if no build is given.
func BuildOnly() assay.Variant { return assay.Variant{Name: WorkingTree} }

func by(s *assay.Study) document.Setter {
	return func(e *document.Entry) error {
		s.By = &assay.By{}
		if err := document.One("by", byKeys(s.By)).Read(e); err != nil {
			return err
		}
		if s.By.Key == "" {
			return document.Faultf(e.At, assay.CodeStudyKey, "[by] has no key")
		}
		return nil
	}
}

func byKeys(b *assay.By) document.Schema {
	return document.Schema{document.Text("key", &b.Key, ByKey), document.Strings("names", &b.Names)}
}

var subKey = regexp.MustCompile(`^/[\pL\pN_.-]+$`)

// ByKey checks the key of [by]: "/name", or a regular expression with one group.
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
