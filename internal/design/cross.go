package design

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
)

// maxVariants is the maximum number of variants that factors may make. Each is built, and
// a block of all of them takes minutes.
const maxVariants = 200

// listedFactor is the name of the factor whose levels are the listed variants.
const listedFactor = "variant"

// A dimension is a factor, or the listed variants.
type dimension struct {
	name   string
	levels []assay.Level
	base   int // the index of the base's level
}

// Cross makes Study.Variants from Study.Factors: every combination of their levels, the
// last factor changing fastest, named by the levels joined with "/"; those of a single factor
// have a LevelName. If the study lists variants they are the first factor, called "variant".
//
// A variant has the settings of all its levels: lists are joined, maps are merged. A
// single-valued setting (go, rev or module, pgo, run, a variable) may come from one
// factor only. joinFlags joins compiler and linker flags. The base is Study.Base, or the
// first of each.
//
// A study without factors, or crossed already, stays as it is. The error is an
// *assay.Error: "factors" if the factors are invalid, "too-many-variants" over 200.
func Cross(s *assay.Study) error {
	if !s.Uncrossed() {
		return nil
	}
	dims, err := dimensions(s)
	if err != nil {
		return err
	}
	if err := findBase(s.Base, dims); err != nil {
		return err
	}
	runs, err := choose(dims)
	if err != nil {
		return err
	}
	crossed := *s
	crossed.Variants = nil
	for _, run := range runs {
		crossed.Variants = append(crossed.Variants, cross(dims, run))
	}
	crossed.Base = cross(dims, baseRun(dims)).Name
	if err := crossed.Validate(); err != nil {
		return badFactors("", "%v", err)
	}
	*s = crossed
	return nil
}

func badFactors(advice, format string, args ...any) error {
	return &assay.Error{Exit: assay.ExitUsage, Warning: assay.Warning{Code: assay.CodeFactors, Text: fmt.Sprintf(format, args...), Advice: advice}}
}

// dimensions returns the study's factors, checked one by one and pair by pair.
func dimensions(s *assay.Study) ([]dimension, error) {
	if s.By != nil {
		return nil, badFactors("", "[by] finds the variants in one binary, and [[factor]] makes them: use one of the two")
	}
	var dims []dimension
	if len(s.Variants) > 0 {
		d := dimension{name: listedFactor}
		for _, v := range s.Variants {
			d.levels = append(d.levels, assay.Level{Name: v.Name, Setting: v})
		}
		dims = append(dims, d)
	}
	for _, f := range s.Factors {
		dims = append(dims, dimension{name: f.Name, levels: f.Levels})
	}
	for i, d := range dims {
		if slices.ContainsFunc(dims[:i], func(e dimension) bool { return e.name == d.name }) {
			used := "factor name %q is used twice"
			if d.name == listedFactor {
				used += `: the listed variants go by it`
			}
			return nil, badFactors("", used, d.name)
		}
		if err := d.check(); err != nil {
			return nil, err
		}
		for _, e := range dims[:i] {
			if err := checkCrossable(e, d); err != nil {
				return nil, err
			}
		}
	}
	return dims, nil
}

// check checks the names of one factor.
func (d dimension) check() error {
	if d.name == "" {
		return badFactors("", "a factor has no name")
	}
	if len(d.levels) == 0 {
		return badFactors("", "factor %q has no levels", d.name)
	}
	for i, l := range d.levels {
		if l.Name == "" {
			return badFactors("", "a level of factor %q has no name", d.name)
		}
		if slices.ContainsFunc(d.levels[:i], func(m assay.Level) bool { return m.Name == l.Name }) {
			return badFactors("", "level %q of factor %q is there twice", l.Name, d.name)
		}
	}
	return nil
}

// findBase marks the base's level in each dimension. If the study lists variants, base
// may be one of them; the other levels are then the first ones.
func findBase(base string, dims []dimension) error {
	if base == "" || matchBase(base, dims) {
		return nil
	}
	if len(dims) == 1 {
		if i := slices.IndexFunc(dims[0].levels, func(l assay.Level) bool { return LevelName(dims[0].name, l) == base }); i >= 0 {
			dims[0].base = i
			return nil
		}
	}
	if i := slices.IndexFunc(dims[0].levels, func(l assay.Level) bool { return l.Name == base }); dims[0].name == listedFactor && i >= 0 {
		dims[0].base = i
		return nil
	}
	first := cross(dims, baseRun(dims)).Name
	return badFactors(fmt.Sprintf("base = %q", first), "base %q is no combination of levels", base)
}

// matchBase parses a name as one level of each dimension. It tries them in turn, since
// the name of a level may contain "/".
func matchBase(name string, dims []dimension) bool {
	if len(dims) == 0 {
		return false
	}
	for i, l := range dims[0].levels {
		rest, ok := strings.CutPrefix(name, l.Name)
		if !ok {
			continue
		}
		if len(dims) == 1 {
			ok = rest == ""
		} else if rest, ok = strings.CutPrefix(rest, "/"); ok {
			ok = matchBase(rest, dims[1:])
		}
		if ok {
			dims[0].base = i
			return true
		}
	}
	return false
}

// baseRun returns the combination that is the base.
func baseRun(dims []dimension) []int {
	run := make([]int, len(dims))
	for i, d := range dims {
		run[i] = d.base
	}
	return run
}

// choose lists the combinations for the variants, in the order of the product. Each has
// the index of a level by dimension.
func choose(dims []dimension) ([][]int, error) {
	sizes := make([]int, len(dims))
	for i, d := range dims {
		sizes[i] = len(d.levels)
	}
	if n := product(sizes); n > maxVariants {
		return nil, tooMany(n)
	}
	return full(sizes), nil
}

// tooMany returns the error for a product of n variants.
func tooMany(n int) error {
	count := fmt.Sprint(n)
	if n >= maxCount {
		count = "more than a million"
	}
	return &assay.Error{Exit: assay.ExitUsage, Warning: assay.Warning{Code: assay.CodeTooManyVariants,
		Text:   fmt.Sprintf("the factors make %s variants, and %d are the most", count, maxVariants),
		Facts:  []string{"every variant is built, and runs in its turn"},
		Advice: "fewer factors or levels: the product of the levels counts"}}
}

// full lists all combinations, the last changing fastest.
func full(sizes []int) [][]int {
	runs := [][]int{nil}
	for _, k := range sizes {
		var longer [][]int
		for _, run := range runs {
			for level := range k {
				longer = append(longer, append(slices.Clone(run), level))
			}
		}
		runs = longer
	}
	return runs
}

// product returns the number of combinations, at most huge.
func product(sizes []int) int {
	n := 1
	for _, k := range sizes {
		if n *= k; n >= maxCount {
			return maxCount
		}
	}
	return n
}

// maxCount is where counting stops, since the product may overflow beyond it.
const maxCount = 1_000_000
