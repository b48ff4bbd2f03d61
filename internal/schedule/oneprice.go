package schedule

import (
	"math"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/shell"
)

// OnePrice returns warnings of which one at most has a command that buys more time: what
// adds to the run where that is offered, else the limit of blocks that forbids a verdict,
// else the largest budget, which buys what all the others ask for.
func OnePrice(ws []assay.Warning) []assay.Warning {
	best, most := -1, time.Duration(0)
	for i, w := range ws {
		if cost := asked(w); cost > most {
			best, most = i, cost
		}
	}
	ws = slices.Clone(ws)
	for i, w := range ws {
		if i != best && asked(w) > 0 {
			ws[i].Try = ""
		}
	}
	return ws
}

// asked returns the time that a warning's command asks for, which orders them; 0 if it asks
// for none.
func asked(w assay.Warning) time.Duration {
	switch c, _ := shell.ParseCommand(w.Try); {
	case c.Sets("more"):
		return math.MaxInt64 // before every budget, which would measure again
	case c.Sets("blocks"):
		return math.MaxInt64 - 1 // a limit of blocks ends a run before any budget does
	case c.Sets("budget"):
		value, _ := c.Value("budget")
		d, _ := time.ParseDuration(value)
		return d
	}
	return 0
}
