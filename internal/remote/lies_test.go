package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/remote/wire"
)

// liar connects to an agent that answers every request but those for blocks with nothing;
// for a block it sends what events gives, or what raw writes.
func liar(t *testing.T, events func() []trialDone, raw func(io.Writer)) *Machine {
	t.Helper()
	m, err := Connect(t.Context(), Options{Name: "liar", Builder: build.New(t.TempDir()), Link: OverStream(func(context.Context) (io.ReadWriteCloser, error) {
		here, there := net.Pipe()
		go func() {
			s := wire.NewStream(there, there)
			for {
				f, err := s.Receive()
				if err != nil {
					return
				}
				var r request
				if json.Unmarshal(f.JSON, &r) != nil || r.Do == OpCancel {
					continue
				}
				answer := reply{ID: r.ID, Done: json.RawMessage("null")}
				switch r.Do {
				case OpHello:
					answer.Done = json.RawMessage(fmt.Sprintf(`{"Protocol":%d}`, wire.Version))
				case OpBlock:
					if raw != nil {
						raw(there)
						continue
					}
					for _, e := range events() {
						data, _ := json.Marshal(e)
						if s.Send(reply{ID: r.ID, Event: data}) != nil {
							return
						}
					}
				}
				if s.Send(answer) != nil {
					return
				}
			}
		}()
		return here, nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// honest returns the trials of a block as an honest agent reports them.
func honest(r lab.BlockRequest) (out []trialDone) {
	slots := design.BlockOf(r.Plan, r.Next, r.Index, r.Attempt).Slots
	for _, s := range slots {
		b, _ := r.Plan.Planned(s.Benchmark)
		out = append(out, trialDone{Trial: assay.Trial{Block: r.Index, Attempt: r.Attempt, Of: len(slots), Position: s.Position, Round: s.Round,
			Variant: s.Variant, Benchmark: s.Benchmark, N: b.N, Layout: design.Layout(r.Plan, s.Variant, r.Index),
			Status: assay.StatusOK, Duration: 1, Observations: map[string]float64{assay.MetricTime: 1}}})
	}
	return out
}

// What an agent reports is believed only as far as the design drew it and as it can be
// written down.
func TestLies(t *testing.T) {
	plan := &assay.Plan{Seed: 7, Study: assay.Study{Base: "one", Variants: []assay.Variant{{Name: "one"}, {Name: "two"}}}, Variants: []assay.Variant{{Name: "one"}, {Name: "two"}},
		Benchmarks: []assay.PlannedBenchmark{{Benchmark: assay.Benchmark{Name: "X"}, N: 10}}}
	r := lab.BlockRequest{Plan: plan, Next: assay.NextBlock{Turns: []assay.Turn{{Benchmark: assay.Benchmark{Name: "X"}, Inner: 2}}}, Index: 1, Attempt: 1}
	kept := 0
	keep := func(assay.Trial, record.Raw) error { kept++; return nil }
	if err := liar(t, func() []trialDone { return honest(r) }, nil).Block(t.Context(), r, keep); err != nil || kept != 4 {
		t.Fatalf("an honest agent: %v, %d trials", err, kept)
	}
	for name, lie := range map[string]func(ts []trialDone) []trialDone{
		"another variant": func(ts []trialDone) []trialDone { ts[0].Trial.Variant += "x"; return ts },
		"another block":   func(ts []trialDone) []trialDone { ts[0].Trial.Block = 2; return ts },
		"another attempt": func(ts []trialDone) []trialDone { ts[0].Trial.Attempt = 2; return ts },
		"another N":       func(ts []trialDone) []trialDone { ts[0].Trial.N = 1; return ts },
		"another layout":  func(ts []trialDone) []trialDone { ts[0].Trial.Layout++; return ts },
		"twice":           func(ts []trialDone) []trialDone { return append(ts[:1], ts...) },
		"one more":        func(ts []trialDone) []trialDone { return append(ts, ts[0]) },
		"one less":        func(ts []trialDone) []trialDone { return ts[:len(ts)-1] },
		"none":            func([]trialDone) []trialDone { return nil },
		"a fault":         func(ts []trialDone) []trialDone { ts[0].Trial.RuntimeFault = "checkdead: runnable g"; return ts },
		"a status":        func(ts []trialDone) []trialDone { ts[0].Trial.Status = "splendid"; return ts },
		"a duration":      func(ts []trialDone) []trialDone { ts[0].Trial.Duration = -1; return ts },
		"a digest":        func(ts []trialDone) []trialDone { ts[0].Trial.Binary = "../../x"; return ts },
		"a gear":          func(ts []trialDone) []trialDone { ts[0].Trial.Gear = "fifth"; return ts },
		"a metric's name": func(ts []trialDone) []trialDone { ts[0].Trial.Observations["\x1b[2J"] = 1; return ts },
		"a time of -1":    func(ts []trialDone) []trialDone { ts[0].Trial.Observations[assay.MetricTime] = -1; return ts },
		"a time of 0":     func(ts []trialDone) []trialDone { ts[0].Trial.Observations[assay.MetricTime] = 0; return ts },
		"a time of 1e308": func(ts []trialDone) []trialDone { ts[0].Trial.Observations[assay.MetricTime] = 1e308; return ts },
		"bytes below 0":   func(ts []trialDone) []trialDone { ts[0].Trial.Observations[assay.MetricBytes] = -1; return ts },
		"a slice below 0": func(ts []trialDone) []trialDone { ts[0].Trial.Slices = []float64{1, -1}; return ts },
		"equal starts": func(ts []trialDone) []trialDone {
			ts[0].Trial.Start = time.Unix(1e9, 0)
			ts[1].Trial.Start = ts[0].Trial.Start
			return ts
		},
		"a metric too big": func(ts []trialDone) []trialDone { ts[0].Trial.Observations[strings.Repeat("x", 10_000)] = 1; return ts },
		"many metrics": func(ts []trialDone) []trialDone {
			for i := range maxMetrics + 1 {
				ts[0].Trial.Observations[fmt.Sprint("m", i)] = 1
			}
			return ts
		},
	} {
		kept = 0
		err := liar(t, func() []trialDone { return lie(honest(r)) }, nil).Block(t.Context(), r, keep)
		if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != assay.CodeAgentReport || kept > 4 {
			t.Errorf("%s: %v, %d kept", name, err, kept)
		}
	}
	million := func(w io.Writer) {
		for range 1_000_000 {
			if _, err := w.Write([]byte("\x00\x00\x00\x02j{}")); err != nil {
				return
			}
		}
		w.Write([]byte("\x40\x00\x00\x00j"))
	}
	for name, raw := range map[string]func(io.Writer){
		"a gigabyte":       func(w io.Writer) { w.Write([]byte("\x40\x00\x00\x00j")) },
		"text":             func(w io.Writer) { io.WriteString(w, "Broadcast message from root: the system will reboot now!\n") },
		"NaN":              func(w io.Writer) { io.WriteString(w, "\x00\x00\x00\x05j{NaN}") },
		"a file":           func(w io.Writer) { io.WriteString(w, "\x00\x00\x00\x09b12345678x") },
		"a million frames": million,
	} {
		kept = 0
		err := liar(t, nil, raw).Block(t.Context(), r, keep)
		if err == nil || kept > 0 || len(err.Error()) > 2*maxReason {
			t.Errorf("%s: %.200v, %d kept", name, err, kept)
		}
	}
}
