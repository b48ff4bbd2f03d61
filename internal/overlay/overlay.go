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
	"path/filepath"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/source"
)

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
