package local

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/collect/load"
	"github.com/seed-1318a441/assay/internal/httpload"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// loadTurns runs services whose servers run at once, and take the load in turns.
func (m *Machine) loadTurns(ctx context.Context, r lab.TogetherRequest) ([]trial.Outcome, error) {
	t := trial.LoadTurns{Order: r.Turns.Order()}
	ports := map[int]bool{}
	for _, one := range r.Arms {
		s, drop, err := m.loadTurn(one, ports)
		if err != nil {
			return nil, err
		}
		defer drop()
		if one.Study.Workloads[one.Workload].Service.HTTP != nil {
			s.Service.Load = append(s.Service.Load[:1:1], httpload.InTurns(s.Service.Load[1:], cmp.Or(r.Turn, httpload.TurnLength))...)
		} else {
			short, now, ok := load.Shorten(s.Service.Parse, s.Service.Load, assay.LoadTurn)
			if !ok {
				return nil, fmt.Errorf("run %s in turns: the duration of %s is unknown", one.Names[0], s.Service.Load[0])
			}
			s.Service.Load, t.Runs = short, max(1, int(math.Round(float64(now)/float64(assay.LoadTurn))))
		}
		t.Services = append(t.Services, s)
	}
	return t.Run(ctx)
}

// loadTurn returns one of several services that run at once, on a port that none of the
// others has: a free port is free only until its server listens there.
func (m *Machine) loadTurn(r lab.RunRequest, ports map[int]bool) (s trial.Service, drop func(), err error) {
	for {
		s, drop, err = m.service(r)
		if err != nil {
			return s, nil, err
		}
		if !ports[s.Port] {
			break
		}
		drop()
	}
	ports[s.Port] = true
	s.GCTrace = r.Study.Measure.Collects(assay.CollectGC)
	return s, drop, nil
}
