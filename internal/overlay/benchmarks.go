package overlay

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/source"
	"github.com/seed-1318a441/assay/internal/testfile"
)

// benchmarks returns the layer of Source.BenchmarksFrom: from that tree's test files what
// the request's benchmarks need, and the testdata beside them. It hides all other test
// files of those packages, so that every variant has the same ones.
func (p *Placer) benchmarks(ctx context.Context, r Request) (layer, error) {
	word := r.Source.BenchmarksFrom
	var from assay.Variant
	switch {
	case word == ".":
	case strings.Contains(word, "/") && strings.Contains(word, "@"):
		from.Module = word
	default:
		from.Rev = word
	}
	t, err := p.sources.Find(ctx, source.Dir(r.Study, r.Source), from)
	if err != nil {
		return layer{}, err
	}
	l, err := p.layers.Do(t.Dir+"\x00"+r.Bench, func() (layer, error) { return readBenchmarks(ctx, t, r.Bench) })
	if err == nil && len(l.files) == 0 {
		text := fmt.Sprintf("no benchmark of %s matches -bench=%s", assay.InWords(word), r.Bench)
		err = assay.NewError(assay.ExitBuild, assay.CodeOverlay, text, []string{"so there is none to copy over the variants"}, "")
	}
	return l, err
}

// readBenchmarks reads the layer of a tree for a -bench pattern.
func readBenchmarks(ctx context.Context, t source.Tree, pattern string) (layer, error) {
	l := layer{dir: t.Dir, made: map[string][]byte{}}
	c, err := source.FilesOf(ctx, t)
	if err != nil {
		return l, err
	}
	var data []string
	tests := map[string]map[string][]byte{} // by folder and name
	for _, name := range c.Names {
		name, ok := c.InModule(name)
		switch folder := path.Dir(name); {
		case !ok:
		case strings.Contains("/"+name, "/testdata/"):
			data = append(data, name)
		case strings.HasSuffix(name, "_test.go"):
			if tests[folder] == nil {
				tests[folder] = map[string][]byte{}
			}
			if tests[folder][name], err = os.ReadFile(filepath.Join(t.Dir, filepath.FromSlash(name))); err != nil {
				return l, fmt.Errorf("read benchmarks: %w", err)
			}
		}
	}
	for folder, sources := range tests {
		needed := testfile.Prune(sources, testfile.Matcher(pattern))
		if len(needed) == 0 {
			continue
		}
		for name, source := range needed {
			l.files, l.made[name] = append(l.files, name), source
		}
		l.hide = append(l.hide, path.Join(folder, "*_test.go"))
		for _, name := range data {
			if strings.HasPrefix(name, path.Join(folder, "testdata")+"/") {
				l.files = append(l.files, name)
			}
		}
	}
	slices.Sort(l.files)
	slices.Sort(l.hide)
	return l, l.hashFiles()
}

// hashFiles sets the hash of a layer's files.
func (l *layer) hashFiles() error {
	h := sha256.New()
	for _, name := range l.files {
		if source, ok := l.made[name]; ok {
			fmt.Fprintf(h, "made %q %x\n", name, sha256.Sum256(source))
		} else if err := hashInto(h, name, filepath.Join(l.dir, filepath.FromSlash(name))); err != nil {
			return fmt.Errorf("read overlay: %w", err)
		}
	}
	l.hash = cache.Key(h)
	return nil
}
