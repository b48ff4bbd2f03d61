package toolchain

import (
	"context"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/errortest"
)

func TestToolchainInUse(t *testing.T) {
	tc, err := NewFinder(cache.New(t.TempDir())).Find(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(tc.Version, "go1.") || !disk.IsFile(tc.Go()) || tc.Name != "" {
		t.Errorf("got %+v", tc)
	}
}

// The user's GOTOOLCHAIN is local: a toolchain in the module cache, or the
// module proxy, is used all the same.
func TestToolchainNamed(t *testing.T) {
	t.Setenv("GOTOOLCHAIN", "local")
	t.Setenv("GOFLAGS", "-mod=vendor -nonsense")
	c := cache.New(t.TempDir())
	f := NewFinder(c)
	const name = "go1.25.7"
	if !IsHere(name) {
		t.Skip(name + " is not in the module cache")
	}
	tc, err := f.Find(t.Context(), name, "")
	if err != nil || tc.Version != name || tc.Name != name || !disk.IsFile(tc.Go()) {
		t.Fatalf("got %+v, %v", tc, err)
	}
	// The go command lays nothing over the files of its module cache.
	if real, err := filepath.EvalSymlinks(tc.GOROOT); err != nil || real == tc.GOROOT || disk.Within(tc.GOROOT, ModCache()) {
		t.Errorf("a fetched toolchain is at %s: %v", tc.GOROOT, err)
	}
	if again, err := NewFinder(c).Find(t.Context(), name, ""); err != nil || again != tc {
		t.Errorf("the second time: %+v, %v", again, err)
	}
	same, err := f.Find(t.Context(), "path:"+tc.GOROOT, "")
	if err != nil || same.Version != name || same.GOROOT != tc.GOROOT || same.Released() || !tc.Released() {
		t.Errorf("by path: got %+v, %v", same, err)
	}
	if !IsHere(same.Name) || IsHere("path:"+t.TempDir()) || IsHere("go1.26.81") || !IsHere("") {
		t.Error("IsHere is wrong about paths")
	}
}

func TestNoToolchain(t *testing.T) {
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(t.TempDir())) // a proxy that has nothing
	f := NewFinder(cache.New(t.TempDir()))
	use, err := f.Find(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		want []string
	}{
		{"go1.26.81", []string{"toolchain go1.26.81 is not available   [no-toolchain]",
			"the module proxy (GOPROXY) has no golang.org/toolchain@v0.0.1-go1.26.81." + runtime.GOOS + "-" + runtime.GOARCH, use.Version}},
		{"go1.26", []string{"three numbers: go1.26.0"}},
		{"gotip", []string{"path:$(gotip env GOROOT)"}},
		{"1.26.8", []string{"toolchains are written go1.26.8"}},
		{"path:" + t.TempDir(), []string{"has no bin/go"}},
	} {
		_, err := f.Find(t.Context(), c.name, "")
		text := errortest.Want(t, err, "no-toolchain", assay.ExitRefused)
		for _, w := range c.want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: %q is not in %s", c.name, w, text)
			}
		}
		if strings.Contains(text, "go: ") || strings.Count(text, "\n") > 2 {
			t.Errorf("%s: the go command's own words: %s", c.name, text)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewFinder(cache.New(t.TempDir())).Find(ctx, "go1.26.81", ""); err == nil || strings.Contains(err.Error(), "no-toolchain") {
		t.Errorf("cancelled: got %v", err)
	}
}

func TestWhyNotFetched(t *testing.T) {
	for output, want := range map[string]string{
		"go: download go1.26.81 for linux/amd64: toolchain not available":                          "has no golang.org/toolchain@v0.0.1-go1.26.81.",
		"go: download go1.26.81: module lookup disabled by GOPROXY=off":                            "GOPROXY=off forbids",
		"go: verifying module: checksum database disabled by GOSUMDB=off":                          "GOSUMDB=off",
		"dial tcp: lookup proxy.example on [::1]:53: connection refused":                           "could not be reached",
		"go: write /x: no space left on device":                                                    "disk is full",
		"line one\ngo: something else\n":                                                           "could not fetch it: something else",
		"go: download go1.26.81 for linux/amd64: reading https://p.example/x.zip: 404 Not Found\n": "has no golang.org",
	} {
		if got := whyNotFetched("go1.26.81", output); !strings.Contains(got, want) || strings.Contains(got, "\n") {
			t.Errorf("%q: got %q, want %q in it", output, got, want)
		}
	}
}

func TestToolchainVersions(t *testing.T) {
	for _, c := range []struct {
		version             string
		randLayout, release bool
	}{
		{"go1.22.12", false, true}, {"go1.23rc1", true, true}, {"go1.23", true, true}, {"go1.26.8", true, true}, {"go1.27rc1", true, true},
		{"go1.24.9-corp", true, true}, {"devel go1.28-3f2c9aa Thu Nov 19", true, false}, {"go1.28-devel_3f2c9aa", true, false},
	} {
		tc := Toolchain{Version: c.version}
		if got := tc.HasRandLayout(); got != c.randLayout {
			t.Errorf("%s: HasRandLayout is %v", c.version, got)
		}
		if got, want := tc.HasFuncAlign(), c.randLayout && c.version >= "go1.25" || strings.HasPrefix(c.version, "devel"); got != want {
			t.Errorf("%s: HasFuncAlign is %v", c.version, got)
		}
		if got := tc.Released(); got != c.release {
			t.Errorf("%s: released is %v", c.version, got)
		}
	}
}
