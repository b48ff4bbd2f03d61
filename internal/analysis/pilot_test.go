package analysis

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/schedule"
)

// However the rounds of a block come about, they are an odd number: the median of
// an even number is a mean of two, and no median.
func TestRoundsAreOdd(t *testing.T) {
	for _, link := range []time.Duration{10 * time.Millisecond, 100 * time.Millisecond, 700 * time.Millisecond, 3 * time.Second} {
		for _, budget := range []time.Duration{4 * time.Second, 20 * time.Second, time.Minute, 10 * time.Minute} {
			for _, layouts := range []int{0, 1, 12} {
				for _, sd := range [][2]float64{{0, 0.05}, {0.01, 0.02}, {0.05, 0.001}} {
					w := pilotWorld(link, budget, layouts, sd[0], sd[1])
					tr := NewTracker(w.plan, budget)
					for range schedule.PilotBlocks + 12 {
						next := tr.Next()
						if next.Stop != "" {
							break
						}
						for _, turn := range next.Turns {
							if turn.Inner%2 == 0 {
								t.Errorf("link %v, budget %v, layouts %d, sd %v: %d rounds in a block (pilot: %v)", link, budget, layouts, sd, turn.Inner, next.Pilot)
							}
						}
						tr.Add(w.linked(next))
					}
				}
			}
		}
	}
}

// pilotWorld has one benchmark whose layouts and trials scatter by these.
func pilotWorld(link, budget time.Duration, layouts int, between, within float64) *world {
	w := newWorld([]string{"X", "Y"}, "a", "b", assay.ControlName)
	w.plan.Link = link
	w.plan.Study.Measure.Inner, w.plan.Study.Measure.Layouts, w.plan.Study.Decide.Budget = 0, layouts, budget
	r := rand.New(rand.NewPCG(1, 2))
	last, layout := 0, map[string]float64{}
	w.f = func(v, b string, block int) map[string]float64 {
		if block != last {
			last = block
			clear(layout)
		}
		if _, ok := layout[v+b]; !ok {
			layout[v+b] = between * r.NormFloat64()
		}
		return map[string]float64{assay.MetricTime: 1e-6 * math.Exp(layout[v+b]+within*r.NormFloat64())}
	}
	return w
}

// linked is a block of the world whose trials paid for the links.
func (w *world) linked(next assay.NextBlock) []assay.Trial {
	block := w.hold(next)
	for i := range len(w.plan.Variants) {
		block[i].Link = w.plan.Link / time.Duration(len(w.plan.Variants))
	}
	return block
}
