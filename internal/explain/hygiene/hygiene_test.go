package hygiene

import (
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/slow"
)

// codes returns the codes of warnings, each with the place in its first fact.
func codes(warnings []assay.Warning) (out []string) {
	for _, w := range warnings {
		code := string(w.Code)
		if len(w.Facts) > 0 {
			at, _, _ := strings.Cut(w.Facts[0], " ")
			code += " " + strings.TrimSuffix(at, ":")
		}
		out = append(out, code)
	}
	return out
}

// oneFile is a test file whose package clause and imports are its first line.
func oneFile(imports, text string) fs.FS {
	file := "package p; import \"testing\"; " + imports + "\n" + text
	return fstest.MapFS{"p_test.go": &fstest.MapFile{Data: []byte(file)}}
}

func TestHygieneOfSources(t *testing.T) {
	const stdImports = `import ("os"; "regexp"; "math/rand"; tt "text/template")`
	for _, c := range []struct {
		name, bench, text string
		want              []string
	}{
		{"all is well", "X", "func BenchmarkX(b *testing.B) {\nfor range b.N { f() } }", nil},
		{"n unused", "X", "func BenchmarkX(b *testing.B) {\nb.ReportAllocs()\nif f() { b.Fatal(1) } }", []string{"n-unused p_test.go:2"}},
		{"n unused, no name", "X", "func BenchmarkX(*testing.B) { f() }", []string{"n-unused p_test.go:2"}},
		{"n read into a variable", "X", "func BenchmarkX(b *testing.B) { n := b.N; for n > 0 { n-- } }", nil},
		{"b passed on", "X", "func BenchmarkX(b *testing.B) { other.Bench(b) }", nil},
		{"b in a struct", "X", "func BenchmarkX(b *testing.B) { s := suite{b}; s.run() }", nil},
		{"parallel", "X", "func BenchmarkX(b *testing.B) { b.RunParallel(func(pb *testing.PB) { for pb.Next() { f() } }) }", nil},
		{"metrics of its own", "X", "func BenchmarkX(b *testing.B) { b.ReportMetric(f(), \"ns/op\") }", nil},
		{"skipped", "X", "func BenchmarkX(b *testing.B) { b.Skip(\"later\") }", nil},
		{"b of a helper", "X", "func BenchmarkX(b *testing.B) { h(b) }\nfunc h(b *testing.B) { f() }", nil},

		{"sub: n unused", "X/a_b/c", "func BenchmarkX(b *testing.B) { b.Run(\"a b\", func(b *testing.B) { b.Run(\"c\", func(b *testing.B) {\nf() }) }) }",
			[]string{"n-unused p_test.go:2"}},
		{"sub: its sister", "X/good", "func BenchmarkX(b *testing.B) { b.Run(\"bad\", func(b *testing.B) { f() })\nb.Run(\"good\", func(b *testing.B) { for range b.N { f() } }) }", nil},
		{"sub: twice the name", "X/a#01", "func BenchmarkX(b *testing.B) { b.Run(\"a\", func(b *testing.B) { f() }) }", []string{"n-unused p_test.go:2"}},
		{"sub: the name is made", "X/size=1/kind=2", "func BenchmarkX(b *testing.B) { for _, c := range cases { b.Run(c.name,\nfunc(b *testing.B) { f() }) } }",
			[]string{"n-unused p_test.go:3"}},
		{"sub: several with such names", "X/1", "func BenchmarkX(b *testing.B) { b.Run(x, func(b *testing.B) { f() }); b.Run(y, func(b *testing.B) { f() }) }", nil},
		{"sub: a function", "X/a", "func BenchmarkX(b *testing.B) { b.Run(\"a\", h) }\nfunc h(b *testing.B) {\nf() }", []string{"n-unused p_test.go:3"}},
		{"sub: what a call returns", "X/a", "func BenchmarkX(b *testing.B) { b.Run(\"a\", h(1)) }", nil},
		{"sub: run by a helper", "X/a", "func BenchmarkX(b *testing.B) { h(b) }\nfunc h(b *testing.B) { b.Run(\"a\", func(b *testing.B) { f() }) }", []string{"n-unused p_test.go:3"}},
		{"sub: not there", "X/z", "func BenchmarkX(b *testing.B) { b.Run(\"a\", func(b *testing.B) { f() }) }", nil},

		{"timer stopped", "X", "func BenchmarkX(b *testing.B) {\nfor i := 0; i < b.N; i++ {\nb.StopTimer()\ng()\nb.StartTimer()\nf() } }", []string{"setup-in-loop p_test.go:4"}},
		{"timer stopped in a helper", "X", "func BenchmarkX(b *testing.B) { h(b, 1) }\nfunc h(b *testing.B, n int) { for b.Loop() {\nb.StopTimer(); b.StartTimer(); f() } }",
			[]string{"setup-in-loop p_test.go:4"}},
		{"timer stopped, now and then", "X", "func BenchmarkX(b *testing.B) { for i := range b.N { if i%1000 == 0 { b.StopTimer(); g(); b.StartTimer() }; f() } }", nil},
		{"timer stopped, in another loop", "X", "func BenchmarkX(b *testing.B) { for range 10 { b.StopTimer() }; for range b.N { f() } }", nil},
		{"timer reset before", "X", "func BenchmarkX(b *testing.B) { g(); b.ResetTimer(); for range b.N { f() } }", nil},
		{"timer reset inside", "X", "func BenchmarkX(b *testing.B) { for range b.N { g()\nb.ResetTimer(); f() } }", []string{"setup-in-loop p_test.go:3"}},

		{"file read", "X", "func BenchmarkX(b *testing.B) { for range b.N {\ndata, _ := os.ReadFile(\"x\"); f(data) } }", []string{"setup-in-loop p_test.go:3"}},
		{"file opened, in if", "X", "func BenchmarkX(b *testing.B) { for range b.N { if x, err := os.Open(\"x\"); err == nil { f(x) } } }", []string{"setup-in-loop p_test.go:2"}},
		{"file read before", "X", "func BenchmarkX(b *testing.B) { data, _ := os.ReadFile(\"x\"); for range b.N { f(data) } }", nil},
		{"file read, timer stopped", "X", "func BenchmarkX(b *testing.B) { for range b.N {\nb.StopTimer(); data, _ := os.ReadFile(\"x\"); b.StartTimer(); f(data) } }", []string{"setup-in-loop p_test.go:3"}},
		{"file read is measured", "ReadConfig", "func BenchmarkReadConfig(b *testing.B) { for range b.N { os.ReadFile(\"x\") } }", nil},
		{"regexp", "Match", "func BenchmarkMatch(b *testing.B) { for b.Loop() { regexp.MustCompile(\"a\").MatchString(s) } }", []string{"setup-in-loop p_test.go:2"}},
		{"regexp is measured", "Compile", "func BenchmarkCompile(b *testing.B) { for b.Loop() { regexp.MustCompile(\"a\") } }", nil},
		{"regexp once", "Match", "func BenchmarkMatch(b *testing.B) { for b.Loop() { once.Do(func() { re = regexp.MustCompile(\"a\") }); re.MatchString(s) } }", nil},
		{"regexp called at once", "Match", "func BenchmarkMatch(b *testing.B) { for b.Loop() { func() { re := regexp.MustCompile(\"a\"); re.MatchString(s) }() } }", []string{"setup-in-loop p_test.go:2"}},
		{"regexp perhaps", "Match", "func BenchmarkMatch(b *testing.B) { for b.Loop() { _ = re != nil || regexp.MustCompile(\"a\") == nil } }", nil},
		{"template under another name", "Page", "func BenchmarkPage(b *testing.B) { for range b.N { tt.Must(tt.ParseFiles(\"x\")).Execute(w, 1) } }", []string{"setup-in-loop p_test.go:2"}},
		{"generator", "Shuffle", "func BenchmarkShuffle(b *testing.B) { for range b.N { r := rand.New(rand.NewSource(1)); f(r) } }", []string{"setup-in-loop p_test.go:2"}},
		{"a method of that name", "X", "func BenchmarkX(b *testing.B) { for range b.N { disk.Open(\"x\") } }", nil},

		{"no such benchmark", "Y", "func BenchmarkX(b *testing.B) {}", nil},
		{"two of that name", "X", "func BenchmarkX(b *testing.B) {}\nfunc BenchmarkX(b *testing.B) {}", nil},
		{"does not parse", "X", "func BenchmarkX(b *testing.B) {", nil},
	} {
		in := Input{Benchmark: assay.Benchmark{Package: "example.com/p", Name: c.bench}, Sources: oneFile(stdImports, c.text), GCCycles: -1}
		if got := codes(Check(in)); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestHygieneOfFigures(t *testing.T) {
	plain := oneFile("", "func BenchmarkX(b *testing.B) {\nfor i := 0; i < b.N; i++ { f() } }")
	stopped := oneFile("", "func BenchmarkX(b *testing.B) {\nfor range b.N { b.StopTimer(); b.StartTimer(); f() } }")
	for _, c := range []struct {
		name string
		in   Input
		want []string
	}{
		{"an empty loop's time", Input{PerOp: 0.25e-9, GCCycles: -1, Sources: plain}, []string{"sub-nanosecond p_test.go:2"}},
		{"without sources", Input{PerOp: 0.25e-9, GCCycles: -1}, []string{"sub-nanosecond a"}},
		{"one cycle and more", Input{PerOp: 0.31e-9, GCCycles: -1, Sources: plain}, nil},
		{"goroutines share it", Input{PerOp: 0.1e-9, GCCycles: -1,
			Sources: oneFile("", "func BenchmarkX(b *testing.B) { b.RunParallel(func(pb *testing.PB) { for pb.Next() { f() } }) }")}, nil},
		{"several in a turn", Input{PerOp: 0.1e-9, GCCycles: -1,
			Sources: oneFile("", "func BenchmarkX(b *testing.B) { for i := 0; i < b.N; i += 64 { f() } }")}, nil},
		{"N is a length", Input{PerOp: 0.1e-9, GCCycles: -1,
			Sources: oneFile("", "func BenchmarkX(b *testing.B) { copy(make([]byte, b.N), src) }")}, nil},
		{"few collections", Input{AllocsPerOp: 2, N: 1000, GCCycles: 1.5, Sources: plain}, []string{"few-cycles p_test.go:2"}},
		{"enough collections", Input{AllocsPerOp: 2, N: 1000, GCCycles: 3, Sources: plain}, nil},
		{"collections not known", Input{AllocsPerOp: 2, N: 1000, GCCycles: -1, Sources: plain}, nil},
		{"nothing allocated", Input{N: 1000, GCCycles: 0, Sources: plain}, nil},
		{"timer stopped, short", Input{PerOp: 1e-6, GCCycles: -1, Sources: stopped}, []string{"setup-in-loop p_test.go:3"}},
		{"timer stopped, long", Input{PerOp: 20e-3, GCCycles: -1, Sources: stopped}, nil},
	} {
		c.in.Benchmark = assay.Benchmark{Package: "example.com/p", Name: "X"}
		if got := codes(Check(c.in)); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestLongerTrials(t *testing.T) {
	w := fewCycles(Input{AllocsPerOp: 1, N: 1000, GCCycles: 1.5}, nil)
	if want := `longer trials: -benchtime=4000x or more after "--"`; w.Advice != want {
		t.Errorf("got %q, want %q", w.Advice, want)
	}
}

// loopsSource has loops of which something is left, and loops of which nothing is.
const loopsSource = `package p

import "testing"

var table = []int{1, 2, 3, 4}
var sink int

func add(a, b int) int { return a + b }

func BenchmarkDead(b *testing.B) {
	for i := 0; i < b.N; i++ {
		add(i, 2)
	}
}

func BenchmarkDeadRange(b *testing.B) {
	for i := range b.N {
		add(i, 2)
	}
}

func BenchmarkDeadDown(b *testing.B) {
	for n := b.N; n > 0; n-- {
		add(n, 2)
	}
}

func BenchmarkDeadLoop(b *testing.B) {
	for b.Loop() {
	}
}

func BenchmarkDeadHelper(b *testing.B) {
	helper(b, 2)
}

//go:noinline
func helper(b *testing.B, n int) {
	for i := 0; i < b.N; i++ {
		add(i, n)
	}
}

func BenchmarkSub(b *testing.B) {
	b.Run("dead", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			add(i, 2)
		}
	})
	b.Run("live", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			sink = add(i, 2)
		}
	})
}

func BenchmarkLive(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink = add(i, 2)
	}
}

func BenchmarkLiveSum(b *testing.B) {
	sum := 0
	for i := 0; i < b.N; i++ { sum += i }
	sink = sum
}

func BenchmarkLiveLoad(b *testing.B) {
	for i := range b.N {
		if table[i&3] == 7 {
			sink++
		}
	}
}

func BenchmarkLiveInner(b *testing.B) {
	for range b.N {
		for range 100 {
		}
	}
}

func BenchmarkLiveLoop(b *testing.B) {
	for b.Loop() {
		add(sink, 2)
	}
}

func BenchmarkLiveParallel(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			add(1, 2)
		}
	})
}
`

func TestNoWork(t *testing.T) { testNoWork(t, "amd64") }

func TestSlowNoWork(t *testing.T) {
	slow.Test(t)
	testNoWork(t, "arm64")
}

func testNoWork(t *testing.T, arch string) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.24\n", "p_test.go": loopsSource} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	f := compileTest(t, dir, arch)
	got := map[string]string{}
	for _, name := range []string{"Dead", "DeadRange", "DeadDown", "DeadLoop", "DeadHelper", "Sub/dead", "Sub/live", "Live", "LiveSum", "LiveLoad", "LiveInner", "LiveLoop", "LiveParallel"} {
		fn, _, _ := strings.Cut(name, "/")
		in := Input{Benchmark: assay.Benchmark{Package: "example.com/p", Name: name}, Sources: os.DirFS(dir), Binary: f, Root: "example.com/p.Benchmark" + fn, GCCycles: -1}
		for _, w := range codes(Check(in)) {
			got[name] += w
		}
	}
	want := map[string]string{"Dead": "no-work p_test.go:11", "DeadRange": "no-work p_test.go:17", "DeadDown": "no-work p_test.go:23", "DeadLoop": "no-work p_test.go:29",
		"DeadHelper": "no-work p_test.go:39", "Sub/dead": "no-work p_test.go:46"}
	if !maps.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", arch, got, want)
	}
}

// compileTest compiles the tests of a module for linux on a processor.
func compileTest(t *testing.T, dir, arch string, env ...string) *binary.File {
	t.Helper()
	out := filepath.Join(t.TempDir(), "p.test")
	cmd := exec.Command("go", "test", "-c", "-o", out, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch, "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
	cmd.Env = append(cmd.Env, env...)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go test -c: %v\n%s", err, text)
	}
	f, err := binary.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The benchmarks of the standard library measure what they say.
func TestHygieneOfStandardLibrary(t *testing.T) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	src := filepath.Join(strings.TrimSpace(string(goroot)), "src")
	count := 0
	for _, pkg := range []string{"strings", "bytes", "strconv", "regexp", "encoding/json", "bufio"} {
		in := Input{Sources: os.DirFS(filepath.Join(src, filepath.FromSlash(pkg))), GCCycles: -1}
		for name := range readTests(in).funcs {
			bench, ok := strings.CutPrefix(name, "Benchmark")
			if !ok {
				continue
			}
			count++
			in.Benchmark = assay.Benchmark{Package: pkg, Name: bench}
			for _, w := range Check(in) {
				t.Errorf("%s: %v", in.Benchmark, w)
			}
		}
	}
	if count < 100 {
		t.Errorf("got %d benchmarks, want 100 and more: has the standard library moved?", count)
	}
}

// FuzzHygiene: whatever the test files hold, there is no panic, and nothing that
// a terminal would act upon.
func FuzzHygiene(f *testing.F) {
	f.Add(loopsSource, "Sub/dead")
	f.Add("package p; import . \"testing\"; func BenchmarkX(b *B, c ...int) { b.Run(\"\", f) }", "X/")
	f.Add("package p; import \"testing\"; func BenchmarkX(b *testing.B)", "X")
	f.Add("package p; import \"testing\"; func BenchmarkX(b *testing.B) { for b.Loop() { switch x := y.(type) { }; select {}; b.StopTimer() } }", "X/\x1b[31m")
	f.Fuzz(func(t *testing.T, text, name string) {
		in := Input{Benchmark: assay.Benchmark{Name: name}, PerOp: 1e-10, Toolchains: map[string]string{"a\x1b": "go1.25", "b": "go1.26"},
			Sources: fstest.MapFS{"p_test.go": &fstest.MapFile{Data: []byte(text)}}}
		for _, w := range Check(in) {
			if strings.ContainsAny(w.String(), "\x1b\x07\x00\r") {
				t.Errorf("%q is not printable", w)
			}
		}
	})
}
