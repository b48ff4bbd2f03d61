package session

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/source"
)

// lacking warns about what revisions lack. A workspace matters beside the working tree, which
// has it; without it all are built alike.
func lacking(f *source.Finder, cfg Config) (out []assay.Warning) {
	tree := slices.ContainsFunc(cfg.Study.Variants, func(v assay.Variant) bool { return v.Rev+v.Module == "" })
	for _, w := range f.Lacking() {
		if w.Code == assay.CodeWorkspace {
			if !tree {
				continue
			}
			w.Facts = append(w.Facts, "GOWORK=off builds your tree without it, too")
			w.Try = "GOWORK=off " + cfg.Command
		}
		out = append(out, w)
	}
	return out
}

// nameAbsent adds to a warning about something that failed which files are missing because
// only the working tree has them. It returns the command that gives them to every variant,
// "" if there is none.
func nameAbsent(ctx context.Context, cfg Config, w *assay.Warning) string {
	src := cfg.Study.Source
	checkedOut := slices.ContainsFunc(cfg.Study.Variants, func(v assay.Variant) bool { return v.Rev+v.Module != "" })
	if !w.Broken() || !checkedOut && src.Overlay+src.BenchmarksFrom == "" {
		return ""
	}
	dir := source.Dir(cfg.Study.Dir, src)
	found := source.Absent(ctx, dir, w.Facts)
	for _, f := range found {
		w.Facts = append(w.Facts, fmt.Sprintf("%q is in your tree only, because %s; what is checked out or copied is without it", f.Path, f.Why))
	}
	if len(found) == 0 || src.Suite != "" {
		return ""
	}
	return withFiles(cfg, dir, found)
}

// nameAbsentIn does so for the warnings of a plan. Their commands stand among the facts: a
// record keeps only those of assay as commands.
func nameAbsentIn(ctx context.Context, cfg Config, ws []assay.Warning) {
	for i := range ws {
		if try := nameAbsent(ctx, cfg, &ws[i]); try != "" {
			ws[i].Facts = append(ws[i].Facts, "to give it to every variant:", try)
		}
	}
}

// withFiles returns the command that lays files over every variant. Beside benchmarks of the
// working tree git has to know the files: there is no second overlay.
func withFiles(cfg Config, dir string, files []source.OnlyHere) string {
	src, command := cfg.Study.Source, cfg.Command
	var words []string
	for _, f := range files {
		words = append(words, shell.Quote(f.Path))
	}
	switch src.BenchmarksFrom {
	case "":
	case ".":
		return "git add -f -- " + strings.Join(words, " ") + " && " + command
	default:
		return ""
	}
	over := src.Overlay
	if over == "" {
		over = "../" + filepath.Base(dir) + "-files"
	}
	var steps []string
	for i, f := range files {
		to := shell.Quote(path.Join(filepath.ToSlash(over), path.Dir(f.Path)) + "/")
		steps = append(steps, "mkdir -p "+to, "cp -R "+words[i]+" "+to)
	}
	switch first, _, _ := strings.Cut(strings.TrimPrefix(command, "assay "), " "); {
	case src.Overlay != "":
	case first == "compare" || first == "bisect":
		command = shell.With(command, "overlay", over)
	default:
		return strings.Join(steps, " && ") + fmt.Sprintf("   and overlay = %q under [source]", over)
	}
	return strings.Join(append(steps, command), " && ")
}
