//go:build unix

package host

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// One waits for the other and prints for whom, or refuses to wait.
func TestOccupy(t *testing.T) {
	t.Setenv(LockVariable, t.TempDir())
	first := Occupant{PID: os.Getpid(), Command: "assay run .", Dir: "/study"}
	free := func(o Occupant) error { t.Errorf("busy: %+v", o); return nil }
	release, err := Occupy(t.Context(), first, free)
	if err != nil {
		t.Fatal(err)
	}
	if o, ok := Occupied(); !ok || o.Since.IsZero() {
		t.Errorf("occupied by %+v, %v; want one with a time", o, ok)
	} else {
		first.Since = o.Since
	}
	var told Occupant
	refused := errors.New("refused")
	if _, err := Occupy(t.Context(), Occupant{}, func(o Occupant) error { told = o; return refused }); !errors.Is(err, refused) || told != first {
		t.Errorf("told %+v, %v; want %+v, and the error of who was told", told, err, first)
	}

	// It waits until the other is done.
	waits, got := make(chan Occupant, 1), make(chan error)
	go func() {
		done, err := Occupy(t.Context(), Occupant{PID: 2}, func(o Occupant) error { waits <- o; return nil })
		if err == nil {
			err = done()
		}
		got <- err
	}()
	if o := <-waits; o != first {
		t.Errorf("waits for %+v", o)
	}
	select {
	case err := <-got:
		t.Errorf("did not wait: %v", err)
	default:
	}
	if err := release(); err != nil {
		t.Error(err)
	}
	if err := <-got; err != nil {
		t.Error(err)
	}

	// An interrupt ends the waiting.
	if release, err = Occupy(t.Context(), first, free); err != nil {
		t.Fatal(err)
	}
	defer release()
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := Occupy(ctx, Occupant{}, func(Occupant) error { cancel(); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// What is put in the place of the file is not written to.
func TestOccupyFollowsNoLink(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv(LockVariable, tmp)
	aim := filepath.Join(t.TempDir(), "mine")
	if err := os.WriteFile(aim, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(aim, filepath.Join(tmp, aloneFile)); err != nil {
		t.Fatal(err)
	}
	if release, err := Occupy(t.Context(), Occupant{PID: 1}, func(Occupant) error { return nil }); err == nil {
		release()
		t.Error("it was locked through a link")
	}
	if data, _ := os.ReadFile(aim); string(data) != "mine" {
		t.Errorf("the file of another is now %q", data)
	}
}
