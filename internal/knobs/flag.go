package knobs

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/shell"
)

// debugKey matches a line of "go tool compile -d help" that names a key.
var debugKey = regexp.MustCompile(`(?m)^\t([a-z][a-z0-9]*)\s+(.*)$`)

// DebugKeys returns the keys that the -d flag of goroot's compiler accepts, in its order,
// without those of ssa/PHASE/FLAG. Defaults are what the compiler's source sets before it
// reads its flags; others are 0 or empty, unless the compiler decides later.
func DebugKeys(ctx context.Context, goroot string) ([]Knob, error) {
	// The compiler is a tool that every release ships ready made.
	out, err := runGo(ctx, goroot, nil, "tool", "compile", "-d", "help")
	if err != nil {
		return nil, err
	}
	defaults := debugDefaults(goroot)
	var keys []Knob
	for _, m := range debugKey.FindAllStringSubmatch(out, -1) {
		keys = append(keys, Knob{Kind: KindDebug, Name: m[1], Default: defaults[m[1]], Doc: strings.TrimSpace(m[2])})
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("read debug keys of the compiler in %s: none found", goroot)
	}
	return keys, nil
}

// debugDefaults reads the assignments at the start of the compiler's ParseFlags. An
// unexpected source yields no defaults.
func debugDefaults(goroot string) map[string]string {
	f, err := parse(goroot, "src/cmd/compile/internal/base/flag.go", 0)
	if err != nil {
		return nil
	}
	return assigned(functionBody(f, func(name string) bool { return name == "ParseFlags" }), "Debug", "")
}

// CheckDebugFlags returns nil if the compiler of the asker's toolchain knows all -d keys
// in its gcflags, else an *assay.Error (unknown-debug-flag, exit 4) about the first
// unknown one. The compiler itself would print 90 lines of usage.
func CheckDebugFlags(a Asker, gcflags []string, known []Knob) error {
	for _, entry := range gcflags {
		for _, key := range debugKeys(entry) {
			if has(known, key) || key == "help" || strings.HasPrefix(key, "ssa/") {
				continue
			}
			return unknownDebugKey(a, entry, key, known)
		}
	}
	return nil
}

func unknownDebugKey(a Asker, entry, key string, known []Knob) error {
	e := refusal(assay.CodeUnknownDebugFlag, fmt.Sprintf("%s: the compiler of %s has no debug key %q", a, a.Version, key))
	if right := e.close(a, key, known); right != "" {
		e.Advice = shell.Quote("-gcflags=" + strings.Replace(entry, key, right, 1))
	}
	return &e.Error
}

// HasDebugKeys reports whether gcflags contain a -d flag.
func HasDebugKeys(gcflags []string) bool {
	return slices.ContainsFunc(gcflags, func(entry string) bool { return len(debugKeys(entry)) > 0 })
}

// GCFlags returns the values of -gcflags among build flags, written as one word or two.
func GCFlags(buildFlags []string) []string {
	var out []string
	for i, f := range buildFlags {
		name, value, ok := strings.Cut(strings.TrimPrefix(f, "-"), "=")
		switch {
		case name != "-gcflags" && name != "gcflags":
		case ok:
			out = append(out, value)
		case i+1 < len(buildFlags):
			out = append(out, buildFlags[i+1])
		}
	}
	return out
}

// debugKeys returns the keys of all -d flags in one value of -gcflags, such as
// "all=-l -d=checkptr=2,nil".
func debugKeys(entry string) []string {
	var keys []string
	_, flags := cutPattern(entry)
	for _, item := range DebugItems(flags) {
		keys = append(keys, item.Key)
	}
	return keys
}

// A DebugItem is one setting of a -d flag of the compiler. A key alone has the value "1".
type DebugItem struct{ Key, Value string }

// DebugItems returns the settings of all -d flags among compiler flags, such as "-l
// -d=checkptr=2,nil", in order.
func DebugItems(flags string) (items []DebugItem) {
	fields := strings.Fields(flags)
	for i, f := range fields {
		list, ok := strings.CutPrefix(f, "-d=")
		if f == "-d" && i+1 < len(fields) {
			list, ok = fields[i+1], true
		}
		if !ok {
			continue
		}
		for item := range strings.SplitSeq(list, ",") {
			key, value, ok := strings.Cut(item, "=")
			if !ok {
				value = "1"
			}
			items = append(items, DebugItem{key, value})
		}
	}
	return items
}

// cutPattern splits a value of -gcflags into the package pattern, "" if there is none,
// and the flags (go help build, "[pattern=]arg list").
func cutPattern(entry string) (pattern, flags string) {
	if strings.HasPrefix(strings.TrimSpace(entry), "-") {
		return "", entry
	}
	pattern, flags, ok := strings.Cut(entry, "=")
	if !ok {
		return "", entry
	}
	return pattern, flags
}

// GCFlagsScope returns a warning about a variant whose -gcflags=-d=... has no package
// pattern, so that it affects only the packages on the command line: reached of total
// packages of the build, 0 of 0 if unknown. It returns nil if there is nothing to warn
// about.
func GCFlagsScope(v assay.Variant, reached, total int) *assay.Warning {
	i := slices.IndexFunc(v.GCFlags, func(entry string) bool {
		pattern, _ := cutPattern(entry)
		return pattern == "" && len(debugKeys(entry)) > 0
	})
	if i < 0 {
		return nil
	}
	count := "all others"
	if total > 0 {
		count = fmt.Sprintf("%d of %d packages", total-reached, total)
	}
	return &assay.Warning{
		Code:   assay.CodeGcflagsScope,
		Text:   fmt.Sprintf("variant %q: -gcflags=-d=… reaches only the packages named", v.Name),
		Facts:  []string{count + ", the standard library too, are built as in the base"},
		Advice: shell.Quote("-gcflags=all=" + v.GCFlags[i]),
	}
}
