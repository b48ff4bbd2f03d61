package alloc

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay/internal/binary"
)

// knownAllocs is a package whose allocations are known.
const knownAllocs = `package known

import (
	"strings"
	"testing"
)

type pair struct{ a, b *int }

var (
	intp  *int
	ptr   *pair
	bytes []byte
	ints  []int
	str   = "hello, "
	out   string
	box   any
	size  = 100
	fn    func() int
)

func BenchmarkTiny(b *testing.B)   { for range b.N { intp = new(int) } }
func BenchmarkPair(b *testing.B)   { for range b.N { ptr = &pair{} } }
func BenchmarkMake(b *testing.B)   { for range b.N { bytes = make([]byte, size) } }
func BenchmarkLarge(b *testing.B)  { for range b.N { bytes = make([]byte, size*400) } }
func BenchmarkConcat(b *testing.B) { for range b.N { out = str + "a long tail of it" + str } }
func BenchmarkBox(b *testing.B)    { for range b.N { box = pair{intp, intp} } }
func BenchmarkGrow(b *testing.B) {
	for range b.N {
		s := make([]int, 0, 4)
		for j := range size {
			s = append(s, j)
		}
		ints = s
	}
}
func BenchmarkMap(b *testing.B) {
	for range b.N {
		m := map[int]int{}
		for j := range size / 5 {
			m[j] = j
		}
		box = m
	}
}
func BenchmarkClosure(b *testing.B) {
	for i := range b.N {
		p := &i
		fn = func() int { return *p }
	}
}
func BenchmarkBuilder(b *testing.B) {
	for range b.N {
		var s strings.Builder
		s.Grow(size)
		out = s.String()
	}
}
func BenchmarkSub(b *testing.B) {
	b.Run("loop", func(b *testing.B) {
		for b.Loop() {
			bytes = make([]byte, size)
		}
	})
}
`

// knownTests builds a package's test binary.
func knownTests(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/known\n\ngo 1.24\n", "known_test.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "test", "-c", "-o", "known.test.exe", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false", "GOWORK=off", "CGO_ENABLED=0")
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go test -c: %v\n%s", err, said)
	}
	return filepath.Join(dir, "known.test.exe")
}

// allocsOf runs one benchmark with its allocations profiled.
func allocsOf(t *testing.T, test, bench string, n int) *profile.Profile {
	t.Helper()
	file := filepath.Join(t.TempDir(), "mem")
	cmd := exec.Command(test, "-test.run=^$", "-test.bench="+bench, fmt.Sprintf("-test.benchtime=%dx", n),
		"-test.memprofile="+file, "-test.memprofilerate=1")
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", bench, err, said)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.ParseData(data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func realTrials(t *testing.T, test, bench string) []Trial {
	t.Helper()
	trial := func() Trial {
		return Trial{Small: allocsOf(t, test, bench, 100), Large: allocsOf(t, test, bench, 300), SmallN: 100, LargeN: 300}
	}
	return []Trial{trial(), trial()}
}

func openTest(t *testing.T, file string) *binary.File {
	t.Helper()
	f, err := binary.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The numbers are those of -benchmem, which does not name sites: but for Tiny,
// whose blocks of 16 hold two.
func TestRealAllocs(t *testing.T) {
	test := knownTests(t, knownAllocs)
	f := openTest(t, test)
	for _, c := range []struct {
		bench          string
		objects, bytes float64
		via            string // of the first site
	}{
		{"Tiny", 0.5, 8, "newobject"},
		{"Pair", 1, 16, "newobject"},
		{"Make", 1, 112, "makeslice"},
		{"Large", 1, 40960, "makeslice"},
		{"Concat", 1, 32, "concatstring3"},
		{"Box", 1, 16, "convT"},
		{"Grow", 6, 32 + 64 + 128 + 256 + 512 + 1024, "growslice"},
		{"Map", 7, 1128, "mapassign_fast64"},
		{"Closure", 1.5, 24, "newobject"},
		{"Builder", 1, 112, "bytealg.MakeNoZero"},
		{"Sub/loop", 1, 112, "makeslice"},
	} {
		name, sub, _ := strings.Cut(c.bench, "/")
		pattern := "^Benchmark" + name + "$"
		if sub != "" {
			pattern += "/^" + sub + "$"
		}
		in := Input{Variant: realTrials(t, test, pattern), VariantBinary: f, Root: "example.com/known.Benchmark" + name}
		in.Base = []Trial{{Large: in.Variant[0].Small, Small: in.Variant[0].Small, LargeN: 1}} // nothing
		got, err := Compare(in)
		if err != nil {
			t.Errorf("%s: %v", c.bench, err)
			continue
		}
		// On a busy machine the run time makes an object or two of its own in 200
		// operations: what the benchmark makes is a whole number or half of one.
		if math.Abs(got.VariantObjects-c.objects) > 0.05 || math.Abs(got.VariantBytes-c.bytes) > 0.01*c.bytes+8 || got.BaseObjects != 0 {
			t.Errorf("%s: got %v objects of %v bytes; want %v of %v", c.bench, got.VariantObjects, got.VariantBytes, c.objects, c.bytes)
		}
		// From go1.27 on the compiler calls mallocgc's specialised forms for newobject.
		if len(got.Sites) == 0 || got.Sites[0].Via != c.via && (got.Sites[0].Via != "" || c.via != "newobject") {
			t.Errorf("%s: got %+v, want it via %s", c.bench, got.Sites, c.via)
		}
	}
}
