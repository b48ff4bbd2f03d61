package source

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// releases is a module proxy that has some versions of example.com/mod, of
// which v1.2.0 is retracted.
func releases(t *testing.T) {
	t.Helper()
	proxy := t.TempDir()
	files := map[string]string{}
	list := []string{"v1.10.0", "v1.0.0", "v1.2.0", "v1.3.0-rc.1", "v1.3.0", "v1.1.0"}
	const at = "example.com/mod/@v/"
	files[at+"list"] = strings.Join(list, "\n") + "\n"
	for _, v := range list {
		files[at+v+".info"] = `{"Version":"` + v + `"}`
		files[at+v+".mod"] = "module example.com/mod\n\nretract v1.2.0\n"
	}
	files["example.com/none/@v/list"] = ""
	disktest.Write(t, proxy, files)
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(proxy))
	t.Setenv("GONOSUMDB", "*")
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOFLAGS", "-modcacherw")
}

// versions returns a Finder, and the toolchain in use.
func versions(t *testing.T) (*Finder, toolchain.Toolchain) {
	t.Helper()
	c := cache.New(t.TempDir())
	tc, err := toolchain.NewFinder(c).Find(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	return NewFinder(c), tc
}

func TestVersions(t *testing.T) {
	releases(t)
	f, tc := versions(t)
	for _, c := range []struct{ rng, want string }{
		{"v1.0.0..v1.10.0", "v1.1.0 v1.3.0 v1.10.0"},
		{"v1.0.0..", "v1.1.0 v1.3.0 v1.10.0"},
		{"1.1.0..1.3.0", "v1.3.0"},
		{"v1.0.0..v1.3.0-rc.1", "v1.1.0 v1.3.0-rc.1"},
		{"v1.3.0-rc.1..v1.3.0", "v1.3.0"},
		{"v1.0.0..v1.2.0", "v1.1.0 v1.2.0"},
		{"v1.2.0..v1.3.0", "v1.3.0"},
		{"v1.0.0..v1.1.1-0.20200101000000-0123456789ab", "v1.1.0 v1.1.1-0.20200101000000-0123456789ab"},
		{"v1.1.0..v1.1.0", ""},
	} {
		got, err := f.Versions(t.Context(), tc, "example.com/mod", c.rng)
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %v, %v; want %s", c.rng, got, err, c.want)
		}
	}
}

func TestVersionsRefuses(t *testing.T) {
	releases(t)
	f, tc := versions(t)
	for _, c := range []struct{ path, rng, code, want string }{
		{"example.com/mod", "v1.0.0..v1.2.5", "no-module", "near it: v1.1.0, v1.2.0, v1.3.0-rc.1, v1.3.0"},
		{"example.com/mod", "v1.0.0..v1.99.0", "no-module", "near it: v1.3.0, v1.10.0"},
		{"example.com/mod", "v0.9.0..v1.0.0", "no-module", "near it: v1.0.0, v1.1.0"},
		{"example.com/mod", "v1..main", "no-module", `no version "v1"`},
		{"example.com/mod", "v1.0.0..main", "no-module", "it has 6, from v1.0.0 to v1.10.0"},
		{"example.com/mod", "v1.3.0..v1.0.0", "steps", `try: range = "v1.0.0..v1.3.0"`},
		{"example.com/mod", "v1.3.0", "steps", "FROM..TO"},
		{"example.com/absent", "v1.0.0..v1.1.0", "no-module", "versions of module example.com/absent are not available"},
		{"-x", "v1.0.0..v1.1.0", "no-module", "versions of module -x are not available"},
	} {
		_, err := f.Versions(t.Context(), tc, c.path, c.rng)
		if text := errortest.Want(t, err, assay.Code(c.code), assay.ExitUsage); !strings.Contains(text, c.want) {
			t.Errorf("%s %s: %q is not in %s", c.path, c.rng, c.want, text)
		}
	}
}
