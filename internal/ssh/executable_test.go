//go:build unix

package ssh

import (
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/slow"
	"github.com/seed-1318a441/assay/internal/ssh/sshtest"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// A program that runs is sent even if another has been put into its place.
func TestReplacedExecutable(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	own, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "assay")
	if err := os.WriteFile(file, own, 0o777); err != nil {
		t.Fatal(err)
	}
	want, err := disk.Digest(file)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(file)
	cmd.Env = append(os.Environ(), "ASSAY_TEST_REPLACED=1")
	if got, err := cmd.CombinedOutput(); err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

// replaced puts something else into the place of the running program, and prints the hash
// of what would be sent.
func replaced() int {
	name, err := os.Executable()
	if err == nil {
		err = disk.WriteFile(name, []byte("new"))
	}
	if err == nil {
		name, err = Executables{}.Find(context.Background(), runtime.GOOS, runtime.GOARCH)
	}
	sum := ""
	if err == nil {
		sum, err = disk.Digest(name)
	}
	if err != nil {
		fmt.Print(err)
		return 1
	}
	fmt.Print(sum)
	return 0
}

func TestFileBeside(t *testing.T) {
	other := filepath.Join(t.TempDir(), "assay-linux-arm64")
	disktest.Write(t, filepath.Dir(other), map[string]string{"assay-linux-arm64": "text"})
	f := fixture{T: t}
	f.check(checkSame(other, "linux", "arm64"), assay.CodeAgentVersion, "is no executable of assay")
	goCommand, err := toolchain.Command()
	if err != nil {
		t.Skip(err)
	}
	f.check(checkSame(goCommand, runtime.GOOS, runtime.GOARCH), assay.CodeAgentVersion, "is no executable of assay")
}

func TestNothingToBuildFrom(t *testing.T) {
	b := crossBuild{Executables: Executables{Cache: cache.New(t.TempDir())}, goos: "plan9", goarch: "arm", beside: "/opt"}
	_, err := b.file(t.Context())
	f := fixture{T: t}
	f.check(err, assay.CodeNoAgent, "plan9/arm", "go build -o /opt/assay-plan9-arm ./cmd/assay")
	b.root = t.TempDir()
	_, err = b.file(t.Context())
	f.check(err, assay.CodeNoAgent, "it could not be built:")
}

// The machine with another processor gets an assay that is built for it, once.
func TestSlowCrossBuild(t *testing.T) {
	slow.Test(t)
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("runs 386 beside amd64")
	}
	if checkout() == "" {
		t.Skip("built with -trimpath")
	}
	c := cache.New(t.TempDir())
	file, err := Executables{Cache: c}.Find(t.Context(), "linux", "386")
	if err != nil {
		t.Fatal(err)
	}
	if err := checkSame(file, "linux", "386"); err != nil {
		t.Error(err)
	}
	f := fixture{T: t}
	f.check(checkSame(file, "linux", "arm64"), assay.CodeAgentVersion, "is an assay for linux/386")
	built, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Executables{Cache: c}.Find(t.Context(), "linux", "386")
	if st, serr := os.Stat(again); err != nil || serr != nil || !os.SameFile(st, built) {
		t.Errorf("built again: %v, %v", err, serr)
	}
	out, err := exec.Command(file, "version").Output()
	if err != nil || !strings.HasSuffix(string(out), "linux/386\n") {
		t.Errorf("got %q, %v", out, err)
	}
}

// A released version is fetched from the module proxy: here a folder, with this checkout.
func TestSlowReleaseBuild(t *testing.T) {
	slow.Test(t)
	root := checkout()
	if root == "" {
		t.Skip("built with -trimpath")
	}
	const release = "v0.0.1"
	proxy := t.TempDir()
	dir := filepath.Join(proxy, modulePath, "@v")
	mod := disk.Content(filepath.Join(root, "go.mod"))
	disktest.Write(t, dir, map[string]string{release + ".mod": string(mod), release + ".info": `{"Version":"` + release + `"}`, "list": release + "\n"})
	f, err := os.Create(filepath.Join(dir, release+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	clone := filepath.Join(t.TempDir(), "clone") // zip knows no worktrees
	if out, err := exec.Command("git", "clone", "-q", "--shared", "--no-checkout", root, clone).CombinedOutput(); err != nil {
		t.Skipf("no repository: %s", out)
	}
	if err := zip.CreateFromVCS(f, module.Version{Path: modulePath, Version: release}, clone, "HEAD", ""); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOPROXY", "file://"+proxy+",file://"+filepath.Join(toolchain.ModCache(), "cache", "download"))
	t.Setenv("GONOSUMDB", "*")
	t.Setenv("GOFLAGS", "")
	modules := filepath.Join(t.TempDir(), "mod")
	t.Setenv("GOMODCACHE", modules)
	t.Cleanup(func() { _ = disk.RemoveAll(modules) })
	b := crossBuild{Executables: Executables{Cache: cache.New(t.TempDir())}, goos: "linux", goarch: "arm64", release: release}
	file, err := b.file(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	info, err := buildinfo.ReadFile(file)
	if err != nil || info.Path != mainPackage || info.Main.Version != release || setting(info, "GOARCH") != "arm64" {
		t.Errorf("got %v, %v", info, err)
	}
}

// A long TMPDIR leaves no room for the socket of ssh.
func TestLongTempDir(t *testing.T) {
	f := newFixture(t, sshtest.Options{})
	dir := filepath.Join(t.TempDir(), strings.Repeat("long", 20)+" 100%")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", dir)
	say(t, f.dial(), "hello")
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "5%"))
	if err := os.Mkdir(os.TempDir(), 0o700); err != nil {
		t.Fatal(err)
	}
	say(t, f.dial(), "hello")
}

// Folders that killed processes left go, those in use stay.
func TestSocketDirs(t *testing.T) {
	dir, old := t.TempDir(), time.Now().Add(-2*time.Hour)
	for name, text := range map[string]string{"assay-ssh-1": "", "assay-ssh-2": "c", "assay-ssh-3": "", "other": ""} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
		if text != "" {
			disktest.Write(t, dir, map[string]string{name + "/" + text: ""})
		}
		if name != "assay-ssh-3" {
			if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	sweepSocketDirs(dir)
	left, err := filepath.Glob(dir + "/*")
	if got := strings.Join(left, " "); err != nil || got != strings.ReplaceAll("D/assay-ssh-2 D/assay-ssh-3 D/other", "D", dir) {
		t.Errorf("left: %s, %v", got, err)
	}
}

func TestNoSSH(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := Dial(t.Context(), "ssh:bench1", Options{})
	f := fixture{T: t}
	f.check(err, assay.CodeNoSSH, "there is no ssh on this machine")
}
