package survey

import (
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// Sources are refused if certainly none of their benchmarks is measured, in the words in
// which a survey says so.
func TestCheckSources(t *testing.T) {
	for _, c := range []struct {
		bench string
		names []string
		want  string
	}{
		{"", []string{"Sum"}, ""},
		{"Sum/large", []string{"Fill", "Sum"}, ""},
		{"Fill|Sum", []string{"Sum"}, ""},
		{"(", []string{"Sum"}, ""}, // the test binary says what is wrong with it
		{"Sun", []string{"Sum", "Fill"}, "1 package has 2 benchmarks: Sum, Fill"},
		{"Sum", nil, "no package with benchmarks in ./a"},
	} {
		s := &assay.Study{Workloads: []assay.Workload{{Kind: assay.KindGoTest, Packages: []string{"./a"}, Bench: c.bench}}}
		err := CheckSources(s, "assay compare -- -bench="+c.bench, c.names, min(len(c.names), 1))
		if got := ""; err != nil {
			e := err.(*assay.Error)
			if got = e.Text + strings.Join(e.Facts, ""); c.want == "" || !strings.Contains(got, c.want) {
				t.Errorf("-bench=%s of %q: got %q, want %q in it", c.bench, c.names, got, c.want)
			}
		} else if c.want != "" {
			t.Errorf("-bench=%s of %q is not refused", c.bench, c.names)
		}
	}
}
