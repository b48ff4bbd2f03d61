package shell

import (
	"reflect"
	"slices"
	"testing"
)

func TestWith(t *testing.T) {
	for _, tc := range []struct{ command, flag, value, want string }{
		{"assay compare a b", "more", "5m", "assay compare --more 5m a b"},
		{"assay run", "more", "5m", "assay run --more 5m"},
		{"assay run --budget=1m0s dir", "budget", "2m", "assay run --budget 2m dir"},
		{"assay run --blocks='3' --budget=1m0s", "blocks", "10-", "assay run --blocks 10- --budget=1m0s"},
		{"assay compare a b -- -bench=. --budget=x", "budget", "2m", "assay compare --budget 2m a b -- -bench=. --budget=x"},
		{"assay compare 'a: go1.25.7 GOGC=50' b", "store", "my runs", "assay compare --store 'my runs' 'a: go1.25.7 GOGC=50' b"},
		{"assay compare --more 5m a b", "more", "7m", "assay compare --more 7m a b"},
		{"assay compare --budget=30s --cmd-a './old x' --cmd-b './new x' --force", "more", "5m", "assay compare --more 5m --budget=30s --cmd-a './old x' --cmd-b './new x' --force"},
		{"assay compare --force 'a: . X=1' 'b: . X=2'", "more", "5m", "assay compare --more 5m --force 'a: . X=1' 'b: . X=2'"},
		{"--budget, or fewer benchmarks", "budget", "2m", "--budget, or fewer benchmarks"},
	} {
		if got := With(tc.command, tc.flag, tc.value); got != tc.want {
			t.Errorf("With(%q, %q, %q) = %q, want %q", tc.command, tc.flag, tc.value, got, tc.want)
		}
	}
}

func TestSwitch(t *testing.T) {
	for line, want := range map[string]string{
		"assay run studies/arc":             "assay run --trust studies/arc",
		"assay explain --trust --all last":  "assay explain --trust --all last",
		"assay compare a b -- -bench=Sum":   "assay compare --trust a b -- -bench=Sum",
		"assay run --more 1h --store 'x y'": "assay run --trust --more 1h --store 'x y'",
		"--trust, if you know them":         "--trust, if you know them",
	} {
		if got := Switch(line, "trust"); got != want {
			t.Errorf("Switch(%q) = %q, want %q", line, got, want)
		}
	}
}

// What is printed is read again as what it was.
func TestCommandIsReadAgain(t *testing.T) {
	for line, study := range map[string]string{
		"assay run --budget=20m0s studies/arc":                           "studies/arc",
		"assay tune 'my studies/tune.toml'":                              "my studies/tune.toml",
		"assay run --more 11h /home/me/study":                            "/home/me/study",
		"assay run --force":                                              "",
		"assay compare '--cmd-a=./old x' --cmd-b=./new":                  "",
		"assay compare go1.25.7 'go1.26.8 GOGC=200' -- -bench=. ./codec": "",
		"assay compare old new --":                                       "",
		"assay compare --layouts 1 --budget=1m0s a b -- '-bench=A b$'":   "",
	} {
		c, ok := ParseCommand(line)
		if !ok || c.String() != line || c.Study() != study {
			t.Errorf("%q: got %q of %q, %t", line, c, c.Study(), ok)
		}
		if again, _ := ParseCommand(c.String()); !reflect.DeepEqual(again, c) {
			t.Errorf("%q: got %+v, then %+v", line, c, again)
		}
	}
	for _, line := range []string{"", "assay", "curl x", "assay 'x y'", "assay run 'x", "go test"} {
		if c, ok := ParseCommand(line); ok {
			t.Errorf("%q: got %+v", line, c)
		}
	}
}

func TestTolerant(t *testing.T) {
	for line, want := range map[string]string{
		"assay compare --cmd-a='grep -c x f' --cmd-b='grep -cF x f'": `assay compare "--cmd-a=sh -c 'grep -c x f || true'" "--cmd-b=sh -c 'grep -cF x f || true'"`,
		`assay compare --cmd="{bin} 'a b'" v1 v2 -- ./cmd/x`:         `assay compare '--cmd=sh -c "{bin} '"'"'a b'"'"' || true"' v1 v2 -- ./cmd/x`,
		"assay compare v1 v2": "",
		"assay run a.toml":    "",
		"go test":             "",
	} {
		got := Tolerant(line)
		if want == "" && got != "" || want != "" && !sameWords(got, want) {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
}

// sameWords reports whether a shell makes the same words of two lines.
func sameWords(a, b string) bool {
	x, errX := Split(a)
	y, errY := Split(b)
	return errX == nil && errY == nil && slices.Equal(x, y)
}
