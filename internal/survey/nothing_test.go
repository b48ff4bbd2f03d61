package survey

import (
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
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

// Modules below are named where a pattern such as ./... finds nothing: it does not reach
// them.
func TestNested(t *testing.T) {
	dir := t.TempDir()
	disktest.Write(t, dir, map[string]string{"go.mod": "module m\n", "sub/go.mod": "module m/sub\n"})
	for pkg, want := range map[string]string{"./...": "./... does not reach the modules below: sub", ".": ""} {
		s := &assay.Study{Dir: dir, Workloads: []assay.Workload{{Kind: assay.KindGoTest, Packages: []string{pkg}}}}
		e := CheckSources(s, "assay compare", nil, 0).(*assay.Error)
		if got := strings.Join(e.Facts, "; "); got != want {
			t.Errorf("of %s got %q, want %q", pkg, got, want)
		}
	}
}

// A benchmark that fails because git does is told why.
func TestBrokenForGit(t *testing.T) {
	for reason, want := range map[string]bool{
		"o_test.go:7: git: exit status 128":                                    true,
		"fatal: not a git repository (or any of the parent directories): .git": true,
		"repository does not exist":                                            true,
		"exit status 128":                                                      false, "boom": false,
	} {
		if got := strings.Contains(brokenWarning("BenchmarkA", reason, "v").String(), "without .git"); got != want {
			t.Errorf("%q: %v, want %v", reason, got, want)
		}
	}
}
