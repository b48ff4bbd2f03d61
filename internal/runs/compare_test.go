package runs

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// bench is Go benchmark output with times in nanoseconds.
func bench(unit string, values ...float64) string {
	var b strings.Builder
	for _, v := range values {
		fmt.Fprintf(&b, "BenchmarkEncode 100 %g %s\n", v, unit)
	}
	return b.String()
}

// Files of benchmark output are compared by the default rule with the first file, or with
// the one that the user names.
func TestCompareFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	laid(t, ".", map[string]string{"old.txt": bench("ns/op", 100, 101, 102, 99, 100, 101, 100, 102), "new.txt": bench("ns/op", 50, 51, 50, 49, 50, 52, 50, 51)})
	for _, x := range []struct {
		base, want string
		change     float64
	}{{"", "old.txt", -0.5}, {"new.txt", "new.txt", 1}} {
		samples, s, err := ReadFiles([]string{"old.txt", "new.txt"}, "", "")
		if err != nil {
			t.Fatal(err)
		}
		if x.base != "" {
			s.Base = x.base
		}
		s.Decide.Confidence = 0.95000000000001 // as 1 - 0.05 may come out
		r, err := CompareFiles(samples, s)
		if err != nil {
			t.Fatal(err)
		}
		c := r.Tables[0].Rows[0].Cells
		if r.Base != x.want || len(c) != 1 || float64(c[0].Change) < x.change-0.05 || float64(c[0].Change) > x.change+0.05 || r.Rule.Confidence != 0.95 {
			t.Errorf("base %q: got %+v against %s at %v, want about %+g against %s at 0.95", x.base, c, r.Base, r.Rule.Confidence, x.change, x.want)
		}
	}
}

// Results of services are decided on what services are decided on, whatever wrote them.
func TestReadFilesOfServices(t *testing.T) {
	t.Chdir(t.TempDir())
	laid(t, ".", map[string]string{"a.txt": bench("latency.p99", 0.1, 0.2), "b.txt": bench("latency.p99", 0.1, 0.2), "c.txt": bench("ns/op", 1, 2)})
	_, service, err := ReadFiles([]string{"a.txt", "b.txt"}, "", "")
	if err != nil {
		t.Fatal(err)
	}
	_, mixed, err := ReadFiles([]string{"a.txt", "c.txt"}, "", "")
	if err != nil {
		t.Fatal(err)
	}
	of := func(s *assay.Study) string { return fmt.Sprint(s.Decide.Metrics) }
	if strings.Contains(of(service), assay.MetricTime) || !strings.Contains(of(service), "latency.") || !strings.Contains(of(mixed), assay.MetricTime) {
		t.Errorf("got rules on %v for services and %v for benchmarks", of(service), of(mixed))
	}
}

// What cannot be compared is an error of the user's.
func TestBadFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	laid(t, ".", map[string]string{"a.txt": bench("ns/op", 1, 2), "b.txt": bench("ns/op", 1, 2), "none.txt": "ok\n"})
	for what, names := range map[string][]string{"no such file": {"a.txt", "x.txt"}, "one variant": {"a.txt"}, "no result": {"a.txt", "none.txt"}} {
		_, _, err := ReadFiles(names, "", "")
		if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != assay.CodeResults || e.Exit != assay.ExitUsage {
			t.Errorf("%s: got %v, want [%s]", what, err, assay.CodeResults)
		}
	}
	abs, err := filepath.Abs("a.txt")
	if err != nil {
		t.Fatal(err)
	}
	samples, s, err := ReadFiles([]string{abs, "b.txt"}, "", "")
	if err != nil {
		t.Fatalf("an absolute name: %v", err)
	}
	s.Decide.Confidence = 2
	_, err = CompareFiles(samples, s)
	if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != assay.CodeStudy {
		t.Errorf("a confidence of 200 %%: got %v, want [%s]", err, assay.CodeStudy)
	}
}
