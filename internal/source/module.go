package source

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/mod/module"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/process"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// module puts a copy of a module version, written path@version, into the cache. The go
// command refuses to build with overlays in the module cache itself.
func (f *Finder) module(ctx context.Context, name string) (Tree, error) {
	m, dir, err := f.moduleFolder(ctx, name, "mod")
	if err != nil {
		return Tree{}, err
	}
	var leave []string
	if !disk.IsFile(filepath.Join(m.Dir, "go.mod")) {
		leave = []string{"go.mod"} // made up by the go command, and no part of the module
	}
	at := m.Path + "@" + m.Version
	_, err = f.cache.Ready(cache.Sealed(dir, "module "+at, func(made string) error { return CopyModule(made, m) }, at, m.Sum, leave...))
	t := moduleTree(m, dir)
	t.Incomplete = true // go.sum of a published module may lack what only its tests need
	return t, err
}

// Open returns a copy of a module version in which the go command may complete go.mod and
// go.sum, for commands that build nothing that is measured. Lost replacements are dropped.
func (f *Finder) Open(ctx context.Context, name string) (Tree, error) {
	m, dir, err := f.moduleFolder(ctx, name, "opened")
	if err != nil {
		return Tree{}, err
	}
	_, err = f.cache.Place(dir, func(made string) error {
		if err := CopyModule(made, m); err != nil {
			return err
		}
		file := filepath.Join(made, "go.mod")
		return os.WriteFile(file, WithoutLost(made, disk.Content(file)), 0o666)
	})
	return moduleTree(m, dir), err
}

func moduleTree(m Module, dir string) Tree {
	return Tree{Dir: dir, Root: dir, Fixed: "mod:" + m.Path + "@" + m.Version, Sum: m.Sum, Work: "off"}
}

// moduleFolder lets the go command fetch a module version and returns the place of its
// copy in a folder of the cache's sources.
func (f *Finder) moduleFolder(ctx context.Context, name, folder string) (Module, string, error) {
	m, err := f.Download(ctx, name)
	if err != nil {
		return m, "", err
	}
	path, err := module.EscapePath(m.Path)
	if err != nil {
		return m, "", fmt.Errorf("name module %q: %w", m.Path, err)
	}
	return m, filepath.Join(f.cache.Dir, "src", folder, filepath.FromSlash(path+"@"+m.Version)), nil
}

// A Module is a module version, as "go mod download -json" prints it.
type Module struct {
	Path, Version, Dir, GoMod, Sum, Error string
}

// Download lets the go command fetch a module version, written path@version. If it is not
// available the error is [no-module].
func (f *Finder) Download(ctx context.Context, name string) (Module, error) {
	cmd, err := toolchain.Command()
	if err != nil {
		return Module{}, err
	}
	tmp, err := f.cache.TempDir("mod-")
	if err != nil {
		return Module{}, err
	}
	defer os.RemoveAll(tmp)
	var out, errs bytes.Buffer
	runErr := process.Run(ctx, tmp, toolchain.Env(nil), &out, &errs, cmd, "mod", "download", "-json", name)
	if ctx.Err() != nil {
		return Module{}, fmt.Errorf("download %s: %w", name, runErr)
	}
	var m Module
	err = json.Unmarshal(out.Bytes(), &m)
	if m.Error != "" || runErr != nil || err != nil {
		cause := printable.LastLine(cmp.Or(m.Error, errs.String()))
		return Module{}, assay.NewError(assay.ExitUsage, assay.CodeNoModule, fmt.Sprintf("module %s is not available", name), []string{cause}, "")
	}
	return m, nil
}

// CopyModule copies a module out of the module cache into the folder made.
func CopyModule(made string, m Module) error {
	if err := os.CopyFS(made, os.DirFS(m.Dir)); err != nil {
		return fmt.Errorf("copy module %s@%s: %w", m.Path, m.Version, err)
	}
	// A module from before modules gets the go.mod that the go command makes up.
	if file := filepath.Join(made, "go.mod"); !disk.IsFile(file) {
		data, err := os.ReadFile(m.GoMod)
		if err == nil {
			err = os.WriteFile(file, data, 0o666)
		}
		if err != nil {
			return fmt.Errorf("copy go.mod of %s@%s: %w", m.Path, m.Version, err)
		}
	}
	return nil
}
