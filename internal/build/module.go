package build

import (
	"bytes"
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

// module puts a copy of a module version, written path@version, into the cache.
// The module cache itself will not do: the go command refuses to build from there
// with overlays.
func (b *Builder) module(ctx context.Context, name string) (tree, error) {
	m, dir, err := b.moduleFolder(ctx, name, "mod")
	if err != nil {
		return tree{}, err
	}
	var leave []string
	if !disk.IsFile(filepath.Join(m.Dir, "go.mod")) {
		leave = []string{"go.mod"} // made up by the go command, and no part of the module
	}
	at := m.Path + "@" + m.Version
	_, err = b.Cache.Ready(cache.Sealed(dir, "module "+at, func(made string) error { return copyModule(made, m) }, at, m.Sum, leave...))
	t := moduleTree(m, dir)
	t.incomplete = true // go.sum of a published module may lack what only its tests need
	return t, err
}

// openModule is a copy of a module version in which the go command may complete
// go.mod and go.sum: for commands that build nothing that is measured.
func (b *Builder) openModule(ctx context.Context, name string) (tree, error) {
	m, dir, err := b.moduleFolder(ctx, name, "open")
	if err != nil {
		return tree{}, err
	}
	_, err = b.Cache.Place(dir, func(made string) error { return copyModule(made, m) })
	return moduleTree(m, dir), err
}

func moduleTree(m downloaded, dir string) tree {
	return tree{Dir: dir, root: dir, fixed: "mod:" + m.Path + "@" + m.Version, sum: m.Sum, work: "off"}
}

// moduleFolder has the go command fetch a module version and names the place of a
// copy in a folder of the cache's sources.
func (b *Builder) moduleFolder(ctx context.Context, name, folder string) (downloaded, string, error) {
	cmd, err := toolchain.Command()
	if err != nil {
		return downloaded{}, "", err
	}
	m, err := b.download(ctx, cmd, name)
	if err != nil {
		return m, "", err
	}
	path, err := module.EscapePath(m.Path)
	if err != nil {
		return m, "", fmt.Errorf("name module %q: %w", m.Path, err)
	}
	return m, filepath.Join(b.Cache.Dir, "src", folder, filepath.FromSlash(path+"@"+m.Version)), nil
}

// A downloaded module is what "go mod download -json" prints.
type downloaded struct {
	Path, Version, Dir, GoMod, Sum, Error string
}

func (b *Builder) download(ctx context.Context, cmd, name string) (downloaded, error) {
	tmp, err := b.Cache.TempDir("mod-")
	if err != nil {
		return downloaded{}, err
	}
	defer os.RemoveAll(tmp)
	var out, errs bytes.Buffer
	runErr := process.Run(ctx, tmp, toolchain.Env(nil), &out, &errs, cmd, "mod", "download", "-json", name)
	if ctx.Err() != nil {
		return downloaded{}, fmt.Errorf("download %s: %w", name, runErr)
	}
	var m downloaded
	err = json.Unmarshal(out.Bytes(), &m)
	if m.Error != "" || runErr != nil || err != nil {
		cause := m.Error
		if cause == "" {
			cause = errs.String()
		}
		return downloaded{}, assay.NewError(assay.ExitUsage, "no-module", fmt.Sprintf("module %s is not available", name), []string{printable.LastLine(cause)}, "")
	}
	return m, nil
}

func copyModule(made string, m downloaded) error {
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
