package bisect

import (
	"time"

	"github.com/seed-1318a441/assay"
)

// A KnobFinding is the result of a KnobAsk, or of a build that needed no measurement. It
// is a line of the log.
type KnobFinding struct {
	Kind string `json:"kind"`
	// Pattern says at which places the optimisation is enabled.
	Pattern string `json:"pattern"`
	// Code identifies the build: the same code has the same answer.
	Code  string `json:"code,omitempty"`
	Place Place  `json:"place,omitempty"`
	// By is the metric that decided, "" if the code did.
	By  string `json:"by,omitempty"`
	Why string `json:"why,omitempty"`
	// Matches is the number of places that match the pattern. Set has the places of a set
	// found by cmd/bisect.
	Matches int     `json:"matches"`
	Set     []Match `json:"set,omitempty"`
	// Change is from off to the build, Whole from off to on, both in the study's own
	// metric. Rest, of the final comparison, is from the build to on.
	Change *Estimate `json:"change,omitempty"`
	Whole  *Estimate `json:"whole,omitempty"`
	Rest   *Estimate `json:"rest,omitempty"`
	// Exact are the benchmarks whose count in By differs exactly.
	Exact  []ExactChange `json:"exact,omitempty"`
	Blocks int           `json:"blocks,omitempty"`
	Run    string        `json:"run,omitempty"`
	// Measured is the time of trials and links, Took the total time.
	Measured time.Duration `json:"measured_ns"`
	Took     time.Duration `json:"took_ns"`
}

// An ExactChange has a benchmark's counts with the optimisation nowhere and everywhere.
// Neither ever varied. Some is the count with only the places found.
type ExactChange struct {
	Benchmark assay.Benchmark `json:"benchmark"`
	Off       float64         `json:"off"`
	On        float64         `json:"on"`
	Some      *float64        `json:"some,omitempty"`
}

// A KnobLog is the log of a knob's bisection.
type KnobLog struct{ *Log[KnobFinding] }

// Ends returns the finding of the ends, nil if there is none.
func (l KnobLog) Ends() *KnobFinding {
	return l.find(func(f *KnobFinding) bool { return f.Kind == KnobEnds })
}

// Answer returns an earlier finding for a pattern, nil if there is none.
func (l KnobLog) Answer(kind, pattern string) *KnobFinding {
	return l.find(func(f *KnobFinding) bool { return f.Kind == kind && f.Pattern == pattern })
}

// Alike returns an earlier probe of the same code, nil if there is none.
func (l KnobLog) Alike(code string) *KnobFinding {
	return l.find(func(f *KnobFinding) bool { return f.Kind == KnobProbe && code != "" && f.Code == code })
}

func (l KnobLog) find(is func(*KnobFinding) bool) *KnobFinding {
	for i := range l.Findings {
		if f := &l.Findings[i]; is(f) {
			return f
		}
	}
	return nil
}

// Attempts returns the number of measured probes, decided or not: each could have been
// decided wrongly.
func (l KnobLog) Attempts() (n int) {
	for _, f := range l.Findings {
		if f.Kind == KnobProbe && f.Blocks > 0 {
			n++
		}
	}
	return n
}
