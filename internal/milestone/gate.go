package milestone

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
)

// A Tree is the code of a variant, as it is built.
type Tree struct {
	// ID identifies trees with the same content and the same builds. It is "" if the
	// content may change, as in a working tree; no finding is then kept.
	ID string
	// Dir is the module's folder. It is only read.
	Dir string
	// Go is the path of the go command, Env the complete environment of its builds.
	Go  string
	Env []string
	// Name is the variant's name.
	Name string
}

// A Keeper checks gates and keeps the findings. It is safe for concurrent use.
type Keeper struct {
	// Cache has kept findings, and scratch folders while a check runs.
	Cache *cache.Cache
	// Timeout is the time limit of one gate; 0 means ten minutes.
	Timeout time.Duration
	// Jobs is the number of commands that a check may run at once; 0 leaves it to the go
	// command.
	Jobs int
}

// A Finding is the result of a gate with the output of its check.
type Finding struct {
	assay.GateResult
	// Output is at most 1 MiB; the middle of a longer output is omitted. Nil is none.
	Output []byte
}

// defaultTimeout is the default time limit of a gate: as long as "go test" allows for the
// tests of one package.
const defaultTimeout = 10 * time.Minute

// A gate is one requirement on a step.
type gate struct {
	name string
	// words is the study's requirement; "" is none.
	words string
	// pair is set if the step is compared with another tree.
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

// gatesOf lists the study's gates in the order in which reports show them, cheap ones
// first where the order is free.
func gatesOf(g assay.Gates) []gate {
	all := []gate{
		{assay.GateAPI, g.API, true, checkAPI},
		{assay.GateTests, g.Tests, false, ownTests()},
		{assay.GateOldTests, g.Tests, true, checkOldTests},
		{assay.GateUnsafe, g.Unsafe, false, checkUnsafe},
		{assay.GateVet, g.Vet, false, checkVet},
		{assay.GateRace, g.Race, false, ownTests("-race")},
	}
	return slices.DeleteFunc(all, func(g gate) bool { return g.words == "" })
}

// Check checks the gates of a step in the order api, tests, old tests, unsafe, vet, race.
// Gates on allocations depend on measurements and are not checked here. If a gate cannot
// be checked its finding has [assay.GateUnknown] and says why. Only the end of ctx is an
// error.
func (k *Keeper) Check(ctx context.Context, gates assay.Gates, step, against Tree) ([]Finding, error) {
	var found []Finding
	for _, g := range gatesOf(gates) {
		f, err := k.find(ctx, g, step, against)
		if err != nil {
			return found, err
		}
		found = append(found, f)
	}
	return found, nil
}

// find returns a kept finding, or checks.
func (k *Keeper) find(ctx context.Context, g gate, step, against Tree) (Finding, error) {
	if !g.pair {
		against = Tree{}
	}
	id := keptID(ctx, g, step, against)
	var f Finding
	if id == "" || !k.Cache.Load(id, keptName, &f) || f.Status != assay.GateHeld && f.Status != assay.GateFailed {
		var err error
		if f, err = k.check(ctx, g, step, against); err != nil {
			return f, err
		}
		if id != "" && f.Status != assay.GateUnknown {
			_ = k.Cache.Store(id, keptName, f) // a failure only costs time later
		}
	}
	f.Variant, f.Gate, f.Against = step.Name, g.name, against.Name
	return f, nil
}

func (k *Keeper) check(ctx context.Context, g gate, step, against Tree) (Finding, error) {
	begun := time.Now()
	limited, cancel := context.WithTimeout(ctx, k.timeout())
	defer cancel()
	t := &task{Keeper: k, words: g.words, step: step, against: against}
	defer func() {
		for _, dir := range t.scratch {
			_ = disk.RemoveAll(dir) // a test may have made it unwritable
		}
	}()
	err := guard(func() error { return g.check(limited, t) })
	switch {
	case ctx.Err() != nil:
		return t.Finding, fmt.Errorf("check gate %q of %q: %w", g.name, step.Name, context.Cause(ctx))
	case limited.Err() != nil && err != nil:
		t.set(assay.GateUnknown, fmt.Sprintf("not done in %v", k.timeout()))
	case err != nil:
		t.set(assay.GateUnknown, err.Error())
	}
	t.Output = t.said.bytes()
	t.Took = time.Since(begun)
	return t.Finding, nil
}

// guard turns a panic into an error: the libraries that read the compiler's files panic
// on some unexpected input.
func guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("read the step: %v", r)
		}
	}()
	return f()
}

func (k *Keeper) timeout() time.Duration { return cmp.Or(k.Timeout, defaultTimeout) }

// set sets the finding of the task. It cleans text and evidence, which may be untrusted.
func (t *task) set(s assay.GateStatus, text string, evidence ...string) {
	t.Status, t.Text, t.Evidence = s, oneLine(text), firstEvidence(evidence)
}
