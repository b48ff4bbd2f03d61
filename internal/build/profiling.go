package build

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/source"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// ProfileVariable is the environment variable that tells a program made by
// ProfiledProgram where to write its CPU profile. A process writes the file named by it,
// a dot and its process ID, since a command may start the program more than once.
const ProfileVariable = "ASSAY_CPUPROFILE"

// MemProfileVariable does the same for memory profiles, of sample type allocs, with every
// allocation. What imported packages allocate in their inits was sampled at the runtime's
// own rate of one in 512 KiB, so nearly all of it is missing. A program may set
// runtime.MemProfileRate itself. With both variables set there is no profile, since each
// would measure the other's work.
const MemProfileVariable = "ASSAY_MEMPROFILE"

// LoadVariable, set to 1 beside ProfileVariable, limits the profile to the time for which
// ProfileLoad runs a load. A server needs that: it ends by a signal, and what it does before
// the load is not what it was built for.
const LoadVariable = "ASSAY_PROFILE_LOAD"

// loadMark, added to the name in ProfileVariable, names a file that exists while the load
// runs. Programs look for it, since files work on every system and disturb no server that
// handles signals itself.
const loadMark = "-load"

// profilingSource is the file that makes a program profile itself. It is added to the
// main package, whose own files stay unchanged: the compiler matches profiles by function
// name and line within the function.
//
// It catches the end of the run with the runtime's hooks for "go build -cover", which run
// when main returns and in os.Exit. Only the standard library may name them, hence the
// linkname and -checklinkname=0. go1.24 to go1.27 use the same name. The alternative,
// profiles in parts of growing length, loses the last part of every run and all of a
// short one; this loses the profile of a process that ends by a signal, a panic or C's
// exit. A server's profile ends with the load, before its stop signal: catching the signal
// here would change how the server ends.
//
// The profile starts before everything else in the package, since the file sorts first;
// only the inits of imported packages have run by then. It is written in go1.13, because
// the program's go.mod sets the language version. A memory profile shows allocations
// before the last collection, so there is one at the end.
const profilingSource = `package main

import (
	"os"
	"runtime"
	"runtime/pprof"
	"strconv"
	"time"
	_ "unsafe"
)

type assayExitHook struct {
	F            func()
	RunOnFailure bool
}

//go:linkname assayAtExit internal/runtime/exithook.Add
func assayAtExit(assayExitHook)

var _ = assayStartProfile()

func assayStartProfile() bool {
	cpu, mem := os.Getenv("` + ProfileVariable + `"), os.Getenv("` + MemProfileVariable + `")
	if (cpu == "") == (mem == "") {
		return false
	}
	if cpu != "" && os.Getenv("` + LoadVariable + `") == "1" {
		go assayProfileLoad(cpu)
		return true
	}
	f, err := os.OpenFile(cpu+mem+"."+strconv.Itoa(os.Getpid()), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0666)
	if err != nil {
		return false
	}
	if mem != "" {
		assayAtExit(assayExitHook{func() { runtime.GC(); pprof.Lookup("allocs").WriteTo(f, 0); f.Close() }, true})
		runtime.MemProfileRate = 1
		return true
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return false
	}
	assayAtExit(assayExitHook{func() { pprof.StopCPUProfile(); f.Close() }, true})
	return true
}

func assayProfileLoad(file string) {
	underLoad := func() bool {
		time.Sleep(10 * time.Millisecond)
		_, err := os.Stat(file + "` + loadMark + `")
		return err == nil
	}
	for !underLoad() {
	}
	pid := strconv.Itoa(os.Getpid())
	f, err := os.Create(file + "-" + pid)
	if err != nil {
		return
	}
	defer os.Rename(f.Name(), file+"."+pid)
	defer f.Close()
	if err := pprof.StartCPUProfile(f); err != nil {
		return
	}
	for underLoad() {
	}
	pprof.StopCPUProfile()
}
`

// profilingFile is the name of that file, sorted before any other.
const profilingFile = "0assay_profile.go"

// ProfiledProgram builds a request's program, or finds it in the cache, so that it writes
// a CPU profile of the whole run, 100 samples a second, if ProfileVariable is set, and a
// memory profile if MemProfileVariable is. The program needs no support for profiling and
// may end by os.Exit; its own profiling fails as "already in use". Its functions are
// those of the plain build, so that a build with the profile matches. The errors are
// Binary's, and exit status 4 [no-profile] for a toolchain before go1.23.
func (b *Builder) ProfiledProgram(ctx context.Context, r Request) (Artifact, error) {
	r.Program, r.Layout = true, 0
	j, err := b.job(ctx, r)
	if err != nil {
		return Artifact{}, err
	}
	if !j.tc.AtLeast("go1.23") {
		return Artifact{}, assay.NewError(assay.ExitBuild, assay.CodeNoProfile, fmt.Sprintf("variant %q: programs of %s cannot be made to profile themselves", r.Variant.Name, j.tc.Version),
			[]string{"go1.23 was the first release with the hooks that this takes"}, "pgo = FILE, with a profile collected by the program itself")
	}
	j.profiling = true
	a, _, err := b.binary(ctx, j)
	return a, err
}

// Profiles lists the files that processes of a profiled program wrote when
// ProfileVariable or MemProfileVariable was file. An empty one is from a killed process.
func Profiles(file string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Dir(file))
	if err != nil {
		return nil, fmt.Errorf("list profiles: %w", err)
	}
	var out []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(file)+".") {
			out = append(out, filepath.Join(filepath.Dir(file), e.Name()))
		}
	}
	return out, nil
}

// ProfileLoad runs a load while the processes of a profiled program, started with
// ProfileVariable set to file and LoadVariable to 1, take their profiles. It waits until
// they have begun, and until they have written them. The error says that none began.
func ProfileLoad(ctx context.Context, file string, load func()) error {
	if err := os.WriteFile(file+loadMark, nil, 0o666); err != nil {
		return fmt.Errorf("begin profile: %w", err)
	}
	begun := func() bool { return len(unfinished(file)) > 0 }
	if !within(ctx, profileWait, begun) {
		os.Remove(file + loadMark)
		return fmt.Errorf("no process of the server began a profile within %v", profileWait)
	}
	load()
	if err := os.Remove(file + loadMark); err != nil {
		return fmt.Errorf("end profile: %w", err)
	}
	within(ctx, profileWait, func() bool { return !begun() }) // a process that was killed never ends it
	return nil
}

// profileWait is how long a server may take to begin or to write a profile. On an idle
// machine it takes milliseconds.
const profileWait = 10 * time.Second

// unfinished lists the profiles that processes have begun and not yet written.
func unfinished(file string) []string {
	all, _ := filepath.Glob(file + "-*") // the pattern is valid: assay chose the name
	return slices.DeleteFunc(all, func(name string) bool { return name == file+loadMark })
}

// within waits until a condition holds, and reports whether it came to hold in time.
func within(ctx context.Context, limit time.Duration, holds func() bool) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for !holds() {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(5 * time.Millisecond):
		}
	}
	return true
}

// profilingFlags returns the flags of a job's build with an overlay that adds the file.
// The overlay's files are written to tmp.
func (b *Builder) profilingFlags(j job, p listed, tmp string) ([]string, error) {
	source := filepath.Join(tmp, profilingFile)
	if err := os.WriteFile(source, []byte(profilingSource), 0o666); err != nil {
		return nil, fmt.Errorf("write profiling source: %w", err)
	}
	replace, err := j.overlay()
	if err != nil {
		return nil, err
	}
	dir := p.Dir
	if disk.Within(dir, toolchain.ModCache()) {
		if dir, err = b.besideCache(j, p, replace, tmp); err != nil {
			return nil, err
		}
	}
	replace[filepath.Join(dir, profilingFile)] = source
	file := filepath.Join(tmp, "overlay.json")
	if err := disk.WriteJSON(file, overlayFile{replace}); err != nil {
		return nil, err
	}
	return append(withLinkFlag(j.flags(), "-checklinkname=0"), "-overlay="+file), nil
}

// An overlayFile is what the go command's -overlay names: files by the path that they
// replace, "" for one that is removed.
type overlayFile struct{ Replace map[string]string }

// overlay returns the replacements of the job's own overlay.
func (j job) overlay() (map[string]string, error) {
	var o overlayFile
	if file := lastFlag(j.flags(), "-overlay"); file != "" {
		data, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(data, &o)
		}
		if err != nil {
			return nil, fmt.Errorf("read overlay: %w", err)
		}
	}
	out := map[string]string{}
	for from, to := range o.Replace {
		out[j.inTree(from)] = j.inTree(to)
	}
	return out, nil
}

// inTree makes a path of an overlay absolute; "" is a removed file.
func (j job) inTree(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(j.tree.Dir, path)
}

// besideCache copies a package's module out of the module cache, where the go command
// accepts no overlay, and lets the overlay replace the module by the copy. It returns the
// package's folder in the copy.
func (b *Builder) besideCache(j job, p listed, replace map[string]string, tmp string) (string, error) {
	m := p.Module
	if m == nil || !disk.Within(p.Dir, m.Dir) { // a program of a toolchain that the go command fetched
		return "", assay.NewError(assay.ExitBuild, assay.CodeNoProfile, fmt.Sprintf("variant %q: %s of a fetched toolchain cannot be made to profile itself", j.Variant.Name, p.ImportPath),
			nil, "pgo = FILE, with a profile collected by the program itself")
	}
	from := m
	if m.Replace != nil {
		from = m.Replace
	}
	path, err := module.EscapePath(from.Path)
	if err != nil {
		return "", fmt.Errorf("name module %q: %w", from.Path, err)
	}
	// Not the copy that variants by module version build in: those may be
	// written to by the go command.
	root := filepath.Join(b.Cache.Dir, "src", "dep", filepath.FromSlash(path+"@"+from.Version))
	fill := func(made string) error {
		return source.CopyModule(made, source.Module{Path: from.Path, Version: from.Version, Dir: m.Dir, GoMod: m.GoMod})
	}
	if _, err := b.Cache.Ready(cache.Sealed(root, "module "+from.Path+"@"+from.Version, fill, "", "")); err != nil {
		return "", err
	}
	chooser := j.chooser()
	data, err := withReplace(chooser, replace[chooser], m.Path, root)
	if err != nil {
		return "", err
	}
	replace[chooser] = filepath.Join(tmp, filepath.Base(chooser))
	if err := os.WriteFile(replace[chooser], data, 0o666); err != nil {
		return "", fmt.Errorf("write %s: %w", filepath.Base(chooser), err)
	}
	return filepath.Join(root, strings.TrimPrefix(p.Dir, m.Dir)), nil
}

// chooser returns the file whose replace lines apply to a job: go.work, that of -modfile,
// or go.mod.
func (j job) chooser() string {
	if j.tree.Work != "off" {
		return j.tree.Work
	}
	return cmp.Or(lastFlag(j.flags(), "-modfile"), disk.FindUp(j.tree.Dir, "go.mod"))
}

// withReplace returns the text of a go.mod or go.work with one more replace line. It
// reads instead, if not "".
func withReplace(file, instead, path, dir string) ([]byte, error) {
	data, err := os.ReadFile(cmp.Or(instead, file))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", filepath.Base(file), err)
	}
	if filepath.Ext(file) == ".work" {
		w, err := modfile.ParseWork(file, data, nil)
		if err != nil {
			return nil, fmt.Errorf("read go.work: %w", err)
		}
		err = w.AddReplace(path, "", dir, "")
		return modfile.Format(w.Syntax), err
	}
	f, err := modfile.Parse(file, data, nil)
	if err != nil {
		return nil, fmt.Errorf("read go.mod: %w", err)
	}
	if err := f.AddReplace(path, "", dir, ""); err != nil {
		return nil, fmt.Errorf("replace %s: %w", path, err)
	}
	return f.Format()
}
