package build

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/source"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// ProfileVariable is the environment variable that tells a program made by
// ProfiledProgram where its CPU profiles go. A process writes the file named by
// it, a dot and its process ID: a command may start the program more than once.
const ProfileVariable = "ASSAY_CPUPROFILE"

// MemProfileVariable tells it likewise where its memory profiles go, of sample type
// allocs, each allocation counted. Only what the packages that it imports allocate in
// their inits has been sampled before, at the run time's own rate of one in 512 KiB, so
// nearly all of it is missing. A program that sets runtime.MemProfileRate itself has its
// way. With both variables set there is no profile: each would measure the other's work.
const MemProfileVariable = "ASSAY_MEMPROFILE"

// profilingSource is the file that makes a program profile itself. It is put
// into the main package, beside its own files, none of which is changed: the
// compiler matches profiles by function name and by line within the function.
//
// The end of the run is caught by the hooks that package runtime keeps for
// "go build -cover": they run when main returns and in os.Exit, whoever calls
// it. Nothing outside the standard library may name them, hence the linkname,
// which the linker takes with -checklinkname=0. go1.24 to go1.27 have them under
// one name. The road not taken, profiles in parts of growing length, loses the
// last part of every run, and all of a short one. What is lost here is the
// profile of a process that ends by a signal, a panic or C's exit.
//
// The profile starts before all else in the package, since the file comes first by name;
// only the packages that it imports have run their inits by then. The language is that of
// go1.13: the go.mod of the program decides what the file may use. A memory profile shows
// what was allocated before the last collection, so there is one at the end.
const profilingSource = `package main

import (
	"os"
	"runtime"
	"runtime/pprof"
	"strconv"
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
`

// profilingFile is the name of that file, sorted before any other.
const profilingFile = "0assay_profile.go"

// ProfiledProgram builds, or finds in the cache, a request's program so that it collects
// a CPU profile of the whole run, 100 samples a second, when ProfileVariable is set, and
// a memory profile when MemProfileVariable is. The program need know nothing of profiling
// and may end by os.Exit; if it profiles itself, that fails as "already in use". The
// functions are those of the plain build, so that a build with the profile matches. A
// Variant.PGO is built with, as in Binary; the errors are Binary's, and one with exit
// status 4 [no-profile] for a toolchain before go1.23.
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
// ProfileVariable or MemProfileVariable was file. An empty one is that of a process that
// was killed.
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

// profilingFlags are the flags of a job's build with the file added through an
// overlay. What the overlay needs is written to tmp.
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

// overlay returns the replacements of the overlay that the job has already.
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

// inTree makes a path of an overlay absolute, "" being one that is removed.
func (j job) inTree(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(j.tree.Dir, path)
}

// besideCache copies the module of a package in the module cache, beneath which
// the go command takes no overlay, and has the overlay say that the copy stands
// for it. It returns the package's folder in the copy.
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

// chooser is the file whose replace lines are in effect for a job: go.work,
// that of -modfile, or go.mod.
func (j job) chooser() string {
	if j.tree.Work != "off" {
		return j.tree.Work
	}
	return cmp.Or(lastFlag(j.flags(), "-modfile"), disk.FindUp(j.tree.Dir, "go.mod"))
}

// withReplace returns the text of a go.mod or go.work, read from instead if
// that is not "", with a replace line more.
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
