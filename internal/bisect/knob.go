package bisect

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/knobs"
)

// # The bisection of a knob
//
// Some of the compiler's optimisations can be limited to places of the source with
// -d=KEYhash=PATTERN. Every place has a hash, and the pattern says which bits the hash
// ends in (golang.org/x/tools/internal/bisect). golang.org/x/tools/cmd/bisect chooses
// patterns until it has found a minimal set of places that matter. For each pattern it
// runs a program of ours, the target, to learn whether a build behaves like the one with
// the optimisation nowhere ("off") or everywhere ("on").
//
// # What is proved
//
// If the ends differ exactly in allocs/op (the trials of each agree, over the minimum of
// blocks), a build is on if its count differs from off's. In B/op it is on from half of
// the difference. The error rate below does not include counts that would have varied
// later: if two builds share two values, the probability that each shows only one over n
// blocks is at most 2^(1-n). Otherwise time decides, by a confidence sequence for
// ln(build/off) - ln(on/off)/2, as in a probe of commits. The number of builds is not
// known beforehand: the first S of them have half of the error rate in equal shares, the
// next S a quarter, and so on (KnobAlpha). Together they have all of it. A build takes
// its part, decided or not, since it could have been decided wrongly. An undecided build
// gets the same time once more. After that it counts as off, and the report lists it: the
// search may miss a place that matters because of it, or name an irrelevant one with it,
// since cmd/bisect then looks for places that matter only together.

// The variants of a knob's bisection.
const (
	VariantOff  = "off"
	VariantOn   = "on"
	VariantSome = "some"
)

// The patterns that enable the optimisation nowhere and everywhere, with a list of the
// places from the compiler.
const (
	PatternOff = "vn"
	PatternOn  = "vy"
)

// KnobScope is the default of Knob.Scope: everything that is built except the standard
// library.
const KnobScope = ""

// A Knob is an optimisation whose places are searched.
type Knob struct {
	// Key is its name without "hash", such as "variablemake".
	Key string `json:"key"`
	// Scope is the pattern of the packages whose places are searched, as for -gcflags.
	// KnobScope excludes the standard library, "all" includes it.
	Scope string `json:"scope,omitempty"`
}

// Flag returns the compiler's flag for a pattern.
func (k Knob) Flag(pattern string) string { return "-d=" + k.Key + "hash=" + pattern }

// Pattern converts a pattern of cmd/bisect into the form that all builds use: with the
// "v" that makes the compiler list the places by name.
func (k Knob) Pattern(pattern string) string { return "v" + strings.TrimLeft(pattern, "v") }

// Variant returns the base built with a pattern. buildFlags are the workload's flags of
// go build. Only the last -gcflags that matches a package applies to it, so ours repeats
// those of the base. The error says if that is impossible.
func (k Knob) Variant(base assay.Variant, buildFlags []string, name, pattern string) (assay.Variant, error) {
	scope := k.Scope
	if scope == KnobScope {
		scope = "all"
	}
	kept := ""
	for _, entry := range slices.Concat(knobs.GCFlags(buildFlags), base.GCFlags) {
		of, flags, ok := strings.Cut(entry, "=")
		if !ok || strings.HasPrefix(strings.TrimSpace(entry), "-") || of != "all" && of != scope {
			return base, fmt.Errorf("-gcflags=%s reaches other packages than those that are searched, %s", entry, scope)
		}
		kept = flags
	}
	v := base
	v.Name = name
	v.GCFlags = append(slices.Clone(base.GCFlags), scope+"="+strings.TrimSpace(kept+" "+k.Flag(pattern)))
	if k.Scope == KnobScope {
		v.GCFlags = append(v.GCFlags, "std="+kept)
	}
	v.Build = maps.Clone(base.Build)
	return v, nil
}

// maxMatches is the maximum number of places read from a compiler's output: the whole
// standard library has 2,000 places of variablemake.
const maxMatches = 1 << 20

// A Match is a place where the compiler can make an optimisation.
type Match struct {
	ID uint64 `json:"id"`
	// Text is the place as written by the compiler: FILE:LINE:COLUMN. For inlined code ";
	// " and the place of the call follow.
	Text string `json:"text,omitempty"`
}

// String returns the line that cmd/bisect looks for.
func (m Match) String() string { return fmt.Sprintf("%s [bisect-match 0x%016x]", m.Text, m.ID) }

// ReadMatches reads the places in the output of a build, each once and in order. It
// ignores everything else.
func ReadMatches(r io.Reader) ([]Match, error) {
	var out []Match
	seen := map[uint64]bool{}
	in := bufio.NewReader(r)
	for {
		line, err := readLine(in)
		if m, ok := parseMatch(line); ok && !seen[m.ID] {
			if seen[m.ID] = true; len(out) == maxMatches {
				return nil, fmt.Errorf("read places: more than %d", maxMatches)
			}
			out = append(out, m)
		}
		switch err {
		case nil:
		case io.EOF:
			return out, nil
		default:
			return nil, fmt.Errorf("read places: %w", err)
		}
	}
}

// maxLine is the number of bytes kept of a line; the stack of inlined code may be long.
const maxLine = 64 << 10

// readLine reads a line of any length and returns its beginning.
func readLine(in *bufio.Reader) (line string, err error) {
	var kept []byte
	for {
		part, err := in.ReadSlice('\n')
		if room := maxLine - len(kept); room > 0 {
			kept = append(kept, part[:min(room, len(part))]...)
		}
		if err != bufio.ErrBufferFull {
			return strings.TrimRight(string(kept), "\r\n"), err
		}
	}
}

// parseMatch parses a line from the compiler.
func parseMatch(line string) (Match, bool) {
	text, rest, ok := strings.Cut(line, "[bisect-match 0x")
	if !ok {
		return Match{}, false
	}
	hex, _, ok := strings.Cut(rest, "]")
	id, err := strconv.ParseUint(hex, 16, 64)
	if !ok || err != nil {
		return Match{}, false
	}
	return Match{ID: id, Text: strings.TrimSpace(text)}, true
}

// PatternOf returns the pattern that enables the optimisation only at the given places.
func PatternOf(matches []Match) string {
	if len(matches) == 0 {
		return PatternOff
	}
	var b strings.Builder
	b.WriteString("v")
	for _, m := range matches {
		fmt.Fprintf(&b, "+x%016x", m.ID)
	}
	return b.String()
}

// A Position is a place of the source.
type Position struct {
	// File is as named by the compiler: relative to the folder of the build, or absolute.
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// String returns "file:line:column".
func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// Positions returns the positions of a match: that of the code, and those where it was
// inlined, in the compiler's order with the innermost last. Invalid ones are omitted.
func (m Match) Positions() (out []Position) {
	for part := range strings.SplitSeq(m.Text, "; ") {
		part, _, _ = strings.Cut(part, " (") // further text of the compiler
		rest, column, ok := cutNumber(part)
		if !ok {
			continue
		}
		file, line, ok := cutNumber(rest)
		if ok && file != "" {
			out = append(out, Position{file, line, column})
		}
	}
	return out
}

// cutNumber cuts ":NUMBER" off the end. A file name may contain colons, too.
func cutNumber(s string) (before string, n int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	return s[:i], n, err == nil && n >= 0
}
