package session

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/fault"
	"github.com/seed-1318a441/assay/internal/live"
	"github.com/seed-1318a441/assay/internal/milestone"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/search"
)

// A MachineResult is the outcome of a study on one of several machines.
type MachineResult struct {
	// Machine is the label of its host.
	Machine string
	// Result and Run are nil if the machine was lost before its run began; then Err says
	// why.
	Result *assay.Result
	Run    *record.Run
	Err    error
}

// Missing returns the warning about a machine without a run.
func (m MachineResult) Missing() assay.Warning {
	return assay.Warning{Code: assay.CodeMachineLost, Text: m.Machine + " has no run", Facts: []string{printable.OneLine(m.Err)}}
}

// Several returns a Config for each host of a study that names several: its own copy of
// the study, with its own progress.
func Several(cfg Config) (out []Config) {
	v := &voices{lines: map[string]string{}}
	if cfg.Progress != nil {
		v.teller = cfg.Progress.teller
	}
	for _, h := range cfg.Study.Hosts {
		one, study := cfg, *cfg.Study
		study.Hosts = []assay.Host{h}
		study.Variants = slices.Clone(study.Variants)
		study.Workloads = slices.Clone(study.Workloads)
		one.Study, one.Here, one.Progress = &study, true, v.progress(cfg.Progress, h.Label)
		out = append(out, one)
	}
	return out
}

// MeasureAll measures a study on several machines side by side, a Config of one host each.
// Each machine has a run of its own; the runs have a group in common. All variants are
// built before the first trial, so that no build disturbs a machine that is this computer.
// Machines of one computer, such as two architectures, are measured one after the other.
//
// A machine that is lost ends its run as interrupted, while the others go on. The same call
// again goes on with the unfinished runs of the newest group of these machines, and returns
// the results of all. The error is that of what comes before the first run, or the first
// one if no machine has a result.
func MeasureAll(ctx context.Context, configs []Config) ([]MachineResult, error) {
	if err := Admit(ctx, configs...); err != nil {
		return nil, err
	}
	g := &group{}
	defer g.close()
	if err := g.prepare(ctx, configs); err != nil {
		return nil, err
	}
	out := make([]MachineResult, len(g.peers))
	var wg sync.WaitGroup
	for i, p := range g.peers {
		wg.Go(func() {
			defer fault.Exit()
			defer close(p.done)
			out[i] = p.inTurn(ctx)
		})
	}
	wg.Wait()
	var first error
	for _, m := range out {
		if m.Result != nil {
			return out, nil
		}
		if first == nil {
			first = m.Err
		}
	}
	return out, first
}

// A group is several machines being measured side by side.
type group struct {
	peers []*peer
	// id is that of the runs' plans.
	id string
	// found are the findings of the gates, the same for all machines.
	found []milestone.Finding
	gated bool
	// here is held while this computer is measured, and while an explanation builds on it.
	here sync.Mutex
	// creating is held while a run is created: they share a folder.
	creating sync.Mutex
}

// A peer is one machine of a group. The methods of nil do nothing.
type peer struct {
	*group
	session *Session
	number  int
	// kept is a finished run that needs no more blocks.
	kept *MachineResult
	// after is the peer that is measured before this one on the same computer, before the
	// one that follows there; nil for none.
	after, before *peer
	// done is closed when the machine is done.
	done chan struct{}
}

// local reports whether the machine is this computer.
func (p *peer) local() bool { return p.session.Config.Study.Hosts[0].Local() }

func (g *group) close() {
	for _, p := range slices.Backward(g.peers) { // what each withheld is given back in turn
		if p.session.Record != nil {
			p.session.Record.Close()
		}
		p.session.Close()
	}
}

// prepare connects to all machines, builds for each, and finds or begins their group.
func (g *group) prepare(ctx context.Context, configs []Config) error {
	if err := g.connect(ctx, configs); err != nil {
		return err
	}
	for i, p := range g.peers {
		if err := p.session.Build(ctx); err != nil {
			return err
		}
		for _, o := range g.peers[:i] {
			if a, b := o.session, p.session; a.Platform.Is(b.Platform) {
				return assay.UsageError(assay.CodeNoMachine, fmt.Sprintf("%s and %s are one machine: the same platform of the same computer", a.Config.label(), b.Config.label()),
					"name each machine once")
			}
			if h := p.session.Platform.Host; h != "" && h == o.session.Platform.Host || p.local() && o.local() {
				if p.after = o; o.before == nil { // the last one there so far
					o.before = p
				}
			}
		}
	}
	if err := g.takeUp(); err != nil {
		return err
	}
	store := configs[0].Store
	_, number, err := record.Next(store)
	if err != nil {
		return StoreError(store, err)
	}
	for i, p := range g.peers {
		p.number = number + i
		if s := p.session; s.Record == nil && p.kept == nil && !g.gated {
			if g.found, err = s.checkGates(ctx); err != nil {
				return err
			}
			g.gated = true
		}
	}
	if !slices.ContainsFunc(g.peers, (*peer).local) {
		configs[0].Lease.Release() // others may use this computer
	}
	for _, p := range g.peers { // what is wrong there is known before anything is measured
		if p.after == nil && p.kept == nil {
			if err := p.session.moveIn(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// connect opens a session on every machine. If some cannot be measured on, the error has
// them all.
func (g *group) connect(ctx context.Context, configs []Config) error {
	var failed []error
	var labels []string
	for _, cfg := range configs {
		s, err := Open(ctx, cfg)
		if err != nil {
			failed, labels = append(failed, err), append(labels, cfg.Study.Hosts[0].Label)
			continue
		}
		s.peer = &peer{group: g, session: s, done: make(chan struct{})}
		g.peers = append(g.peers, s.peer)
	}
	if len(failed) < 2 || ctx.Err() != nil {
		return errors.Join(failed...)
	}
	first, ok := errors.AsType[*assay.Error](failed[0])
	if !ok {
		return failed[0]
	}
	e := *first
	e.Facts = slices.Clone(e.Facts)
	for i, err := range failed[1:] {
		e.Facts = append(e.Facts, labels[i+1]+": "+printable.OneLine(err))
	}
	return &e
}

// takeUp finds the newest group of the same study on the same machines and opens its
// unfinished runs, all runs with --more. If one of them cannot be taken up, or all are
// finished, a new group begins.
func (g *group) takeUp() error {
	first := g.peers[0].session
	members, err := g.newest()
	if err != nil {
		return err
	}
	why, old := "", ""
	if !slices.ContainsFunc(members, func(e *record.Entry) bool { return e == nil || !e.Finished }) && first.Config.More == 0 {
		members = nil
	}
	for i, e := range members {
		if e == nil || why != "" {
			continue
		}
		p := g.peers[i]
		old = e.Group
		switch s := p.session; {
		case !e.Platform.Is(s.Platform):
			why = s.Config.label() + " is another computer now"
		case e.Finished && s.Config.More == 0:
			p.kept, why, err = p.keep(*e)
		default:
			s.Record, why, err = s.reopen(*e)
		}
		if err != nil {
			return err
		}
	}
	switch {
	case why != "":
		first.Config.Progress.Say(fmt.Sprintf("assay: group %s is not taken up again: %s; new runs begin", old, why))
		for _, p := range g.peers {
			if p.session.Record != nil {
				p.session.Record.Close()
			}
			p.session.Record, p.kept = nil, nil
		}
		fallthrough
	case len(members) == 0:
		if first.Config.More > 0 {
			return assay.UsageError(assay.CodeNoRun, "--more: this comparison has no runs of these machines in "+first.Config.Store, first.Config.Command)
		}
		var b [4]byte
		rand.Read(b[:])
		g.id = "g-" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b[:]))[:6]
	default:
		g.id = old
	}
	return nil
}

// newest returns the runs of the newest group of the study on these machines, in their
// order, nil for a machine whose run never began; none if there is no such group.
func (g *group) newest() ([]*record.Entry, error) {
	s := g.peers[0].session
	kept, err := record.List(s.Config.Store)
	if err != nil {
		return nil, StoreError(s.Config.Store, err)
	}
	hash := design.StudyHash(s.Config.Study)
	at := func(label string) int {
		return slices.IndexFunc(g.peers, func(p *peer) bool { return p.session.Config.label() == label })
	}
	i := len(kept) - 1
	for ; i >= 0; i-- {
		if e := kept[i]; e.Group != "" && e.StudyHash == hash && e.Machines == len(g.peers) && at(e.Machine) >= 0 {
			break
		}
	}
	if i < 0 {
		return nil, nil
	}
	members := make([]*record.Entry, len(g.peers))
	for j, e := range kept {
		if e.Group != kept[i].Group {
			continue
		}
		k := at(e.Machine)
		if k < 0 {
			return nil, nil // of other machines
		}
		members[k] = &kept[j]
	}
	return members, nil
}

// keep returns the result of a finished run. why says why it cannot be used.
func (p *peer) keep(e record.Entry) (m *MachineResult, why string, err error) {
	s := p.session
	f, err := runs.Read(e.Dir, e.Run)
	if err != nil {
		return nil, "", err
	}
	if why := s.Changed(f.Run); why != "" {
		return nil, why, nil
	}
	r, err := f.Result()
	if err != nil {
		return nil, "", err
	}
	s.Config.Progress.Say(fmt.Sprintf("assay: run %s is finished", e.Run))
	return &MachineResult{Machine: e.Machine, Result: r, Run: f.Run}, "", nil
}

// mark says in a plan of which group it is.
func (p *peer) mark(plan *assay.Plan) {
	if p != nil {
		plan.Group, plan.Machines, plan.Number = p.id, len(p.peers), p.number
	}
}

// inTurn measures on one machine when the one before it on the same computer is done, and
// leaves the computer to the next.
func (p *peer) inTurn(ctx context.Context) MachineResult {
	s := p.session
	if p.kept != nil {
		return *p.kept
	}
	if p.after != nil {
		<-p.after.done
		if err := s.moveIn(ctx); err != nil {
			return MachineResult{Machine: s.Config.label(), Err: err}
		}
	}
	if p.local() {
		p.here.Lock()
		defer p.here.Unlock()
	}
	m := p.measure(ctx)
	switch far := s.site.far; {
	case p.before == nil:
	case far != nil:
		far.Close()
	case !p.before.local():
		s.Config.Lease.Release()
	}
	return m
}

// measure measures on one machine to its end.
func (p *peer) measure(ctx context.Context) MachineResult {
	s := p.session
	m := MachineResult{Machine: s.Config.label()}
	if s.Record == nil {
		survey, cancel := s.Config.Stop.until(ctx)
		m.Err = s.createRecord(survey, p.found)
		cancel()
	}
	if m.Err == nil {
		m.Result, m.Err = s.run(ctx)
	}
	if s.Record != nil {
		m.Run = s.Record.Run()
	}
	if m.Err != nil && ctx.Err() == nil {
		s.Config.Progress.Say("assay: " + printable.OneLine(m.Err))
	}
	return m
}

// until returns a context that a Request ends: for what comes before the blocks of a
// machine while others finish theirs.
func (s *Stop) until(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer fault.Exit()
		select {
		case <-s.Requested():
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// lost ends the run of a machine that failed or could not be reached any more, with the
// blocks that are complete.
func (p *peer) lost(t *analysis.Tracker, race *search.Race, end assay.End, cause error) (*assay.Result, error) {
	s := p.session
	end.Stop = assay.StopInterrupted
	end.Warnings = []assay.Warning{{Code: assay.CodeMachineLost, Text: fmt.Sprintf("%s was lost after %s", s.Config.label(), printable.Count(len(s.Record.Run().Blocks()), "block")),
		Facts: []string{printable.OneLine(cause)}, Try: s.Config.Command, Advice: "(resumes)"}}
	s.Config.Progress.warn(end.Warnings[0])
	r, err := runs.Verdicts(t, race, s.Record.Run(), end)
	if err == nil {
		err = s.store(r, end)
	}
	if err != nil {
		return nil, s.withResumeHint(errors.Join(cause, err))
	}
	return r, nil
}

// wait waits until this computer is not measured: what explains a result builds on it. The
// returned function lets it be measured again.
func (p *peer) wait() (next func()) {
	if p == nil || p.local() { // which is its own
		return func() {}
	}
	p.here.Lock()
	return p.here.Unlock
}

// create calls f, which creates a run, while no other machine creates one.
func (p *peer) create(f func() error) error {
	if p != nil {
		p.creating.Lock()
		defer p.creating.Unlock()
	}
	return f()
}

// voices let several machines report to one Teller: remarks and warnings with the label of
// their machine in front, and one line that has the progress of all.
type voices struct {
	teller Teller
	mu     sync.Mutex
	lines  map[string]string
	order  []string
}

// A voice is the Teller of one machine.
type voice struct {
	*voices
	label string
}

// progress returns the progress of a machine; nil for a silent one.
func (v *voices) progress(all *Progress, label string) *Progress {
	if all == nil {
		return nil
	}
	v.order = append(v.order, label)
	p := &Progress{teller: voice{v, label}, brief: true}
	if w := all.watched; w != nil {
		p.Follow(func(e live.Event) {
			e.Machine = label
			w.tell(e)
		}, nil, w.lines)
	}
	return p
}

// Say implements Teller.
func (v voice) Say(text string) {
	v.teller.Say("assay: " + v.label + ": " + strings.TrimPrefix(text, "assay: "))
}

// Line implements Teller.
func (v voice) Line(stage, text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.lines[v.label] = text
	var parts []string
	for _, label := range v.order {
		if line := v.lines[label]; line != "" {
			parts = append(parts, label+": "+line)
		}
	}
	v.teller.Line(stage, strings.Join(parts, "; "))
}

// Warn implements Teller.
func (v voice) Warn(w assay.Warning) {
	w.Text = v.label + ": " + w.Text
	v.teller.Warn(w)
}

// Done implements Teller.
func (v voice) Done() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if delete(v.lines, v.label); len(v.lines) == 0 {
		v.teller.Done()
	}
}
