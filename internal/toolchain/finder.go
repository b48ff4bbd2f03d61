package toolchain

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/memo"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/process"
)

// A Finder finds toolchains and remembers them for its lifetime. Its methods may be
// called in parallel.
type Finder struct {
	cache *cache.Cache
	found memo.Map[Toolchain]
}

// NewFinder returns a Finder that keeps links in a cache.
func NewFinder(c *cache.Cache) *Finder { return &Finder{cache: c} }

// Find resolves "go1.25.7", "path:/a/goroot" or "", the toolchain that the go command
// uses in the folder dir ("" is the current one). The go command fetches it if needed,
// even if the user's GOTOOLCHAIN is "local". The error is an *assay.Error with exit
// status 5 [no-toolchain].
func (f *Finder) Find(ctx context.Context, name, dir string) (Toolchain, error) {
	key := name
	if name == "" {
		key = "\x00" + dir
	}
	return f.found.Do(key, func() (t Toolchain, err error) {
		switch root, isPath := strings.CutPrefix(name, "path:"); {
		case isPath:
			t, err = pathToolchain(ctx, name, root)
		case name == "":
			t, err = inUse(ctx, dir)
		case !releaseName.MatchString(name):
			return Toolchain{}, unnamed(name)
		default:
			t, err = fetch(ctx, name)
		}
		return f.outside(t), err
	})
}

// outside gives a fetched toolchain a path outside the module cache: the go command
// accepts no overlay in its cache, and a program of the toolchain that profiles itself has
// one (build.ProfiledProgram). If no link can be made the toolchain keeps its path.
func (f *Finder) outside(t Toolchain) Toolchain {
	if t.GOROOT == "" || !disk.Within(t.GOROOT, ModCache()) {
		return t
	}
	sum := sha256.Sum256([]byte(t.GOROOT))
	link := filepath.Join(f.cache.Dir, "goroot", t.Version+"-"+hex.EncodeToString(sum[:4]))
	if to, err := os.Readlink(link); err != nil || to != t.GOROOT {
		if err := replaceLink(link, t.GOROOT); err != nil {
			return t
		}
	}
	t.GOROOT = link
	return t
}

// replaceLink makes a symbolic link, even if another assay makes it at the same time.
func replaceLink(link, to string) error {
	dir := filepath.Dir(link)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(dir, "new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	fresh := filepath.Join(tmp, "link")
	if err := os.Symlink(to, fresh); err != nil {
		return err
	}
	return os.Rename(fresh, link)
}

// IsHere reports whether a toolchain is installed, so that nothing has to be fetched.
func IsHere(name string) bool {
	if root, ok := strings.CutPrefix(name, "path:"); ok {
		return disk.IsFile(Toolchain{GOROOT: root}.Go())
	}
	return name == "" || slices.Contains(Versions(context.Background()), name)
}

// inUse asks the go command which toolchain it would use in dir, given the user's
// GOTOOLCHAIN and the module's toolchain line.
func inUse(ctx context.Context, dir string) (Toolchain, error) {
	cmd, err := Command()
	if err != nil {
		return Toolchain{}, err
	}
	user := UserSettings()
	env := commonEnv(user)
	for _, k := range []string{"GOTOOLCHAIN", "GOROOT", "GOWORK"} {
		if delete(env, k); user[k] != "" {
			env[k] = user[k]
		}
	}
	if !disk.IsDir(dir) {
		dir = ""
	}
	return askGo(ctx, cmd, dir, sorted(env), "")
}

// pathToolchain reads the toolchain of a GOROOT.
func pathToolchain(ctx context.Context, name, root string) (Toolchain, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return Toolchain{}, fmt.Errorf("resolve toolchain %q: %w", name, err)
	}
	cmd := Toolchain{GOROOT: abs}.Go()
	if !disk.IsFile(cmd) {
		return Toolchain{}, noToolchain(name, []string{disk.Tilde(abs) + " has no bin/go; the path is that of a GOROOT, where make.bash has been run"}, "")
	}
	env := commonEnv(UserSettings())
	env["GOROOT"] = abs
	t, err := askGo(ctx, cmd, "", sorted(env), name)
	if err != nil && ctx.Err() == nil {
		return Toolchain{}, noToolchain(name, []string{disk.Tilde(cmd) + " does not run: " + printable.LastLine(err.Error())}, "")
	}
	return t, err
}

// fetch lets the go command find a release, and download it if needed.
func fetch(ctx context.Context, name string) (Toolchain, error) {
	cmd, err := Command()
	if err != nil {
		return Toolchain{}, err
	}
	env := commonEnv(UserSettings())
	delete(env, "GOROOT")
	env["GOTOOLCHAIN"] = name
	t, err := askGo(ctx, cmd, "", sorted(env), name)
	switch {
	case ctx.Err() != nil:
		return Toolchain{}, fmt.Errorf("fetch toolchain %s: %w", name, ctx.Err())
	case err != nil:
		why := err.Error()
		if env["GOPROXY"] == "off" {
			why = "GOPROXY=off" // of which the go command says only "not available"
		}
		return Toolchain{}, noToolchain(name, []string{whyNotFetched(name, why), knownToolchains(ctx, name)}, "")
	case t.Version != name:
		// A go command before go1.21 does not know GOTOOLCHAIN.
		return Toolchain{}, noToolchain(name, []string{"the go command in use is " + t.Version + ", which cannot fetch others (go1.21 and later can)"}, "")
	}
	return t, nil
}

func askGo(ctx context.Context, cmd, dir string, env []string, name string) (Toolchain, error) {
	var out, errs bytes.Buffer
	if err := process.Run(ctx, dir, env, &out, &errs, cmd, "env", "-json", "GOROOT", "GOVERSION"); err != nil {
		return Toolchain{}, fmt.Errorf("ask %s for its version: %w\n%s", cmd, err, errs.Bytes())
	}
	var v struct{ GOROOT, GOVERSION string }
	if err := json.Unmarshal(out.Bytes(), &v); err != nil {
		return Toolchain{}, fmt.Errorf("read output of %s env: %w", cmd, err)
	}
	// With an experiment set by go env -w the version has a second word.
	ver, _, _ := strings.Cut(v.GOVERSION, " X:")
	return Toolchain{Name: name, GOROOT: v.GOROOT, Version: ver}, nil
}

func noToolchain(name string, facts []string, try string) error {
	facts = slices.DeleteFunc(facts, func(s string) bool { return s == "" })
	return assay.NewError(assay.ExitRefused, assay.CodeNoToolchain, "toolchain "+name+" is not available", facts, try)
}

func unnamed(name string) error {
	if name == "gotip" {
		return noToolchain(name, []string{"gotip is no release; it is named by its folder"}, `"path:$(gotip env GOROOT)"`)
	}
	return noToolchain(name, []string{"toolchains are written go1.26.8 or path:/a/goroot"}, "")
}

// whyNotFetched summarises the go command's complaint in one line.
func whyNotFetched(name, output string) string {
	module := "golang.org/toolchain@v0.0.1-" + name + "." + runtime.GOOS + "-" + runtime.GOARCH
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(output, w) })
	}
	switch {
	case strings.Count(name, ".") == 1 && !strings.ContainsAny(name, "rb-") && version.Compare(name, "go1.21") >= 0:
		return "since go1.21 the first release of a series has three numbers: " + name + ".0"
	case has("GOPROXY=off", "lookup disabled by GOPROXY"):
		return "GOPROXY=off forbids to fetch " + module
	case has("GOSUMDB=off", "checksum database disabled"):
		return "GOSUMDB=off: the go command fetches no toolchain that it cannot verify"
	case has("not available", "404 Not Found", "410 Gone", "unknown revision", "not found"):
		return "the module proxy (GOPROXY) has no " + module
	case has("dial tcp", "no such host", "timeout", "connection refused", "proxyconnect"):
		return "the module proxy (GOPROXY) could not be reached"
	case has("no space left"):
		return "the disk is full"
	}
	return "the go command could not fetch it: " + printable.LastLine(output)
}

// knownToolchains says what could be used instead.
func knownToolchains(ctx context.Context, name string) string {
	all := Versions(ctx)
	i := slices.IndexFunc(all, func(v string) bool { return version.Lang(v) == version.Lang(name) })
	var facts []string
	if i >= 0 {
		facts = append(facts, "newest "+version.Lang(name)+" known here: "+all[i])
		all = slices.Delete(all, i, i+1)
	}
	if slices.Reverse(all); len(all) > 0 {
		facts = append(facts, "already in cache: "+strings.Join(all, ", "))
	}
	return strings.Join(facts, "; ")
}

// Installed lists the releases on this machine: those in the module cache and the one of
// the go command in PATH; newest first.
func Installed(ctx context.Context) []Toolchain {
	prefix := filepath.Join(ModCache(), "golang.org", "toolchain@v0.0.1-")
	suffix := "." + runtime.GOOS + "-" + runtime.GOARCH
	dirs, _ := filepath.Glob(prefix + "go*" + suffix) // the pattern is well formed
	var have []Toolchain
	for _, d := range dirs {
		name := strings.TrimSuffix(strings.TrimPrefix(d, prefix), suffix)
		// A download that was cut off has no go command yet.
		if t := (Toolchain{Name: name, GOROOT: d, Version: name}); disk.IsFile(t.Go()) {
			have = append(have, t)
		}
	}
	if cmd, err := exec.LookPath("go"); err == nil {
		if t, err := askGo(ctx, cmd, "", Env(nil), ""); err == nil {
			have = append(have, t)
		}
	}
	slices.SortFunc(have, func(t, u Toolchain) int { return version.Compare(u.Version, t.Version) })
	return slices.CompactFunc(have, func(t, u Toolchain) bool { return t.Version == u.Version })
}

// Versions are those of the Installed toolchains.
func Versions(ctx context.Context) (out []string) {
	for _, t := range Installed(ctx) {
		out = append(out, t.Version)
	}
	return out
}
