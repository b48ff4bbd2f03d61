package bisect

import (
	"maps"
	"slices"
)

// What is left to search: the commits between the last one without the change and the first
// with it. Binaries with the same code have the same speed, so what one measurement proves of
// a commit holds for all commits with its code.

// learn adds what is known of the code of a commit. One that nobody has built has code of
// its own.
func (b *Bisection) learn(i int, code string) {
	if code == "" {
		return
	}
	b.codes[i] = code
	b.narrowByCode()
	if at, ok := b.unsettled(); ok && (at <= b.lo || b.hi <= at) {
		b.again = false // the code has placed it
	}
}

// unsettled returns the commit whose first measurement did not place it, and which is
// measured a second time.
func (b *Bisection) unsettled() (index int, ok bool) {
	if !b.again || b.findings[len(b.findings)-1].Kind != AskProbe {
		return 0, false
	}
	return b.findings[len(b.findings)-1].Index, true
}

// same reports whether two commits are known to have the same code.
func (b *Bisection) same(i, j int) bool {
	code, known := b.codes[i]
	return known && code == b.codes[j]
}

// like reports whether a commit has the code of one of others.
func (b *Bisection) like(i int, others []int) bool {
	return slices.ContainsFunc(others, func(j int) bool { return b.same(i, j) })
}

// narrowByCode moves both ends of the search without a measurement: to the last commit with
// the code of a good one, and the first after it with the code of a bad one. What lies
// before and after these cannot be the one commit that made the change.
func (b *Bisection) narrowByCode() {
	for i := b.hi - 1; i > b.lo; i-- {
		if b.like(i, b.good) {
			b.lo = i
		}
	}
	for i := b.hi - 1; i > b.lo; i-- {
		if b.like(i, b.bad) {
			b.hi = i
		}
	}
}

// isOut reports whether a commit cannot be placed, itself or by another with its code.
func (b *Bisection) isOut(i int) bool {
	return b.out[i] || b.like(i, slices.Collect(maps.Keys(b.out)))
}

// suspects returns the commits between both ends of the search that changed the code,
// or may have.
func (b *Bisection) suspects() []int { return b.stretches(b.lo, b.hi)[1:] }

// stretches returns the first commits of the stretches of one code from a commit up to
// another, without that. What lies between two commits with the same code is of their
// stretch: it cannot be the one commit that made the change.
func (b *Bisection) stretches(from, to int) (firsts []int) {
	for i := from; i < to; i++ {
		k := slices.IndexFunc(firsts, func(first int) bool { return b.same(i, first) })
		if k < 0 {
			firsts, k = append(firsts, i), len(firsts)
		}
		firsts = firsts[:k+1]
	}
	return firsts
}

// open returns the suspects that can still be placed.
func (b *Bisection) open() []int {
	return slices.DeleteFunc(b.suspects(), b.isOut)
}

// choose returns the commit to probe: the middle one of the suspects. If that cannot be
// placed it is one near it, further away with every failure, since broken commits come in
// rows.
func (b *Bisection) choose() (index int, ok bool) {
	if i, ok := b.unsettled(); ok {
		return i, true
	}
	all, open := b.suspects(), b.open()
	if len(open) == 0 {
		return 0, false
	}
	mid, skipped := (len(all)-1)/2, len(all)-len(open)
	if skipped > 0 {
		offset := 1 << min((skipped-1)/2, 20)
		if skipped%2 == 0 {
			offset = -offset
		}
		mid = min(max(mid+offset, 0), len(all)-1)
	}
	for d := 0; ; d++ {
		for _, i := range [...]int{mid - d, mid + d} {
			if 0 <= i && i < len(all) && !b.isOut(all[i]) {
				return all[i], true
			}
		}
	}
}

// Steps returns the number of measurements that are expected before the answer, that of
// Next included.
func (b *Bisection) Steps() int {
	if b.done() {
		return 0
	}
	n := log2(len(b.open())+1) + 1 // probes, and the re-check
	if !b.differ() {
		n++
	}
	return n
}

// Left returns the number of commits of which one made the change, as far as is known.
func (b *Bisection) Left() int { return len(b.suspects()) + 1 }

// changing returns the number of commits of the history that changed the code, or may have.
func (b *Bisection) changing() int { return len(b.stretches(BeforeFirst, b.n)) - 1 }

// known returns the finding of a measurement that the code answers: ends with the same code do
// not differ, and a re-check of the code of both ends has been measured with them.
func (b *Bisection) known(ask Ask) (f Finding, ok bool) {
	f = Finding{Kind: ask.Kind, Index: ask.Index, Good: ask.Good, Bad: ask.Bad}
	switch {
	case ask.Kind == AskEnds && b.same(BeforeFirst, b.n-1):
		f.Place, f.Why = PlaceSame, "same code"
	case ask.Kind == AskRecheck && b.same(ask.Good, BeforeFirst) && b.same(ask.Index, b.n-1):
		f.Place, f.Why, f.Change, f.Whole, f.Blocks, f.Run = PlaceChanged, "same code as the ends", b.ends.Change, b.ends.Whole, b.ends.Blocks, b.ends.Run
	default:
		return f, false
	}
	return f, true
}
