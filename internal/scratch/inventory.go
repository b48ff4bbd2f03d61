package scratch

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/source"
)

// A Room limits a copy, besides the files of the packages that run in it.
type Room struct {
	Bytes int64
	Files int
}

// DefaultRoom is the room of one copy. Most repositories are smaller (Kubernetes has 280
// MB in 28,000 files). A file costs 20 µs, and half a millisecond on ext4 just after as
// many were removed.
var DefaultRoom = Room{Bytes: 512 << 20, Files: 10_000}

// An Inventory is the content of the copies of a tree. Names are relative to the tree,
// with slashes.
type Inventory struct {
	// Files are plain files and links. Some may be gone by the time they are copied.
	Files []string
	// Folders are made also if they have no files: a benchmark may write into them.
	Folders []string
	// Left lists what is omitted; an ignored folder has a trailing slash.
	Left []string
}

// A candidate is a file that may be copied.
type candidate struct {
	name string
	size int64
	// rank 0 is always copied: the files of a package's own folder and its testdata, even
	// ignored ones, since go test would see them. Nearer files precede others: shared
	// testdata, then the module's, and among those the ones the fewest folders away.
	rank, away int
}

// An inventorist takes an inventory for packages in folders of a tree.
type inventorist struct {
	root string
	// own are the packages' folders, modules those of their modules, relative.
	own, modules []string
	// seen are the files that were looked at, and with a slash the folders that were
	// gone through.
	seen    map[string]bool
	all     []candidate
	folders []string
}

// TakeInventory lists what a copy of the tree contains in which the tests of packages in
// the folders dirs (absolute) run: those of source.ListFiles, and every file of the packages
// themselves. The rest fits into the room. For the standard library it is the packages'
// files only.
func TakeInventory(ctx context.Context, from Origin, dirs []string, room Room) (Inventory, error) {
	t := &inventorist{root: from.Root, seen: map[string]bool{}}
	for _, dir := range dirs {
		rel, err := filepath.Rel(from.Root, dir)
		if err != nil {
			return Inventory{}, err
		}
		t.own = append(t.own, filepath.ToSlash(rel))
		mod, err := filepath.Rel(from.Root, filepath.Dir(disk.FindUp(dir, "go.mod")))
		if err == nil && filepath.IsLocal(mod) {
			t.modules = append(t.modules, filepath.ToSlash(mod))
		}
	}
	for _, dir := range t.own {
		if err := t.addPackage(dir); err != nil {
			return Inventory{}, err
		}
	}
	var out Inventory
	if !from.Standard {
		names, ignored, err := source.ListFiles(ctx, from.Root)
		if err != nil {
			return Inventory{}, err
		}
		for _, name := range names {
			t.add(name)
		}
		out.Left = slices.DeleteFunc(ignored, func(name string) bool { return t.seen[name] })
	}
	out.Folders = t.folders
	t.choose(&out, room)
	return out, nil
}

// addPackage adds the files in a package's folder, those below its testdata, and those
// below the testdata of the folders above, which tests share. Its other folders are added
// without files, since a benchmark may write into them.
func (t *inventorist) addPackage(dir string) error {
	entries, err := os.ReadDir(t.path(dir))
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case source.IsMeta(name + "/x"):
		case e.IsDir():
			t.folders = append(t.folders, name)
		default:
			t.add(name)
		}
	}
	for {
		if err := t.addBelow(path.Join(dir, "testdata")); err != nil {
			return err
		}
		if dir == "." {
			return nil
		}
		dir = path.Dir(dir)
	}
}

func (t *inventorist) addBelow(dir string) error {
	err := filepath.WalkDir(t.path(dir), func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(t.root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch {
		case !d.IsDir():
			t.add(rel)
		case source.IsMeta(rel + "/x"):
			return fs.SkipDir
		default:
			t.folders = append(t.folders, rel)
			t.seen[rel+"/"] = true
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}

// add adds a file once. It skips missing files and everything that is neither file nor
// link.
func (t *inventorist) add(name string) {
	if t.seen[name] {
		return
	}
	info, err := os.Lstat(t.path(name))
	if err != nil || !info.Mode().IsRegular() && info.Mode()&fs.ModeSymlink == 0 {
		return
	}
	t.seen[name] = true
	t.all = append(t.all, candidate{name, info.Size(), t.rank(name), t.away(name)})
}

func (t *inventorist) path(name string) string {
	return filepath.Join(t.root, filepath.FromSlash(name))
}

func (t *inventorist) rank(name string) int {
	dir := path.Dir(name)
	below := func(name, dir string) bool { return dir == "." || strings.HasPrefix(name, dir+"/") }
	switch {
	case slices.ContainsFunc(t.own, func(own string) bool { return dir == own || below(name, path.Join(own, "testdata")) }):
		return 0
	case strings.Contains("/"+name, "/testdata/") && slices.ContainsFunc(t.own, func(own string) bool { return below(own, dirAbove(name, "testdata")) }):
		return 1
	case slices.ContainsFunc(t.modules, func(mod string) bool { return below(name, mod) }):
		return 2
	}
	return 3
}

// away counts the steps from the nearest package's folder to that of a file.
func (t *inventorist) away(name string) int {
	least := math.MaxInt
	for _, own := range t.own {
		rel, err := filepath.Rel(filepath.FromSlash("/"+own), filepath.FromSlash("/"+path.Dir(name)))
		if err == nil {
			least = min(least, strings.Count(filepath.ToSlash(rel), "/"))
		}
	}
	return least
}

// dirAbove returns the part of a path before an element of that name.
func dirAbove(name, element string) string {
	above, _, _ := strings.Cut("/"+name, "/"+element+"/")
	return path.Clean("." + above)
}

// choose fills an inventory with the files that fit: near ones first, and among those
// small ones.
func (t *inventorist) choose(out *Inventory, room Room) {
	slices.SortFunc(t.all, func(a, b candidate) int {
		return cmp.Or(a.rank-b.rank, a.away-b.away, cmp.Compare(a.size, b.size), strings.Compare(a.name, b.name))
	})
	for _, c := range t.all {
		if c.rank > 0 {
			if c.size > room.Bytes || room.Files == 0 {
				out.Left = append(out.Left, c.name)
				continue
			}
			room.Bytes -= c.size
			room.Files--
		}
		out.Files = append(out.Files, c.name)
	}
}
