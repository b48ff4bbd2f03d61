package sample

import (
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/schedule"
)

// A term is a variant's weight in a contrast of ln(value).
type term struct {
	variant string
	weight  float64
}

// A Contrast is the mean of groups of terms whose weights add up to 0, such as +1 for one
// variant and -1 for another. A block yields a value if all variants of a group ran in
// it.
type Contrast struct {
	groups [][]term
	// same is the number of groups whose variants are the same code: they are exactly 0,
	// and nothing has to run for them.
	same int
	// gather lets several blocks yield one value, if a block holds only some variants.
	gather bool
}

// add appends a group. Variants with the same code stand for one another; a group in
// which they cancel out is exactly 0.
func (c *Contrast) add(p *assay.Plan, terms ...term) {
	var group []term
	for _, x := range terms {
		x.variant = Measured(p, x.variant)
		i := slices.IndexFunc(group, func(y term) bool { return y.variant == x.variant })
		if i < 0 {
			group = append(group, x)
			continue
		}
		group[i].weight += x.weight
	}
	const rounding = 1e-9 // of weights such as 1/3
	group = slices.DeleteFunc(group, func(x term) bool { return math.Abs(x.weight) < rounding })
	if len(group) == 0 {
		c.same++
		return
	}
	c.groups = append(c.groups, group)
}

// Null reports whether a contrast is exactly 0: all of its variants are the same code.
func (c Contrast) Null() bool { return len(c.groups) == 0 }

// Against returns the contrast of one variant against another.
func Against(p *assay.Plan, a, b string) (c Contrast) {
	c.add(p, term{a, 1}, term{b, -1})
	return c
}

// Measured returns the variant that stands for the named one: itself, or another with the
// same code.
func Measured(p *assay.Plan, name string) string {
	for range p.Same { // a chain has no more links than there are entries
		i := slices.IndexFunc(p.Same, func(s assay.SameCode) bool { return s.Variant == name })
		if i < 0 {
			break
		}
		name = p.Same[i].As
	}
	return name
}

// Contrast returns a contrast on the benchmark as a sample; nil if some value has no
// logarithm.
func (b *Benchmark) Contrast(metric string, c Contrast) *Sample {
	return b.set.contrastOf(c, func(variant string) *Sample { return b.Unsaturated(metric, variant) })
}

// Contrast returns a contrast on the whole suite: of the geomeans, which are means over the
// same benchmarks, or of the only benchmark. It is nil if some value has no logarithm, or
// if there is no geomean.
func (su Suite) Contrast(c Contrast) *Sample {
	if len(su.Common()) < 2 && len(su.set.Active()) != 1 {
		return nil
	}
	return su.set.contrastOf(c, su.Sample)
}

// contrastOf returns a contrast of samples with one value a block: the mean over the
// groups that are complete in it, times the share of groups that are not exactly 0.
func (set *Set) contrastOf(c Contrast, of func(variant string) *Sample) *Sample {
	known := map[string][]float64{}
	floor, blur, varied, counted := 0.0, 0.0, false, true
	for _, g := range c.groups {
		for _, x := range g {
			if known[x.variant] != nil {
				continue
			}
			s := of(x.variant)
			if s != nil && s.Zero {
				return nil
			}
			known[x.variant] = set.byBlock(s, x.variant == set.Plan.Study.Base)
			if s != nil && len(s.D) > 0 {
				floor = max(floor, s.Floor())
				blur = max(blur, s.roundingWidth())
				varied, counted = varied || s.Varied, counted && s.counted
			}
		}
	}
	if c.gather && schedule.Subsets(set.Plan) {
		gather(known)
	}
	var blocks []int
	var d []float64
	for block := 1; block <= set.Blocks; block++ {
		if x, ok := c.at(known, block); ok {
			blocks, d = append(blocks, block), append(d, x)
		}
	}
	s := logSample(blocks, d, floor)
	s.looks = set.looks
	if v, weight := c.againstBase(set.Plan.Study.Base); v != "" {
		s.Control = controls(of(v), blocks, weight)
	}
	if v := c.relinked(set); v != "" {
		s.linkedAs(of(v), of(set.Control))
	}
	// A block may lack some of the groups, whose mean then differs.
	s.Varied = varied || len(d) > 0 && others(d, d[0])
	s.blur, s.counted = blur, counted
	return s
}

// relinked returns a variant whose links are those of a contrast of two; "" if both run one
// link, and for contrasts of several groups, which no plan measures that uses links again.
func (c Contrast) relinked(set *Set) string {
	if len(c.groups) != 1 {
		return ""
	}
	links := map[string]bool{}
	variant := ""
	for _, x := range c.groups[0] {
		links[design.LinkOf(set.Plan, x.variant)] = true
		if set.relinked[x.variant] {
			variant = x.variant
		}
	}
	if len(links) < 2 {
		return ""
	}
	return variant
}

// againstBase returns the variant that a contrast compares with the base, and its weight;
// "" for other contrasts, which have no control beside them.
func (c Contrast) againstBase(base string) (variant string, weight float64) {
	if len(c.groups) != 1 || len(c.groups[0]) != 2 || c.same > 0 {
		return "", 0
	}
	x, y := c.groups[0][0], c.groups[0][1]
	if x.variant == base {
		x, y = y, x
	}
	if y.variant != base || math.Abs(x.weight) != 1 || y.weight != -x.weight {
		return "", 0
	}
	return x.variant, x.weight
}

// controls returns the control's ln ratios of these blocks, times the weight of the
// variant: a block with its sign flipped as a whole says the same.
func controls(s *Sample, blocks []int, weight float64) []float64 {
	if s == nil || s.Control == nil {
		return nil
	}
	out := make([]float64, len(blocks))
	j := 0
	for i, block := range blocks {
		for s.Blocks[j] < block {
			j++
		}
		out[i] = weight * s.Control[j]
	}
	return out
}

// gather moves the values to the block in which the last of the variants had its turn,
// and starts again after it. If blocks hold some of the variants, and each has one turn
// in a few blocks, these say together what one large block would. Each value is a ratio
// to the base of its own block, so the machine's state between blocks cancels.
func gather(known map[string][]float64) {
	blocks := 0
	for _, x := range known {
		blocks = len(x)
	}
	have := map[string]float64{}
	for block := range blocks {
		for v, x := range known {
			if _, ok := have[v]; !ok && !math.IsNaN(x[block]) && block > 0 {
				have[v] = x[block]
			}
			x[block] = math.NaN()
		}
		if len(have) < len(known) {
			continue
		}
		for v, x := range known {
			x[block] = have[v]
		}
		clear(have)
	}
}

// byBlock spreads ln(value/base) over the block numbers, NaN if the variant did not run.
// The base against itself is 0.
func (set *Set) byBlock(s *Sample, base bool) []float64 {
	out := make([]float64, set.Blocks+1)
	if base {
		return out
	}
	for i := range out {
		out[i] = math.NaN()
	}
	if s != nil {
		for i, block := range s.Blocks {
			out[block] = s.D[i]
		}
	}
	return out
}

// at returns the value of one block.
func (c Contrast) at(known map[string][]float64, block int) (x float64, ok bool) {
	sum, n := 0.0, 0
	for _, g := range c.groups {
		one := 0.0
		for _, t := range g {
			one += t.weight * known[t.variant][block]
		}
		if !math.IsNaN(one) {
			sum += one
			n++
		}
	}
	if n == 0 {
		return 0, false
	}
	return sum / float64(n) * float64(len(c.groups)) / float64(len(c.groups)+c.same), true
}

// logSample returns a sample of changes in ln units without single pairs of values behind
// them.
func logSample(blocks []int, d []float64, floor float64) *Sample {
	s := &Sample{Blocks: blocks, D: d, step: floor, E: 1}
	for _, x := range d {
		s.Base, s.Value = append(s.Base, 1), append(s.Value, math.Exp(x))
	}
	return s
}
