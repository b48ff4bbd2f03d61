package assay

import "time"

// An End is what a run says at its end that its trials do not: with it the result can be
// computed anew, to the last digit. It is end.json in the run folder.
type End struct {
	// Trials is the number of trials that the run had.
	Trials int `json:"trials"`
	// Time is when it ended, Assay the version that ended it.
	Time  time.Time `json:"time,omitzero"`
	Assay string    `json:"assay,omitempty"`
	// Stop is why it ended.
	Stop StopReason `json:"stop"`
	// Budget is the time that it was given, More says that it was given more than its
	// study says.
	Budget time.Duration `json:"budget_ns,omitempty"`
	More   bool          `json:"more,omitempty"`
	// Rule is "" where the rule of the study ended it, else RuleProbe.
	Rule string `json:"rule,omitempty"`

	// Noise is what made the machine restless when the run ended.
	Noise []string `json:"noise,omitempty"`
	// Warnings are those that do not follow from the trials: what benchmarks wrote into
	// their folders, and doubts about benchmarks themselves, from their binaries.
	Warnings []Warning `json:"warnings,omitempty"`
	// Explanations are made of evidence, binaries and what compilers say.
	Explanations []Explanation `json:"explanations,omitempty"`

	// Told is set where the study was edited after the plan was written; of what it says
	// around the results the last word counts.
	Told *Told `json:"told,omitempty"`
	// Pictures are kept of a record whose collected/ is gone; else they are computed.
	Pictures *Pictures `json:"pictures,omitempty"`
}

// RuleProbe is the rule of a run that a bisection made.
const RuleProbe = "probe"

// Told is what the author of a study says around its results.
type Told struct {
	Steps  *Steps `json:"steps,omitempty"`
	Report Report `json:"report,omitzero"`
}

// Pictures are the parts of a result on which no verdict rests.
type Pictures struct {
	Latencies []Latency `json:"latencies,omitempty"`
	GCs       []GC      `json:"gcs,omitempty"`
}
