package build

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
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
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// keyVersion changes when artifacts of an older assay must not be used.
const keyVersion = "assay artifact 3"

// keys computes the IDs of artifacts: hashes of everything that makes them.
type keys struct {
	lists *lister
	ids   memo.Map[string] // by the question of a job
}

// id returns the ID of a job's artifact with the linker's own layout.
func (k *keys) id(ctx context.Context, j job) (string, error) {
	return k.ids.Do(j.question(), func() (string, error) { return k.compute(ctx, j) })
}

// question returns the request as a string, without what does not affect the build.
func (j job) question() string {
	r := j.Request
	r.Layout, r.Linker = 0, ""
	r.Variant.Name, r.Variant.Control, r.Variant.Env, r.Variant.Secrets, r.Variant.Select = "", false, nil, nil, ""
	data, _ := json.Marshal(r) // strings and maps of strings cannot fail
	return fmt.Sprint(string(data), j.profiling)
}

func (k *keys) compute(ctx context.Context, j job) (string, error) {
	g, p, err := k.lists.graph(ctx, j)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	part := func(name string, values ...string) { fmt.Fprintf(h, "%s %q\n", name, values) }
	part(keyVersion, runtime.GOOS, runtime.GOARCH)
	part("go", j.tc.Version, j.tc.GOROOT)
	part("source", j.tree.Fixed, j.tree.Dir)
	part("env", toolchain.Significant(j.env)...)
	part("flags", j.flags()...)
	part("package", p.ImportPath, p.Dir, kind(j))
	if j.profiling {
		part("profiling", profilingSource)
	}
	j.hashInputs(h, g.closure(p))
	for _, f := range j.extraFiles(p) {
		hashFile(h, f)
	}
	return cache.Key(h), nil
}

// unchanged checks that what was built is what was hashed.
func (k *keys) unchanged(ctx context.Context, j job, id string) error {
	now, err := k.compute(ctx, j)
	if err != nil {
		return err
	}
	if now != id {
		return assay.NewError(assay.ExitBuild, assay.CodeSourceChanged, fmt.Sprintf("variant %q: files of %s changed while it was built", j.Variant.Name, j.Package),
			nil, "again, or compare a commit instead of the working tree")
	}
	return nil
}

// hashInputs hashes the content of all packages that nothing else identifies: a release's
// name identifies the standard library, a version the module cache, a commit a
// checked-out tree.
func (j job) hashInputs(h io.Writer, pkgs []listed) {
	cache := toolchain.ModCache()
	var cgo bool
	var mods []string
	for _, p := range pkgs {
		cgo = cgo || len(p.CgoFiles) > 0 && !p.Standard
		if p.Standard && j.tc.Released() || j.tree.Fixed != "" && disk.Within(p.Dir, j.tree.Root) {
			continue
		}
		if disk.Within(p.Dir, cache) {
			fmt.Fprintf(h, "fixed %q\n", p.Dir) // the version is part of the name
			continue
		}
		fmt.Fprintf(h, "package %q\n", p.ImportPath)
		for _, f := range p.files() {
			hashFile(h, filepath.Join(p.Dir, f))
		}
		if p.Module != nil && p.Module.GoMod != "" {
			mods = append(mods, p.Module.GoMod)
		}
	}
	slices.Sort(mods)
	for _, m := range slices.Compact(mods) {
		hashFile(h, m)
		hashFile(h, filepath.Join(filepath.Dir(m), "go.sum"))
	}
	if !j.tc.Released() {
		hashTools(h, j.tc)
	}
	if cgo {
		hashCompiler(h, j.env)
	}
}

// extraFiles returns the files named by flags and the workspace.
func (j job) extraFiles(p listed) []string {
	// The go.mod sets the language version and GODEBUG defaults also where no
	// package of its own module takes part, as in a dependency's program.
	files := []string{disk.FindUp(j.tree.Dir, "go.mod")}
	if j.tree.Work != "off" {
		files = append(files, j.tree.Work, j.tree.Work+".sum")
	}
	for _, f := range j.flags() {
		name, value, _ := strings.Cut(f, "=")
		switch {
		case name == "-pgo" && value == "auto":
			files = append(files, filepath.Join(p.Dir, "default.pgo"))
		case name == "-pgo" && value != "off":
			files = append(files, value)
		case name == "-modfile":
			files = append(files, value, strings.TrimSuffix(value, ".mod")+".sum")
		case name == "-overlay":
			files = append(append(files, value), j.overlaid(value)...)
		}
	}
	return files
}

// overlaid lists the files that an overlay puts in place of others.
func (j job) overlaid(file string) []string {
	var o overlayFile
	disk.ReadJSON(file, &o) // if it cannot be read, the build says so
	var files []string
	for _, to := range o.Replace {
		files = append(files, j.inTree(to))
	}
	slices.Sort(files)
	return files
}

// hashFile hashes a file's name and content. An unreadable file counts as absent: the
// build reports it, or an overlay provides it.
func hashFile(h io.Writer, name string) {
	f, err := os.Open(name)
	if err != nil {
		fmt.Fprintf(h, "absent %q\n", name)
		return
	}
	defer f.Close()
	content := sha256.New()
	n, err := io.Copy(content, f)
	fmt.Fprintf(h, "file %q %d %x %v\n", name, n, content.Sum(nil), err)
}

// hashTools distinguishes builds of a development toolchain by the size and time of its
// programs.
func hashTools(h io.Writer, tc toolchain.Toolchain) {
	tools, _ := filepath.Glob(filepath.Join(tc.GOROOT, "pkg", "tool", "*", "*")) // well-formed pattern
	for _, f := range append(tools, tc.Go()) {
		hashStat(h, f)
	}
}

// hashCompiler does the same for the C compilers.
func hashCompiler(h io.Writer, env []string) {
	for _, c := range []struct{ name, usual string }{{"CC", "cc"}, {"CXX", "c++"}} {
		words := strings.Fields(lookup(env, c.name))
		if len(words) == 0 {
			words = []string{c.usual}
		}
		if path, err := exec.LookPath(words[0]); err == nil {
			if path, err = filepath.EvalSymlinks(path); err == nil {
				hashStat(h, path)
			}
		}
	}
}

func hashStat(h io.Writer, name string) {
	if st, err := os.Stat(name); err == nil {
		fmt.Fprintf(h, "stat %q %d %d\n", name, st.Size(), st.ModTime().UnixNano())
	}
}

func lookup(env []string, name string) string {
	for _, kv := range env {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			return v
		}
	}
	return ""
}
