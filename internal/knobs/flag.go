package knobs

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
)

// debugKey matches a line of "go tool compile -d help" that names a key.
var debugKey = regexp.MustCompile(`(?m)^\t([a-z][a-z0-9]*)\s`)

// DebugKeys returns the keys that the -d flag of goroot's compiler knows, in
// its order. The keys of ssa/PHASE/FLAG are not among them.
func DebugKeys(ctx context.Context, goroot string) ([]string, error) {
	out, err := runGo(ctx, goroot, nil, "tool", "compile", "-d", "help")
	if err != nil {
		return nil, err
	}
	var keys []string
	for _, m := range debugKey.FindAllStringSubmatch(out, -1) {
		keys = append(keys, m[1])
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("read debug keys of the compiler in %s: none found", goroot)
	}
	return keys, nil
}

// CheckDebugFlags returns nil where the compiler of the toolchain called
// version knows all -d keys in a variant's gcflags, else an *assay.Error
// (unknown-debug-flag, exit 4) about the first that it does not know. The
// compiler itself would print 90 lines of usage.
func CheckDebugFlags(variant, version string, gcflags []string, known []string) error {
	for _, entry := range gcflags {
		for _, key := range debugKeys(entry) {
			if slices.Contains(known, key) || key == "help" || strings.HasPrefix(key, "ssa/") {
				continue
			}
			return unknownDebugKey(variant, version, entry, key, known)
		}
	}
	return nil
}

func unknownDebugKey(variant, version, entry, key string, known []string) error {
	e := &assay.Error{Exit: assay.ExitBuild, Warning: assay.Warning{
		Code: "unknown-debug-flag",
		Text: fmt.Sprintf("variant %q: the compiler of %s has no debug key %q", variant, version, key),
	}}
	near := Close(key, known)
	if len(near) == 0 {
		e.Try = "GOTOOLCHAIN=" + version + " go tool compile -d help"
		return e
	}
	e.Facts = []string{"close: " + strings.Join(near, ", ")}
	e.Try = quoteFlag("-gcflags=" + strings.Replace(entry, key, near[0], 1))
	return e
}

// debugKeys returns the keys of all -d flags in one value of -gcflags, such as
// "all=-l -d=checkptr=2,nil".
func debugKeys(entry string) []string {
	var keys []string
	_, flags := cutPattern(entry)
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
			key, _, _ := strings.Cut(item, "=")
			keys = append(keys, key)
		}
	}
	return keys
}

// cutPattern splits a value of -gcflags into the package pattern, empty where
// there is none, and the flags (go help build, "[pattern=]arg list").
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

// GCFlagsScope returns the warning about a variant whose -gcflags=-d=... has
// no package pattern, so that it reaches only the packages named on the command
// line: reached of total packages of the build, 0 of 0 where nobody counted.
// It returns nil where there is nothing to warn of.
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
		Code:  "gcflags-scope",
		Text:  fmt.Sprintf("variant %q: -gcflags=-d=… reaches only the packages named", v.Name),
		Facts: []string{count + ", the standard library too, are built as in the base"},
		Try:   quoteFlag("-gcflags=all=" + v.GCFlags[i]),
	}
}

// quoteFlag quotes a flag that has a blank in it as the shell wants it.
func quoteFlag(flag string) string {
	if strings.ContainsAny(flag, " \t\"") {
		return "'" + flag + "'"
	}
	return flag
}
