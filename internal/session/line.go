package session

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/source"
	"github.com/seed-1318a441/assay/internal/spec/cmdline"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// A Line is a question as a command line asks it.
type Line struct {
	cmdline.Line
	// Filter is --filter, which chooses from files of results.
	Filter string
}

// ReadLine makes the study that a line means in the current folder.
func ReadLine(ctx context.Context, line Line) (*assay.Study, error) {
	if line.Filter != "" {
		return nil, assay.UsageError(assay.CodeFlags, "--filter selects rows of result files; -bench selects what to measure", "assay compare "+shell.Join(line.Variants)+" -- -bench=.")
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, assay.NewError(assay.ExitRefused, assay.CodeNoFolder, "the folder that this shell is in is not there any more", []string{printable.OneLine(err)}, "cd ~")
	}
	s, err := cmdline.Parse(cmdline.Env{
		Module:     source.ModulePath(dir),
		Dir:        dir,
		IsRevision: func(w string) bool { return source.IsRevision(ctx, dir, w) },
		Revisions:  func() []string { return append([]string{"HEAD"}, source.Refs(ctx, dir)...) },
		Folders:    func(below string) []string { return foldersIn(filepath.Join(dir, below)) },
		IsProgram:  func(w string) bool { _, err := exec.LookPath(w); return err == nil },
		Unavailable: func(rev string) (*assay.Error, string) {
			return source.Unavailable(ctx, dir, rev)
		},
	}, line.Line)
	if err != nil {
		return nil, err
	}
	if err := design.Cross(s); err != nil {
		return nil, err
	}
	s.Dir, s.Name = dir, cmp.Or(s.Name, filepath.Base(dir))
	return s, nil
}

// foldersIn lists the names of the folders in a folder.
func foldersIn(dir string) (names []string) {
	entries, _ := os.ReadDir(dir) // without it, a message has no line to try
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

// IsRevision reports whether a word is a revision of the repository here.
func IsRevision(ctx context.Context, word string) bool { return source.IsRevision(ctx, "", word) }

// Known lists what a variant may name: the toolchains that need no download, and the
// branches and tags of the repository here, the newest first.
func Known(ctx context.Context) (toolchains, revisions []string) {
	return toolchain.Versions(ctx), source.Refs(ctx, "", "--count=50", "--sort=-creatordate", "refs/heads", "refs/tags")
}
