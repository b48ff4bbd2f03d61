package milestone

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/seed-1318a441/assay"
)

// A Tree is the code of a variant, as it is built.
type Tree struct {
	// ID tells trees with the same content and the same builds; "" where the
	// content may change, as in a working tree, so that nothing found is kept.
	ID string
	// Dir is the module's folder. It is only read.
	Dir string
	// Go is the path of the go command, Env the whole environment of its builds.
	Go  string
	Env []string
	// Name is the variant's.
	Name string
}

// A Keeper checks gates and keeps what it finds. Its methods may be called by
// several goroutines at once.
type Keeper struct {
	// Cache is the folder of kept findings; "" keeps none.
	Cache string
	// Temp makes a scratch folder, which Check removes again.
	Temp func(prefix string) (string, error)
	// Timeout is that of one gate; 0 means ten minutes.
	Timeout time.Duration
	// Jobs is the number of commands that a check may run at once; 0 leaves it to
	// the go command.
	Jobs int
}

// A Finding is the result of a gate with what was printed while it was checked.
type Finding struct {
	assay.GateResult
	// Output is at most 1 MiB, its middle left out where there was more; nil for
	// none.
	Output []byte
}

// defaultTimeout is what a gate may take where nobody said otherwise: as long
// as "go test" gives the tests of one package.
const defaultTimeout = 10 * time.Minute

// A gate is one question to a step.
type gate struct {
	name string
	// words is what the study asks for; "" is nothing.
	words string
	// pair is set where the step is held against another tree.
	pair  bool
	check func(context.Context, *task) error
}

// A task is the check of one gate, and becomes its finding.
type task struct {
	*Keeper
	Finding
	words         string
	step, against Tree
	scratch       []string
	said          clip
}

// asked lists the gates that are asked for, the cheap ones of a chain first
// where their order is free: people read them in this one.
func asked(g assay.Gates) []gate {
	all := []gate{
		{assay.GateAPI, g.API, true, checkAPI},
		{assay.GateTests, g.Tests, false, checkTests},
		{assay.GateOldTests, g.Tests, true, checkOldTests},
		{assay.GateUnsafe, g.Unsafe, false, checkUnsafe},
		{assay.GateVet, g.Vet, false, checkVet},
		{assay.GateRace, g.Race, false, checkRace},
	}
	var out []gate
	for _, a := range all {
		if a.words != "" {
			out = append(out, a)
		}
	}
	return out
}

// Check checks the gates of a step in the order api, tests, old tests, unsafe,
// vet, race. Those on allocations are judged by what is measured, not here.
// What cannot be checked is a finding with [assay.GateUnknown] that says why;
// an error is only that of a ctx that ended.
func (k *Keeper) Check(ctx context.Context, gates assay.Gates, step, against Tree) ([]Finding, error) {
	var found []Finding
	for _, g := range asked(gates) {
		f, err := k.find(ctx, g, step, against)
		if err != nil {
			return found, err
		}
		found = append(found, f)
	}
	return found, nil
}

// find answers from what was kept, or checks.
func (k *Keeper) find(ctx context.Context, g gate, step, against Tree) (Finding, error) {
	if !g.pair {
		against = Tree{}
	}
	name := k.keptName(ctx, g, step, against)
	f, ok := readKept(name)
	if !ok {
		var err error
		if f, err = k.check(ctx, g, step, against); err != nil {
			return f, err
		}
		if f.Status != assay.GateUnknown {
			writeKept(name, f)
		}
	}
	f.Variant, f.Gate, f.Against = step.Name, g.name, against.Name
	return f, nil
}

// errTimeout is why a check is cut off that takes too long.
var errTimeout = errors.New("not done in time")

func (k *Keeper) check(ctx context.Context, g gate, step, against Tree) (Finding, error) {
	begun := time.Now()
	limited, cancel := context.WithTimeoutCause(ctx, k.timeout(), errTimeout)
	defer cancel()
	t := &task{Keeper: k, words: g.words, step: step, against: against}
	defer t.tidy()
	err := guard(func() error { return g.check(limited, t) })
	switch {
	case ctx.Err() != nil:
		return t.Finding, fmt.Errorf("check gate %q of %q: %w", g.name, step.Name, context.Cause(ctx))
	case limited.Err() != nil && err != nil:
		t.unknown(fmt.Sprintf("not done in %v", k.timeout()))
	case err != nil:
		t.unknown(err.Error())
	}
	t.Output = t.said.bytes()
	t.Took = time.Since(begun)
	return t.Finding, nil
}

// guard makes an error of a panic: the libraries that read what a compiler
// wrote have some for input that they do not expect.
func guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("read the step: %v", r)
		}
	}()
	return f()
}

func (k *Keeper) timeout() time.Duration {
	if k.Timeout > 0 {
		return k.Timeout
	}
	return defaultTimeout
}

// unknown, held and failed set what the task found. Texts and evidence may be
// a stranger's and are cleaned.
func (t *task) unknown(text string) { t.set(assay.GateUnknown, text, nil) }

func (t *task) held(text string) { t.set(assay.GateHeld, text, nil) }

func (t *task) failed(text string, evidence []string) { t.set(assay.GateFailed, text, evidence) }

func (t *task) set(s assay.GateStatus, text string, evidence []string) {
	t.Status, t.Text, t.Evidence = s, oneLine(text), few(evidence)
}
