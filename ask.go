package assay

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// An Ask is the kind of question that a study asks, and so the kind of sentence that
// answers it, as one types it: "variant", "factor:gc", "trade-off:sec/op,peak-RSS-bytes".
// "" leaves it to the variants and the decision rule.
type Ask string

// An AskKind is a kind of question.
type AskKind string

// The kinds of question.
const (
	AskVariant  AskKind = "variant"   // which variant to use
	AskFactor   AskKind = "factor"    // what each switch does while the others are held
	AskTradeoff AskKind = "trade-off" // which variants are worth having if two metrics conflict
	AskArc      AskKind = "arc"       // what the steps did, from the base to the last
	AskSame     AskKind = "same"      // whether the same code measures the same
	AskCauses   AskKind = "causes"    // why variants differ from the base
)

// AskKinds are all kinds of question.
var AskKinds = []AskKind{AskVariant, AskFactor, AskTradeoff, AskArc, AskSame, AskCauses}

// AskOf returns the ask of a kind, with what it names: a factor, or two metrics.
func AskOf(kind AskKind, names ...string) Ask {
	if len(names) == 0 {
		return Ask(kind)
	}
	return Ask(string(kind) + ":" + strings.Join(names, ","))
}

// Kind returns the kind of question; "" if the study does not say.
func (a Ask) Kind() AskKind {
	kind, _, _ := strings.Cut(string(a), ":")
	return AskKind(kind)
}

// Factor returns the factor that AskFactor names; "" means every factor.
func (a Ask) Factor() string {
	_, name, _ := strings.Cut(string(a), ":")
	if a.Kind() != AskFactor {
		return ""
	}
	return name
}

// Metrics returns the two metrics of AskTradeoff; nil for other kinds.
func (a Ask) Metrics() []string {
	_, names, _ := strings.Cut(string(a), ":")
	if a.Kind() != AskTradeoff {
		return nil
	}
	return strings.Split(names, ",")
}

// ParseAsk reads what a study asks. The error says what to write instead.
func ParseAsk(text string) (Ask, error) {
	word, rest, detailed := strings.Cut(text, ":")
	switch kind := AskKind(word); {
	case kind == AskFactor && detailed:
		if rest = strings.TrimSpace(rest); rest == "" {
			return "", errors.New(`names no factor; write "factor:NAME", or "factor" for all`)
		}
		return AskOf(kind, rest), nil
	case kind == AskTradeoff:
		names := strings.Split(rest, ",")
		for i, name := range names {
			if name = strings.TrimSpace(name); name == "time" {
				name = MetricTime
			}
			names[i] = name
		}
		if len(names) != 2 || slices.Contains(names, "") || names[0] == names[1] {
			return "", errors.New(`does not name two metrics; write for example "trade-off:time,peak-RSS-bytes"`)
		}
		return AskOf(kind, names...), nil
	case !detailed && slices.Contains(AskKinds, kind):
		return AskOf(kind), nil
	}
	return "", errors.New("is no question that assay knows; write one of variant, factor:NAME, trade-off:METRIC,METRIC, arc, same, causes")
}

// UnmarshalText takes only what ParseAsk returns, and "".
func (a *Ask) UnmarshalText(text []byte) error {
	read, err := ParseAsk(string(text))
	if len(text) > 0 && (err != nil || read != Ask(text)) {
		return fmt.Errorf("%.40q is nothing that a study can ask", text)
	}
	*a = read
	return nil
}

// Problem says why a study cannot ask this and what to write instead, as it follows the
// value in a sentence; "" if it can.
func (a Ask) Problem(s *Study) string {
	name := a.Factor()
	switch kind := a.Kind(); {
	case kind == AskFactor && len(s.Factors) == 0:
		return `needs a [[factor]]; of listed variants ask "variant"`
	case name != "" && !slices.ContainsFunc(s.Factors, func(f Factor) bool { return f.Name == name }):
		var names []string
		for _, f := range s.Factors {
			names = append(names, fmt.Sprintf("%q", AskOf(AskFactor, f.Name)))
		}
		return "names no factor of the study; write " + strings.Join(names, " or ")
	case kind == AskArc && s.Steps == nil:
		return `needs [steps]; without steps ask "variant"`
	case kind == AskTradeoff && len(s.Decide.Tradeoff) == 2 && !slices.Equal(a.Metrics(), s.Decide.Tradeoff):
		return fmt.Sprintf("names other metrics than tradeoff, which has %s; omit one of the two", strings.Join(s.Decide.Tradeoff, " and "))
	}
	return ""
}
