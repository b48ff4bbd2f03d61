// Package overlay lays files over a copy of a variant's source: those of a folder, the
// benchmarks of another tree, or a suite from another version of the module.
package overlay

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/memo"
	"github.com/seed-1318a441/assay/internal/source"
)

// A Request says what is laid over which source.
type Request struct {
	// Study is the study's folder, absolute.
	Study   string
	Source  assay.Source
	Variant assay.Variant
	// Bench is the -bench pattern that selects benchmarks of another tree.
	Bench string
}

// A Placer lays overlays over sources, and remembers both for its lifetime. Its methods
// may be called in parallel.
type Placer struct {
	cache   *cache.Cache
	sources *source.Finder
	layers  memo.Map[layer]
	trees   memo.Map[source.Tree]
}

// NewPlacer returns a Placer over a cache, with sources from a Finder.
func NewPlacer(c *cache.Cache, sources *source.Finder) *Placer {
	return &Placer{cache: c, sources: sources}
}

// Tree returns the source of a request's variant with everything that its study lays over
// it. Errors are of type *assay.Error with the code [overlay], [overlay-collides] or
// [suite], or those of source.Finder.Find.
func (p *Placer) Tree(ctx context.Context, r Request) (source.Tree, error) {
	if from, ok := r.Source.SuiteTree(); ok {
		return p.suite(ctx, r, from)
	}
	t, err := p.sources.Find(ctx, source.Dir(r.Study, r.Source), r.Variant)
	if err != nil || r.Source.Overlay == "" && r.Source.BenchmarksFrom == "" {
		return t, err
	}
	l, err := p.layer(ctx, r)
	if err != nil {
		return source.Tree{}, err
	}
	return p.over(ctx, r, t, l)
}

// A layer is the content of an overlay.
type layer struct {
	dir string
	// files are relative, with slashes, sorted.
	files []string
	// hash is that of the names, modes and contents.
	hash string
	// hide are patterns of source files to remove.
	hide []string
	// made has the content of files that differ from those in dir.
	made map[string][]byte
	// modules are the folders that become separate modules.
	modules []string
}

// layer reads the overlay of a request, once.
func (p *Placer) layer(ctx context.Context, r Request) (layer, error) {
	if r.Source.BenchmarksFrom != "" {
		return p.benchmarks(ctx, r)
	}
	dir := disk.In(r.Study, r.Source.Overlay)
	l, err := p.layers.Do(dir, func() (layer, error) { return readLayer(dir) })
	l.hide = r.Source.Hide
	return l, err
}

func readLayer(dir string) (layer, error) {
	l := layer{dir: dir}
	bad := func(why string) error {
		return assay.UsageError(assay.CodeOverlay, fmt.Sprintf("overlay %s %s", disk.Tilde(dir), why), "")
	}
	if !disk.IsDir(dir) {
		return l, bad("is no folder")
	}
	h := sha256.New()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
			return err
		case !d.Type().IsRegular():
			// A link would show other content on another machine, unseen by the hash.
			rel, _ := filepath.Rel(dir, name)
			return bad(fmt.Sprintf("holds %q, which is a link or no plain file; overlays are plain files", filepath.ToSlash(rel)))
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		l.files = append(l.files, filepath.ToSlash(rel))
		return hashInto(h, filepath.ToSlash(rel), name)
	})
	switch {
	case errors.As(err, new(*assay.Error)):
		return l, err
	case err != nil:
		return l, fmt.Errorf("read overlay: %w", err)
	case len(l.files) == 0:
		return l, bad("holds no files")
	}
	slices.Sort(l.files)
	l.hash = cache.Key(h)
	return l, nil
}

// hashInto hashes a file's name as rel, whether it is executable, and its content.
func hashInto(h io.Writer, rel, name string) error {
	st, err := os.Stat(name)
	if err != nil {
		return err
	}
	digest, err := disk.Digest(name)
	fmt.Fprintf(h, "file %q %t %s\n", rel, st.Mode()&0o111 != 0, digest)
	return err
}

// over returns a copy of a variant's tree with the overlay laid over it. "go build
// -overlay" would affect only files that the go command compiles, not those that a test
// opens, and is refused in the module cache.
func (p *Placer) over(ctx context.Context, r Request, bare source.Tree, l layer) (source.Tree, error) {
	key := strings.Join(append([]string{"overlay", bare.Dir, bare.Fixed, l.dir, l.hash}, l.hide...), "\x00")
	return p.trees.Do(key, func() (source.Tree, error) {
		from, err := source.FilesOf(ctx, bare)
		if err != nil {
			return source.Tree{}, err
		}
		id, root, err := p.layOver(r, from, l)
		if err != nil {
			return source.Tree{}, err
		}
		t := bare
		t.Root, t.Fixed, t.Overlay = root, "overlay:"+id, l.files
		t.Dir = filepath.Join(root, from.Rel)
		t.Work = source.FindWork(t.Dir, root)
		if bare.Work == "off" {
			t.Work = "off"
		}
		return t, nil
	})
}

// layOver makes the copy and returns its name and place. All copies have names of one
// length, since the paths of source files are part of a binary.
func (p *Placer) layOver(r Request, from source.Files, l layer) (id, root string, err error) {
	h := sha256.New()
	fmt.Fprintf(h, "overlay 1 %q %q %q %q\n", from.Fixed, filepath.ToSlash(from.Rel), l.hash, l.hide)
	name := func() string { return cache.Key(h) }
	make := func(made string) error {
		var content io.Writer = io.Discard
		if from.Fixed == "" {
			content = h
		}
		if err := source.CopyFiles(made, from.Root, from.Names, content); err != nil {
			return fmt.Errorf("copy source of variant %q: %w", r.Variant.Name, err)
		}
		return lay(r, made, from.Rel, l)
	}
	what := fmt.Sprintf("variant %q with its overlay", r.Variant.Name)
	place := func(fill func(string) error) (string, string, error) {
		root, err := p.cache.Ready(cache.Sealed(filepath.Join(p.cache.Dir, "src", "overlay-"+name()), what, fill, "", ""))
		return name(), root, err
	}
	if from.Fixed != "" { // known before it is made
		return place(make)
	}
	tmp, err := p.cache.TempDir("src-")
	if err != nil {
		return "", "", err
	}
	defer os.RemoveAll(tmp)
	made := filepath.Join(tmp, "tree")
	if err := os.Mkdir(made, 0o777); err != nil {
		return "", "", fmt.Errorf("make source folder: %w", err)
	}
	if err := make(made); err != nil {
		return "", "", err
	}
	return place(func(empty string) error {
		if err := os.Remove(empty); err != nil {
			return err
		}
		return os.Rename(made, empty)
	})
}

// lay removes hidden files below rel of the copy and adds the overlay's files. It uses an
// os.Root: links in a revision must not lead out of the copy.
func lay(r Request, made, rel string, l layer) error {
	top, err := os.OpenRoot(made)
	if err != nil {
		return fmt.Errorf("open copy of source: %w", err)
	}
	defer top.Close()
	root, err := top.OpenRoot(rel)
	if err != nil {
		return fmt.Errorf("open copy of source: %w", err)
	}
	defer root.Close()
	if err := hide(root, l.hide); err != nil {
		return err
	}
	for _, f := range l.files {
		if why, hidden := inTheWay(root, f); why != "" {
			return assay.NewError(assay.ExitBuild, assay.CodeOverlayCollides, fmt.Sprintf("variant %q: %s", r.Variant.Name, why), nil, fmt.Sprintf("[source] hide = [%q]", hidden))
		}
		if err := root.Remove(filepath.FromSlash(f)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("copy overlay: %w", err)
		}
		if err := l.put(root, f); err != nil {
			return fmt.Errorf("copy overlay: %w", err)
		}
	}
	return nil
}

// put writes one of the layer's files.
func (l layer) put(root *os.Root, name string) error {
	content, ok := l.made[name]
	if !ok {
		return source.CopyFile(root, name, filepath.Join(l.dir, filepath.FromSlash(name)), io.Discard)
	}
	if err := root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o777); err != nil {
		return err
	}
	return root.WriteFile(filepath.FromSlash(name), content, 0o666)
}

// hide removes the files and folders that match one of the patterns.
func hide(root *os.Root, patterns []string) error {
	if len(patterns) == 0 {
		return nil
	}
	var gone []string
	err := fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		for _, p := range patterns {
			switch ok, err := path.Match(p, name); {
			case err != nil:
				return assay.NewError(assay.ExitUsage, assay.CodeOverlay, fmt.Sprintf("[source] hide: %q is no pattern", p), []string{err.Error()}, "")
			case ok && name != ".":
				gone = append(gone, name)
				if d.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
		}
		return nil
	})
	for _, name := range gone {
		if err == nil {
			err = root.RemoveAll(filepath.FromSlash(name))
		}
	}
	return err
}

// inTheWay says what keeps a file of an overlay from its place, and what has to be hidden
// for it: a folder of its name, or a file where it needs a folder.
func inTheWay(root *os.Root, file string) (why, hidden string) {
	if st, err := root.Lstat(filepath.FromSlash(file)); err == nil && st.IsDir() {
		return fmt.Sprintf("%q is a file of the overlay and a folder of the source", file), file
	}
	for i, c := range file {
		if c != '/' {
			continue
		}
		if st, err := root.Lstat(filepath.FromSlash(file[:i])); err == nil && !st.IsDir() {
			return fmt.Sprintf("%q is a folder of the overlay and a file of the source", file[:i]), file[:i]
		}
	}
	return "", ""
}
