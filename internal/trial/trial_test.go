package trial

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/seed-1318a441/assay/internal/slow"
)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "trial")
	if err != nil {
		panic(err)
	}
	scratch = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// scratch is removed when all tests have ended.
var scratch string

// nasty returns the test binary of testdata/nasty.
var nasty = sync.OnceValues(func() (string, error) { return buildNasty("local") })

func buildNasty(toolchain string) (string, error) {
	bin := filepath.Join(scratch, "nasty-"+toolchain+".test")
	cmd := exec.Command("go", "test", "-c", "-o", bin, ".")
	cmd.Dir = filepath.Join("testdata", "nasty")
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN="+toolchain, "GOFLAGS=", "GOWORK=off", "GOPROXY=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", &exec.Error{Name: string(out), Err: err}
	}
	return bin, nil
}

// goTest is a trial of the nasty benchmarks.
func goTest(t testing.TB, n int, names ...string) GoTest {
	t.Helper()
	bin, err := nasty()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.Abs(filepath.Join("testdata", "nasty"))
	if err != nil {
		t.Fatal(err)
	}
	return GoTest{
		Binary: bin, Dir: dir, Env: Environ(os.Environ(), 2, nil), Procs: 2,
		Names: names, N: n, Timeout: never,
	}
}

// never is a time limit that is not to be reached, on any machine.
const never = time.Hour

// longEnough calls f with longer and longer limits, until f says that what had to
// happen before the limit did: how long that takes is up to the machine.
func longEnough(t *testing.T, f func(limit time.Duration) bool) {
	t.Helper()
	const last = 10 * time.Minute
	for limit := 300 * time.Millisecond; limit < last; limit *= 4 {
		if f(limit) || t.Failed() {
			return
		}
	}
	t.Errorf("it did not happen within %v", last)
}

func mustRun(t testing.TB, g GoTest) Outcome {
	t.Helper()
	o, err := g.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// testSelect checks that every name a binary prints selects itself alone.
func testSelect(t *testing.T, g GoTest) {
	g.N, g.Names, g.Pattern = 1, nil, "^Benchmark(Names|NamesMore|OwnName|Plain|)$"
	found := mustRun(t, g)
	if got, want := len(found.Readings), 30; got != want {
		t.Fatalf("found %d benchmarks, want %d: %v\n%s", got, want, found.Status, found.Stdout)
	}
	g.N = 3
	for _, r := range found.Readings {
		g.Names = []string{r.Name}
		o := mustRun(t, g)
		if o.Status != "ok" || len(o.Readings) != 1 || o.Readings[0].Name != r.Name || o.Readings[0].N != 3 {
			t.Errorf("selecting %q with %s: %s %s, readings %v", r.Name, Select(r.Name), o.Status, o.Reason, o.Readings)
		}
	}
	g.Names = []string{"Names/plain", "Names/a|b", "Names/plain/deep", "Plain"}
	var got []string
	for _, r := range mustRun(t, g).Readings {
		got = append(got, r.Name)
	}
	if want := []string{"Plain", "Names/plain", "Names/plain/deep", "Names/a|b"}; !slices.Equal(got, want) {
		t.Errorf("selected %q, want %q", got, want)
	}
}

func TestSelect(t *testing.T) { testSelect(t, goTest(t, 1)) }

// TestSlowSelect does the same with the testing packages of other toolchains.
func TestSlowSelect(t *testing.T) {
	slow.Test(t)
	for _, toolchain := range slow.Toolchains(t) {
		t.Run(toolchain, func(t *testing.T) {
			g := goTest(t, 1)
			bin, err := buildNasty(toolchain)
			if err != nil {
				t.Fatal(err)
			}
			g.Binary = bin
			testSelect(t, g)
		})
	}
}
