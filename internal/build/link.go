package build

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/memo"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// Relink links a request's binary again, with the function order of the seed r.Layout,
// and writes it to the file out. It compiles nothing that Binary has compiled, and keeps
// only how to link.
//
// It runs the linker itself with the command that the go command used once: for a test
// binary the size of strconv's that takes 150 ms, and go test -c, which checks every
// package again, 260 ms. Apart from the build ID, the file is the one that go test -c
// -ldflags=-randlayout=SEED makes. If the go command's build cache has been emptied
// since, or its output is not understood, the go command links.
func (b *Builder) Relink(ctx context.Context, r Request, out string) (Artifact, error) {
	if r.Layout == 0 || r.Layout > math.MaxInt64 {
		return Artifact{}, fmt.Errorf("relink %s: layout %d is not a seed from 1 to 1<<63-1", r.Package, r.Layout)
	}
	j, err := b.job(ctx, r)
	if err != nil {
		return Artifact{}, err
	}
	if r.Align > 0 && !j.tc.HasFuncAlign() {
		return Artifact{}, fmt.Errorf("relink %s: the linker of %s has no -funcalign; go1.25 was the first", r.Package, j.tc.Version)
	}
	if !j.tc.HasRandLayout() {
		return Artifact{}, fmt.Errorf("relink %s: the linker of %s has no -randlayout; go1.23 was the first", r.Package, j.tc.Version)
	}
	a, id, err := b.binary(ctx, j)
	if err != nil {
		return Artifact{}, err
	}
	start := time.Now()
	if err := b.links.link(ctx, j, id, out); err != nil {
		return Artifact{}, err
	}
	a.ID, a.Path, a.Cached, a.Link = fmt.Sprintf("%s-%x", id, r.Layout), out, false, time.Since(start)
	a.SHA256, err = disk.Digest(out)
	return a, err
}

// A linker links cached binaries, by recipes kept beside them.
type linker struct {
	cache    *cache.Cache
	commands *runner
	keys     *keys
	recipes  memo.Map[recipe]  // by the ID of the artifact
	sums     memo.Map[KitFile] // of files that links take
}

// link makes out in the quickest way that works.
func (l *linker) link(ctx context.Context, j job, id, out string) error {
	for range 2 { // the second time with a recipe made afresh
		rec, err := l.recipes.Do(id, func() (recipe, error) { return l.recipe(ctx, j, id) })
		if err != nil {
			return err
		}
		if rec.Kit.Tool == "" {
			break
		}
		if err = l.run(ctx, j, id, rec, out); err == nil || ctx.Err() != nil {
			return err
		}
		l.forget(id)
	}
	return l.slowly(ctx, j, id, out)
}

// forget drops a recipe that does not work.
func (l *linker) forget(id string) {
	l.recipes.Forget(id)
	os.RemoveAll(l.folder(id))
}

// slowly has the go command link.
func (l *linker) slowly(ctx context.Context, j job, id, out string) error {
	tmp, err := l.cache.TempDir("link-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	flags := withLayout(j.flags(), j.Layout)
	if j.Align > 0 {
		flags = withLinkFlag(flags, alignFlag(j.Align))
	}
	if err := l.commands.build(ctx, j, flags, nil, out, filepath.Join(tmp, "build.log")); err != nil {
		return err
	}
	return l.keys.unchanged(ctx, j, id)
}

// A recipe is a kit and where its files are on this computer. Without Kit.Tool there is
// none.
type recipe struct {
	Kit Kit
	// Paths are the places of the kit's files by sum, but for that of the main package's
	// archive, which lies beside the recipe.
	Paths map[string]string
	Main  string // its sum
}

// folder is where the recipe of an artifact is kept, with what no other place keeps.
func (l *linker) folder(id string) string { return filepath.Join(artifactFolder(l.cache, id), "kit") }

// The files of such a folder: the recipe; a copy of the main package's archive, which the
// go command compiles anew whenever -ldflags change, so that it may have been in no cache;
// and the digests of both, as sha256sum has them.
const (
	recipeName = "kit.json"
	mainName   = "main.a"
	sumsName   = "SHA256SUMS"
)

func (l *linker) mainFile(id string) string { return filepath.Join(l.folder(id), mainName) }

// blob returns where the file of a sum is, "" if the recipe has none.
func (l *linker) blob(id string, rec recipe) func(sum string) string {
	return func(sum string) string {
		if sum == rec.Main {
			return l.mainFile(id)
		}
		return rec.Paths[sum]
	}
}

// recipe reads an artifact's recipe from the cache or makes it.
func (l *linker) recipe(ctx context.Context, j job, id string) (recipe, error) {
	dir := l.folder(id)
	sums, err := os.ReadFile(filepath.Join(dir, sumsName))
	var rec recipe
	if err == nil && bytes.Equal(sums, linkSums(dir)) && disk.ReadJSON(filepath.Join(dir, recipeName), &rec) && rec.Kit.Tool != "" {
		return rec, nil
	}
	if err == nil {
		l.cache.Alert(changedBinary("link of "+j.Package+" for "+j.Variant.Name, "its SHA-256 is another"))
	}
	if err := os.RemoveAll(dir); err != nil {
		return recipe{}, fmt.Errorf("throw away a changed link: %w", err)
	}
	return l.capture(ctx, j, id)
}

// linkSums are the digests of what is in a link folder.
func linkSums(dir string) []byte {
	var out []byte
	for _, name := range []string{recipeName, mainName} {
		digest, err := disk.Digest(filepath.Join(dir, name))
		if err != nil {
			return nil
		}
		out = fmt.Appendf(out, "%s  %s\n", digest, name)
	}
	return out
}

// store keeps a recipe and its archive with an artifact. The folder appears whole, since
// two processes may capture at the same time.
func (l *linker) store(id string, rec recipe, archive []byte) error {
	tmp, err := l.cache.TempDir("link-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	made := filepath.Join(tmp, "link")
	err = os.Mkdir(made, 0o777)
	if err == nil {
		err = os.WriteFile(filepath.Join(made, mainName), archive, 0o666)
	}
	if err == nil {
		err = disk.WriteJSON(filepath.Join(made, recipeName), rec)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(made, sumsName), linkSums(made), 0o666)
	}
	if err != nil {
		return fmt.Errorf("keep how to link: %w", err)
	}
	return cache.Put(made, l.folder(id))
}

// capture links once through the go command with -x -work and stores how it did so.
func (l *linker) capture(ctx context.Context, j job, id string) (recipe, error) {
	tmp, err := l.cache.TempDir("link-")
	if err != nil {
		return recipe{}, err
	}
	defer os.RemoveAll(tmp)
	log := filepath.Join(tmp, "x.log")
	flags := append([]string{"-x", "-work"}, withLayout(j.flags(), captureSeed)...)
	out := filepath.Join(tmp, "captured"+toolchain.Exe())
	if err := l.commands.build(ctx, j, flags, []string{"GOTMPDIR=" + tmp}, out, log); err != nil {
		return recipe{}, err
	}
	if err := l.keys.unchanged(ctx, j, id); err != nil {
		return recipe{}, err
	}
	data, err := os.ReadFile(log)
	if err != nil {
		return recipe{}, fmt.Errorf("read how to link %s: %w", j.Package, err)
	}
	cmd := parseCommand(string(data))
	if cmd.tool == "" {
		return recipe{}, nil // Relink goes the slow way
	}
	rec, err := l.pack(ctx, j, cmd)
	if err != nil || rec.Kit.Tool == "" {
		return recipe{}, context.Cause(ctx)
	}
	archive, err := os.ReadFile(cmd.main)
	if err != nil {
		return recipe{}, fmt.Errorf("keep how to link %s: %w", j.Package, err)
	}
	return rec, l.store(id, rec, archive)
}

// run links by a recipe.
func (l *linker) run(ctx context.Context, j job, id string, rec recipe, out string) error {
	if err := l.commands.acquire(ctx); err != nil {
		return err
	}
	defer l.commands.release()
	return rec.Kit.Link(ctx, KitPlace{Blob: l.blob(id, rec), Dir: j.tree.Dir, Env: j.env}, j.Layout, j.Align, out)
}
