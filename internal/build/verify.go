package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A source is a folder of Cache/src: where it is, how it is made, and what it is
// held to before a build uses it. A benchmark may have written to it.
type source struct {
	dir string
	// what it is, for people: "revision 3f2c9aa".
	what string
	// fill makes it in a folder that is then renamed to dir.
	fill func(made string) error
	// check lists the files that are not as they were made. errNoSeal says that it
	// cannot be checked.
	check func() (changed []string, err error)
}

// ready makes a source, or takes the one that is there if it is as it was made;
// one that is not is thrown away and made again. It is checked once in the life of
// a Builder.
func (b *Builder) ready(s source) (string, error) {
	_, err := b.sources.Do(s.dir, func() (struct{}, error) {
		if disk.IsDir(s.dir) {
			changed, err := s.check()
			if err == nil && len(changed) == 0 {
				b.use(s.dir)
				return struct{}{}, nil
			}
			if err := b.throwAway(s.dir); err != nil {
				return struct{}{}, fmt.Errorf("throw away a changed source: %w", err)
			}
			if !errors.Is(err, errNoSeal) {
				b.warn(changedSource(s.what, changed, err))
			}
		}
		if err := os.MkdirAll(filepath.Dir(s.dir), 0o777); err != nil {
			return struct{}{}, fmt.Errorf("make cache folder: %w", err)
		}
		_, err := b.placeAt(s.dir, s.fill)
		return struct{}{}, err
	})
	return s.dir, err
}

func changedSource(what string, changed []string, err error) assay.Warning {
	w := assay.Warning{Code: "cache-changed", Text: "the cached source of " + what + " had been changed; it was made again",
		Facts: []string{"what was measured with it before may be wrong: a benchmark that wrote into its folder is the usual cause"}}
	if err != nil {
		w.Facts = append(w.Facts, "it could not be checked: "+printable.LastLine(err.Error()))
	}
	if len(changed) > 0 {
		w.Facts = append(w.Facts, "changed: "+few(changed))
	}
	return w
}

// few names the first files of a list.
func few(names []string) string {
	const n = 3
	if more := len(names) - n; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:n], ", "), more)
	}
	return strings.Join(names, ", ")
}

// warn tells of something that the caller should know and that is no error.
func (b *Builder) warn(w assay.Warning) {
	if b.Warn != nil {
		b.Warn(w)
	}
}

// throwAway takes a folder out of the cache, in one step as far as anyone can tell.
func (b *Builder) throwAway(dir string) error {
	tmp, err := b.TempDir("gone-")
	if err != nil {
		return err
	}
	defer disk.RemoveAll(tmp)
	return os.Rename(dir, filepath.Join(tmp, "gone"))
}

// A sealedSource is a source that is held to its seal, and where h1 is not "" to
// the hash of a module, of which the files in leave are no part.
func sealedSource(dir, what string, fill func(made string) error, at, h1 string, leave ...string) source {
	hashed := func(s seal) error {
		if got := s.h1(at, leave...); h1 != "" && got != h1 {
			return fmt.Errorf("its hash is %s, and that of the module %s", got, h1)
		}
		return nil
	}
	return source{dir: dir, what: what,
		fill: func(made string) error {
			if err := fill(made); err != nil {
				return err
			}
			s, err := sealOf(made, seal{})
			if err != nil {
				return fmt.Errorf("seal %s: %w", what, err)
			}
			if err := hashed(s); err != nil {
				return assay.NewError(assay.ExitUsage, "no-module", what+" in the module cache is not as it was published", []string{err.Error()}, "go clean -modcache")
			}
			return s.write(dir)
		},
		check: func() ([]string, error) {
			was, err := readSeal(dir)
			if err != nil {
				return nil, err
			}
			now, err := sealOf(dir, was)
			if err != nil {
				return nil, err
			}
			if changed := now.changes(was); len(changed) > 0 {
				return changed, nil
			}
			if err := hashed(now); err != nil {
				return nil, err
			}
			return nil, now.write(dir) // as from here it is known without reading it
		}}
}

// gitChanges lists the files of a part of a checked-out tree that are not those of
// its commit, and those that are not in it. Git compares, with an index beside the
// tree that knows what it has seen: so filters and line ends apply, and files that
// nobody has written to since are not read. Without the index it reads all.
func gitChanges(ctx context.Context, p part, tree string) ([]string, error) {
	env, dir := p.env(tree), filepath.Join(tree, filepath.FromSlash(p.path))
	if !disk.IsDir(dir) {
		return []string{p.path}, nil
	}
	if !disk.IsFile(p.index(tree)) {
		if _, err := git(ctx, dir, env, append(undisturbed, "read-tree", p.commit)...); err != nil {
			return nil, err
		}
		// It exits with 1 where files differ, which is for diff to tell.
		_, _ = git(ctx, dir, env, append(undisturbed, "update-index", "-q", "--refresh")...)
	}
	var changed, others zeroFields
	err := gitTo(ctx, dir, env, &changed, append(undisturbed, "diff", "--name-only", "-z", "--no-ext-diff", "--no-textconv", "--no-renames",
		"--ignore-submodules=all", p.commit, "--")...)
	if err == nil {
		err = gitTo(ctx, dir, env, &others, append(undisturbed, "ls-files", "--others", "-z")...)
	}
	for _, name := range others.all {
		if path.Base(name) != "go.work.sum" { // the go command writes that one
			changed.all = append(changed.all, name)
		}
	}
	for i, name := range changed.all {
		changed.all[i] = path.Join(p.path, name)
	}
	return changed.all, err
}
