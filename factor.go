package assay

import "encoding/json"

// OnlyMainEffects is the value of Study.Only that runs a fraction of the
// crossing, from which main effects can be told and interactions cannot.
const OnlyMainEffects = "main-effects"

// A Factor is one dimension of a matrix of variants.
type Factor struct {
	Name string `json:"name"`
	// Levels are its values; the first is the one that the others are compared
	// with, unless Study.Base has another.
	Levels []Level `json:"levels"`
}

// A Level is one value of a factor: what it adds to a variant. Lists of several
// factors are joined.
type Level struct {
	Name string `json:"name"`
	// Setting holds the fields of a variant that the level sets; its Name and
	// Levels are empty.
	Setting Variant `json:"setting"`
}

// A Switch is one factor taken from one level to another.
type Switch struct {
	Factor string `json:"factor"`
	From   string `json:"from"`
	To     string `json:"to"`
}

// String returns "gc: greentea to classic", or where there is no level to come
// from, just what was added.
func (s Switch) String() string {
	if s.From == "" {
		return s.To
	}
	return s.Factor + ": " + s.From + " to " + s.To
}

// An Effect is what a switch does while the others are held, or, with two
// switches, what they do together beyond what each does alone. Changes are
// those of the metric of the table that it stands in.
type Effect struct {
	// Switches has one entry for a main effect, two for an interaction.
	Switches []Switch `json:"switches"`
	// Held names the variant whose other settings were held, where the study
	// lists variants; "" means the mean over the levels of the other factors.
	Held string `json:"held,omitempty"`
	// Whole is the effect on the whole suite, or on its only benchmark.
	Whole Comparison `json:"whole"`
	// Cells are the effects by benchmark.
	Cells []Comparison `json:"cells,omitempty"`
}

// A Tradeoff says which variants are worth having when two metrics pull in
// different directions.
type Tradeoff struct {
	Metrics [2]Metric `json:"metrics"`
	// Points has one entry a variant, the base among them, in the order of the
	// study.
	Points []TradeoffPoint `json:"points"`
}

// A TradeoffPoint is one variant's place in a trade-off.
type TradeoffPoint struct {
	Variant string `json:"variant"`
	// Values are the geometric means over the suite, or the medians of its only
	// benchmark, in the units of the metrics.
	Values [2]float64 `json:"values"`
	// Changes are with respect to the base.
	Changes [2]Change `json:"changes"`
	// Beaten names a variant that is proved better on one metric and proved to be no
	// worse on the other by more than the minimum effect; "" puts the point on the
	// Pareto front.
	Beaten string `json:"beaten,omitempty"`
}

// A Race is how a race of variants went.
type Race struct {
	// Metric that was raced on; Margin the relative change within which a variant
	// is as good as the best.
	Metric string  `json:"metric"`
	Margin float64 `json:"margin"`
	// Winner is the best at the end; Sure says that every other was proved worse,
	// or proved to be no better by more than the margin.
	Winner string `json:"winner"`
	Sure   bool   `json:"sure"`
	// Runners has the others, the last to leave first.
	Runners []Runner `json:"runners"`
	// Saved is the time that all variants in as many blocks would have taken, over
	// the time that the race took.
	Saved float64 `json:"saved"`
}

// A Runner is a variant of a race that did not win.
type Runner struct {
	Variant string `json:"variant"`
	// Left is the block after which it left; 0 for one that ran to the end.
	Left int `json:"left,omitempty"`
	// Behind is its change with respect to the winner.
	Behind   Change    `json:"behind"`
	Interval *Interval `json:"interval,omitempty"`
}

// A Merged is one study on several machines, read side by side: nothing is ever
// averaged over machines.
type Merged struct {
	Schema    int    `json:"schema"`
	Study     string `json:"study"`
	StudyHash string `json:"study_hash"`
	Question  string `json:"question,omitempty"`
	// Machines has a section for each, in the order given.
	Machines []Machine `json:"machines"`
	// Across compares the machines on the base variant.
	Across   []Across  `json:"across,omitempty"`
	Warnings []Warning `json:"warnings,omitempty"`
}

// A Machine is one section of a Merged.
type Machine struct {
	// Name tells the platform from the others.
	Name   string `json:"name"`
	Result Result `json:"result"`
}

// An Across is a benchmark's medians of the base on all machines, without a
// verdict: machines cannot be interleaved.
type Across struct {
	Benchmark Benchmark `json:"benchmark"`
	Metric    string    `json:"metric"`
	// Values has a median a machine, Changes its signed change with respect to
	// the first; one that a machine lacks is null in JSON.
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
