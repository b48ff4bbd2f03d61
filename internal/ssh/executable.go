package ssh

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/process"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// The module and the package of the program.
const (
	modulePath  = "github.com/seed-1318a441/assay"
	mainPackage = modulePath + "/cmd/assay"
)

// Executables finds or builds executables of this version of assay.
type Executables struct {
	// Cache keeps what is built; nil is the user's.
	Cache *cache.Cache
	// Log receives a line before something is built; it may be nil.
	Log func(string)
}

// ownFile returns the file that this program runs from. On Linux that is the running one
// even if another has been put into its place.
func ownFile() (string, error) {
	own, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find assay's own executable: %w", err)
	}
	if runtime.GOOS == "linux" {
		const running = "/proc/self/exe"
		named, err := os.Stat(own)
		if is, e := os.Stat(running); e == nil && (err != nil || !os.SameFile(named, is)) {
			return running, nil
		}
	}
	return own, nil
}

// Find returns an executable for a platform: this program, the file assay-GOOS-GOARCH
// beside it, or one that it builds, from the checkout that it was built from or from its
// released version. The error is an *assay.Error [no-agent] or [agent-version] that says
// what to do.
func (x Executables) Find(ctx context.Context, goos, goarch string) (string, error) {
	if goos == runtime.GOOS && goarch == runtime.GOARCH {
		return ownFile()
	}
	own, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find assay's own executable: %w", err)
	}
	beside := filepath.Join(filepath.Dir(own), "assay-"+goos+"-"+goarch)
	if disk.IsFile(beside) {
		return beside, checkSame(beside, goos, goarch)
	}
	b := crossBuild{Executables: x, goos: goos, goarch: goarch, beside: filepath.Dir(own), root: checkout(), release: released()}
	if b.Cache == nil {
		b.Cache = cache.New("")
	}
	return b.file(ctx)
}

// checkSame returns an error unless a file is this version of assay for a platform.
func checkSame(file, goos, goarch string) error {
	info, err := buildinfo.ReadFile(file)
	if err != nil || info.Path != mainPackage {
		return refuse(assay.CodeAgentVersion, disk.Tilde(file)+" is no executable of assay", nil, "")
	}
	if is := setting(info, "GOOS") + "/" + setting(info, "GOARCH"); is != goos+"/"+goarch {
		return refuse(assay.CodeAgentVersion, fmt.Sprintf("%s is an assay for %s", disk.Tilde(file), is), nil, "")
	}
	own, ok := debug.ReadBuildInfo()
	if ok && own.Path == mainPackage && version(info) != version(own) {
		return refuse(assay.CodeAgentVersion, disk.Tilde(file)+" is another version of assay than this one",
			[]string{fmt.Sprintf("it is %s, this one %s", version(info), version(own))}, "rm "+shell.Quote(file))
	}
	return nil
}

// version returns all that build information says of the source.
func version(info *debug.BuildInfo) string {
	words := []string{info.Main.Version}
	for _, key := range []string{"vcs.revision", "vcs.modified"} {
		if v := setting(info, key); v != "" {
			words = append(words, strings.TrimPrefix(key, "vcs.")+" "+v)
		}
	}
	return strings.Join(words, ", ")
}

func setting(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// A crossBuild builds assay for another platform.
type crossBuild struct {
	Executables
	goos, goarch string
	// beside is the folder of this program.
	beside string
	// root is the checkout to build from; release, if there is none, the version.
	root, release string
}

// file returns the executable, from the cache if this program has built it before.
func (b crossBuild) file(ctx context.Context) (string, error) {
	own, err := ownFile()
	if err != nil {
		return "", err
	}
	sum, err := disk.Digest(own)
	if err != nil {
		return "", err
	}
	if b.root == "" && b.release == "" {
		return "", noAgent(b.goos, b.goarch, b.beside, []string{"it was built neither from a checkout that is still there nor as a released version"})
	}
	key := sha256.Sum256([]byte("agent-1\x00" + sum + "\x00" + b.goos + "\x00" + b.goarch))
	dir := filepath.Join(b.Cache.Dir, "agent", fmt.Sprintf("%x", key[:16]))
	_, err = b.Cache.Place(dir, func(tmp string) error {
		if b.Log != nil {
			b.Log("assay: builds itself for " + b.goos + "/" + b.goarch + ", once")
		}
		if b.root != "" {
			return b.goCommand(ctx, b.root, nil, "build", sameStamp(), "-o", filepath.Join(tmp, "assay"), "./cmd/assay")
		}
		return b.install(ctx, tmp)
	})
	b.Cache.Touch(dir)
	return filepath.Join(dir, "assay"), err
}

// checkout returns the folder of the module that this program was built from, or "" if it
// is not there or the program does not know it (-trimpath).
func checkout() string {
	_, file, _, _ := runtime.Caller(0)
	root, ok := strings.CutSuffix(filepath.ToSlash(file), "/internal/ssh/executable.go")
	if !ok || !filepath.IsAbs(root) || disk.Within(root, toolchain.ModCache()) {
		return ""
	}
	text := disk.Content(filepath.Join(root, "go.mod"))
	if !bytes.HasPrefix(text, []byte("module "+modulePath+"\n")) {
		return ""
	}
	return root
}

// released returns the version of this program if the module proxy has it, or "".
func released() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Path != modulePath || !semver.IsValid(info.Main.Version) || semver.Build(info.Main.Version) != "" {
		return ""
	}
	return info.Main.Version
}

// sameStamp is the flag of go build with which the revision of the checkout is in the
// executable if it is in this program.
func sameStamp() string {
	if info, ok := debug.ReadBuildInfo(); ok && setting(info, "vcs.revision") != "" {
		return "-buildvcs=true"
	}
	return "-buildvcs=false"
}

// install installs the release in tmp. The go command takes no GOBIN for another platform,
// so it gets a GOPATH.
func (b crossBuild) install(ctx context.Context, tmp string) error {
	gopath := filepath.Join(tmp, "gopath")
	env := map[string]string{"GOPATH": gopath, "GOMODCACHE": toolchain.ModCache(), "GOBIN": ""}
	if err := b.goCommand(ctx, tmp, env, "install", mainPackage+"@"+b.release); err != nil {
		return err
	}
	made := filepath.Join(gopath, "bin", b.goos+"_"+b.goarch, "assay")
	if err := os.Rename(made, filepath.Join(tmp, "assay")); err != nil {
		return fmt.Errorf("build assay for %s/%s: %w", b.goos, b.goarch, err)
	}
	return os.RemoveAll(gopath)
}

// goCommand runs the go command for the platform.
func (b crossBuild) goCommand(ctx context.Context, dir string, more map[string]string, args ...string) error {
	cmd, err := toolchain.Command()
	if err != nil {
		return noAgent(b.goos, b.goarch, b.beside, []string{printable.OneLine(err)})
	}
	// GOARM=6 runs on every ARM processor since the first Raspberry Pi.
	env := map[string]string{"GOOS": b.goos, "GOARCH": b.goarch, "GOARM": "6", "CGO_ENABLED": "0", "GOTOOLCHAIN": "auto"}
	maps.Copy(env, more)
	var log bytes.Buffer
	err = process.Run(ctx, dir, toolchain.Env(env), &log, &log, cmd, args...)
	switch {
	case ctx.Err() != nil:
		return err
	case err != nil:
		return noAgent(b.goos, b.goarch, b.beside, append([]string{"it could not be built:"}, saidLines(log.String())...))
	}
	return nil
}

// noAgent says that there is no executable for a platform, and where one is looked for.
func noAgent(goos, goarch, dir string, facts []string) error {
	file := filepath.Join(dir, "assay-"+goos+"-"+goarch)
	return refuse(assay.CodeNoAgent, fmt.Sprintf("there is no assay for %s/%s here", goos, goarch),
		append(facts, "build it from the source of this version, as "+disk.Tilde(file)),
		fmt.Sprintf("CGO_ENABLED=0 GOOS=%s GOARCH=%s go build -o %s ./cmd/assay", goos, goarch, shell.Quote(file)))
}
