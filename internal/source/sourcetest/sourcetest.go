// Package sourcetest makes sources for tests: modules, git repositories, module proxies.
package sourcetest

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay/internal/disk/disktest"
)

// Tiny is a module with one benchmark. It imports little, so that it links fast.
var Tiny = map[string]string{
	"go.mod":       "module example.com/tiny\n\ngo 1.23\n",
	"tiny.go":      "package tiny\n\nfunc Sum(n int) (s int) {\n\tfor i := range n {\n\t\ts += i\n\t}\n\treturn s\n}\n",
	"tiny_test.go": "package tiny\n\nimport \"testing\"\n\nfunc BenchmarkSum(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tSum(10)\n\t}\n}\n",
}

// Module makes a folder with Tiny.
func Module(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	disktest.Write(t, dir, Tiny)
	return dir
}

// Git runs git in dir as somebody, without the user's own settings.
func Git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main",
		"-c", "commit.gpgsign=false", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// Repository makes a git repository with two commits: Sum adds i, then 2*i.
func Repository(t testing.TB, more map[string]string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir := Module(t)
	disktest.Write(t, dir, more)
	Git(t, dir, "init", "-q")
	Git(t, dir, "add", "-A")
	Git(t, dir, "commit", "-qm", "one")
	disktest.Write(t, dir, map[string]string{"tiny.go": strings.Replace(Tiny["tiny.go"], "s += i", "s += 2 * i", 1)})
	Git(t, dir, "commit", "-qam", "two")
	return dir
}

// Listing lists all files below dir with their sizes and times.
func Listing(t testing.TB, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		out = append(out, path+" "+info.ModTime().String())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Proxy makes a module proxy with two versions of example.com/lib, the second
// with a package more and a dependency, and example.com/dep, in a module cache
// that has nothing else; and what more is given, by path@version.
func Proxy(t testing.TB, more ...map[string]map[string]string) {
	t.Helper()
	proxy := t.TempDir()
	lib := "package lib\n\nfunc Sum(n int) int { return n }\n"
	modules := map[string]map[string]string{
		"example.com/lib@v1.0.0": {"go.mod": "module example.com/lib\n\ngo 1.16\n", "lib.go": lib},
		"example.com/lib@v1.1.0": {"go.mod": "module example.com/lib\n\ngo 1.18\n\nrequire example.com/dep v1.0.0\n", "lib.go": strings.Replace(lib, "package lib\n", "package lib\n\nimport _ \"example.com/dep\"\n", 1),
			"more/more.go": "package more\n\nfunc More() {}\n", "data.txt": "one\n", "lib_test.go": "package lib\n\nimport \"testing\"\n\nfunc BenchmarkSum(b *testing.B) { Sum(1) }\n"},
		"example.com/dep@v1.0.0": {"go.mod": "module example.com/dep\n\ngo 1.16\n", "dep.go": "package dep\n"},
	}
	for _, m := range more {
		maps.Copy(modules, m)
	}
	for _, at := range slices.Sorted(maps.Keys(modules)) { // so that the newest is the latest
		files := modules[at]
		path, version, _ := strings.Cut(at, "@")
		var z bytes.Buffer
		w := zip.NewWriter(&z)
		for name, text := range files {
			f, err := w.Create(at + "/" + name)
			if err == nil {
				_, err = f.Write([]byte(text))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		disktest.Write(t, proxy, map[string]string{
			path + "/@latest":                 `{"Version":"` + version + `"}`,
			path + "/@v/list":                 "",
			path + "/@v/" + version + ".info": `{"Version":"` + version + `"}`,
			path + "/@v/" + version + ".mod":  files["go.mod"],
			path + "/@v/" + version + ".zip":  z.String(),
		})
	}
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(proxy))
	t.Setenv("GONOSUMDB", "*")
	mods := t.TempDir()
	t.Setenv("GOMODCACHE", mods)
	t.Cleanup(func() { Writable(mods) }) // before its removal: the go command protects what it downloads
}

// Writable makes the folders of a module cache writable.
func Writable(dir string) {
	filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			os.Chmod(name, 0o777)
		}
		return nil
	})
}
