package assay

import "time"

// An End is end.json of a run: what its result needs besides the trials.
type End struct {
	Trials int `json:"trials"`
	// Time is when the run ended, Assay the version that ended it.
	Time  time.Time  `json:"time,omitzero"`
	Assay string     `json:"assay,omitempty"`
	Stop  StopReason `json:"stop"`
	// Budget is the run's time budget; More is true if it is larger than the study's.
	Budget time.Duration `json:"budget_ns,omitempty"`
	More   bool          `json:"more,omitempty"`
	// Rule is "" if the study's own rule ended the run, else RuleProbe.
	Rule string `json:"rule,omitempty"`

	// Noise lists the sources of noise on the machine when the run ended.
	Noise []string `json:"noise,omitempty"`
	// Warnings are those that do not follow from the trials: what benchmarks wrote into
	// their folders, and doubts about the benchmarks themselves, from their binaries.
	Warnings []Warning `json:"warnings,omitempty"`
	// Explanations follow from evidence, binaries and compiler output.
	Explanations []Explanation `json:"explanations,omitempty"`

	// Told is set if the study's texts were edited after the plan was written.
	Told *Told `json:"told,omitempty"`
}

// RuleProbe is the rule of a run made by a bisection.
const RuleProbe = "probe"

// Told holds the texts that the author of a study puts around its results.
type Told struct {
	Steps  *Steps `json:"steps,omitempty"`
	Report Report `json:"report,omitzero"`
}
