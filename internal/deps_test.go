// Package internal holds the test that keeps the imports going down.
package internal

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/seed-1318a441/assay"

// levels is where each package stands and what a level means: a package may import packages
// of lower levels only.
var levels = map[string]int{
	// 0: nouns.
	"": 0,
	// 1: ground: text, files, numbers, processes.
	"internal/disk":          1,
	"internal/disk/disktest": 1,
	"internal/errortest":     1,
	"internal/fault":         1,
	"internal/host/system":   1,
	"internal/line":          1,
	"internal/memo":          1,
	"internal/printable":     1,
	"internal/process":       1,
	"internal/remote/wire":   1,
	"internal/shell":         1,
	"internal/slow":          1,
	"internal/ssh/sshtest":   1,
	"internal/stats":         1,
	"internal/testfile":      1,
	"web":                    1,
	// 2: parts of an input: binaries, caches, traces, TOML, this host.
	"internal/binary":            2,
	"internal/cache":             2,
	"internal/calibration":       2,
	"internal/child":             2,
	"internal/collect/gctrace":   2,
	"internal/explain/gc":        2,
	"internal/host":              2,
	"internal/remote/blob":       2,
	"internal/secret":            2,
	"internal/source/sourcetest": 2,
	"internal/spec/document":     2,
	"internal/spec/goflag":       2,
	// 3: inputs: toolchains, sources, outputs, profiles.
	"internal/benchfile":       3,
	"internal/collect":         3,
	"internal/collect/load":    3,
	"internal/doctor/check":    3,
	"internal/explain/alloc":   3,
	"internal/explain/code":    3,
	"internal/explain/cputime": 3,
	"internal/explain/group":   3,
	"internal/explain/hygiene": 3,
	"internal/hub":             3,
	"internal/knobs":           3,
	"internal/milestone":       3,
	"internal/source":          3,
	"internal/toolchain":       3,
	// 4: studies, trials, copies of trees.
	"internal/design":      4,
	"internal/explain":     4,
	"internal/httpload":    4,
	"internal/hub/hubtest": 4,
	"internal/overlay":     4,
	"internal/scratch":     4,
	"internal/spec":        4,
	"internal/ssh":         4,
	"internal/trial":       4,
	// 5: builds, records, prices.
	"internal/build":         5,
	"internal/record":        5,
	"internal/remote/parcel": 5,
	"internal/schedule":      5,
	"internal/spec/cmdline":  5,
	// 6: blocks, samples, sentences.
	"internal/analysis/answer":       6,
	"internal/analysis/distribution": 6,
	"internal/analysis/sample":       6,
	"internal/lab":                   6,
	"internal/usage":                 6,
	// 7: verdicts, plans, this computer.
	"internal/analysis":        7,
	"internal/analysis/replay": 7,
	"internal/local":           7,
	"internal/survey":          7,
	// 8: tables, searches, other computers.
	"internal/queue":  8,
	"internal/remote": 8,
	"internal/search": 8,
	"internal/sheet":  8,
	// 9: parts of an output, ways to a machine.
	"internal/machine":         9,
	"internal/queue/queuetest": 9,
	"internal/ruler":           9,
	"internal/sheet/account":   9,
	"internal/sheet/chain":     9,
	"internal/terminal":        9,
	// 10: outputs, kept runs.
	"internal/live":     10,
	"internal/markdown": 10,
	"internal/page":     10,
	"internal/report":   10,
	"internal/runs":     10,
	// 11: what commands do.
	"internal/doctor":  11,
	"internal/gclog":   11,
	"internal/output":  11,
	"internal/session": 11,
	// 12: what commands do with runs.
	"internal/bisect":  12,
	"internal/inquiry": 12,
	// 13: the program, and the simulation that tests it.
	"cmd/assay":            13,
	"internal/lab/labtest": 13,
	// 14: sessions on the simulation.
	"internal/session/sessiontest": 14,
}

// sideways lists the imports within a level that are allowed.
var sideways = map[string][]string{
	"internal/benchfile":             {"internal/collect"},
	"internal/collect/load":          {"internal/collect"},
	"internal/explain/code":          {"internal/explain/cputime"},
	"internal/explain/group":         {"internal/explain/cputime"},
	"internal/knobs":                 {"internal/toolchain"},
	"internal/source":                {"internal/toolchain"},
	"internal/analysis/answer":       {"internal/analysis/sample"},
	"internal/analysis/distribution": {"internal/analysis/sample"},
	"internal/analysis/replay":       {"internal/analysis"},
	"internal/queue":                 {"internal/remote"},
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
	"cmd/assay": {"", "internal/bisect", "internal/doctor", "internal/fault", "internal/gclog", "internal/hub", "internal/inquiry", "internal/knobs", "internal/live",
		"internal/machine", "internal/markdown", "internal/output", "internal/page", "internal/printable", "internal/report", "internal/runs", "internal/session",
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
			t.Errorf("package %q is in no level: add it here, and to its subject in docs/architecture.md", pkg)
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
