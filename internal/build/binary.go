package build

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/source"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// Binary builds a request's test binary or program with the linker's own layout, or finds
// it in the cache. Request.Layout must be 0; see Relink. A failed build is an
// *assay.Error with exit status 4 [build-failed] that quotes the first lines and names
// the log. A package without tests [no-tests] or that is not a program [not-a-program] is
// one too. An unreadable profile has exit status 2 [no-profile], and nothing is built.
func (b *Builder) Binary(ctx context.Context, r Request) (Artifact, error) {
	if r.Layout != 0 {
		return Artifact{}, fmt.Errorf("build %s: layout %d: only Relink makes layouts", r.Package, r.Layout)
	}
	j, err := b.job(ctx, r)
	if err != nil {
		return Artifact{}, err
	}
	a, _, err := b.binary(ctx, j)
	return a, err
}

// binary returns a job's artifact and its ID.
func (b *Builder) binary(ctx context.Context, j job) (Artifact, string, error) {
	if err := b.checkProfiles(j); err != nil {
		return Artifact{}, "", err
	}
	if j.Program {
		if _, err := b.mainPackage(ctx, j); err != nil {
			return Artifact{}, "", err
		}
	}
	id, err := b.keys.id(ctx, j)
	if err != nil {
		return Artifact{}, "", err
	}
	hit := true
	a, err := b.artifacts.Do(id, func() (Artifact, error) {
		hit = false
		if a, ok := b.stored(id); ok {
			return a, nil
		}
		return b.build(ctx, j, id)
	})
	if err != nil {
		return a, id, err
	}
	if hit {
		a.Cached, a.Link = true, 0
	}
	a.Suite, a.Tracked = j.tree.Suite, j.tracked(a)
	if a.Root, err = b.rootOf(ctx, j, a); err != nil {
		return a, id, err
	}
	_, p, err := b.lists.graph(ctx, j)
	a.Unused, a.UnusedName = j.unusedProfile(p)
	return a, id, err
}

// tracked returns Artifact.Tracked.
func (j job) tracked(a Artifact) string {
	switch {
	case a.Program || a.Standard || disk.Within(a.Dir, toolchain.ModCache()):
		return ""
	case j.tree.Root == "" || !disk.Within(a.Dir, j.tree.Root):
		return a.Dir
	case j.Variant.Rev+j.Variant.Module != "":
		return ""
	}
	rel, err := filepath.Rel(j.tree.Dir, a.Dir) // it is in a copy of the working tree
	if err != nil {
		return ""
	}
	return filepath.Join(source.Dir(j.Study, j.Source), rel)
}

// rootOf returns the root of the tree that contains an artifact's package.
func (b *Builder) rootOf(ctx context.Context, j job, a Artifact) (string, error) {
	switch {
	case a.Program:
		return "", nil
	case a.Standard:
		return filepath.Join(j.tc.GOROOT, "src"), nil
	case j.tree.Root != "" && disk.Within(a.Dir, j.tree.Root):
		return j.tree.Root, nil
	}
	_, p, err := b.lists.graph(ctx, j)
	if err != nil {
		return "", err
	}
	if p.Module != nil && disk.Within(a.Dir, p.Module.Dir) && (p.Module.Version != "" || j.Source.Suite != "") {
		return p.Module.Dir, nil // of a dependency, or of the suite
	}
	return b.roots.Do(a.Dir, func() (string, error) { return source.WorkingRoot(ctx, a.Dir, j.tree) })
}

// artifactFolder returns the folder of an artifact.
func artifactFolder(c *cache.Cache, id string) string {
	return filepath.Join(c.Dir, "artifact", id)
}

// stored reads an artifact from the cache. If its binary is missing, because someone
// freed space, or has changed, the artifact is built again.
func (b *Builder) stored(id string) (Artifact, bool) {
	var a Artifact
	dir := artifactFolder(b.Cache, id)
	if !disk.ReadJSON(filepath.Join(dir, "artifact.json"), &a) {
		return a, false
	}
	a.Path, a.Log, a.Cached = filepath.Join(dir, fileName(a.Program, a.Package)), filepath.Join(dir, "build.log"), true
	digest, err := disk.Digest(a.Path)
	if err == nil && digest == a.SHA256 && a.ID == id {
		b.Cache.Touch(dir)
		return a, true
	}
	if st, err := os.Stat(a.Path); err == nil && st.Size() > 0 {
		b.Cache.Alert(changedBinary("binary of "+a.Package, fmt.Sprintf("its SHA-256 is %.12s, and that of what was built %.12s", digest, a.SHA256)))
	}
	os.RemoveAll(dir)
	return a, false
}

func changedBinary(what, how string) assay.Warning {
	return assay.Warning{Code: assay.CodeCacheChanged, Text: "the cached " + what + " had been changed; it was built again",
		Facts: []string{how, "earlier measurements with it may be wrong"}}
}

// build makes an artifact in a temporary folder and moves it into the cache.
func (b *Builder) build(ctx context.Context, j job, id string) (Artifact, error) {
	tmp, err := b.Cache.TempDir("bin-")
	if err != nil {
		return Artifact{}, err
	}
	defer os.RemoveAll(tmp)
	made := filepath.Join(tmp, "artifact")
	if err := os.Mkdir(made, 0o777); err != nil {
		return Artifact{}, fmt.Errorf("make artifact folder: %w", err)
	}
	_, p, err := b.lists.graph(ctx, j)
	if err != nil {
		return Artifact{}, err
	}
	start := time.Now()
	flags := j.flags()
	if j.profiling {
		if flags, err = b.profilingFlags(j, p, tmp); err != nil {
			return Artifact{}, err
		}
	}
	out := filepath.Join(made, fileName(j.Program, p.ImportPath))
	log := filepath.Join(made, "build.log")
	if err := b.inTurn(j, func() error { return b.commands.build(ctx, j, flags, nil, out, log) }); err != nil {
		return Artifact{}, err
	}
	link := time.Since(start)
	if err := b.keys.unchanged(ctx, j, id); err != nil {
		return Artifact{}, err
	}
	a, err := describe(j, p, id, out, log)
	if err != nil {
		return Artifact{}, err
	}
	if err := disk.WriteJSON(filepath.Join(made, "artifact.json"), a); err != nil {
		return Artifact{}, err
	}
	if err := cache.Put(made, artifactFolder(b.Cache, id)); err != nil {
		return Artifact{}, err
	}
	a, ok := b.stored(id)
	if !ok {
		return Artifact{}, fmt.Errorf("read artifact %s: it vanished from the cache", id)
	}
	a.Cached, a.Link = false, link
	return a, nil
}

// inTurn lets the first of the builds that compile the same standard library finish
// before the others start: concurrent go commands do not share what they compile, so each
// would compile all of it.
func (b *Builder) inTurn(j job, build func() error) error {
	first := false
	_, err := b.firsts.Do(j.sharedPart(), func() (struct{}, error) {
		first = true
		return struct{}{}, build()
	})
	if first {
		return err
	}
	return build()
}

// describe reads the facts about a new binary.
func describe(j job, p listed, id, out, log string) (Artifact, error) {
	info, err := buildinfo.ReadFile(out)
	if err != nil {
		return Artifact{}, fmt.Errorf("read build information of %s: %w", j.Package, err)
	}
	a := Artifact{ID: id, Dir: p.Dir, Standard: p.Standard, Package: p.ImportPath, Program: j.Program, GoVersion: info.GoVersion, Commit: j.tree.Commit}
	for _, s := range info.Settings {
		if s.Key == "DefaultGODEBUG" {
			a.DefaultGODEBUG = s.Value
		}
	}
	chatter, err := os.ReadFile(log)
	if err != nil {
		return Artifact{}, fmt.Errorf("read build log: %w", err)
	}
	a.LogLines = bytes.Count(chatter, []byte("\n"))
	a.SHA256, err = disk.Digest(out)
	return a, err
}
