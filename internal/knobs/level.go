package knobs

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
)

var (
	levelBlock   = regexp.MustCompile(`(?m)^\t(GO[A-Z0-9]+)\n((?:\t\t.*\n)+)`)
	levelFor     = regexp.MustCompile(`^For GOARCH=(\S+), (.*)$`)
	levelValues  = regexp.MustCompile(`Valid values are (.*?)\.(?:\s|$)`)
	levelOptions = regexp.MustCompile(`Valid options are (.*?)\.(?:\s|$)`)
	levelOption  = regexp.MustCompile(`,[a-z0-9]+`)
	braces       = regexp.MustCompile(`^(.*)\{(.*)\}(.*)$`)
)

// Levels returns the build variables that select required processor features, such as
// GOAMD64, with the values that the toolchain in goroot accepts. It reads "go help
// environment", unchanged in form since go1.22; internal/buildcfg has a different
// function for each, and lacks the values of GO386. Defaults are those with which the
// toolchain was made, and the go command's own for goos and goarch.
func Levels(ctx context.Context, goroot, goos, goarch string) ([]Knob, error) {
	text, err := runGo(ctx, goroot, nil, "help", "environment")
	if err != nil {
		return nil, err
	}
	known := parseLevels(text)
	if len(known) == 0 {
		return nil, fmt.Errorf("read architecture levels of the toolchain in %s: none found", goroot)
	}
	made := madeWith(goroot)
	for i := range known {
		if d := made["Default"+known[i].Name]; d != "" {
			known[i].Default = d
		}
	}
	i := slices.IndexFunc(known, func(k Knob) bool { return slices.Contains(k.GOARCH, goarch) })
	if i < 0 {
		return known, nil
	}
	// A distribution may set it in GOROOT/go.env.
	out, err := runGo(ctx, goroot, map[string]string{"GOOS": goos, "GOARCH": goarch}, "env", "-json", known[i].Name)
	if err != nil {
		return nil, err
	}
	var env map[string]string
	if err := json.Unmarshal([]byte(out), &env); err != nil {
		return nil, fmt.Errorf("read output of go env: %w", err)
	}
	known[i].Default = env[known[i].Name]
	return known, nil
}

// parseLevels finds the variables whose text begins with "For GOARCH=".
func parseLevels(text string) []Knob {
	var out []Knob
	for _, block := range levelBlock.FindAllStringSubmatch(text, -1) {
		words := strings.Join(strings.Fields(block[2]), " ")
		m := levelFor.FindStringSubmatch(words)
		values := levelValues.FindStringSubmatch(words)
		if m == nil || values == nil {
			continue
		}
		k := Knob{Kind: KindLevel, Name: block[1], GOARCH: expand(m[1]), Doc: sentence(m[2], "")}
		for v := range strings.SplitSeq(values[1], ", ") {
			v, isDefault := strings.CutSuffix(v, " (default)")
			if isDefault {
				k.Default = v
			}
			k.Values = append(k.Values, expand(v)...)
		}
		if o := levelOptions.FindStringSubmatch(words); o != nil {
			k.Options = levelOption.FindAllString(o[1], -1)
		}
		// A list of features: each may follow another.
		if strings.HasPrefix(m[2], "comma-separated") {
			for _, v := range k.Values {
				k.Options = append(k.Options, ","+v)
			}
		}
		out = append(out, k)
	}
	return out
}

// expand expands "v8.{1-3}" to v8.1, v8.2, v8.3 and "mips{,le}" to mips, mipsle.
func expand(s string) []string {
	m := braces.FindStringSubmatch(s)
	if m == nil {
		return []string{s}
	}
	var out []string
	if lo, hi, ok := strings.Cut(m[2], "-"); ok && len(lo) == 1 && len(hi) == 1 {
		for c := int(lo[0]); c <= int(hi[0]); c++ { // not a byte: after 255 it would be 0 again
			out = append(out, m[1]+string([]byte{byte(c)})+m[3])
		}
		return out
	}
	for part := range strings.SplitSeq(m[2], ",") {
		out = append(out, m[1]+part+m[3])
	}
	return out
}

// madeWith reads the constants that make.bash wrote into the toolchain.
func madeWith(goroot string) map[string]string {
	f, err := parse(goroot, "src/internal/buildcfg/zbootstrap.go", 0)
	if err != nil {
		return nil
	}
	return constants(f)
}

// CheckLevel returns nil if the asker's toolchain accepts the value of a level, else an
// *assay.Error (unknown-level, exit 4) that lists the accepted ones. It ignores variables
// that are no level.
func CheckLevel(a Asker, name, value string, known []Knob) error {
	k, ok := find(known, name)
	if !ok || k.accepts(value) {
		return nil
	}
	e := refusal(assay.CodeUnknownLevel, fmt.Sprintf("%s: %s has no %s=%s", a, a.Version, name, value))
	e.Facts = listed("accepted: ", k.Accepted())
	if k.Default != "" {
		e.Facts = append(e.Facts, "the default is "+k.Default)
	}
	return &e.Error
}

func (k Knob) accepts(value string) bool {
	first, _, _ := strings.Cut(value, ",")
	if value == "" {
		return true // as if it were not set
	}
	if !slices.Contains(k.Values, first) {
		return false
	}
	for _, o := range levelOption.FindAllString(value[len(first):], -1) {
		if !slices.Contains(k.Options, o) {
			return false
		}
	}
	return levelOption.ReplaceAllString(value[len(first):], "") == ""
}

// Accepted returns the values of a level for people, shortened: "v8.0-v8.9", then their
// options.
func (k Knob) Accepted() []string {
	out := Ranges(k.Values)
	if len(k.Options) > 0 && k.Options[0] != ","+k.Values[0] {
		out = append(out, "with "+strings.Join(k.Options, " "))
	}
	return out
}

// Ranges shortens runs of more than four values that differ in their last digit: v8.0,
// v8.1, ... v8.9 becomes "v8.0-v8.9".
func Ranges(values []string) []string {
	var out []string
	for i := 0; i < len(values); {
		j := i + 1
		for j < len(values) && follows(values[j-1], values[j]) {
			j++
		}
		if j-i > 4 {
			out = append(out, values[i]+"-"+values[j-1])
		} else {
			out = append(out, values[i:j]...)
		}
		i = j
	}
	return out
}

func follows(a, b string) bool {
	n := len(a) - 1
	return n >= 0 && len(b) == len(a) && a[:n] == b[:n] && b[n] == a[n]+1
}

// LevelPlacebo says why a level changes nothing for goarch: it is the default, or another
// architecture's. It is "" if the level may change something.
func LevelPlacebo(version, name, value, goarch string, known []Knob) string {
	k, ok := find(known, name)
	switch {
	case !ok || value == "":
		return ""
	case !slices.Contains(k.GOARCH, goarch):
		return fmt.Sprintf("%s=%s means nothing to GOARCH=%s", name, value, goarch)
	case value == k.Default:
		return fmt.Sprintf("%s=%s is already the default of %s", name, value, version)
	}
	return ""
}
