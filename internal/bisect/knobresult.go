package bisect

import (
	"bufio"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// KnobSchema is the version of the JSON of a KnobResult.
const KnobSchema = 1

// StatusSpread is the status of a knob's bisection if no few places account for the
// effect.
const StatusSpread = "spread"

// A KnobResult is the result of a knob's bisection. Its status is StatusFound,
// StatusNoChange (the knob does not matter), StatusUndecided or StatusSpread.
type KnobResult struct {
	Schema   int    `json:"schema"`
	Study    string `json:"study"`
	Command  string `json:"command"`
	Platform string `json:"platform"`
	Knob     Knob   `json:"knob"`
	// Variant is the base as written by its author, Go its toolchain.
	Variant string `json:"variant"`
	Go      string `json:"go"`
	// Metric is the study's own, used for Change, Whole and Rest. By is the metric that
	// decided the probes.
	Metric string `json:"metric"`
	By     string `json:"by,omitempty"`
	// Confidence is the probability that no wrong place is named.
	Confidence float64 `json:"confidence"`

	Status string `json:"status"`
	Why    string `json:"why,omitempty"`
	// Places is the number of places in scope.
	Places int `json:"places"`
	// Sets are the places found. No place of a set can be left out.
	Sets []KnobSet `json:"sets"`
	// More says that there are others: the search ended at its limit of sets.
	More bool `json:"more,omitempty"`
	// Change is the effect of all places found together, Whole that of the knob
	// everywhere, both against nowhere. Rest is everywhere against the places found.
	Change *Estimate     `json:"change,omitempty"`
	Whole  *Estimate     `json:"whole,omitempty"`
	Rest   *Estimate     `json:"rest,omitempty"`
	Exact  []ExactChange `json:"exact,omitempty"`

	// Probes is the number of builds that cmd/bisect requested, Runs the number of those
	// that were measured. Undecided is the number of those that counted as off without
	// proof.
	Probes    int           `json:"probes"`
	Runs      int           `json:"runs"`
	Undecided int           `json:"undecided,omitempty"`
	Findings  []KnobFinding `json:"findings"`
	Measured  time.Duration `json:"measured_ns"`
	Took      time.Duration `json:"took_ns"`
}

// A KnobSet is a set of places that matter together.
type KnobSet struct {
	Lines []KnobLine `json:"lines"`
}

// A KnobLine is a place that matters.
type KnobLine struct {
	Position
	// ID is the compiler's name for it.
	ID uint64 `json:"id"`
	// Source is the line itself, "" if it could not be read.
	Source string `json:"source,omitempty"`
	// Into is where the place was inlined, outermost first.
	Into []Position `json:"into,omitempty"`
}

// Found reports whether the places were found.
func (r *KnobResult) Found() bool { return r.Status == StatusFound }

// Line returns a match as a line. display converts the compiler's name of a file for the
// reader; source reads a line of it. A match without a position keeps its text as the
// file.
func (m Match) Line(display func(file string) string, source func(Position) string) KnobLine {
	ps := m.Positions()
	if len(ps) == 0 {
		return KnobLine{ID: m.ID, Position: Position{File: m.Text}}
	}
	last := ps[len(ps)-1]
	l := KnobLine{ID: m.ID, Position: last, Source: source(last)}
	l.File = display(l.File)
	for _, p := range ps[:len(ps)-1] {
		p.File = display(p.File)
		l.Into = append(l.Into, p)
	}
	return l
}

// Conclude fills in the results of the findings.
func (r *KnobResult) Conclude(findings []KnobFinding) {
	r.Findings = findings
	for _, f := range findings {
		r.Measured += f.Measured
		r.Took += f.Took
		switch f.Kind {
		case KnobEnds:
			r.Places, r.By, r.Why = f.Matches, f.By, f.Why
			r.Whole, r.Exact = f.Whole, f.Exact
			switch f.Place {
			case PlaceSame:
				r.Status = StatusNoChange
			case PlaceUndecided:
				r.Status = StatusUndecided
			}
		case KnobProbe:
			r.Probes++
			if f.Run != "" {
				r.Runs++
			}
			if f.Place == PlaceUndecided {
				r.Undecided++
			}
		case KnobFinal:
			r.Change, r.Whole, r.Rest, r.Exact = f.Change, f.Whole, f.Rest, f.Exact
		}
	}
}

// A KnobStep is a line of cmd/bisect's output.
type KnobStep struct {
	// Pattern was found on or off, with Matches places. For a confirmed set Found is true
	// and there is no pattern.
	Pattern string
	On      bool
	Matches int
	Found   bool
	// Fatal is why the search ended early.
	Fatal string
}

var (
	runLine   = regexp.MustCompile(`^bisect: run: .*GOCOMPILEDEBUG=[a-z0-9]+hash=([!vyn01x+0-9a-fA-F-]*) .*\.\.\. (ok|FAIL) \((\d+) matches\)$`)
	fatalLine = regexp.MustCompile(`^bisect: fatal error: (.*)$`)
)

// ReadSteps calls step for each step in cmd/bisect's output, until the reader ends. Up to
// a few lines after a fatal error are added to it as detail.
func ReadSteps(r io.Reader, step func(KnobStep)) error {
	in := bufio.NewReader(r)
	fatal := []string(nil)
	for {
		line, err := readLine(in)
		m, f := runLine.FindStringSubmatch(line), fatalLine.FindStringSubmatch(line)
		switch {
		case f != nil:
			fatal = []string{f[1]}
		case fatal != nil && line != "" && len(fatal) < 5:
			fatal = append(fatal, strings.TrimSpace(line))
		case m != nil:
			n, _ := strconv.Atoi(m[3])
			step(KnobStep{Pattern: m[1], On: m[2] == "FAIL", Matches: n})
		case line == "bisect: FOUND failing change set":
			step(KnobStep{Found: true})
		}
		if err != nil {
			if fatal != nil {
				step(KnobStep{Fatal: strings.Join(fatal, "; ")})
			}
			if err == io.EOF {
				return nil
			}
			return err
		}
	}
}

// Sets returns the confirmed sets of a search, by the patterns that confirmed them.
func Sets(l KnobLog, patterns []string) (out [][]Match) {
	for _, p := range patterns {
		if f := l.Answer(KnobProbe, p); f != nil {
			out = append(out, slices.Clone(f.Set))
		}
	}
	return out
}
