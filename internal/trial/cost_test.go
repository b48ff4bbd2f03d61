package trial_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/seed-1318a441/assay/internal/trial"
)

// BenchmarkCommandCost runs a program that does nothing, alternately 500 times
// as trials and 500 times by hyperfine without its shell. It reports the time
// that a run costs each of them, the ratio, and the median of what each says
// that the program took. The warm-up runs of hyperfine count as runs.
func BenchmarkCommandCost(b *testing.B) {
	const runs, warmup = 500, 10
	hyperfine, err := exec.LookPath("hyperfine")
	if err != nil {
		b.Skip("no hyperfine")
	}
	nothing, err := exec.LookPath("true")
	if err != nil {
		b.Skip("no true")
	}
	file := filepath.Join(b.TempDir(), "hyperfine.json")
	p := trial.Program{Path: nothing, Env: trial.Environ(os.Environ(), 1, nil), Name: "true", Timeout: time.Minute}
	var ours, theirs time.Duration
	var said, saidThere []float64
	for b.Loop() {
		begin := time.Now()
		for range runs + warmup {
			o, err := p.Run(b.Context())
			if err != nil || o.Status != "ok" {
				b.Fatal(o.Status, o.Reason, err)
			}
			said = append(said, o.Wall.Seconds())
		}
		ours += time.Since(begin)

		begin = time.Now()
		cmd := exec.Command(hyperfine, "-N", "--style=none", "--runs", strconv.Itoa(runs), "--warmup", strconv.Itoa(warmup), "--export-json", file, nothing)
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		theirs += time.Since(begin)
		saidThere = append(saidThere, TimesIn(b, file)...)
	}
	n := time.Duration(b.N * (runs + warmup))
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64((ours / n).Microseconds()), "µs/trial")
	b.ReportMetric(float64((theirs / n).Microseconds()), "µs/hyperfine-run")
	b.ReportMetric(float64(ours)/float64(theirs), "cost-ratio")
	Report(b, "", said)
	Report(b, "hyperfine-", saidThere)
}

// Report gives the middle half of what was measured.
func Report(b *testing.B, prefix string, seconds []float64) {
	slices.Sort(seconds)
	b.ReportMetric(1e6*seconds[len(seconds)/2], prefix+"median-µs")
	b.ReportMetric(1e6*(seconds[len(seconds)*3/4]-seconds[len(seconds)/4]), prefix+"IQR-µs")
}

func TimesIn(b *testing.B, file string) []float64 {
	text, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	var all struct{ Results []struct{ Times []float64 } }
	if err := json.Unmarshal(text, &all); err != nil || len(all.Results) != 1 {
		b.Fatalf("%v: %.200s", err, text)
	}
	return all.Results[0].Times
}
