package distribution

import (
	"fmt"
	"math"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// What a simultaneous band says at one quantile.
type shifted int

const (
	shiftFaster shifted = iota
	shiftSlower
	shiftSame
	shiftOpen
	shiftKinds
)

// A stretch is a run of neighbouring quantiles at which the band says the same.
type stretch struct {
	what     shifted
	from, to float64      // quantiles
	most     assay.Change // the largest change in it
}

// shiftText says in words where a band lies: within the minimum effect, beyond 0, or
// neither. "faster at p2…p70, by up to 4.9 %; needs more data to resolve ±2 % at p80…p98".
func shiftText(s assay.Shift, margin float64) string {
	return shiftParts(s, margin) + fmt.Sprintf(" (simultaneous %g %% band)", 100*s.Confidence)
}

func shiftParts(s assay.Shift, margin float64) string {
	runs := stretches(s, margin)
	if len(runs) == 1 {
		return "whole distribution " + runs[0].String() + ": " + shiftPart(runs[0].what, "", runs[0].most, margin)
	}
	var parts []string
	for kind := range shiftKinds {
		var where []string
		most := assay.Change(0)
		for _, r := range runs {
			if r.what != kind {
				continue
			}
			where = append(where, r.String())
			if math.Abs(r.most.Log()) > math.Abs(most.Log()) {
				most = r.most
			}
		}
		if len(where) > 0 {
			parts = append(parts, shiftPart(kind, " at "+strings.Join(where, ", "), most, margin))
		}
	}
	return strings.Join(parts, "; ")
}

// shiftPart says what the band shows at some quantiles; at names them, "" means all.
func shiftPart(kind shifted, at string, most assay.Change, margin float64) string {
	switch kind {
	case shiftSame:
		return "no shift beyond ±" + printable.Share(margin) + at
	case shiftOpen:
		return "needs more data to resolve ±" + printable.Share(margin) + at
	}
	word := map[shifted]string{shiftFaster: "faster", shiftSlower: "slower"}[kind]
	return word + at + ", by up to " + printable.Share(math.Abs(float64(most)))
}

// String is "p1…p98", or "p99.9" of a single quantile.
func (r stretch) String() string {
	if r.from == r.to {
		return fmt.Sprintf("p%.8g", 100*r.from)
	}
	return fmt.Sprintf("p%.8g…p%.8g", 100*r.from, 100*r.to)
}

// stretches joins neighbouring quantiles at which the band says the same.
func stretches(s assay.Shift, margin float64) (out []stretch) {
	for i, p := range s.P {
		what := shiftAt(s.Lo[i], s.Hi[i], margin)
		last := len(out) - 1
		if last < 0 || out[last].what != what {
			out = append(out, stretch{what: what, from: p, to: p, most: s.Change[i]})
			continue
		}
		out[last].to = p
		if math.Abs(s.Change[i].Log()) > math.Abs(out[last].most.Log()) {
			out[last].most = s.Change[i]
		}
	}
	return out
}

func shiftAt(lo, hi assay.Change, margin float64) shifted {
	switch {
	case assay.Interval{Lo: lo, Hi: hi}.Within(margin):
		return shiftSame
	case hi < 0:
		return shiftFaster
	case lo > 0:
		return shiftSlower
	}
	return shiftOpen
}
