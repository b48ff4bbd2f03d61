package alloc

import (
	"maps"
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/stats"
)

// A sitePair is a site of both sides, or of one: then the other is absent.
type sitePair struct{ base, variant *allocSite }

// absent is the site of a side that allocates nothing there.
var absent = &allocSite{n: math.MaxInt, objects: []float64{0}, bytes: []float64{0}}

// site describes a pair: by the place and the words of the variant if it allocates there.
func (p sitePair) site() assay.AllocSite {
	of, other := p.variant, p.base
	if n, _ := of.medians(); n == 0 && other != absent {
		of, other = other, of
	}
	s := assay.AllocSite{Function: of.function, File: of.file, Line: of.line, Via: of.via, Size: of.size, Type: of.typ, Reason: of.reason}
	if n, _ := other.medians(); n != 0 && other.size != of.size {
		s.Size = 0
	}
	s.BaseObjects, s.BaseBytes = p.base.medians()
	s.VariantObjects, s.VariantBytes = p.variant.medians()
	return s
}

// differs reports whether the trials of both sides are apart, and by more than a little,
// in objects or in bytes.
func (p sitePair) differs() bool {
	s := p.site()
	objects, bytes := p.values()
	n := min(p.base.n, p.variant.n)
	dObjects, dBytes := math.Abs(s.VariantObjects-s.BaseObjects), math.Abs(s.VariantBytes-s.BaseBytes)
	if n > 1 && allWhole(objects) && allWhole(bytes) {
		return dObjects > 0 && rangesApart(objects) || dBytes > 0 && rangesApart(bytes)
	}
	chance := leastCount / float64(n)
	size := max(s.BaseBytes, s.VariantBytes) / max(s.BaseObjects, s.VariantObjects, chance)
	return rangesApart(objects) && dObjects >= max(LeastObjects, chance) ||
		rangesApart(bytes) && dBytes >= max(leastBytes, chance*size)
}

func allWhole(v [2][]float64) bool {
	fraction := func(x float64) bool { return x != math.Trunc(x) }
	return !slices.ContainsFunc(v[0], fraction) && !slices.ContainsFunc(v[1], fraction)
}

// values are those of the trials of the base and of the variant.
func (p sitePair) values() (objects, bytes [2][]float64) {
	return [2][]float64{p.base.objects, p.variant.objects}, [2][]float64{p.base.bytes, p.variant.bytes}
}

func rangesApart(v [2][]float64) bool {
	return slices.Max(v[0]) < slices.Min(v[1]) || slices.Max(v[1]) < slices.Min(v[0])
}

// exact reports whether the trials of each side agree.
func (p sitePair) exact() bool {
	objects, bytes := p.values()
	return valuesAgree(objects[0]) && valuesAgree(objects[1]) && valuesAgree(bytes[0]) && valuesAgree(bytes[1])
}

func valuesAgree(v []float64) bool {
	const tolerance = 1e-9
	lo, hi := slices.Min(v), slices.Max(v)
	return hi-lo <= tolerance*max(1, math.Abs(hi))
}

// matchSites pairs the sites of both sides, function by function, in the order of the
// functions' names.
func matchSites(base, variant []*allocSite) []sitePair {
	functions := map[string][2][]*allocSite{}
	for side, sites := range [2][]*allocSite{base, variant} {
		for _, s := range sites {
			in := functions[s.function]
			in[side] = append(in[side], s)
			functions[s.function] = in
		}
	}
	var pairs []sitePair
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		pairs = append(pairs, alignSites(functions[name][0], functions[name][1])...)
	}
	return pairs
}

// mostAligned bounds the table of alignSites; a function with more sites on a side is
// paired by line only.
const mostAligned = 400

// alignSites pairs the sites of one function, both in the order of lines, so that the sum
// of the likenesses is the largest and the order is kept: lines move between revisions,
// but the things that they allocate keep their order (Needleman and Wunsch 1970, with
// gaps that cost nothing).
func alignSites(b, v []*allocSite) []sitePair {
	if len(b) > mostAligned || len(v) > mostAligned {
		return pairByLine(b, v)
	}
	best := make([][]int, len(b)+1) // of b[i:] with v[j:]
	for i := range best {
		best[i] = make([]int, len(v)+1)
	}
	for i := len(b) - 1; i >= 0; i-- {
		for j := len(v) - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1])
			if like := likeness(b[i], v[j]); like > 0 {
				best[i][j] = max(best[i][j], like+best[i+1][j+1])
			}
		}
	}
	var pairs []sitePair
	i, j := 0, 0
	for i < len(b) && j < len(v) {
		like := likeness(b[i], v[j])
		switch {
		case like > 0 && best[i][j] == like+best[i+1][j+1]:
			pairs = append(pairs, sitePair{b[i], v[j]})
			i, j = i+1, j+1
		case best[i][j] == best[i+1][j]:
			pairs = append(pairs, sitePair{b[i], absent})
			i++
		default:
			pairs = append(pairs, sitePair{absent, v[j]})
			j++
		}
	}
	return append(pairs, unpaired(b[i:], v[j:])...)
}

func unpaired(b, v []*allocSite) []sitePair {
	var pairs []sitePair
	for _, s := range b {
		pairs = append(pairs, sitePair{s, absent})
	}
	for _, s := range v {
		pairs = append(pairs, sitePair{absent, s})
	}
	return pairs
}

// likeness says how much two sites of one function look like the same; 0 is not at all.
// That they allocate one kind of thing counts most, then its size and number, then the
// line.
func likeness(b, v *allocSite) int {
	like := 0
	sameKind := unlessUnknown(b.via, v.via) && unlessUnknown(b.typ, v.typ)
	sameLine := b.file == v.file && b.line == v.line
	if !sameKind && !sameLine {
		return 0
	}
	if sameKind {
		like += 4
	}
	if b.size == v.size {
		like += 2
	}
	if valuesAgree([]float64{stats.Median(b.objects), stats.Median(v.objects)}) {
		like += 2
	}
	if sameLine {
		like++
	}
	return like
}

// unlessUnknown reports whether two names are the same, or may be.
func unlessUnknown(a, b string) bool { return a == b || a == "" || b == "" }

// pairByLine pairs sites that are the same line.
func pairByLine(b, v []*allocSite) []sitePair {
	var pairs []sitePair
	for len(b) > 0 && len(v) > 0 {
		switch c := b[0].siteKey.compare(v[0].siteKey); {
		case c < 0:
			pairs, b = append(pairs, sitePair{b[0], absent}), b[1:]
		case c > 0:
			pairs, v = append(pairs, sitePair{absent, v[0]}), v[1:]
		default:
			pairs, b, v = append(pairs, sitePair{b[0], v[0]}), b[1:], v[1:]
		}
	}
	return append(pairs, unpaired(b, v)...)
}
