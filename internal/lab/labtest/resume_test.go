package labtest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/slow"
)

// killedStore, when set in the environment, makes the test binary run the
// simulated study in that store: it is what TestKill kills.
const killedStore = "ASSAY_TEST_KILLED_STORE"

func TestMain(m *testing.M) {
	if store := os.Getenv(killedStore); store != "" {
		if _, err := labtest.Run(context.Background(), machine(), resumeStudy(), store); err != nil {
			os.Stderr.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// resumeStudy is long enough to be cut off in many places.
func resumeStudy() *assay.Study {
	s := labtest.Study("old", "new")
	s.Decide.MinBlocks, s.Decide.MaxBlocks = 25, 25
	return s
}

// result reads the result of a store's only run, and checks the record. Which record it
// is of is left out: torn attempts stay in it.
func result(t *testing.T, store string) []byte {
	t.Helper()
	run, err := record.Read(record.Folder(filepath.Join(store, labtest.RunID)))
	if err != nil {
		t.Fatal(err)
	}
	res, err := run.StoredResult()
	if err != nil || res == nil {
		t.Fatalf("result %v, %v", res, err)
	}
	res.Record = ""
	data, err := record.EncodeResult(res)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func uninterrupted(t *testing.T) []byte {
	t.Helper()
	store := t.TempDir()
	if _, err := labtest.Run(t.Context(), machine(), resumeStudy(), store); err != nil {
		t.Fatal(err)
	}
	return result(t, store)
}

// A process killed with SIGKILL at random moments ends, once it may, with the result of
// one that never was, byte for byte; a finished block that is repeated would be refused.
func TestKill(t *testing.T) { testKill(t, 20) }

func TestSlowKill(t *testing.T) {
	slow.Test(t)
	testKill(t, 200)
}

func testKill(t *testing.T, kills int) {
	want := uninterrupted(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	for done := 0; done < kills; {
		store := t.TempDir()
		for range 12 { // kills a run
			if ended(t, store) {
				break
			}
			if killAt(t, store, time.Duration(rnd.IntN(40))*time.Millisecond) {
				done++
			}
		}
		if !ended(t, store) {
			if out, err := command(store).CombinedOutput(); err != nil {
				t.Fatalf("resume: %v\n%s", err, out)
			}
		}
		if got := result(t, store); !bytes.Equal(got, want) {
			t.Fatalf("after kills the result differs:\n%s\nwant:\n%s", got, want)
		}
	}
}

// killAt starts the study and kills it after d; it reports whether the kill
// came before the end.
func killAt(t *testing.T, store string, d time.Duration) bool {
	cmd := command(store)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(d, func() { cmd.Process.Kill() })
	defer timer.Stop()
	return cmd.Wait() != nil
}

// ended reports whether the store's run has its result: starting the study again would
// begin a new run, and all simulated runs have one id. A fast machine ends a run between
// two kills.
func ended(t *testing.T, store string) bool {
	t.Helper()
	kept, err := record.List(store)
	if err != nil {
		t.Fatal(err)
	}
	return len(kept) == 1 && kept[0].Finished
}

func command(store string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), killedStore+"="+store)
	return cmd
}

// Power loss can cut the file anywhere behind the last sync, so every length
// of it must be gone on from.
func TestTornAnywhere(t *testing.T) {
	want := uninterrupted(t)
	whole := t.TempDir()
	if _, err := labtest.Run(t.Context(), machine(), resumeStudy(), whole); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(whole, labtest.RunID, record.TrialsFile))
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 25 {
		cut := rnd.IntN(len(data))
		store := t.TempDir()
		if err := os.CopyFS(store, os.DirFS(whole)); err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(store, labtest.RunID)
		os.Remove(filepath.Join(dir, record.ResultFile))
		os.Remove(filepath.Join(dir, record.EndFile))
		tail := make([]byte, rnd.IntN(2)*100) // zeros, as a file system may leave
		if err := os.WriteFile(filepath.Join(dir, record.TrialsFile), append(data[:cut:cut], tail...), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := labtest.Run(t.Context(), machine(), resumeStudy(), store); err != nil {
			t.Fatalf("cut at %d of %d: %v", cut, len(data), err)
		}
		if got := result(t, store); !bytes.Equal(got, want) {
			t.Fatalf("cut at %d of %d: the result differs", cut, len(data))
		}
	}
}

// A machine that dies in a block leaves it torn: it is run again, whole, as
// the next attempt.
func TestTornBlockRunsAgain(t *testing.T) {
	store := t.TempDir()
	m := machine()
	crashAfter(m, 23)
	if _, err := labtest.Run(t.Context(), m, resumeStudy(), store); !crashed(err) {
		t.Fatalf("got %v, want the crash", err)
	}
	if _, err := labtest.Run(t.Context(), machine(), resumeStudy(), store); err != nil {
		t.Fatal(err)
	}
	run, err := record.Read(os.DirFS(filepath.Join(store, labtest.RunID)))
	if err != nil {
		t.Fatal(err)
	}
	torn := run.Trials[23]
	if torn.Attempt != 2 || torn.Position != 1 || torn.Block != run.Trials[22].Block {
		t.Errorf("after the crash came %+v, want attempt 2 of block %d", torn, run.Trials[22].Block)
	}
	for _, block := range run.Blocks() {
		if len(block) != block[0].Of {
			t.Errorf("block %d has %d trials, want %d", block[0].Block, len(block), block[0].Of)
		}
	}
}

// Two at a time would write one record twice.
func TestSecondAssayIsRefused(t *testing.T) {
	store := t.TempDir()
	if _, err := labtest.Run(t.Context(), machine(), resumeStudy(), store); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(store, labtest.RunID)
	first, err := record.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	if _, err := record.Open(dir); !errors.Is(err, record.ErrLocked) {
		t.Errorf("second open: got %v, want ErrLocked", err)
	}
}

// The wall clock may jump while a run goes on; the result rests on durations
// and on the order of the lines, never on it.
func TestClockThatJumps(t *testing.T) {
	store := t.TempDir()
	want, err := labtest.Run(t.Context(), machine(), resumeStudy(), store)
	if err != nil {
		t.Fatal(err)
	}
	run, err := record.Read(os.DirFS(filepath.Join(store, labtest.RunID)))
	if err != nil {
		t.Fatal(err)
	}
	for i := range run.Trials {
		run.Trials[i].Start = run.Trials[i].Start.Add(time.Duration(i%7-3) * 24 * time.Hour)
	}
	tracker := analysis.NewTracker(run.Plan, run.Plan.Study.Decide.Budget)
	for _, block := range run.Blocks() {
		tracker.Next()
		tracker.Add(block)
	}
	want.Record, want.Assay, want.Explanations = "", "", nil // what does not follow from the trials alone
	got := tracker.Result(run.Platform, want.Spent.Stop)
	if a, b := marshal(t, got), marshal(t, want); !bytes.Equal(a, b) {
		t.Errorf("with another clock the result differs:\n%s\nwant:\n%s", a, b)
	}
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A losable is a computer that can be lost and found again.
type losable struct {
	*labtest.Simulator
	found int
}

// Recover implements lab.Recoverer.
func (l *losable) Recover(context.Context, error) error { l.found++; return nil }

// A machine that is lost before the first block, and comes back, costs what ran, not the
// run.
func TestLostBeforeTheFirstBlock(t *testing.T) {
	want := uninterrupted(t)
	for _, at := range []int{1, 2, 5} {
		m, trials := &losable{Simulator: machine()}, 0
		m.Hook = func(r lab.RunRequest) error {
			if trials++; trials == at {
				return fmt.Errorf("run: %w", lab.ErrLost)
			}
			return nil
		}
		store := t.TempDir()
		if _, err := labtest.Run(t.Context(), m, resumeStudy(), store); err != nil {
			t.Fatalf("lost in trial %d: %v", at, err)
		}
		if m.found != 1 {
			t.Errorf("lost in trial %d: found %d times", at, m.found)
		}
		if got := result(t, store); !bytes.Equal(got, want) {
			t.Errorf("lost in trial %d: the result is not that of a run which was not", at)
		}
	}
}
