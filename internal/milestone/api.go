package milestone

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/exp/apidiff"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// checkAPI compares the exported API of all importable packages of two modules, on the
// platform of their environments.
//
// Types come from what the go command of each tree compiled, as in
// golang.org/x/tools/go/packages, which would always run the first go in our own PATH.
func checkAPI(ctx context.Context, t *task) error {
	before, err := t.loadAPI(ctx, t.against)
	if err != nil {
		return err
	}
	after, err := t.loadAPI(ctx, t.step)
	if err != nil {
		return err
	}
	changes := apidiff.ModuleChanges(before, after).Changes
	if before.Path != after.Path {
		text := fmt.Sprintf("module path changed from %s to %s", before.Path, after.Path)
		changes = append(changes, apidiff.Change{Message: text})
	}
	t.judgeAPI(changes, len(after.Packages))
	return nil
}

func (t *task) judgeAPI(changes []apidiff.Change, packages int) {
	var broken, added []string
	for _, c := range changes {
		if c.Compatible {
			added = append(added, c.Message)
		} else {
			broken = append(broken, c.Message)
		}
	}
	slices.Sort(broken)
	slices.Sort(added)
	evidence := append(broken, added...)
	for _, e := range evidence {
		fmt.Fprintln(&t.said, e)
	}
	text := apiWords(len(broken), len(added), packages)
	if len(broken) > 0 || len(added) > 0 && t.words == assay.GateSame {
		t.set(assay.GateFailed, text, evidence...)
		return
	}
	t.set(assay.GateHeld, text, evidence...)
}

func apiWords(broken, added, packages int) string {
	switch {
	case broken == 0 && added == 0:
		return fmt.Sprintf("the API is the same (%s)", printable.Count(packages, "package"))
	case broken == 0:
		return printable.Count(added, "addition") + ", nothing incompatible"
	case added == 0:
		return printable.Count(broken, "incompatible change")
	}
	return printable.Count(broken, "incompatible change") + ", " + printable.Count(added, "addition")
}

// A listed package is an entry of "go list -json".
type listed struct {
	ImportPath, Name, Export string
	GoFiles, CgoFiles        []string
	DepOnly                  bool
	Module                   *struct{ Path string }
	Error                    *struct{ Err string }
}

// loadAPI reads the types of a module's public packages.
func (t *task) loadAPI(ctx context.Context, tree Tree) (*apidiff.Module, error) {
	all, err := t.list(ctx, tree)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	mod := &apidiff.Module{}
	var public []string
	var wrong string // the first; a package lacks types also if one that it imports has an error
	for _, p := range all {
		exports[p.ImportPath] = p.Export
		if p.Error != nil && wrong == "" {
			wrong = firstError(p.Error.Err)
		}
		if p.DepOnly || p.Module == nil {
			continue
		}
		mod.Path = p.Module.Path
		if p.importable() {
			public = append(public, p.ImportPath)
		}
	}
	for _, p := range public {
		if exports[p] == "" {
			return nil, fmt.Errorf("load %s of %q: %s", p, tree.Name, orNothing(wrong))
		}
	}
	mod.Packages, err = importAll(public, exports)
	return mod, err
}

// importable reports whether others can import a package: it has code, is not a program,
// and is not internal.
func (p listed) importable() bool {
	inside := strings.TrimPrefix(p.ImportPath, p.Module.Path)
	return p.Name != "main" && len(p.GoFiles)+len(p.CgoFiles) > 0 && !slices.Contains(strings.Split(inside, "/"), "internal")
}

func (t *task) list(ctx context.Context, tree Tree) ([]listed, error) {
	var said clip
	var out limited
	err := t.run(ctx, tree, tree.Dir, &out, &said, "list", "-e", "-buildvcs=false", "-export", "-deps",
		"-json=ImportPath,Name,Export,GoFiles,CgoFiles,DepOnly,Module,Error", "./...")
	_, _ = t.said.Write(said.bytes())
	switch {
	case ctx.Err() != nil || !exited(err):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("list the packages of %q: %s", tree.Name, orNothing(firstError(string(said.bytes()))))
	case out.over:
		return nil, fmt.Errorf("list the packages of %q: more than %d MB", tree.Name, maxOutput>>20)
	}
	var all []listed
	for dec := json.NewDecoder(&out); ; {
		var p listed
		if err := dec.Decode(&p); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("list the packages of %q: %w", tree.Name, err)
		}
		all = append(all, p)
	}
}

// importAll reads packages from the compiler's export files.
func importAll(paths []string, exports map[string]string) ([]*types.Package, error) {
	open := func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, errors.New("it was not compiled")
		}
		return os.Open(exports[path])
	}
	imp := importer.ForCompiler(token.NewFileSet(), "gc", open)
	var out []*types.Package
	for _, path := range paths {
		p, err := imp.Import(path)
		if err != nil {
			return nil, fmt.Errorf("read the types of %s: %w", path, err)
		}
		out = append(out, p)
	}
	return out, nil
}
