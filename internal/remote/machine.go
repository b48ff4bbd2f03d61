package remote

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/doctor/check"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/local"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/remote/wire"
	"github.com/seed-1318a441/assay/internal/trial"
)

// Options say how to reach a machine and what it may do.
type Options struct {
	// Name is what the machine is called in messages.
	Name string
	// Link connects to an agent. It is called again when the link was lost.
	Link func(ctx context.Context) (Link, error)
	// Repeats is set for a Link that may have a block run again by itself, as a later
	// attempt than was asked for; it is the number of attempts.
	Repeats int
	// Builder gives what a link takes.
	Builder *build.Builder
	// Pass names variables of the other computer's environment that trials get.
	Pass []string
	// Patience is how long a lost machine may stay away; 0 is Patience.
	Patience time.Duration
	// Say tells the user what happens; it may be nil.
	Say func(string)
	// Ended hears that a trial of a block has ended, of a Link whose trials come when the
	// block is over; it may be nil.
	Ended func(lab.Event)
}

// Patience is how long a machine may stay away that was lost.
const Patience = 10 * time.Minute

// A Machine is a lab.Machine and lab.SideBySide elsewhere, and a local.Customer. It
// survives the loss of its connection between blocks (Recover).
type Machine struct {
	opt     Options
	dir     string // for parcels and links
	welcome Welcome
	links   atomic.Int64
	running atomic.Pointer[expectation] // the block that was asked for

	mu   sync.Mutex
	link Link
	// platform is what the machine was when it was first asked; nil before.
	platform *assay.Platform
	// held is set while no other assay may measure there.
	held *occupation

	// deliveries are what the workshop has built, by artifact ID; wanted is their order.
	deliveries map[string]local.Delivery
	wanted     []string
	parcels    parcels
	kits       map[string]bool // builds that the agent links by itself
	// What the agent of this connection has: builds with the number of their variants,
	// studies and plans.
	placed  map[string]int
	studies map[string]bool
	plans   map[*assay.Plan]string

	starts map[began][2]int // the block and the position of every trial so far
}

// Connect connects to a machine. Close ends the connection, and the agent with it.
func Connect(ctx context.Context, opt Options) (*Machine, error) {
	dir, err := opt.Builder.Cache.TempDir("remote-")
	if err != nil {
		return nil, err
	}
	if opt.Say == nil {
		opt.Say = func(string) {}
	}
	if opt.Patience == 0 {
		opt.Patience = Patience
	}
	m := &Machine{opt: opt, dir: dir, deliveries: map[string]local.Delivery{}, kits: map[string]bool{}, parcels: parcels{dir: dir}}
	if err := m.connect(ctx); err != nil {
		return nil, errors.Join(err, m.removeParcels())
	}
	return m, nil
}

// connect makes a new connection.
//
// Who waits for an agent hears so after helloNotice.
func (m *Machine) connect(ctx context.Context) error {
	c, err := m.opt.Link(ctx)
	if err != nil {
		return err
	}
	var w Welcome
	late := time.AfterFunc(helloNotice, func() {
		m.opt.Say(fmt.Sprintf("assay: %s: the agent there does not answer yet; it is given up after %v", m.opt.Name, mostSilence))
	})
	defer late.Stop()
	err = c.Call(ctx, OpHello, greeting{Protocol: wire.Version, Version: assay.Version(), Pass: m.opt.Pass}, &w, nil)
	if err == nil && w.Protocol != wire.Version {
		err = assay.NewError(assay.ExitRefused, assay.CodeAgentVersion, fmt.Sprintf("%s: the agent there speaks protocol %d, and this assay %d", m.opt.Name, w.Protocol, wire.Version),
			[]string{"there: assay " + printable.Line(w.Version, 100), "here: assay " + assay.Version()}, "")
	}
	if err != nil {
		return errors.Join(m.explain(err), c.Close())
	}
	m.mu.Lock()
	old := m.link
	defer func() {
		if old != nil {
			old.Close() // its connection has ended, or will not be used again
		}
	}()
	defer m.mu.Unlock()
	m.link, m.welcome = c, w
	m.placed, m.studies, m.plans = map[string]int{}, map[string]bool{}, map[*assay.Plan]string{}
	return nil
}

// explain says of an error which machine it is of.
func (m *Machine) explain(err error) error {
	if errors.Is(err, wire.ErrFrame) {
		return assay.NewError(assay.ExitRefused, assay.CodeAgentVersion, fmt.Sprintf("%s: what answers there is no agent of this assay", m.opt.Name), []string{printable.OneLine(err)}, "")
	}
	return err
}

// Close ends the connection.
func (m *Machine) Close() error {
	return errors.Join(m.agent().Close(), m.removeParcels())
}

// agent returns the present link.
func (m *Machine) agent() Link {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.link
}

// call makes a request over the present link.
func (m *Machine) call(ctx context.Context, do Operation, body, out any, event func(json.RawMessage) error) error {
	return m.explain(m.agent().Call(ctx, do, body, out, event))
}

// Traffic returns the bytes sent and received over the present link.
func (m *Machine) Traffic() (sent, received int64) { return m.agent().Traffic() }

// Platform implements lab.Machine.
func (m *Machine) Platform(ctx context.Context) (assay.Platform, error) {
	var p assay.Platform
	if err := m.call(ctx, OpPlatform, nil, &p, nil); err != nil {
		return p, err
	}
	p = CleanPlatform(p)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.platform == nil {
		m.platform = &p
	}
	return p, nil
}

// CleanPlatform returns what a machine says of itself with texts that are fit to print.
func CleanPlatform(p assay.Platform) assay.Platform {
	for _, s := range []*string{&p.ID, &p.GOOS, &p.GOARCH, &p.CPU, &p.Kernel, &p.Virtual, &p.Governor, &p.Profile, &p.Power, &p.Host, &p.Emulated} {
		*s = printable.Line(*s, 200)
	}
	env := map[string]string{}
	for k, v := range p.GoEnv {
		if len(env) < 50 {
			env[printable.Line(k, 100)] = printable.Line(v, 200)
		}
	}
	if p.GoEnv != nil {
		p.GoEnv = env
	}
	return p
}

// Inspect returns what would spoil a measurement there.
func (m *Machine) Inspect(ctx context.Context, p assay.Platform) ([]check.Finding, error) {
	var out findings
	err := m.call(ctx, OpInspect, p, &out, nil)
	for i := range out {
		for _, s := range []*string{&out[i].Text, &out[i].Effect, &out[i].Cure, &out[i].Undo} {
			*s = printable.Line(*s, maxFault)
		}
	}
	return out, err
}

// Occupy makes this session the only one that measures there, until the end of the
// connection. While another one does, it waits, and calls busy for each that does
// meanwhile; an error of busy ends the waiting.
func (m *Machine) Occupy(ctx context.Context, command, dir string, busy func(host.Occupant) error) error {
	m.mu.Lock()
	held := m.held
	m.mu.Unlock()
	if held != nil {
		return nil
	}
	return m.occupy(ctx, occupation{Command: command, Dir: dir}, busy)
}

func (m *Machine) occupy(ctx context.Context, o occupation, busy func(host.Occupant) error) error {
	err := m.call(ctx, OpOccupy, o, nil, func(data json.RawMessage) error {
		var who host.Occupant
		if err := json.Unmarshal(data, &who); err != nil {
			return err
		}
		return busy(who)
	})
	if err == nil {
		m.mu.Lock()
		m.held = &o
		m.mu.Unlock()
	}
	return err
}

// Check implements lab.Machine.
func (m *Machine) Check(ctx context.Context, s *assay.Study) error {
	hash, err := m.study(ctx, s)
	if err != nil {
		return err
	}
	return m.call(ctx, OpCheck, hash, nil, nil)
}

// Written returns the agent's warnings about benchmarks that write into their folder.
func (m *Machine) Written(ctx context.Context) []assay.Warning {
	var out []assay.Warning
	if err := m.call(ctx, OpWritten, nil, &out, nil); err != nil {
		return nil // the run has its result
	}
	return cleanWarnings(out)
}

// cleanWarnings makes warnings fit to print.
func cleanWarnings(ws []assay.Warning) (out []assay.Warning) {
	for _, w := range ws[:min(len(ws), 20)] {
		f := Fault{Error: &assay.Error{Warning: w}}
		e, _ := errors.AsType[*assay.Error](f.Err())
		out = append(out, e.Warning)
	}
	return out
}

// Receive implements local.Customer. What the agent lacks is sent before it is used
// (Stage).
func (m *Machine) Receive(d local.Delivery) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p := m.platform; p != nil {
		d.Request.Linker = p.GOOS + "/" + p.GOARCH // the links are made there
	}
	old, ok := m.deliveries[d.Artifact.ID]
	if !ok {
		m.wanted = append(m.wanted, d.Artifact.ID)
		m.deliveries[d.Artifact.ID] = d
		return
	}
	old.Variants = append(old.Variants[:len(old.Variants):len(old.Variants)], d.Variants...)
	m.deliveries[d.Artifact.ID] = old
}

// wireRun returns a run for sending.
func (m *Machine) wireRun(ctx context.Context, r lab.RunRequest) (run, error) {
	hash, err := m.study(ctx, r.Study)
	if err == nil {
		err = m.place(ctx, r.Artifact.ID)
	}
	out := run{RunRequest: r, Study: hash, Artifact: r.Artifact.ID}
	out.RunRequest.Study, out.RunRequest.Artifact = nil, lab.Artifact{}
	return out, err
}

// Run implements lab.Runner.
func (m *Machine) Run(ctx context.Context, r lab.RunRequest) (out trial.Outcome, err error) {
	body, err := m.wireRun(ctx, r)
	if err == nil {
		err = m.call(ctx, OpRun, body, &out, nil)
	}
	if err == nil {
		err = m.checkOutcome(&out)
	}
	return out, err
}

// Together implements lab.SideBySide.
func (m *Machine) Together(ctx context.Context, r lab.TogetherRequest) ([]trial.Outcome, error) {
	body := together{Warm: r.Warm, Rounds: r.Rounds, Turns: r.Turns, CPUs: r.CPUs, Memory: r.Memory}
	for _, arm := range r.Arms {
		one, err := m.wireRun(ctx, arm)
		if err != nil {
			return nil, err
		}
		body.Arms = append(body.Arms, one)
	}
	var outs []trial.Outcome
	if err := m.call(ctx, OpTogether, body, &outs, nil); err != nil {
		return nil, err
	}
	if len(outs) != len(r.Arms) {
		return nil, m.lie("%d outcomes of %d trials side by side", len(outs), len(r.Arms))
	}
	for i := range outs {
		if err := m.checkOutcome(&outs[i]); err != nil {
			return nil, err
		}
	}
	return outs, nil
}

// CPUs implements lab.SideBySide.
func (m *Machine) CPUs() ([]int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.welcome.CPUs, m.welcome.NoCPUs.Err()
}

// Link implements lab.Runner.
func (m *Machine) Link(ctx context.Context, r lab.LinkRequest) (a lab.Artifact, err error) {
	err = m.place(ctx, r.Artifact.ID)
	if err == nil {
		err = m.linkHere(ctx, r.Artifact.ID, r.Layout, r.Align)
	}
	if err == nil {
		err = m.call(ctx, OpLink, link{r.Artifact.ID, r.Layout, r.Align}, &a, nil)
	}
	if err != nil {
		return a, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.placed[a.ID] = len(m.deliveries[r.Artifact.ID].Variants)
	return a, nil
}

// Drop implements lab.Runner.
func (m *Machine) Drop(artifacts []lab.Artifact) {
	var ids []string
	m.mu.Lock()
	for _, a := range artifacts {
		ids = append(ids, a.ID)
		delete(m.placed, a.ID)
	}
	m.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), endTime)
	defer cancel()
	_ = m.call(ctx, OpDrop, ids, nil, nil) // the agent drops them at its end
}

// Block implements lab.Machine.
func (m *Machine) Block(ctx context.Context, r lab.BlockRequest, keep lab.Keeper) error {
	if err := m.Stage(ctx); err != nil {
		return err
	}
	plan, err := m.plan(ctx, r.Plan)
	if err != nil {
		return err
	}
	if err := m.linksOf(ctx, r); err != nil {
		return err
	}
	body := block{Plan: plan, Next: r.Next, Index: r.Index, Attempt: r.Attempt, Artifacts: map[string][]string{}}
	for v, as := range r.Artifacts {
		for _, a := range as {
			body.Artifacts[v] = append(body.Artifacts[v], a.ID)
		}
	}
	expect := m.expect(r)
	m.running.Store(expect)
	defer m.running.Store(nil)
	err = m.call(ctx, OpBlock, body, nil, func(data json.RawMessage) error {
		var t trialDone
		if err := json.Unmarshal(data, &t); err != nil {
			return m.lie("a trial that cannot be read: %v", err)
		}
		if err := expect.next(&t.Trial); err != nil {
			return err
		}
		return keep(t.Trial, cleanRaw(t.Raw))
	})
	if err == nil {
		err = expect.end()
	}
	return err
}

// Ended is told by a Link how many trials of the block that runs have ended.
func (m *Machine) Ended(trials int) {
	if e := m.running.Load(); e != nil && m.opt.Ended != nil && trials > 0 && trials <= len(e.drawn.Slots) {
		m.opt.Ended(lab.Event{Kind: lab.EventTrial, Block: e.request.Index, Trial: trials, Of: len(e.drawn.Slots)})
	}
}

// cleanRaw limits what a trial printed to what a trial here would have.
func cleanRaw(raw record.Raw) record.Raw {
	for _, b := range []*[]byte{&raw.Stdout, &raw.Stderr, &raw.Server} {
		if len(*b) > maxOutput {
			*b = (*b)[:maxOutput]
		}
	}
	return raw
}

// plan sends a plan, once per connection.
func (m *Machine) plan(ctx context.Context, p *assay.Plan) (string, error) {
	m.mu.Lock()
	hash, ok := m.plans[p]
	m.mu.Unlock()
	if ok {
		return hash, nil
	}
	study, err := m.study(ctx, &p.Study)
	if err != nil {
		return "", err
	}
	var number [8]byte
	rand.Read(number[:])
	hash = hex.EncodeToString(number[:]) // a plan may be changed and used again
	if err := m.call(ctx, OpPlan, sentPlan{Hash: hash, Study: study, Plan: p}, nil, nil); err != nil {
		return "", err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.plans[p] = hash
	return hash, nil
}

// study sends a study, once per connection, and returns its hash.
func (m *Machine) study(ctx context.Context, s *assay.Study) (string, error) {
	data, err := json.Marshal(s)
	if err != nil {
		return "", fmt.Errorf("send study: %w", err)
	}
	sum := sha256.Sum256(append([]byte(s.Dir+"\x00"), data...))
	hash := hex.EncodeToString(sum[:8])
	m.mu.Lock()
	known := m.studies[hash]
	m.mu.Unlock()
	if known {
		return hash, nil
	}
	sent := sentStudy{Hash: hash, Study: s}
	if runsInFolder(s) {
		if sent.Tree, err = m.folderOf(ctx, s); err != nil {
			return "", err
		}
	}
	if err := m.call(ctx, OpStudy, sent, nil, nil); err != nil {
		return "", err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.studies[hash] = true
	return hash, nil
}

// Waits between attempts to reach a lost machine again.
const (
	firstWait = time.Second
	maxWait   = time.Minute
)

// Recover implements lab.Recoverer: it connects again, at first after a second, then
// after twice as long each time, and at most a minute, until the machine has been away for
// Options.Patience. It sends again what the new agent does not have.
func (m *Machine) Recover(ctx context.Context, cause error) error {
	m.opt.Say(fmt.Sprintf("assay: %s is lost: %s; connecting again for up to %v", m.opt.Name, printable.OneLine(cause), m.opt.Patience))
	gone := time.Now()
	for wait := firstWait; ; wait = min(2*wait, maxWait) {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(wait):
		}
		err := m.again(ctx)
		if err == nil {
			m.opt.Say(fmt.Sprintf("assay: %s is back after %v; what was lost runs again", m.opt.Name, time.Since(gone).Round(time.Second)))
			return nil
		}
		if e, ok := errors.AsType[*assay.Error](err); ok && e.Code == assay.CodeHostChanged {
			return err
		}
		if time.Since(gone)+wait > m.opt.Patience {
			return assay.NewError(assay.ExitRefused, assay.CodeMachineLost, fmt.Sprintf("%s has been away for %v", m.opt.Name, time.Since(gone).Round(time.Second)),
				[]string{printable.OneLine(cause), printable.OneLine(err)}, "")
		}
	}
}

// again connects once more, and checks that it is the same machine.
func (m *Machine) again(ctx context.Context) error {
	m.mu.Lock()
	before, held := m.platform, m.held
	m.mu.Unlock()
	if err := m.connect(ctx); err != nil {
		return err
	}
	now, err := m.Platform(ctx)
	if err != nil {
		return err
	}
	if before != nil {
		if why := changed(*before, now); why != "" {
			return assay.NewError(assay.ExitRefused, assay.CodeHostChanged, fmt.Sprintf("%s is another machine now: %s", m.opt.Name, why),
				[]string{"the blocks before are kept; the same line again begins a new run"}, "")
		}
	}
	if held == nil {
		return nil
	}
	return m.occupy(ctx, *held, func(o host.Occupant) error {
		m.opt.Say(fmt.Sprintf("assay: %s: another assay measures there: this one waits for it: %s", m.opt.Name, o))
		return nil
	})
}

// changed says what makes another machine of one that has come back, "" if nothing does.
func changed(before, now assay.Platform) string {
	switch {
	case before.Host != now.Host:
		return "another computer answers"
	case before.Kernel != now.Kernel:
		return fmt.Sprintf("its kernel was %s and is %s", before.Kernel, now.Kernel)
	case before.ID != now.ID:
		return fmt.Sprintf("it was %s and is %s, or its power mode is another", before, now)
	}
	return ""
}
