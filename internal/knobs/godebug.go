package knobs

import (
	"bytes"
	"fmt"
	"go/parser"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
)

// documented matches an entry of the list of GODEBUG settings in the comment of package
// runtime, without its further indented examples.
var documented = regexp.MustCompile(`(?m)^\t([a-z][a-z0-9.*]*): (.*(?:\n\t[^\t\n].*)*)`)

// GODEBUGs returns the GODEBUG settings of the toolchain in goroot, by name: those of
// internal/godebugs, and the runtime's with their defaults for goos. Removed settings are
// included, with Removed.
func GODEBUGs(goroot, goos string) ([]Knob, error) {
	all := map[string]Knob{}
	for _, read := range []func(all map[string]Knob, goroot, goos string) error{addTable, addRuntime, addDocs} {
		if err := read(all, goroot, goos); err != nil {
			return nil, err
		}
	}
	var out []Knob
	for name, k := range all {
		k.Kind, k.Name = KindGODEBUG, name
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b Knob) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

func addTable(all map[string]Knob, goroot, _ string) error {
	f, err := parse(goroot, "src/internal/godebugs/table.go", 0)
	if err != nil {
		return err
	}
	for _, row := range table(f, "All") {
		all[row["Name"]] = Knob{Package: row["Package"], Changed: release(row["Changed"]), Old: row["Old"]}
	}
	for _, row := range table(f, "Removed") {
		all[row["Name"]] = Knob{Removed: release(row["Removed"])}
	}
	if len(all) == 0 {
		return fmt.Errorf("read GODEBUG settings of the toolchain in %s: none found", goroot)
	}
	return nil
}

// release returns "go1.25" for "25".
func release(minor string) string {
	if minor == "" {
		return ""
	}
	return "go1." + minor
}

// addRuntime adds the runtime's own settings. Their default is the field def of their
// entry, or what the function that parses them first sets.
func addRuntime(all map[string]Knob, goroot, goos string) error {
	f, err := parse(goroot, "src/runtime/runtime1.go", 0)
	if err != nil {
		return err
	}
	first := assigned(functionBody(f, func(name string) bool {
		return strings.HasPrefix(name, "parse") && strings.Contains(strings.ToLower(name), "debugvars")
	}), "debug", goos)
	rows := table(f, "dbgvars")
	if len(rows) == 0 {
		return fmt.Errorf("read GODEBUG settings of the runtime in %s: none found", goroot)
	}
	for _, row := range rows {
		k := all[row["name"]]
		k.Package, k.Default = "runtime", "0"
		if v, ok := first[row["name"]]; ok {
			k.Default = v
		}
		if row["def"] != "" {
			k.Default = row["def"]
		}
		all[row["name"]] = k
	}
	return nil
}

// addDocs adds what the comment of package runtime says, and the settings that only it
// mentions: cpu.* and memprofilerate.
func addDocs(all map[string]Knob, goroot, _ string) error {
	f, err := parse(goroot, "src/runtime/extern.go", parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		return err
	}
	for _, m := range documented.FindAllStringSubmatch(f.Doc.Text(), -1) {
		k := all[m[1]]
		if k.Removed == "" {
			k.Package = "runtime"
		}
		k.Doc = strings.TrimPrefix(sentence(strings.Join(strings.Fields(m[2]), " "), m[1]), "setting ")
		all[m[1]] = k
	}
	return nil
}

// A Setting is one item of GODEBUG.
type Setting struct{ Name, Value string }

// String returns "name=value".
func (s Setting) String() string { return s.Name + "=" + s.Value }

// Settings splits the value of GODEBUG like the runtime. The last setting of a name
// counts.
func Settings(godebug string) []Setting {
	var out []Setting
	for item := range strings.SplitSeq(godebug, ",") {
		if item == "" {
			continue
		}
		name, value, _ := strings.Cut(item, "=")
		out = append(out, Setting{name, value})
	}
	return out
}

// CheckGODEBUG returns nil if the asker's toolchain knows all settings of GODEBUG, else
// an *assay.Error (unknown-godebug, exit 4) about the first unknown one. A program
// silently ignores those.
func CheckGODEBUG(a Asker, goroot, godebug string, known []Knob) error {
	for _, s := range Settings(godebug) {
		k, ok := find(known, s.Name)
		switch {
		case ok && k.Removed != "":
			e := refusal(assay.CodeUnknownGodebug, fmt.Sprintf("%s: %s ignores GODEBUG=%s", a, a.Version, s.Name))
			e.Facts = []string{"gone in " + k.Removed}
			return &e.Error
		case s.Value == "":
			e := refusal(assay.CodeUnknownGodebug, fmt.Sprintf("%s: GODEBUG has %q without a value, and programs ignore that", a, s.Name))
			e.Advice = "GODEBUG=" + s.Name + "=1"
			return &e.Error
		case !ok && !strings.HasPrefix(s.Name, "cpu.") && !hidden(goroot, s.Name):
			return unknownGODEBUG(a, godebug, s.Name, known)
		}
	}
	return nil
}

func unknownGODEBUG(a Asker, godebug, name string, known []Knob) error {
	e := refusal(assay.CodeUnknownGodebug, fmt.Sprintf("%s: %s has no GODEBUG setting %q, and its programs would ignore it", a, a.Version, name))
	if right := e.close(a, name, live(known)); right != "" {
		e.Advice = "GODEBUG=" + strings.Replace(godebug, name, right, 1)
	}
	return &e.Error
}

// live omits removed settings.
func live(known []Knob) []Knob {
	return slices.DeleteFunc(slices.Clone(known), func(k Knob) bool { return k.Removed != "" })
}

// hidden reports whether the standard library reads a setting that is not in its tables,
// marked with a "#" in the source. It reads all of the source, a few tenths of a second,
// so it is called only before a refusal.
func hidden(goroot, name string) bool {
	mark := fmt.Appendf(nil, `godebug.New("#%s")`, name)
	found := false
	src := filepath.Join(goroot, "src")
	filepath.WalkDir(src, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // what cannot be read has nothing to say
		case d.IsDir() && (d.Name() == "testdata" || path == filepath.Join(src, "cmd")):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		if data, err := os.ReadFile(path); err == nil && bytes.Contains(data, mark) {
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// GODEBUGPlacebos returns the settings that are the default. It omits settings whose
// default depends on the go line of go.mod (Knob.Changed).
func GODEBUGPlacebos(godebug string, known []Knob) []Setting {
	var out []Setting
	for _, s := range Settings(godebug) {
		if k, ok := find(known, s.Name); ok && k.Changed == "" && k.Default != "" && k.Default == s.Value {
			out = append(out, s)
		}
	}
	return out
}

// SetsOther reports whether a GODEBUG value gives the setting another value.
func SetsOther(godebug string, s Setting) bool {
	return slices.ContainsFunc(Settings(godebug), func(o Setting) bool { return o.Name == s.Name && o.Value != s.Value })
}
