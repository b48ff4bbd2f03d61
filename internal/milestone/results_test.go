package milestone

import (
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/seed-1318a441/assay"
)

func read(r *results, text string) {
	l := newLineWriter(r.event)
	_, _ = io.WriteString(l, text)
	l.End(l.piece)
}

// Before Go 1.24 the compiler's words were no events, and came in between.
func TestOldGo(t *testing.T) {
	var said clip
	r := newResults(&said)
	read(r, `# example.com/m/v2/sub [example.com/m/v2/sub.test]
sub/s_test.go:6:2: undefined: x
{"Action":"start","Package":"example.com/m/v2"}
{"Action":"run","Package":"example.com/m/v2","Test":"TestA"}
{"Action":"output","Package":"example.com/m/v2","Test":"TestA","Output":"--- FAIL: TestA (0.00s)\n"}
{"Action":"fail","Package":"example.com/m/v2","Test":"TestA","Elapsed":0}
{"Action":"fail","Package":"example.com/m/v2","Elapsed":0.001}
{"Action":"output","Package":"example.com/m/v2/sub","Output":"FAIL\texample.com/m/v2/sub [build failed]\n"}
{"Action":"fail","Package":"example.com/m/v2/sub","Elapsed":0}
`)
	got, want := r.failures("example.com/m/v2"), []string{"sub does not compile: sub/s_test.go:6:2: undefined: x", "m.TestA"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := r.failedWords(0), "1 of 1 tests fails, the tests of 1 package do not compile"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A module that cannot be fetched says nothing about the code.
func TestTrouble(t *testing.T) {
	r := newResults(io.Discard)
	read(r, `{"ImportPath":"m","Action":"build-output","Output":"# m\n"}
{"ImportPath":"m","Action":"build-output","Output":"m_test.go:3:8: x@v1.0.0: Get \"https://proxy\": dial tcp: lookup proxy\n"}
{"ImportPath":"m","Action":"build-fail"}
{"Action":"output","Package":"m","Output":"FAIL\tm [setup failed]\n"}
{"Action":"fail","Package":"m","Elapsed":0,"FailedBuild":"m"}
`)
	if got := r.failures(""); len(got) != 0 {
		t.Errorf("got failures %q, want none", got)
	}
	if got := r.troubles(); len(got) != 1 || !strings.Contains(got[0], "dial tcp") {
		t.Errorf("got troubles %q, want the proxy's", got)
	}
}

// A test that hangs has no end of its own, but go names it.
func TestHung(t *testing.T) {
	r := newResults(io.Discard)
	read(r, `{"Action":"run","Package":"m","Test":"TestX"}
{"Action":"output","Package":"m","Test":"TestX","Output":"panic: test timed out after 3s\n"}
{"Action":"output","Package":"m","Test":"TestX","Output":"\trunning tests:\n"}
{"Action":"output","Package":"m","Test":"TestX","Output":"\t\tTestX (3s)\n"}
{"Action":"fail","Package":"m","Elapsed":3}
`)
	got, want := r.failures(""), []string{"m: panic: test timed out after 3s: TestX (3s)"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzResults(f *testing.F) {
	f.Add("# p [p.test]\nx.go:1: bad\n{\"Action\":\"fail\",\"Package\":\"p\",\"FailedBuild\":\"p [p.test]\"}")
	f.Add(`{"Action":"run","Package":"p","Test":"T"}` + "\n" + `{"Action":"fail","Package":"p","Test":"T\u001b[2J"}` + "\n" + `{"Action":"fail","Package":"p"}`)
	f.Fuzz(func(t *testing.T, text string) {
		r := newResults(io.Discard)
		read(r, text)
		task := &task{}
		if e := r.failures(""); len(e) > 0 {
			task.set(assay.GateFailed, r.failedWords(0), e...)
			if task.Text == "" {
				t.Errorf("evidence %q without a text", e)
			}
		}
		if len(task.Evidence) > maxEvidence+1 {
			t.Errorf("got %d pieces of evidence", len(task.Evidence))
		}
		for _, s := range append(task.Evidence, task.Text) {
			if strings.ContainsFunc(s, unicode.IsControl) {
				t.Errorf("got control characters in %q", s)
			}
		}
	})
}

func TestClip(t *testing.T) {
	var c clip
	for range 300 {
		_, _ = c.Write([]byte(strings.Repeat("x", 10_000)))
	}
	_, _ = c.Write([]byte("the end"))
	got := c.bytes()
	if len(got) > maxSaid || !strings.HasSuffix(string(got), "xthe end") || !strings.Contains(string(got), " bytes omitted ...\nxx") {
		t.Errorf("got %d bytes ending in %q, want at most %d with both ends", len(got), got[len(got)-20:], maxSaid)
	}
	var empty clip
	if got := empty.bytes(); got != nil {
		t.Errorf("got %q, want nil", got)
	}
}

func TestLines(t *testing.T) {
	var got []string
	l := newLineWriter(func(b []byte) { got = append(got, string(b)) })
	for _, s := range []string{"a", "b\r\n\nc\n", strings.Repeat("long", maxRecord), "\nd"} {
		_, _ = io.WriteString(l, s)
	}
	l.End(l.piece)
	if want := []string{"ab", "c", "d"}; !slices.Equal(got, want) {
		t.Errorf("got %.60q, want %q", got, want)
	}
}

// A step cannot have tests written, or files read, outside of its copy.
func TestHostileLinks(t *testing.T) {
	outside := t.TempDir()
	base := tree(t, "base", "sub/s.go", "package sub\n", "sub/s_test.go", "package sub\n")
	step := tree(t, "step", "m.go", half)
	if err := os.Symlink(outside, step.Dir+"/sub"); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(outside+"/s.go", []byte("package sub\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	only(t, tests, assay.GateOldTests, step, base)
	if left, _ := os.ReadDir(outside); len(left) != 1 {
		t.Errorf("got %v outside of the copy, want s.go alone", left)
	}
	if err := os.Symlink(os.DevNull, step.Dir+"/null.go"); err != nil {
		t.Fatal(err)
	}
	f := only(t, assay.Gates{Unsafe: assay.GateNone}, assay.GateUnsafe, step, base)
	if f.Status != assay.GateUnknown {
		t.Errorf("a device as a source: got %s %q, want unknown", f.Status, f.Text)
	}
}
