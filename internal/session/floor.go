package session

import (
	"cmp"
	"fmt"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/machine"
	"github.com/seed-1318a441/assay/internal/printable"
)

// keepFloor adds the noise floor of a run to the history of its machine. Runs of searches
// do not count: each is as short as its question allows.
func keepFloor(s *Session, t *analysis.Tracker, r *assay.Result) {
	if s.Config.Simulation != nil || s.ruleName != "" || r.Noise.Floor <= 0 {
		return
	}
	f := machine.Floor{Time: time.Now().UTC().Round(time.Second), Host: s.Platform.Host, Platform: s.Platform.ID, Address: assay.LocalAddress,
		Machine: fmt.Sprintf("%s, %s", s.Platform, printable.Count(s.Platform.CPUs, "CPU")), Run: r.Run, Study: s.Config.Study.Name, AA: s.Config.AA, Blocks: r.Spent.Blocks, Floor: r.Noise.Floor}
	if len(s.Config.Study.Hosts) > 0 {
		h := s.Config.Study.Hosts[0]
		f.Label, f.Address = h.Label, cmp.Or(h.Address, assay.LocalAddress)
	}
	if reach := t.SuiteReach(analysis.ReachTimes...); reach != nil {
		f.Smallest = reach.Smallest
	}
	if err := machine.KeepFloor(f); err != nil {
		s.Config.Progress.Say("assay: " + printable.OneLine(err))
	}
}
