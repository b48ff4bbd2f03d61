package assay

import "encoding/json"

// A Merged is one study on several machines. Nothing is averaged over machines.
type Merged struct {
	Schema    int    `json:"schema"`
	Study     string `json:"study"`
	StudyHash string `json:"study_hash"`
	// Group is that of the runs, if they have one in common.
	Group    string    `json:"group,omitempty"`
	Question string    `json:"question,omitempty"`
	Machines []Machine `json:"machines"`
	// Answer is the answer over all machines; nil for one machine, and for results without
	// a comparison on the whole suite.
	Answer *Answer `json:"answer,omitempty"`
	// Heads are the comparisons that the answer rests on, a variant and metric each.
	Heads []MergedHead `json:"heads,omitempty"`
	// Claims is the number of comparisons in Heads on all machines. Holm bounds the chance
	// that any of those confirmed is false by 1 - confidence.
	Claims int `json:"claims,omitempty"`
	// Interactions compare the change of each head between machines, two at a time, the
	// largest first. Of those claimed as Changed, Holm bounds the chance of any false one.
	Interactions []Interaction `json:"interactions,omitempty"`
	// Across compares the machines on the base variant.
	Across   []Across  `json:"across,omitempty"`
	Warnings []Warning `json:"warnings,omitempty"`
}

// A Machine is one section of a Merged.
type Machine struct {
	// Name distinguishes the platform from the others.
	Name   string `json:"name"`
	Result Result `json:"result"`
}

// A MergedHead is a variant on the whole suite and one metric, on every machine.
type MergedHead struct {
	Variant string `json:"variant"`
	Metric  Metric `json:"metric"`
	// On has a comparison for each machine, in their order. The machine's own result has
	// the same; its N is 0 where the machine has none.
	On []HeadOn `json:"on"`
	// Of is the number of machines that count: those with a comparison whose processor is
	// not emulated. Better and Worse count the confirmed differences, Same the comparisons
	// inside the minimum effect; the others are open.
	Of     int `json:"of"`
	Better int `json:"better"`
	Worse  int `json:"worse"`
	Same   int `json:"same"`
}

// A HeadOn is a comparison on one machine.
type HeadOn struct {
	Comparison
	// Confirmed means that its difference is also claimed among all variants and machines.
	Confirmed bool `json:"confirmed,omitempty"`
}

// An Interaction is the difference between a variant's changes on two machines.
type Interaction struct {
	Variant string `json:"variant"`
	Metric  string `json:"metric"`
	// Machines are indices of Merged.Machines.
	Machines [2]int `json:"machines"`
	// Change is the ratio to the base on the second machine, relative to that on the
	// first: with -10 % on the first and 0 on the second it is +11 %.
	Change   Change    `json:"change"`
	Interval *Interval `json:"interval,omitempty"`
	// E is the e-value against "the same change on both".
	E float64 `json:"e,omitempty"`
	// Verdict is Changed, Same, Unclear, or Invalid if no constant difference fits.
	Verdict Verdict `json:"verdict"`
	// MayBeSmall is true if a claimed difference may be below the minimum effect.
	MayBeSmall bool `json:"may_be_small,omitempty"`
}

// An Across has the base's medians of a benchmark on all machines, without a verdict.
type Across struct {
	Benchmark Benchmark `json:"benchmark"`
	Metric    string    `json:"metric"`
	// Values has a median per machine, Changes its change from the first.
	Values  []Value `json:"values"`
	Changes []Value `json:"changes"`
}

// A Value is a number that may be missing.
type Value struct {
	X  float64
	OK bool
}

// MarshalJSON writes null for a missing value.
func (v Value) MarshalJSON() ([]byte, error) {
	if !v.OK {
		return []byte("null"), nil
	}
	return json.Marshal(v.X)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (v *Value) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*v = Value{}
		return nil
	}
	v.OK = true
	return json.Unmarshal(data, &v.X)
}
