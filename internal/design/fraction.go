package design

import (
	"fmt"
	"slices"
)

// maxRuns is the size of the largest array: the last power of two below maxVariants.
const maxRuns = 128

// fraction picks combinations of factors, given the number of levels of each, that keep
// all main effects separate. For any two factors, the frequency of every pair of levels
// is proportional to the product of their own frequencies, so that the other factors
// cancel in the difference of two levels' means. Run 0 has level 0 everywhere, and no two
// runs are the same. It is nil if no such array of at most 128 runs, smaller than the
// product, is found. Interactions cannot be estimated: they are mixed into the main
// effects.
//
// The arrays are the regular ones of p^n runs, p = 2, 3 or 5 (Bose and Bush 1952; for p =
// 2 the columns of the Sylvester-Hadamard matrix). Runs and columns are vectors of n
// digits below p; in column c run i has the level i.c mod p. Two columns are orthogonal
// unless one is a multiple of the other. A factor of more than p levels takes a group of
// q = ceil(log_p L) columns with all their sums, which is a factor of p^q levels
// (Addelman and Kempthorne 1961). If L is smaller, some of those levels are merged:
// frequencies stay proportional (Addelman 1962, Orthogonal main-effect plans for
// asymmetrical factorial experiments, Technometrics 4:21-46). The result is the smallest
// array for which a greedy search finds the columns. It may miss a smaller array, but
// never returns a wrong one.
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

// A space is the vectors of n digits below the prime p, as numbers below size = p^n.
type space struct{ p, size int }

// spaces lists those that are small enough, smallest first.
func spaces() (out []space) {
	for _, p := range []int{2, 3, 5} {
		for size := p; size <= maxRuns; size *= p {
			out = append(out, space{p, size})
		}
	}
	slices.SortFunc(out, func(a, b space) int { return a.size - b.size })
	return out
}

// add returns a + b, digit by digit without carry.
func (s space) add(a, b int) (sum int) {
	for unit := 1; unit < s.size; unit *= s.p {
		sum += (a/unit + b/unit) % s.p * unit
	}
	return sum
}

// dot returns a.b mod p.
func (s space) dot(a, b int) (sum int) {
	for ; a > 0 && b > 0; a, b = a/s.p, b/s.p {
		sum += a % s.p * (b % s.p)
	}
	return sum % s.p
}

// width returns the number of columns for a factor with so many levels.
func (s space) width(levels int) (q int) {
	for n := 1; n < levels; n *= s.p {
		q++
	}
	return q
}

// columns gives each factor its group of columns. No column, and no sum of multiples of a
// group's columns, is in two groups.
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

// free returns the first column that adds no used one to the span of a group.
func (s space) free(used []bool, span []int) (c int, ok bool) {
	for c := range used {
		if !slices.ContainsFunc(span, func(x int) bool { return used[s.add(x, c)] }) {
			return c, true
		}
	}
	return 0, false
}

// widen adds to a span all its sums with multiples of c.
func (s space) widen(span []int, c int) []int {
	out := slices.Clone(span)
	for multiple := c; multiple != 0; multiple = s.add(multiple, c) {
		for _, x := range span {
			out = append(out, s.add(x, multiple))
		}
	}
	return out
}

// foldings is the maximum number of attempts to merge levels.
const foldings = 64

// array writes the runs. If a factor has fewer levels than its columns, some are merged,
// and the choice decides whether two runs coincide: they would be one variant, and
// frequencies no longer proportional. It is nil if no choice works.
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

// fold maps the values of q columns to levels: each to its own, those beyond to any.
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

// value returns a group of columns as one number.
func (s space) value(run int, group []int) (v int) {
	unit := 1
	for _, c := range group {
		v += s.dot(run, c) * unit
		unit *= s.p
	}
	return v
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
