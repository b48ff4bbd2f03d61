package output

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/runs"
)

// sources makes sources of texts such as "run study platform".
func sources(texts ...string) (out []runs.Source) {
	for _, text := range texts {
		var r assay.Result
		fmt.Sscan(text, &r.Run, &r.StudyHash, &r.Platform.ID)
		out = append(out, runs.Source{Result: &r})
	}
	return out
}

// Runs of one study on different platforms belong together; another study, and another
// run on the same platform, begin a group.
func TestGroups(t *testing.T) {
	for _, x := range []struct {
		in   []string
		want string
	}{
		{[]string{"a s x", "b s y"}, "[[a b]]"},
		{[]string{"a s x", "b t x"}, "[[a] [b]]"},
		{[]string{"a s x", "b t x", "c s y"}, "[[a c] [b]]"},
		{[]string{"a s x", "b s x"}, "[[a] [b]]"},
		{[]string{"a s x", "b s x", "c s y"}, "[[a c] [b]]"},
		{[]string{"a s x", "a s x"}, "[[a a]]"},
		{nil, "[]"},
	} {
		var got [][]string
		groups := Groups(sources(x.in...))
		for _, g := range groups {
			var names []string
			for _, s := range g {
				names = append(names, s.Result.Run)
			}
			got = append(got, names)
		}
		if fmt.Sprint(got) != x.want {
			t.Errorf("%q: got %v, want %s", x.in, got, x.want)
		}
	}
}

// A page is of one study, however many groups of it there are.
func TestOneStudy(t *testing.T) {
	one, two := Groups(sources("a s x", "b s x")), Groups(sources("a s x", "b t x"))
	if err := OneStudy(one, "x"); err != nil || len(one) != 2 {
		t.Errorf("%d groups of one study: %v", len(one), err)
	}
	const try = "assay report a b -o dir"
	if text := errortest.Want(t, OneStudy(two, try), assay.CodeReportStudies, assay.ExitUsage); !strings.Contains(text, "2 studies") || !strings.Contains(text, try) {
		t.Errorf("got %q", text)
	}
}

// The name of a page says the study and which run of it, and is safe in any folder.
func TestPageName(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, x := range []struct{ study, sub, run, want string }{
		{"go-toml", "", "7k2m", "go-toml-7k2m"},
		{"go-toml", "main", "7k2m", "go-toml-main"},
		{"dolt-main", "main", "7k2m", "dolt-main"},
		{"domain", "main", "7k2m", "domain-main"},
		{"../../etc/passwd", "", "a", "etc-passwd-a"},
		{"GOGC=50 or 100", "", "a", "GOGC-50-or-100-a"},
		{"größe", "", "a", "gr-e-a"},
		{"", "", "7k2m", "7k2m"},
		{"", "", "", "report"},
		{"???", "", "", "report"},
		{long, "", "a", long[:100]},
	} {
		m := &assay.Merged{Study: x.study, Machines: []assay.Machine{{Result: assay.Result{Run: x.run}}}}
		if got := PageName(m, x.sub); got != x.want {
			t.Errorf("%+v: got %q", x, got)
		}
	}
}

// A single machine goes by what the user calls it, else by the best that its result knows,
// and the source stays as it was.
func TestMergeNamesMachine(t *testing.T) {
	for _, x := range []struct {
		name string
		r    assay.Result
		want string
	}{
		{"mine", assay.Result{Run: "a", Machine: "box", Platform: assay.Platform{CPU: "EPYC", GOOS: "linux"}}, "mine"},
		{"", assay.Result{Run: "a", Machine: "box", Platform: assay.Platform{CPU: "EPYC", GOOS: "linux"}}, "box"},
		{"", assay.Result{Run: "a", Platform: assay.Platform{CPU: "EPYC", GOOS: "linux"}}, "EPYC"},
		{"", assay.Result{Run: "a", Platform: assay.Platform{GOOS: "linux"}}, "linux"},
		{"", assay.Result{Run: "a"}, "run a"},
	} {
		in := []runs.Source{{Machine: x.name, Result: &x.r}}
		m, err := Merge(in)
		if err != nil || len(m.Machines) != 1 || m.Machines[0].Name != x.want || !reflect.DeepEqual(m.Machines[0].Result, x.r) {
			t.Errorf("got %+v, %v, want a machine %q", m, err, x.want)
		}
		if in[0].Machine != x.name {
			t.Errorf("the source is now called %q", in[0].Machine)
		}
	}
}
