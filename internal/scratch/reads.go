package scratch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/memo"
	"github.com/seed-1318a441/assay/internal/source"
)

// A Reader hashes the files that benchmarks may read. It remembers hashes: packages share
// the testdata above them. The zero value is ready, also for parallel use.
type Reader struct {
	hashes memo.Map[string] // by path
}

// Reads returns the files that the benchmarks of a package may read when they run, by
// their names relative to its folder dir (absolute), with a hash of each:
//
//   - below testdata, its own and those of the folders above it up to root;
//   - below the package's folder what is no source, no document about the project, and
//     of no other package or module.
//
// Of a working tree the second are only what git tracks in the folder tracked, since
// results and profiles lie there too; tracked is "" for a tree that nobody works in.
// Contents count as they are on disk. What cannot be listed is omitted. The error is the
// cause of ctx's end.
func (r *Reader) Reads(ctx context.Context, root, dir, tracked string) (map[string]string, error) {
	var names []string
	if tracked == "" {
		names, _ = source.FilesBelow(dir)
	} else {
		names = source.Tracked(ctx, tracked)
	}
	names = besideCode(names)
	for up, at := "", dir; ; up, at = path.Join(up, ".."), filepath.Dir(at) {
		below, _ := source.FilesBelow(filepath.Join(at, testdata) + string(filepath.Separator)) // which follows a link
		for _, name := range below {
			names = append(names, path.Join(up, testdata, name))
		}
		if at == root || !disk.Within(at, root) {
			break
		}
	}
	out := map[string]string{}
	for _, name := range names {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if out[name] == "" {
			if hash := r.hash(filepath.Join(dir, filepath.FromSlash(name))); hash != "" {
				out[name] = hash
			}
		}
	}
	return out, nil
}

const testdata = "testdata"

// besideCode returns the names of files, relative to a package's folder, that its
// benchmarks may read.
func besideCode(names []string) []string {
	others := map[string]bool{} // folders of other packages and modules
	for _, name := range names {
		if path.Ext(name) == ".go" || path.Base(name) == "go.mod" {
			others[path.Dir(name)] = true
		}
	}
	delete(others, ".")
	return slices.DeleteFunc(names, func(name string) bool { return !mayRead(name, others) })
}

func mayRead(name string, others map[string]bool) bool {
	for i, c := range name {
		if c != '/' {
			continue
		}
		switch folder := path.Base(name[:i]); {
		case folder == testdata:
			return true
		case others[name[:i]], folder == "vendor", folder == "node_modules", folder == "doc", folder == "docs", folder[0] == '.':
			return false
		}
	}
	file := path.Base(name)
	return !slices.Contains(notRead, path.Ext(file)) && file[0] != '.' && (file != name || !document.MatchString(file))
}

// notRead are the endings of files that go build and its tools read.
var notRead = strings.Fields(".go .s .S .sx .c .h .cc .cpp .cxx .hh .hpp .hxx .m .f .F .for .f90 .swig .swigcxx .syso .pgo .mod .sum .work")

// document matches a file about the project or how it is built, such as README.md or LICENSE.
var document = regexp.MustCompile(`^([A-Z][A-Z_-]+(\..*)?\.(md|txt|rst|adoc)|[A-Z][A-Z_-]+|Makefile|Dockerfile)$`)

// hash returns the hash of a file's content, "" for what is no file. A link counts with
// its target, and with the content of the file that it leads to.
func (r *Reader) hash(file string) string {
	sum, _ := r.hashes.Do(file, func() (string, error) {
		st, err := os.Lstat(file)
		if err != nil {
			return "", nil // it is gone, or not laid out
		}
		h := sha256.New()
		if st.Mode()&fs.ModeSymlink != 0 {
			to, _ := os.Readlink(file)
			fmt.Fprintf(h, "link %q\n", to)
			if st, err = os.Stat(file); err != nil || !st.Mode().IsRegular() {
				return hex.EncodeToString(h.Sum(nil)[:8]), nil
			}
		}
		if !st.Mode().IsRegular() {
			return "", nil
		}
		f, err := os.Open(file)
		if err == nil {
			defer f.Close()
			_, err = io.Copy(h, f)
		}
		if err != nil {
			fmt.Fprintf(h, "unreadable\n")
		}
		return hex.EncodeToString(h.Sum(nil)[:8]), nil
	})
	return sum
}
