package labtest_test

import (
	"context"
	"errors"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/record"
)

// A box is one of several computers of one model.
type box struct {
	*labtest.Simulator
	host string
}

func (b box) Platform(ctx context.Context) (assay.Platform, error) {
	p, err := b.Simulator.Platform(ctx)
	p.Host = b.host
	return p, err
}

// Two equal computers share a store: neither goes on with a run of the other, nor lets it
// be in the way of its own.
func TestEqualComputersShareAStore(t *testing.T) {
	store := t.TempDir()
	cutOff := func(host, id string) {
		t.Helper()
		m, trials := machine(), 0
		m.Hook = func(lab.RunRequest) error {
			if trials++; trials > 60 {
				return errors.New("cut off")
			}
			return nil
		}
		if _, err := labtest.GoOn(t.Context(), box{m, host}, resumeStudy(), store, id); err == nil {
			t.Fatal("the run was not cut off")
		}
	}
	blocks := func() map[string]int {
		t.Helper()
		kept, err := record.List(store)
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]int{}
		for _, e := range kept {
			run, err := record.Read(record.Folder(e.Dir))
			if err != nil {
				t.Fatal(err)
			}
			out[e.Run] = len(run.Blocks())
		}
		return out
	}
	cutOff("one", "aaaa")
	before := blocks()["aaaa"]
	cutOff("two", "bbbb")
	if got := blocks(); len(got) != 2 || got["aaaa"] != before {
		t.Fatalf("blocks of runs are %v, want two runs and %d blocks of the first", got, before)
	}
	for host, id := range map[string]string{"one": "aaaa", "two": "bbbb"} {
		if _, err := labtest.GoOn(t.Context(), box{machine(), host}, resumeStudy(), store, "cccc"); err != nil {
			t.Fatal(err)
		}
		if got := blocks(); got[id] != 25 || got["cccc"] > 0 {
			t.Errorf("on %s: blocks of runs are %v, want 25 of %s", host, got, id)
		}
	}
}
