package design

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay/internal/knobs"
)

// For each package the go command uses only the last -gcflags whose pattern matches: with
// -gcflags=all=-d=wb=0 and -gcflags=-N the named packages are built with -N alone (go
// help build; tried on go1.26.0). So the values of several factors must become one value
// per pattern. The compiler accepts any number of -d: "-d=closure=1 -d=defer=1" equals
// "-d=closure=1,defer=1" (go1.26.0). -ldflags work the same way.

// allPackages is the pattern for all packages; "" is for those on the command line.
const allPackages = "all"

// A flagValue is one value of -gcflags or -ldflags.
type flagValue struct{ pattern, flags string }

// parseFlags splits "[pattern=]arg list" (go help build).
func parseFlags(value string) flagValue {
	if pattern, flags, ok := strings.Cut(value, "="); ok && !strings.HasPrefix(strings.TrimSpace(value), "-") {
		return flagValue{strings.TrimSpace(pattern), strings.TrimSpace(flags)}
	}
	return flagValue{"", strings.TrimSpace(value)}
}

// String returns the value in go build's format.
func (f flagValue) String() string {
	if f.pattern == "" {
		return f.flags
	}
	return f.pattern + "=" + f.flags
}

// joinFlags joins the lists of several factors, so that every package is built with the
// flags that each of them gives it. A single list stays as it is.
func joinFlags(parts [][]string) []string {
	parts = slices.DeleteFunc(parts, func(p []string) bool { return len(p) == 0 })
	if len(parts) < 2 {
		return slices.Clone(slices.Concat(parts...))
	}
	var out []string
	for _, pattern := range patterns(parts) {
		f := flagValue{pattern: pattern}
		for _, part := range parts {
			f.flags = strings.TrimSpace(f.flags + " " + flagsFor(part, pattern))
		}
		out = append(out, f.String())
	}
	return out
}

// patterns lists the patterns, "all" first, since the narrower one must come last.
func patterns(parts [][]string) []string {
	var out []string
	for _, part := range parts {
		for _, value := range part {
			if p := parseFlags(value).pattern; !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	if i := slices.Index(out, allPackages); i > 0 {
		out = slices.Insert(slices.Delete(out, i, i+1), 0, allPackages)
	}
	return out
}

// flagsFor returns the flags that one list gives to the packages of a pattern: its last
// value for them or for all packages.
func flagsFor(part []string, pattern string) string {
	flags := ""
	for _, value := range part {
		if f := parseFlags(value); f.pattern == pattern || f.pattern == allPackages {
			flags = f.flags
		}
	}
	return flags
}

// clash returns why the flags of two factors cannot be joined, or "".
func clash(a, b []string) string {
	for _, x := range a {
		for _, y := range b {
			f, g := parseFlags(x), parseFlags(y)
			switch {
			case f.pattern != g.pattern && f.pattern != allPackages && g.pattern != allPackages:
				if !disjoint(f.pattern, g.pattern) {
					return fmt.Sprintf("%q and %q may be for the same package, and go build takes only the last: write both with all=", x, y)
				}
			default:
				if key := sameKey(f.flags, g.flags); key != "" {
					return fmt.Sprintf("%q and %q set %s to different values", x, y, key)
				}
			}
		}
	}
	return ""
}

// disjoint reports whether two different patterns have no package in common for sure:
// both are import paths of one package.
func disjoint(p, q string) bool {
	single := func(p string) bool {
		return p != "" && p != "std" && p != "cmd" && p != "main" && p != "tool" && !strings.HasPrefix(p, ".") && !strings.Contains(p, "...")
	}
	return single(p) && single(q)
}

// sameKey returns the debug key (-d) that two lists of flags set to different values.
func sameKey(a, b string) string {
	ours, theirs := debugItems(a), debugItems(b)
	for _, key := range slices.Sorted(maps.Keys(ours)) {
		if other, ok := theirs[key]; ok && other != ours[key] {
			return "-d=" + key
		}
	}
	return ""
}

// debugItems maps the keys of all -d flags to their values.
func debugItems(flags string) map[string]string {
	out := map[string]string{}
	for _, item := range knobs.DebugItems(flags) {
		out[item.Key] = item.Value
	}
	return out
}
