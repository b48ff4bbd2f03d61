package survey

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/calibration"
	"github.com/seed-1318a441/assay/internal/collect/load"
	"github.com/seed-1318a441/assay/internal/httpload"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

const (
	// tryLoad is the load with which turns are tried, tryRequests the minimum number of
	// requests in it: a median needs 20.
	tryLoad     = 2 * time.Second
	tryRequests = 40
)

// A loads chooses the gear of a service.
type loads struct{ chooser *chooser }

// loadTurns gives the load of a service in turns if that is right: several of its servers
// can run at once, the load can be split, and turns find the same as a whole load.
func (c loads) loadTurns(ctx context.Context) error {
	forced := c.chooser.forced(assay.GearTurns)
	w := c.chooser.workload()
	if why := c.shared(w); why != "" && !forced {
		return misfit(why)
	}
	short, whole, ok := shortLoad(c.chooser.surveyor.Study, c.chooser.bench.Workload)
	if !ok {
		return misfit(fmt.Sprintf("its load cannot be cut into runs of %v: assay cannot set the duration of %s", assay.LoadTurn, w.Service.Load[0]))
	}
	tried, _ := loadTime(short.Workloads[c.chooser.bench.Workload])
	if one := max(c.chooser.bench.Trial-whole+tried, tried); c.chooser.costly(time.Duration(2*len(c.chooser.variants))*one) && !forced {
		return costlyTurns
	}
	var extra time.Duration // how much longer a trial takes in turns
	for vs := range slices.Chunk(c.chooser.variants, max(inBlock(c.chooser.plan), 1)) {
		longer, turn, err := c.tryLoads(ctx, vs, short)
		if err != nil {
			return err
		}
		extra, c.chooser.bench.Turn = max(extra, longer), max(c.chooser.bench.Turn, turn)
	}
	c.chooser.bench.Gear = assay.GearTurns
	c.chooser.bench.Trial += time.Duration(float64(extra) * float64(whole) / float64(tried))
	return nil
}

// tryLoads runs a short load on each of vs alone, and then on all in turns, and again if
// they disagree. It returns how much longer a trial takes in turns, and the length of a
// turn of the built-in load.
func (c loads) tryLoads(ctx context.Context, vs []assay.Variant, short *assay.Study) (longer, turn time.Duration, err error) {
	forced := c.chooser.forced(assay.GearTurns)
	off := map[string][][]float64{} // by metric, try and variant
	for try := 1; ; try++ {
		r := lab.TogetherRequest{Gear: assay.GearTurns}
		alone, err := c.loadsAlone(ctx, vs, short, &r)
		if err != nil {
			return 0, 0, err
		}
		outs, err := c.chooser.together(ctx, &r)
		if err != nil {
			return 0, 0, err
		}
		for i, out := range outs {
			if out.Status != assay.StatusOK && out.Status != assay.StatusSkipped {
				return 0, 0, failsTogether(vs[i], out)
			}
		}
		var all, separate time.Duration
		for i, out := range outs {
			all, separate = max(all, out.Wall), separate+alone[i].Wall
		}
		longer = max(all-separate, 0) / time.Duration(len(outs))
		err = c.turnsDisagree(alone, outs, off)
		if err == nil || forced {
			return longer, r.Turn, nil
		}
		if try == calibration.Tries || c.chooser.overdue() {
			return 0, 0, err
		}
	}
}

// loadsAlone runs a short load on each of vs, one after the other, and fills in the arms,
// the turn and the memory of a request for all together.
func (c loads) loadsAlone(ctx context.Context, vs []assay.Variant, short *assay.Study, r *lab.TogetherRequest) (alone []trial.Outcome, err error) {
	for _, v := range vs {
		a, err := c.chooser.surveyor.Builds.Binary(v.Name, *c.chooser.bench)
		if err != nil {
			return nil, err
		}
		one := c.chooser.request(v, a, c.chooser.bench.N)
		one.Study = short
		out, err := c.chooser.surveyor.Machine.Run(ctx, one)
		if err != nil {
			return nil, err
		}
		turn, why := c.notForLoadTurns(out, short)
		if why != "" && (!c.chooser.forced(assay.GearTurns) || out.Status != assay.StatusOK) {
			return nil, misfitIn(v, why)
		}
		r.Turn = max(r.Turn, turn)
		alone, r.Arms = append(alone, out), append(r.Arms, one)
		r.Memory += peakMemory(out)
		if v.Name == c.chooser.plan.Study.Base && c.chooser.plan.ControlVariant() != "" {
			r.Memory += peakMemory(out)
		}
	}
	return alone, nil
}

// notForLoadTurns says why a service cannot take its load in turns, judging by one load
// alone. Otherwise it returns the length of turns; 0 for a load generator that restarts.
func (c loads) notForLoadTurns(out trial.Outcome, s *assay.Study) (turn time.Duration, why string) {
	if out.Status != assay.StatusOK {
		return 0, "a short load failed: " + out.Reason
	}
	o := out.Observations(c.chooser.bench.Name, c.chooser.bench.N)
	if how := slow(out.Intended, o); how != "" {
		return 0, "the load is more than it can bear (" + how + ")"
	}
	if s.Workloads[c.chooser.bench.Workload].Service.HTTP == nil {
		return 0, ""
	}
	// If requests outlast a turn, fewer of them are in flight at once than without turns.
	for _, metric := range []string{"latency.p90", "latency.p50"} {
		if v, ok := o[metric]; ok {
			if v > (httpload.TurnLength / 2).Seconds() {
				why = fmt.Sprintf("many requests take longer than half a turn (%v)", httpload.TurnLength/2)
			}
			break
		}
	}
	return httpload.TurnLength, why
}

// turnsDisagree returns a misfit if turns change the latency, the CPU time of a request or
// the rate. It adds the try to those in off.
func (c loads) turnsDisagree(alone, outs []trial.Outcome, off map[string][][]float64) error {
	for _, metric := range []string{"latency.p50", "latency.p99", assay.MetricServerCPU, assay.MetricRequests} {
		var d []float64
		for i := range outs {
			a, b := alone[i].Observations(c.chooser.bench.Name, c.chooser.bench.N)[metric], outs[i].Observations(c.chooser.bench.Name, c.chooser.bench.N)[metric]
			if a > 0 && b > 0 {
				d = append(d, math.Log(b/a))
			}
		}
		if len(d) == len(outs) {
			off[metric] = append(off[metric], d)
		}
	}
	if len(off) == 0 {
		return misfit("neither its latency nor its rate is known of a short load")
	}
	for _, metric := range slices.Sorted(maps.Keys(off)) {
		if by, near := calibration.Disagreement(off[metric], 0, 0); !near {
			return misfit(fmt.Sprintf("%s in turns disagrees with that of a whole load by %.0f %%", metric, 100*math.Expm1(by)))
		}
	}
	return nil
}

// peakMemory returns the peak memory of an outcome's server and its children, in bytes.
func peakMemory(out trial.Outcome) uint64 {
	most := out.PeakRSS
	if out.Collected != nil {
		for _, s := range out.Collected.Memory {
			most = max(most, s.Bytes)
		}
	}
	return most
}

// shared says what in a service's commands several servers cannot use at once. All run in
// {tmp}. A command that names neither that nor {port} may change what others use.
func (c loads) shared(w assay.Workload) string {
	own := func(words ...string) bool {
		return slices.ContainsFunc(words, func(s string) bool {
			return strings.Contains(s, assay.PlacePort) || strings.Contains(s, assay.PlaceTmp)
		})
	}
	s := w.Service
	for _, at := range []string{s.Ready.TCP, s.Ready.HTTP} {
		if at != "" && !own(at) {
			return fmt.Sprintf("its port is fixed: ready at %s", at)
		}
	}
	if s.HTTP != nil && !own(s.HTTP.URL) {
		return "its port is fixed: the load asks " + s.HTTP.URL
	}
	for _, v := range c.chooser.variants {
		if !w.Uses(v, assay.PlacePort) && !w.Uses(v, assay.PlaceTmp) {
			return "its servers could share state: nothing names {port} or {tmp}"
		}
	}
	for _, value := range w.Env {
		if own(value) {
			return "" // in all commands
		}
	}
	for _, line := range slices.Concat(s.Prepare, s.Setup, s.Warmup, s.Cleanup, [][]string{s.Load}) {
		if len(line) > 0 && !own(line...) {
			return fmt.Sprintf("several servers may share what this changes, for it names neither {port} nor {tmp}: %s", strings.Join(line, " "))
		}
	}
	return ""
}

// shortLoad returns a study with a load of tryLoad, or longer if requests are rare, and
// the time of the study's own load. ok is false if the load cannot be split into runs.
func shortLoad(s *assay.Study, workload int) (short *assay.Study, whole time.Duration, ok bool) {
	if whole, ok = loadTime(s.Workloads[workload]); !ok {
		return nil, 0, false
	}
	out, service := *s, *s.Workloads[workload].Service
	if h := service.HTTP; h != nil {
		http := *h
		http.Duration = min(h.Duration, max(tryLoad, time.Duration(tryRequests/h.Rate*float64(time.Second))))
		service.HTTP = &http
	} else if whole > tryLoad {
		service.Load, _, _ = load.Shorten(service.Parse, service.Load, tryLoad)
	}
	out.Workloads = slices.Clone(s.Workloads)
	out.Workloads[workload].Service = &service
	return &out, whole, true
}

// loadTime returns how long a load lasts; ok is false if that cannot be changed.
func loadTime(w assay.Workload) (time.Duration, bool) {
	if h := w.Service.HTTP; h != nil {
		return h.Duration + h.Warmup, true
	}
	_, now, ok := load.Shorten(w.Service.Parse, w.Service.Load, assay.LoadTurn)
	return now, ok
}
