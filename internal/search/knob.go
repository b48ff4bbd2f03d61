package search

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
// The compiler can be told for some of its optimisations at which places of the
// source to make them: -d=KEYhash=PATTERN, where every place has a hash and the
// pattern says which bits the hash ends in (golang.org/x/tools/internal/bisect).
// golang.org/x/tools/cmd/bisect chooses patterns until it has found the fewest
// places that matter; it asks a program of ours, the target, whether a build acts
// like the one with the optimisation nowhere ("off") or everywhere ("on").
//
// # What is proved
//
// Where the builds differ exactly in allocs/op (no trial of either differs from its
// others, over the minimum of blocks), a build is on when its own differ from off's.
// In B/op it is on from half of the difference. That such a count would have varied
// later is not in the error rate below; two builds that share two values have shown
// one each over n blocks with probability 2^(1-n) at most.
// Else it is a matter of time, by a confidence sequence for ln(build/off) -
// ln(on/off)/2, as of a probe of commits. Nobody knows how many builds will be
// asked for: the first S of them have a half of the error rate in equal shares,
// the next S a quarter, and so on (KnobAlpha), so that together they have all of
// it. A build takes its part whether it is decided or not, since it could have been
// decided wrongly. One that is not is given as much time once more, and then counts
// as off and is told: a place that matters may be missed for it, or one be named
// beside it that does not, since cmd/bisect then looks for places that matter only
// together.

// The variants of a knob's bisection.
const (
	VariantOff  = "off"
	VariantOn   = "on"
	VariantSome = "some"
)

// The patterns that make the optimisation nowhere and everywhere, and have the
// compiler tell the places.
const (
	PatternOff = "vn"
	PatternOn  = "vy"
)

// KnobScope is the default of Knob.Scope: everything that is built but the
// standard library.
const KnobScope = ""

// A Knob is an optimisation whose places are searched.
type Knob struct {
	// Key is its name without "hash", such as "variablemake".
	Key string `json:"key"`
	// Scope is the pattern of the packages whose places are searched, as of
	// -gcflags; KnobScope leaves out the standard library, "all" does not.
	Scope string `json:"scope,omitempty"`
}

// Flag is the compiler's flag for a pattern.
func (k Knob) Flag(pattern string) string { return "-d=" + k.Key + "hash=" + pattern }

// Pattern brings a pattern of cmd/bisect into the form that every build of it
// has: with the "v" that has the compiler tell the places by name.
func (k Knob) Pattern(pattern string) string { return "v" + strings.TrimLeft(pattern, "v") }

// Variant is the base built with a pattern. buildFlags are the workload's flags
// of go build. The last -gcflags whose pattern fits a package is the only one that
// it is built with, so those of the base are repeated in ours; an error says that
// this cannot be done.
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

// maxMatches bounds what is read of a compiler's output: the whole standard
// library has 2,000 places of variablemake.
const maxMatches = 1 << 20

// A Match is a place at which the compiler can make an optimisation.
type Match struct {
	ID uint64 `json:"id"`
	// Text is the place, as the compiler wrote it: FILE:LINE:COLUMN, and of what was
	// inlined "; " and the place of it.
	Text string `json:"text,omitempty"`
}

// String is the line that cmd/bisect looks for.
func (m Match) String() string { return fmt.Sprintf("%s [bisect-match 0x%016x]", m.Text, m.ID) }

// ReadMatches reads the places that stand in the output of a build, each once
// and in their order. What else stands there is passed over.
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

// maxLine is what is kept of a line; the stack of what was inlined may be long.
const maxLine = 64 << 10

// readLine reads a line of any length and returns the beginning of it.
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

// parseMatch reads a line of the compiler's.
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

// PatternOf is the pattern that makes the optimisation at some places only.
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
	// File is as the compiler names it: relative to the folder of the build, or
	// absolute.
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// String is "file:line:column".
func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// Positions are those of a match: where the code stands, and where it was inlined,
// innermost last as the compiler writes it. What is none is left out.
func (m Match) Positions() (out []Position) {
	for part := range strings.SplitSeq(m.Text, "; ") {
		part, _, _ = strings.Cut(part, " (") // what else the compiler tells
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

// cutNumber cuts ":NUMBER" off the end; a file may have colons in its own name.
func cutNumber(s string) (before string, n int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	return s[:i], n, err == nil && n >= 0
}
