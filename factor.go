package assay

// A Factor is one dimension of a matrix of variants.
type Factor struct {
	Name string `json:"name"`
	// Levels are its values. The first is the base, unless Study.Base has another.
	Levels []Level `json:"levels"`
}

// A Level is one value of a factor: its additions to a variant. Lists are joined.
type Level struct {
	Name string `json:"name"`
	// Setting holds the fields that the level sets, without Name and Levels.
	Setting Variant `json:"setting"`
}

// A Switch is a change of one factor from one level to another.
type Switch struct {
	Factor string `json:"factor"`
	From   string `json:"from"`
	To     string `json:"to"`
}

// String returns "gc: greentea to classic", or only To for an addition.
func (s Switch) String() string {
	if s.From == "" {
		return s.To
	}
	return s.Factor + ": " + s.From + " to " + s.To
}

// An Effect is what a switch does while the other factors stay as they are. With two
// switches it is their interaction. Changes are in the metric of its table.
type Effect struct {
	// Switches has one entry for a main effect, two for an interaction.
	Switches []Switch `json:"switches"`
	// Held names the listed variant with the other settings; "" is the mean over levels.
	Held string `json:"held,omitempty"`
	// Whole is the effect on the whole suite, or on its only benchmark.
	Whole Comparison `json:"whole"`
	// Cells are the effects by benchmark.
	Cells []Comparison `json:"cells,omitempty"`
}

// A Tradeoff says which variants are worth having if two metrics conflict.
type Tradeoff struct {
	Metrics [2]Metric `json:"metrics"`
	// Points has one entry per variant, including the base, in the order of the study.
	Points []TradeoffPoint `json:"points"`
}

// A TradeoffPoint is one variant's place in a trade-off.
type TradeoffPoint struct {
	Variant string `json:"variant"`
	// Values are geometric means over the suite, or medians of the only benchmark.
	Values [2]float64 `json:"values"`
	// Changes are with respect to the base.
	Changes [2]Change `json:"changes"`
	// Beaten names a variant proved better on one metric and proved not worse on the
	// other by more than the minimum effect. "" puts the point on the Pareto front.
	Beaten string `json:"beaten,omitempty"`
}

// A Race is the result of a race of variants.
type Race struct {
	// Margin is the relative change within which a variant ties with the best.
	Metric string  `json:"metric"`
	Margin float64 `json:"margin"`
	// Winner is the best. Sure means that no other is better by more than the margin.
	Winner string `json:"winner"`
	Sure   bool   `json:"sure"`
	// Runners has the others, the last to leave first.
	Runners []Runner `json:"runners"`
	// Saved is the time of a race in which nobody leaves, divided by that of this race.
	Saved float64 `json:"saved"`
}

// A Runner is a variant that did not win a race.
type Runner struct {
	Variant string `json:"variant"`
	// Left is the block after which it left the race; 0 if it ran to the end.
	Left int `json:"left,omitempty"`
	// Behind is its change with respect to the winner.
	Behind   Change    `json:"behind"`
	Interval *Interval `json:"interval,omitempty"`
}
