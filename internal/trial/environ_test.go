package trial

import (
	"runtime"
	"slices"
	"testing"

	assay "github.com/seed-1318a441/assay"
)

func TestEnviron(t *testing.T) {
	base := []string{
		"PATH=/bin", "GOGC=off", "GODEBUG=x=1", "GOMEMLIMIT=1", "GOTRACEBACK=none", "GORACE=", "GOMAXPROCS=64",
		"PWD=/shell", "GOPATH=/go", "HOME=/old", "HOME=/root", "nonsense", "=C:=C:\\", "EMPTY=", "A=b=c",
	}
	for _, test := range []struct {
		name string
		env  map[string]string
		want []string
	}{
		{"none", nil, []string{"A=b=c", "EMPTY=", "GOMAXPROCS=2", "GOPATH=/go", "HOME=/root", "PATH=/bin"}},
		{
			"wins", map[string]string{"GOGC": "200", "GOMAXPROCS": "1", "PATH": ""},
			[]string{"A=b=c", "EMPTY=", "GOGC=200", "GOMAXPROCS=1", "GOPATH=/go", "HOME=/root", "PATH="},
		},
	} {
		if got := Environ(base, 2, test.env); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestProcs(t *testing.T) {
	for _, test := range []struct {
		study   int
		variant string
		want    int
	}{
		{0, "", runtime.NumCPU()},
		{3, "", 3},
		{3, "5", 5},
		{0, "5", 5},
		{3, "0", 3},
		{3, "many", 3},
	} {
		v := assay.Variant{Env: map[string]string{"GOMAXPROCS": test.variant}}
		if got := Procs(assay.Measure{GOMAXPROCS: test.study}, v); got != test.want {
			t.Errorf("study %d, variant %q: %d, want %d", test.study, test.variant, got, test.want)
		}
	}
}
