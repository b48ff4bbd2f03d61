package spec

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/spec/document"
	"github.com/seed-1318a441/assay/internal/spec/goflag"
)

// CommandPlaces are the placeholders that a command's command lines may have.
var CommandPlaces = []string{assay.PlaceBin, assay.PlaceName, assay.PlaceTmp}

func commandKeys(w *assay.Workload) document.Schema {
	return document.Schema{
		document.String("name", &w.Name),
		document.Text("kind", &w.Kind, workloadKind),
		document.Text("package", &w.Package, MainPackage),
		benchmarkNames(&w.Names),
		commandLine("run", &w.Run, CommandPlaces...),
		commandLine("prepare", &w.Prepare, CommandPlaces...),
		commandLine("cleanup", &w.Cleanup, CommandPlaces...),
		document.Text("stdin", &w.Stdin, InputFile),
		document.Text("expect", &w.Expect, Expect),
		document.Text("parse", &w.Parse, loadFormat),
		patterns(&w.Metrics),
		runVars(&w.Env, &w.Secrets),
		document.List("build_flags", &w.BuildFlags, commandBuildFlag),
	}
}

// MainPackage checks what {bin} is built from; the build checks that it is a main
// package.
func MainPackage(s string) (string, error) {
	switch {
	case strings.TrimSpace(s) != s || s == "" || strings.HasPrefix(s, "-"):
		return "", errors.New("is not a package")
	case strings.Contains(s, "..."):
		return "", errors.New("is a pattern; a command is built from one main package")
	}
	return s, nil
}

// commandBuildFlag reads a flag that go build knows too.
func commandBuildFlag(arg string) (string, error) {
	if name, _, _ := goflag.Cut(arg); name == "vet" {
		return "", errors.New("is a flag of go test, and a command is built by go build")
	}
	return goFlag(goflag.ToBuild)(arg)
}

// benchmarkNames are the names of a command's runs, without blanks, which end a name.
func benchmarkNames(p *[]string) document.Field {
	return document.List("names", p, func(name string) (string, error) {
		switch {
		case name == "" || strings.ContainsFunc(name, noNameRune):
			return "", errors.New("is no name of a benchmark; it has no blanks")
		case slices.Contains(*p, name):
			return "", errors.New("is named twice")
		}
		return name, nil
	})
}

func noNameRune(r rune) bool { return r == ' ' || !unicode.IsPrint(r) }

// commandLine is a program and its arguments, in which these placeholders are filled in.
func commandLine(key string, p *[]string, places ...string) document.Field {
	list := document.List(key, p, func(arg string) (string, error) { return arg, CheckArgument(arg, places...) })
	return document.Field{Key: key, Read: func(e *document.Entry) error {
		if e.Value.Kind == unstable.String {
			return e.Wrong("is not a list: write " + argumentList(e.Value.Text))
		}
		if err := list.Read(e); err != nil {
			return err
		}
		if len(*p) == 0 || (*p)[0] == "" {
			return e.Wrong("names no program")
		}
		return nil
	}, Write: list.Write}
}

func argumentList(line string) string {
	words, err := shell.Split(line)
	if err != nil || len(words) == 0 {
		words = []string{line}
	}
	return document.QuoteList(words)
}

// CheckArgument checks an argument in which these placeholders are filled in.
func CheckArgument(arg string, places ...string) error {
	if strings.ContainsRune(arg, 0) {
		return errors.New("has a zero byte in it")
	}
	return checkPlaces(arg, places...)
}

var placePattern = regexp.MustCompile(`\{[A-Za-z]+\}`)

// checkPlaces finds placeholders mistyped or not filled in here. Other braces are allowed.
func checkPlaces(s string, known ...string) error {
	candidates := append(slices.Clone(known), CommandPlaces...)
	for _, mark := range placePattern.FindAllString(s, -1) {
		if slices.Contains(known, mark) {
			continue
		}
		for _, k := range candidates {
			switch {
			case mark == k:
				return fmt.Errorf("has %s in it, and only %s is filled in here", mark, strings.Join(known, " "))
			case nearly(strings.ToLower(strings.Trim(mark, "{}")), strings.Trim(k, "{}")):
				return fmt.Errorf("has %s in it; did you mean %s?", mark, k)
			}
		}
	}
	return nil
}

// nearly reports whether w is known but for its case, a letter missing, one too many, or
// two swapped. One changed letter makes another word: "pin" is not "bin".
func nearly(w, known string) bool {
	if w == known || w == "binary" && known == "bin" || w == "tmpdir" && known == "tmp" {
		return true
	}
	for i := range known {
		missing := known[:i] + known[i+1:]
		swapped := i > 0 && w == known[:i-1]+known[i:i+1]+known[i-1:i]+known[i+1:]
		if len(w) > 2 && w == missing || swapped {
			return true
		}
	}
	for i := range w {
		if w[:i]+w[i+1:] == known {
			return true
		}
	}
	return false
}

// InputFile checks the name of a file for standard input.
func InputFile(s string) (string, error) { return fileName(assay.PlaceName)(s) }

// fileName returns a check of the name of a file in which these placeholders are filled
// in.
func fileName(places ...string) func(string) (string, error) {
	return func(s string) (string, error) {
		if s == "" {
			return "", errors.New("names no file")
		}
		return s, checkPlaces(s, places...)
	}
}

// Expect checks what a command's output must be, and returns "" for "same", the default.
func Expect(s string) (string, error) {
	file, isFile := strings.CutPrefix(s, "file:")
	switch {
	case s == assay.ExpectSame:
		return "", nil
	case s == assay.ExpectAny:
		return s, nil
	case !isFile:
		return "", fmt.Errorf(`is neither "same", "any" nor a file with the output, "file:want/%s.txt"`, assay.PlaceName)
	}
	_, err := InputFile(file)
	return s, err
}

// checkWorkloads checks workloads against variants, and names them.
func checkWorkloads(s *assay.Study, root *document.Table) error {
	if e := root.Find("workload"); e != nil {
		for i, item := range e.Value.Items {
			if err := checkWorkload(s, &s.Workloads[i], item.Table); err != nil {
				return err
			}
		}
		if err := checkOneKind(s, e.Value.Items); err != nil {
			return err
		}
		if err := checkDistinct(s, e.Value.Items); err != nil {
			return err
		}
	}
	return checkBuilt(s, root)
}

func checkWorkload(s *assay.Study, w *assay.Workload, t *document.Table) error {
	switch w.Kind {
	case assay.KindCommand:
		return checkCommand(s, w, t)
	case assay.KindService:
		return checkService(s, w, t)
	}
	return nil
}

func checkCommand(s *assay.Study, w *assay.Workload, t *document.Table) error {
	lines, missing := commandLines(s, w)
	switch {
	case s.By != nil:
		return t.Find("kind").Wrong("cannot be combined with [by]: a command has no sub-benchmarks")
	case missing == "" && len(lines) == 0:
		return document.Faultf(t.At, assay.CodeStudyKey, "[[workload]] has no run")
	case missing != "":
		return document.Faultf(t.At, assay.CodeStudyKey, "[[workload]] has no run, and variant %q has none of its own", missing)
	case len(w.Run) > 0 && !slices.ContainsFunc(lines, func(l []string) bool { return slices.Equal(l, w.Run) }):
		return document.Faultf(t.Find("run").At, assay.CodeStudyKey, "run is never used: every variant has its own")
	case t.Find("package") != nil && !HasPlace(assay.PlaceBin, append(lines, w.Prepare, w.Cleanup)...):
		return t.Find("package").Wrong("changes nothing: no command has " + assay.PlaceBin + " in it")
	}
	if err := checkParsed(w.Metrics, t); err != nil {
		return err
	}
	if e := t.Find("expect"); e != nil && w.Expect == "" && w.ReadsOutput() {
		return e.Wrong("cannot be combined with parse or metrics: " + VariesByNature)
	}
	perName := HasPlace(assay.PlaceName, append(lines, w.Prepare, []string{w.Stdin})...)
	switch {
	case len(w.Names) > 1 && !perName:
		return document.Faultf(t.Find("names").At, assay.CodeStudyValue, "%d names are as many runs of the same: no %s in run, prepare or stdin", len(w.Names), assay.PlaceName)
	case len(w.Names) == 0 && w.Name == "" && HasPlace(assay.PlaceName, lines...):
		return document.Faultf(t.At, assay.CodeStudyKey, "run has %s in it, and [[workload]] has no names", assay.PlaceName)
	case len(w.Names) == 0:
		w.Names = []string{DefaultName(w, packageOf(s, w), lines)}
	}
	return nil
}

// commandLines returns the variants' command lines, or the first variant without one.
func commandLines(s *assay.Study, w *assay.Workload) (lines [][]string, missing string) {
	for _, v := range s.Variants {
		line := w.Command(v)
		if len(line) == 0 {
			return nil, v.Name
		}
		lines = append(lines, line)
	}
	if len(s.Variants) == 0 && len(w.Run) > 0 {
		lines = [][]string{w.Run}
	}
	return lines, ""
}

// HasPlace reports whether any argument of the command lines holds a placeholder.
func HasPlace(mark string, lines ...[]string) bool {
	return slices.ContainsFunc(slices.Concat(lines...), func(arg string) bool { return strings.Contains(arg, mark) })
}

// packageOf returns the main package that {bin} of a workload is built from.
func packageOf(s *assay.Study, w *assay.Workload) string {
	if w.Package != "" {
		return w.Package
	}
	return s.Source.Package
}

// checkDistinct refuses two commands or services with the same name.
func checkDistinct(s *assay.Study, tables []document.Value) error {
	seen := map[assay.Benchmark]bool{}
	for i, w := range s.Workloads {
		for _, name := range w.Names { // benchmarks of go test have none here
			b := assay.Benchmark{Package: path.Clean(packageOf(s, &w)), Name: name}
			if seen[b] {
				return document.Faultf(tables[i].At, assay.CodeStudyValue, "%s %q is named twice: give this one other names", w.Kind, name)
			}
			seen[b] = true
		}
	}
	return nil
}

// checkBuilt refuses build settings if nothing is built.
func checkBuilt(s *assay.Study, root *document.Table) error {
	if e := root.Find("variant"); e != nil {
		for i, v := range s.Variants {
			if err := checkVariantBuilt(s, v, e.Value.Items[i].Table); err != nil {
				return err
			}
		}
	}
	if len(s.Factors) == 0 {
		return nil
	}
	built := len(s.Variants) > 0 || UsesBuild(s, assay.Variant{})
	for _, v := range s.Variants {
		built = built && UsesBuild(s, v)
	}
	for i, item := range root.Find("factor").Value.Items {
		f := s.Factors[i]
		sets := slices.ContainsFunc(f.Levels, func(l assay.Level) bool { return !l.Setting.SameBuild(assay.Variant{}) })
		if sets && !built {
			return document.Faultf(item.At, assay.CodeStudyValue, "factor %q changes nothing: no command has %s in it, so nothing is built", f.Name, assay.PlaceBin)
		}
	}
	return nil
}

func checkVariantBuilt(s *assay.Study, v assay.Variant, t *document.Table) error {
	if e := t.Find("run"); e != nil {
		if err := checkOwnRun(s, e); err != nil {
			return err
		}
	}
	if v.SameBuild(assay.Variant{}) || UsesBuild(s, v) {
		return nil
	}
	for _, e := range t.Entries {
		switch e.Key {
		case "name", "env", "run", "select", "phase", "story", "watch", "view", "aside":
		default:
			return document.Faultf(e.At, assay.CodeStudyKey, "%q changes nothing: no command of variant %q has %s in it, so nothing is built", e.Key, v.Name, assay.PlaceBin)
		}
	}
	return nil
}

// checkOwnRun refuses a variant's command line if no workload has a place for it.
func checkOwnRun(s *assay.Study, e *document.Entry) error {
	goTest := func(w assay.Workload) bool { return w.Kind == assay.KindGoTest }
	if len(s.Workloads) > 0 && !slices.ContainsFunc(s.Workloads, goTest) {
		return nil
	}
	return e.Wrong(fmt.Sprintf("is for a [[workload]] of kind = %q or %q; Go benchmarks have no command line", assay.KindCommand, assay.KindService))
}

// UsesBuild reports whether any workload of a study runs what is built for a variant.
func UsesBuild(s *assay.Study, v assay.Variant) bool {
	used := func(w assay.Workload) bool { return !w.IsProgram() || HasPlace(assay.PlaceBin, w.Commands(v)...) }
	return len(s.Workloads) == 0 || slices.ContainsFunc(s.Workloads, used) // Go benchmarks, by default
}

// DefaultName returns a workload's name, or what its command lines have in common.
func DefaultName(w *assay.Workload, pkg string, lines [][]string) string {
	if w.Name != "" {
		return CleanName(w.Name)
	}
	common := []string{lines[0][0]}
	for _, arg := range lines[0][1:] {
		if !slices.ContainsFunc(lines[1:], func(l []string) bool { return !slices.Contains(l, arg) }) {
			common = append(common, arg)
		}
	}
	name := commandName(common)
	if name == "" && !slices.ContainsFunc(lines, func(l []string) bool { return l[0] != lines[0][0] }) {
		name = ProgramName(lines[0][0], pkg)
	}
	if name == "" {
		name = "command"
	}
	return name
}

// commandName joins the base names of the arguments of a command line; "" if it has none.
func commandName(words []string) string {
	if i := slices.Index(words, assay.PlaceBin); i > 0 {
		words = words[i:] // nice -n 5 {bin} …
	}
	var parts []string
	for _, w := range words[1:] {
		i := strings.IndexByte(w, '=') + 1 // -in=testdata/large.json
		if part := w[:i] + baseName(w[i:]); part != "" && part != assay.PlaceTmp {
			parts = append(parts, part)
		}
	}
	return ShortName(CleanName(strings.Join(parts, "_")))
}

// ProgramName returns the name of a program without arguments.
func ProgramName(program, pkg string) string {
	if program == assay.PlaceBin {
		program = pkg
	}
	return ShortName(CleanName(baseName(strings.ReplaceAll(program, `\`, "/"))))
}

// baseName returns the last element of a path, "" for one without a name, such as "..".
func baseName(file string) string {
	if strings.Trim(file, "./") == "" {
		return ""
	}
	return path.Base(file)
}

// CleanName replaces characters that a benchmark's name cannot have.
func CleanName(s string) string {
	return strings.Map(func(r rune) rune {
		if noNameRune(r) {
			return '_'
		}
		return r
	}, s)
}

// ShortName shortens a benchmark's name to what a table can show.
func ShortName(s string) string {
	const longest = 60
	if r := []rune(s); len(r) > longest {
		return string(r[:longest-1]) + "…"
	}
	return s
}
