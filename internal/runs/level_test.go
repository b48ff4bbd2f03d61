package runs

import (
	"slices"
	"testing"

	"github.com/seed-1318a441/assay/internal/record"
)

// A run measured when the levels of its factor were bare numbers (studies/interpreters/gogc.toml,
// of November 2026) reads with the names that they have now, in the plan, the trials and the
// explanations, and what the folder has holds.
func TestLevelsOfOldRuns(t *testing.T) {
	const dir = "testdata/numbers"
	before, err := record.Read(record.Folder(dir))
	if err != nil {
		t.Fatal(err)
	}
	found, err := Read(dir, dir)
	if err != nil {
		t.Fatal(err)
	}
	if before.Plan.Study.Base != "100" || found.Plan.Study.Base != "GOGC=100" {
		t.Errorf("the base was %q and is %q", before.Plan.Study.Base, found.Plan.Study.Base)
	}
	for i, trial := range found.Trials {
		if _, ok := found.Plan.Variant(trial.Variant); !ok {
			t.Fatalf("trial %d is of %q, which the plan lacks", i+1, trial.Variant)
		}
	}
	for _, e := range found.End.Explanations {
		if !slices.Contains([]string{"GOGC=50", "GOGC=400", "GOGC=off"}, e.Variant) || e.Comparison.Variant != e.Variant || e.Base != "GOGC=100" {
			t.Errorf("an explanation is of %q (%q) against %q", e.Variant, e.Comparison.Variant, e.Base)
		}
	}
	if err := found.Verify(); err != nil {
		t.Error(err)
	}
}
