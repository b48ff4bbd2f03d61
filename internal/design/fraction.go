package design

import (
	"fmt"
	"slices"
)

// maxRuns bounds the arrays that are tried: 128 = 2^7 is the last power of two
// below maxVariants.
const maxRuns = 128

// fraction picks combinations of factors with so many levels each such that
// all main effects can be told apart: for any two factors, every pair of levels
// comes in proportion to how often each comes alone, so that the other factors
// cancel in the difference of two levels' means. Run 0 has level 0 everywhere,
// and no two runs are the same. It is nil where no such array of at most 128 runs
// is found that is smaller than the product. Interactions cannot be told: they
// hide in the main effects.
//
// The arrays are the regular ones of p^n runs, p = 2, 3 or 5 (Bose and Bush 1952;
// for p = 2 the columns of the Sylvester-Hadamard matrix). Runs and columns are
// vectors of n digits below p; run i has in column c the level i.c mod p. Two
// columns are orthogonal unless one is a multiple of the other. A factor of more
// than p levels takes a group of q = ceil(log_p L) columns with all their sums,
// which is a factor of p^q levels (Addelman and Kempthorne 1961). Where L is
// less, some of its levels are made one: frequencies stay proportional (Addelman
// 1962, Orthogonal main-effect plans for asymmetrical factorial experiments,
// Technometrics 4:21-46). The smallest array is taken for which the columns are
// found, by a search that takes the first that fit: it may miss a smaller
// array, and never gives a wrong one.
func fraction(sizes []int) [][]int {
	for _, s := range spaces() {
		if s.size >= product(sizes) {
			break
		}
		groups, ok := s.columns(sizes)
		if !ok {
			continue
		}
		if runs := s.array(groups, sizes); runs != nil {
			return runs
		}
	}
	return nil
}

// A space is the vectors of n digits below the prime p, each written as one
// number below size = p^n.
type space struct{ p, size int }

// spaces lists those that are small enough, the smallest first.
func spaces() (out []space) {
	for _, p := range []int{2, 3, 5} {
		for size := p; size <= maxRuns; size *= p {
			out = append(out, space{p, size})
		}
	}
	slices.SortFunc(out, func(a, b space) int { return a.size - b.size })
	return out
}

// add is a + b, digit by digit without carry.
func (s space) add(a, b int) (sum int) {
	for unit := 1; unit < s.size; unit *= s.p {
		sum += (a/unit + b/unit) % s.p * unit
	}
	return sum
}

// dot is a.b mod p.
func (s space) dot(a, b int) (sum int) {
	for ; a > 0 && b > 0; a, b = a/s.p, b/s.p {
		sum += a % s.p * (b % s.p)
	}
	return sum % s.p
}

// width is the number of columns that a factor of so many levels takes.
func (s space) width(levels int) (q int) {
	for n := 1; n < levels; n *= s.p {
		q++
	}
	return q
}

// columns gives each factor its group of columns; no column, and no sum of
// multiples of a group's columns, is in two groups.
func (s space) columns(sizes []int) (groups [][]int, ok bool) {
	groups = make([][]int, len(sizes))
	used := make([]bool, s.size)
	used[0] = true // the constant column; it keeps a group's columns independent too
	order := make([]int, len(sizes))
	for i := range order {
		order[i] = i
	}
	// The largest groups are the hardest to place.
	slices.SortStableFunc(order, func(a, b int) int { return s.width(sizes[b]) - s.width(sizes[a]) })
	for _, i := range order {
		span := []int{0}
		for range s.width(sizes[i]) {
			c, ok := s.free(used, span)
			if !ok {
				return nil, false
			}
			groups[i] = append(groups[i], c)
			span = s.widen(span, c)
		}
		for _, x := range span {
			used[x] = true
		}
	}
	return groups, true
}

// free is the first column that, added to a group, brings in no used one.
func (s space) free(used []bool, span []int) (c int, ok bool) {
	for c := range used {
		if !slices.ContainsFunc(span, func(x int) bool { return used[s.add(x, c)] }) {
			return c, true
		}
	}
	return 0, false
}

// widen adds to a span all sums with multiples of c.
func (s space) widen(span []int, c int) []int {
	out := slices.Clone(span)
	for multiple := c; multiple != 0; multiple = s.add(multiple, c) {
		for _, x := range span {
			out = append(out, s.add(x, multiple))
		}
	}
	return out
}

// foldings is how many ways to make levels one are tried.
const foldings = 64

// array writes the runs. Where a factor has fewer levels than its columns, which
// levels become one decides whether two runs coincide; a run that is there twice
// would be one variant, and the frequencies no longer proportional. It is nil
// when no way is found.
func (s space) array(groups [][]int, sizes []int) [][]int {
	for try := range foldings {
		folds := make([][]int, len(sizes))
		for j := range folds {
			folds[j] = s.fold(len(groups[j]), sizes[j], try, j)
		}
		var runs [][]int
		seen := map[string]bool{}
		for i := 0; i < s.size && len(seen) == i; i++ {
			run := make([]int, len(sizes))
			for j, group := range groups {
				run[j] = folds[j][s.value(i, group)]
			}
			seen[fmt.Sprint(run)] = true
			runs = append(runs, run)
		}
		if len(seen) == s.size {
			return runs
		}
	}
	return nil
}

// fold maps the values of q columns onto levels: each level's own value, and the
// values beyond the last level onto any.
func (s space) fold(q, levels, try, factor int) []int {
	n := 1
	for range q {
		n *= s.p
	}
	out := make([]int, n)
	rnd := Rand(uint64(try), "fold", factor)
	for v := range out {
		if out[v] = v; v >= levels {
			out[v] = rnd.IntN(levels)
		}
	}
	return out
}

// value reads a group of columns as one number.
func (s space) value(run int, group []int) (v int) {
	unit := 1
	for _, c := range group {
		v += s.dot(run, c) * unit
		unit *= s.p
	}
	return v
}
