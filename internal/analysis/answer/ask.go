package answer

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-1318a441/assay"
)

// asked returns the question that the answer is to: what the study asks, if the result
// can answer that, else what follows from its variants and decision rule.
func asked(r *assay.Result, s *assay.Study) assay.Ask {
	ask := s.Asks
	switch {
	case ask.Kind() == assay.AskArc && r.Arc == nil,
		ask.Kind() == assay.AskTradeoff && r.Tradeoff == nil,
		ask.Kind() == assay.AskFactor && len(mainEffects(r, ask)) == 0:
		return assay.AskOf(assay.AskVariant)
	case ask != "":
		return ask
	case r.Arc != nil:
		return assay.AskOf(assay.AskArc)
	case s.Decide.Gate > 0, s.Decide.Race:
		return assay.AskOf(assay.AskVariant)
	case r.Tradeoff != nil && (len(s.Decide.Tradeoff) == 2 || len(s.Factors) == 1):
		return assay.AskOf(assay.AskTradeoff, r.Tradeoff.Metrics[0].Name, r.Tradeoff.Metrics[1].Name)
	case againstItself(s):
		return assay.AskOf(assay.AskSame)
	case len(s.Factors) > 1 && !slices.ContainsFunc(s.Variants, func(v assay.Variant) bool { return v.Levels == nil }) && len(mainEffects(r, ask)) > 0:
		if name := factorIn(s.Question, s.Factors); name != "" && len(mainEffects(r, assay.AskOf(assay.AskFactor, name))) > 0 {
			return assay.AskOf(assay.AskFactor, name)
		}
		return assay.AskOf(assay.AskFactor)
	case asksWhy.MatchString(s.Question) && slices.ContainsFunc(evidence, s.Measure.Collects):
		return assay.AskOf(assay.AskCauses)
	}
	return assay.AskOf(assay.AskVariant)
}

// againstItself reports whether a study measures the same build under several names, which
// assay does only if it is forced to.
func againstItself(s *assay.Study) bool {
	return s.Measure.Force && len(s.Variants) > 1 && s.By == nil &&
		!slices.ContainsFunc(s.Variants, func(v assay.Variant) bool { return !v.SameBuild(s.Variants[0]) })
}

// asksWhy finds the words of a question about causes, and evidence is what a study collects
// to answer it.
var (
	asksWhy  = regexp.MustCompile(`(?i)\b(why|causes?)\b`)
	evidence = []string{assay.CollectCode, assay.CollectCPU, assay.CollectMem}
)

// factorIn returns the only factor that a question names, by its own name or by a level's;
// "" if it names none or several.
func factorIn(question string, factors []assay.Factor) string {
	var named []string
	for _, f := range factors {
		if mentions(question, f.Name) || slices.ContainsFunc(f.Levels, func(l assay.Level) bool { return mentions(question, l.Name) }) {
			named = append(named, f.Name)
		}
	}
	if len(named) != 1 {
		return ""
	}
	return named[0]
}

// variantIn returns the only variant, besides the base, that the question of a result names;
// "" if it names none or several.
func variantIn(r *assay.Result) string {
	var named []string
	for _, v := range r.Variants {
		if v.Name != r.Base && mentions(r.Question, v.Name) {
			named = append(named, v.Name)
		}
	}
	if len(named) != 1 {
		return ""
	}
	return named[0]
}

// mentions reports whether a question has a name, in any spelling: "Green Tea" is greentea, and
// "size-specialised" begins with sizespec. Short names such as "go" are words of any question.
func mentions(question, name string) bool {
	name = letters(name)
	if len(name) < 4 {
		return false
	}
	before := ' '
	for i, c := range question {
		if !unicode.IsLetter(before) && !unicode.IsDigit(before) && strings.HasPrefix(letters(question[i:]), name) {
			return true
		}
		before = c
	}
	return false
}

// letters returns the letters and digits of a text, in lower case.
func letters(text string) string {
	return strings.Map(func(c rune) rune {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return -1
		}
		return unicode.ToLower(c)
	}, text)
}
