// Package internal holds the test that keeps the imports going down.
package internal

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/seed-1318a441/assay"

// levels is the table of docs/architecture.md: a package may import packages
// of lower levels only.
var levels = map[string]int{
	"":                               0,
	"internal/binary":                0,
	"internal/disk":                  0,
	"internal/disk/disktest":         0,
	"internal/host/system":           0,
	"internal/line":                  0,
	"internal/memo":                  0,
	"internal/printable":             0,
	"internal/process":               0,
	"internal/shell":                 0,
	"internal/slow":                  0,
	"internal/stats":                 0,
	"internal/testfile":              0,
	"internal/remote/wire":           0,
	"web":                            0,
	"internal/analysis":              1,
	"internal/analysis/answer":       1,
	"internal/analysis/distribution": 1,
	"internal/analysis/replay":       1,
	"internal/analysis/sample":       1,
	"internal/benchfile":             1,
	"internal/remote/blob":           1,
	"internal/build":                 1,
	"internal/cache":                 1,
	"internal/calibration":           1,
	"internal/child":                 1,
	"internal/collect":               1,
	"internal/collect/gctrace":       1,
	"internal/collect/load":          1,
	"internal/design":                1,
	"internal/errortest":             1,
	"internal/explain":               1,
	"internal/explain/alloc":         1,
	"internal/explain/code":          1,
	"internal/explain/cputime":       1,
	"internal/explain/gc":            1,
	"internal/explain/group":         1,
	"internal/explain/hygiene":       1,
	"internal/host":                  1,
	"internal/httpload":              1,
	"internal/knobs":                 1,
	"internal/milestone":             1,
	"internal/overlay":               1,
	"internal/record":                1,
	"internal/schedule":              1,
	"internal/scratch":               1,
	"internal/secret":                1,
	"internal/source":                1,
	"internal/source/sourcetest":     1,
	"internal/spec":                  1,
	"internal/spec/cmdline":          1,
	"internal/spec/document":         1,
	"internal/spec/goflag":           1,
	"internal/toolchain":             1,
	"internal/trial":                 1,
	"internal/doctor/check":          2,
	"internal/hub":                   2,
	"internal/lab":                   2,
	"internal/remote/parcel":         2,
	"internal/sheet":                 2,
	"internal/ssh":                   2,
	"internal/ssh/sshtest":           0,
	"internal/usage":                 2,
	"internal/hub/hubtest":           3,
	"internal/local":                 3,
	"internal/ruler":                 3,
	"internal/search":                3,
	"internal/sheet/account":         3,
	"internal/sheet/chain":           3,
	"internal/survey":                3,
	"internal/terminal":              3,
	"internal/live":                  4,
	"internal/machine":               4,
	"internal/markdown":              4,
	"internal/queue":                 4,
	"internal/remote":                4,
	"internal/page":                  4,
	"internal/report":                4,
	"internal/runs":                  4,
	"internal/queue/queuetest":       5,
	"internal/doctor":                5,
	"internal/gclog":                 5,
	"internal/output":                5,
	"internal/session":               5,
	"internal/bisect":                6,
	"internal/inquiry":               6,
	"cmd/assay":                      7,
	"internal/lab/labtest":           7,
	"internal/session/sessiontest":   8,
}

// sideways lists the imports within a level that are allowed.
var sideways = map[string][]string{
	"internal/spec/cmdline":  {"internal/spec", "internal/spec/goflag", "internal/knobs"},
	"internal/binary":        {"", "internal/printable"},
	"internal/milestone":     {"internal/cache"},
	"internal/overlay":       {"internal/cache", "internal/source"},
	"internal/scratch":       {"internal/source"},
	"internal/build":         {"internal/cache", "internal/toolchain", "internal/source", "internal/overlay", "internal/spec/goflag"},
	"internal/source":        {"internal/cache", "internal/toolchain"},
	"internal/toolchain":     {"internal/cache"},
	"internal/knobs":         {"internal/cache", "internal/toolchain"},
	"internal/collect":       {"internal/collect/gctrace"},
	"internal/collect/load":  {"internal/collect"},
	"internal/trial":         {"internal/child", "internal/knobs", "internal/collect", "internal/collect/gctrace", "internal/collect/load"},
	"internal/httpload":      {"internal/collect", "internal/collect/load"},
	"internal/explain/code":  {"internal/explain/cputime"},
	"internal/explain/group": {"internal/explain/cputime"},
	"internal/explain":       {"internal/explain/alloc", "internal/explain/cputime", "internal/explain/group"},
	"internal/spec":          {"internal/spec/document", "internal/spec/goflag", "internal/knobs", "internal/collect/load", "internal/secret"},
	"internal/design":        {"internal/knobs"},
	"internal/schedule":      {"internal/design"},
	"internal/benchfile":     {"internal/collect"},
	"internal/record":        {"internal/design", "internal/benchfile", "internal/collect"},
	"internal/queue":         {"internal/remote"},
	"internal/machine":       {"internal/queue", "internal/remote"},

	"internal/analysis":              {"internal/design", "internal/schedule", "internal/analysis/answer", "internal/analysis/sample"},
	"internal/analysis/answer":       {"internal/schedule", "internal/analysis/sample"},
	"internal/analysis/replay":       {"internal/analysis"},
	"internal/analysis/sample":       {"internal/design", "internal/schedule"},
	"internal/analysis/distribution": {"internal/design", "internal/analysis/sample"},
}

// forbidden lists the imports of lower levels that a package must do without.
var forbidden = map[string][]string{
	// What stats and design know is asked where verdicts and prices are made.
	"internal/report": {"internal/stats", "internal/design"},
	"internal/page":   {"internal/stats", "internal/design"},
	"internal/sheet":  {"internal/stats", "internal/design"},
}

// allowed lists all the packages of this module that a package may import.
var allowed = map[string][]string{
	// Commands have flags, help and printing. What they do is the business of session and of
	// the packages beside it, what they print that of sheet, report and their like.
	"cmd/assay": {"", "internal/bisect", "internal/doctor", "internal/gclog", "internal/hub", "internal/inquiry", "internal/knobs", "internal/live",
		"internal/machine", "internal/markdown", "internal/output", "internal/page", "internal/report", "internal/runs", "internal/session",
		"internal/sheet", "internal/terminal", "internal/usage"},
}

func TestImportsGoDown(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", module+"/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		pkg := rel(words[0])
		level, ok := levels[pkg]
		if !ok && pkg != "internal" {
			t.Errorf("package %q is in no level: add it to the table here and in docs/architecture.md", pkg)
			continue
		}
		for _, imp := range words[1:] {
			checkImport(t, pkg, level, imp)
		}
	}
}

func rel(path string) string { return strings.TrimPrefix(strings.TrimPrefix(path, module), "/") }

func checkImport(t *testing.T, pkg string, level int, imp string) {
	t.Helper()
	if pkg == "" && strings.Contains(strings.Split(imp, "/")[0], ".") {
		t.Errorf("the root package imports %s: it is nouns only, standard library only", imp)
	}
	if imp != module && !strings.HasPrefix(imp, module+"/") {
		return
	}
	target := rel(imp)
	if slices.Contains(forbidden[pkg], target) {
		t.Errorf("%s imports %s, which it must do without", pkg, target)
	}
	if only, ok := allowed[pkg]; ok && !slices.Contains(only, target) {
		t.Errorf("%s imports %s, which is not on its list", pkg, target)
	}
	if slices.Contains(sideways[pkg], target) {
		return
	}
	if levels[target] >= level {
		t.Errorf("%s (level %d) imports %s (level %d)", pkg, level, target, levels[target])
	}
}
