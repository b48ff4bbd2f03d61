package record

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-1318a441/assay"
)

// BenchmarkReadMillion reads a record of a million trials, chain and all, and reports
// the time of one trial.
func BenchmarkReadMillion(b *testing.B) {
	const trials = 1_000_002 // of three a block
	dir := b.TempDir()
	chain, err := writePlan(dir)
	if err != nil {
		b.Fatal(err)
	}
	all := make([]assay.Trial, trials)
	for i := range all {
		all[i] = testTrial(i + 1)
	}
	lines, err := sealTrials(chain, all)
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, TrialsFile), lines, 0o666); err != nil {
		b.Fatal(err)
	}
	all, lines = nil, nil
	for b.Loop() {
		run, err := Read(Folder(dir))
		if err != nil || len(run.Trials) != trials {
			b.Fatalf("%v", err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/trials, "ns/trial")
}
