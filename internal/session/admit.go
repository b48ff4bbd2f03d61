package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/fault"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/local"
	"github.com/seed-1318a441/assay/internal/machine"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/remote"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/shell"
)

// admissionBudget is the longest time that it takes to measure whether a machine is quiet
// enough.
const admissionBudget = 5 * time.Minute

// admissionSuite is what it measures: few benchmarks, so that it soon has many blocks.
var admissionSuite = []string{"-bench=^Benchmark(Quote|UnquoteHard|SortInt1K|SortString1K)$", "strconv", "sort"}

// A candidate is a machine that the study would be measured on if it is fit.
type candidate struct {
	*Config
	host.Glance
	// there is the host of the study.
	there *assay.Host
	// unfit says what the machine lacks.
	unfit []string
	// doubtful is set if its noise has to be measured first; why says why.
	doubtful bool
	why      string
	err      error
}

// Admit checks that the machines of the studies are what they require of them, before
// anything is built or measured. The error lists all machines that are not, and everything
// that they lack. It measures the noise of machines where it is not known; a measurement
// of the same code requires nothing. configs are of one command.
func Admit(ctx context.Context, configs ...Config) error {
	first := configs[0]
	if first.Simulation != nil || first.AA || first.Lease.admitted {
		return nil
	}
	list := candidates(ctx, configs)
	for i := range list {
		if err := list[i].err; err != nil && len(list) == 1 || ctx.Err() != nil {
			return cmp.Or(err, context.Cause(ctx))
		}
		list[i].judge()
	}
	if err := unfit(list); err != nil {
		return err
	}
	first.Lease.admitted = true
	for i := range list {
		if list[i].doubtful {
			if err := list[i].measureNoise(ctx); err != nil {
				return err
			}
		}
	}
	return unfit(list)
}

// candidates looks at the machines of which something is required, all at once.
func candidates(ctx context.Context, configs []Config) []candidate {
	var list []candidate
	for i := range configs {
		hosts := configs[i].Study.Hosts
		for j := range hosts {
			if r := hosts[j].Require; r.Power != "" || r.CPUs > 0 || len(r.Tools) > 0 || r.Noise > 0 {
				list = append(list, candidate{Config: &configs[i], there: &hosts[j]})
			}
		}
	}
	var all sync.WaitGroup
	for i := range list {
		x := &list[i]
		all.Go(func() {
			defer fault.Exit()
			x.err = x.look(ctx)
		})
	}
	all.Wait()
	return list
}

// look looks at the machine.
func (x *candidate) look(ctx context.Context) error {
	tools := x.there.Require.Tools
	if x.there.Local() {
		x.Glance = host.NewGlance(ctx, tools)
		return nil
	}
	m, err := x.connect(ctx, build.New(x.Cache), x.there)
	if err != nil {
		return err
	}
	x.Glance, _, err = remote.Look(ctx, m, tools)
	return cmp.Or(err, m.Close())
}

// connect connects to a machine elsewhere. Any machine of a pool has become the one that
// was found then.
func (c *Config) connect(ctx context.Context, b *build.Builder, there *assay.Host) (m *remote.Machine, err error) {
	opt := machine.Options{Hub: c.Hub, Priority: c.Priority, Work: c.Study.Name, Avoid: c.Lease.lost, Prefer: c.hasUnfinished(),
		Builder: b, Patience: c.Patience, Pass: c.Study.Measure.Pass, Say: c.Progress.Say, Ended: c.Progress.Event}
	m, *there, err = machine.Connect(ctx, *there, opt)
	return m, err
}

// hasUnfinished returns what reports whether a computer has a run of the study that is not
// finished: it is resumed there.
func (c *Config) hasUnfinished() func(assay.Platform) bool {
	kept, _ := record.List(c.Store) // a store that cannot be read is reported later
	hash := design.StudyHash(c.Study)
	return func(p assay.Platform) bool {
		return p.Host != "" && slices.ContainsFunc(kept, func(e record.Entry) bool {
			return !e.Finished && e.StudyHash == hash && e.Group == "" && e.Platform.Host == p.Host
		})
	}
}

// judge compares what a machine is with what is required.
func (x *candidate) judge() {
	if x.err != nil {
		x.unfit = []string{printable.OneLine(x.err)}
		if e, ok := errors.AsType[*assay.Error](x.err); ok {
			x.unfit = []string{fmt.Sprintf("%s [%s]", e.Text, e.Code)}
		}
		return
	}
	r := x.there.Require
	switch p := x.Platform.Power; {
	case p == "" && r.Power == "battery":
		x.unfit = append(x.unfit, "it has no battery, and the study requires that it runs on one")
	case p == "": // a computer without a battery is on mains, and does not say so
	case r.Power != "" && p != r.Power && !strings.HasPrefix(p, r.Power+","): // ", low power mode"
		x.unfit = append(x.unfit, fmt.Sprintf("it is on %s, and the study requires %s", p, r.Power))
	}
	if x.Platform.CPUs < r.CPUs {
		x.unfit = append(x.unfit, fmt.Sprintf("trials may use %s, and the study requires %d", printable.Count(x.Platform.CPUs, "CPU"), r.CPUs))
	}
	for _, tool := range x.Missing {
		x.unfit = append(x.unfit, fmt.Sprintf("it has no %s on its PATH", tool))
	}
	if r.Noise > 0 {
		there := *x.Study
		there.Measure.GOARCH = cmp.Or(x.there.GOARCH, there.Measure.GOARCH)
		x.Platform.Emulated = local.Emulator(x.Platform, &there)
		p := host.For(x.Platform, there.Measure.GOARCH, there.Measure.GOMAXPROCS)
		x.judgeNoise(machine.Floors(p, x.there.Address), time.Now())
	}
}

// fresh is how long an A/A counts, whatever runs of studies find: their benchmarks may be
// noisier than the machine, and they end when their question is decided.
const fresh = 24 * time.Hour

// judgeNoise compares the last floor in a machine's history with the largest that is
// allowed. Only a measurement of the same code proves a machine too noisy; after a study
// that was, it is in doubt.
func (x *candidate) judgeNoise(history []machine.Floor, now time.Time) {
	if len(history) == 0 {
		x.doubtful, x.why = true, "its noise is unknown"
		return
	}
	last := history[len(history)-1]
	for _, f := range history {
		if f.AA && now.Sub(f.Time) < fresh {
			last = f
		}
	}
	switch limit := x.there.Require.Noise; {
	case float64(last.Floor) <= limit:
	case last.AA:
		x.tooNoisy(last.Floor, "on "+last.Time.Local().Format("2006-01-02 15:04"))
	default:
		x.doubtful, x.why = true, fmt.Sprintf("the noise floor of its last run, of %s, was %s", cmp.Or(last.Study, last.Run), percent(last.Floor))
	}
}

func (x *candidate) tooNoisy(floor assay.Change, when string) {
	x.unfit = append(x.unfit, fmt.Sprintf("its noise floor was %s %s, and the study requires at most %s", percent(floor), when, printable.Percent(x.there.Require.Noise)))
}

func percent(floor assay.Change) string { return sheet.PlusMinus(floor) + " %" }

// unfit returns the error for the machines that are not what the study requires; nil if
// all are.
func unfit(list []candidate) error {
	var facts, names []string
	try := ""
	for _, x := range list {
		for _, why := range x.unfit {
			facts = append(facts, x.there.Label+": "+why)
		}
		if len(x.unfit) == 0 {
			continue
		}
		names = append(names, x.there.Label)
		if strings.Contains(strings.Join(x.unfit, " "), "noise floor") {
			try = cmp.Or(try, aaLine(*x.there)+", which measures the noise again")
		}
	}
	if len(facts) == 0 {
		return nil
	}
	verb := "is"
	if len(names) > 1 {
		verb = "are"
	}
	return assay.NewError(assay.ExitRefused, assay.CodeRequire, fmt.Sprintf("%s %s not what the study requires", strings.Join(names, ", "), verb), facts, try)
}

// aaLine is the command that measures the noise of a machine.
func aaLine(h assay.Host) string {
	words := []string{"assay", "doctor", "--aa"}
	if !h.Local() {
		words = append(words, "--on="+machine.NameOf(h))
	}
	return shell.Join(words)
}

// measureNoise measures the same code against itself on a machine, and judges it by that.
// It does not count against the budget of the study.
func (x *candidate) measureNoise(ctx context.Context) error {
	x.Progress.Say(fmt.Sprintf("assay: %s: %s; assay measures the same code against itself there first, at most %v", x.there.Label, x.why, admissionBudget))
	var line Line
	line.Dashed = admissionSuite
	s, err := ReadAA(ctx, line)
	if err != nil {
		return err
	}
	s.Variants = s.Variants[:2]
	s.Hosts = []assay.Host{{Label: x.there.Label, Address: x.there.Address, GOARCH: x.there.GOARCH}}
	s.Measure.GOARCH, s.Measure.GOMAXPROCS = x.Study.Measure.GOARCH, x.Study.Measure.GOMAXPROCS
	s.Decide.Budget, s.Decide.MinEffect = admissionBudget, x.there.Require.Noise
	cfg := *x.Config
	if cfg.Text, err = Complete(s); err != nil {
		return err
	}
	cfg.Study, cfg.Command = s, aaLine(*x.there)+" -- "+shell.Join(admissionSuite)
	cfg.Options = Options{Store: x.Store, NoWait: x.NoWait, AA: true}
	if x.Progress != nil {
		cfg.Progress = &Progress{teller: x.Progress.teller}
	}
	r, _, err := Measure(ctx, cfg)
	switch {
	case err != nil:
		return err
	case r.Spent.Stop == assay.StopInterrupted:
		return assay.NewError(assay.ExitInterrupted, assay.CodeStopped, "stopped while the noise of "+x.there.Label+" was measured", nil, "")
	case r.Noise.Floor <= 0:
		return assay.NewError(assay.ExitRefused, assay.CodeRequire, fmt.Sprintf("the noise of %s is unknown: %s measured too little", x.there.Label, r.Run), nil, aaLine(*x.there))
	case float64(r.Noise.Floor) > x.there.Require.Noise:
		x.tooNoisy(r.Noise.Floor, "just now")
	default:
		x.Progress.Say(fmt.Sprintf("assay: %s: its noise floor is %s, and the study requires at most %s", x.there.Label, percent(r.Noise.Floor), printable.Percent(x.there.Require.Noise)))
	}
	return nil
}
