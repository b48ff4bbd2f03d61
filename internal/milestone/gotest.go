package milestone

import (
	"context"
	"fmt"
	"time"

	"github.com/seed-1318a441/assay"
)

// ownTests checks that all tests of the step pass like "go test ./..." with more flags,
// including its go vet checks.
func ownTests(flags ...string) func(context.Context, *task) error {
	return func(ctx context.Context, t *task) error {
		w, err := t.copyOf(ctx, t.step)
		if err != nil {
			return err
		}
		r, err := t.goTest(ctx, w, flags)
		if err != nil {
			return err
		}
		t.judge(r, w, nil)
		return nil
	}
}

// judge derives the finding from a test run. Packages in gone count as failed.
func (t *task) judge(r *results, w workspace, gone []string) {
	evidence := append(gone, r.failures(w.mod.Module.Mod.Path)...)
	switch {
	case len(evidence) > 0:
		t.set(assay.GateFailed, r.failedWords(len(gone)), evidence...)
	case len(r.troubles()) > 0:
		t.set(assay.GateUnknown, "the tests could not be run: "+r.troubles()[0], r.troubles()...)
	case r.bad && r.forgiven+r.forgivenWhole == 0:
		t.set(assay.GateUnknown, "go test failed and does not say where; see the log")
	case r.tests == 0:
		t.set(assay.GateHeld, "no tests")
	default:
		t.set(assay.GateHeld, r.heldWords())
	}
}

func (t *task) goTest(ctx context.Context, w workspace, flags []string) (*results, error) {
	r := newResults(&t.said)
	// This leaves time to compile: a test that hangs is named before the gate is cut off.
	timeout := max(t.timeout()*3/4, time.Second).Round(time.Second)
	args := []string{"test", "-json", "-count=1", "-timeout=" + timeout.String()}
	args = append(append(append(args, t.jobs()...), flags...), "./...")
	plain := newLineWriter(r.plain)
	events := newLineWriter(r.event)
	err := t.run(ctx, w.Tree, w.Dir, events, plain, args...)
	events.End(events.piece)
	plain.End(plain.piece)
	if ctx.Err() != nil || !exited(err) {
		return nil, err
	}
	if err != nil && len(r.failedPackages()) == 0 {
		return nil, fmt.Errorf("go test: %s", orNothing(r.first))
	}
	r.bad = err != nil
	return r, nil
}
