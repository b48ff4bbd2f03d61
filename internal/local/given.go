package local

import (
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/lab"
)

// program builds the program of a command or a service, or finds the given one.
func (w *Workshop) program(ctx context.Context, r lab.BuildRequest, workload assay.Workload) (lab.Artifact, error) {
	if r.Profiled && !slices.ContainsFunc(workload.Command(r.Variant), func(word string) bool { return strings.Contains(word, assay.PlaceBin) }) {
		return lab.Artifact{}, assay.NewError(assay.ExitRefused, assay.CodeNoProfile, "cannot collect a profile",
			[]string{fmt.Sprintf("variant %q runs a program that assay did not build", r.Variant.Name)}, "")
	}
	if !workload.Uses(r.Variant, assay.PlaceBin) {
		return w.given(r, strings.ReplaceAll(workload.Command(r.Variant)[0], assay.PlaceStudy, r.Study.Dir))
	}
	a, err := w.buildOne(ctx, r, cmp.Or(workload.Package, r.Study.Source.Package, "."))
	if err == nil && anyGiven(r.Study) {
		a.Package = "" // like programs that were not built, so that they can be compared
	}
	return a, err
}

// anyGiven reports whether some variant runs a program that was not built.
func anyGiven(s *assay.Study) bool {
	return slices.ContainsFunc(s.Variants, func(v assay.Variant) bool { return len(v.Run) > 0 })
}

// given makes an artifact of a program that assay did not build. Its content is its
// identity; for a Go program the functions are known, too.
func (w *Workshop) given(r lab.BuildRequest, program string) (lab.Artifact, error) {
	path, err := findProgram(r.Study.Dir, program)
	if err != nil {
		return lab.Artifact{}, assay.NewError(assay.ExitUsage, assay.CodeNoProgram, fmt.Sprintf("variant %q: there is no program %s", r.Variant.Name, program),
			[]string{err.Error()}, "a path to a program that may be run, or one that is found in PATH")
	}
	digest, err := disk.Digest(path)
	if err != nil {
		return lab.Artifact{}, fmt.Errorf("read program: %w", err)
	}
	id := cache.KeyOf(fmt.Appendf(nil, "%q %s\n", path, digest))
	b := build.Artifact{ID: id, SHA256: digest, Path: path, Dir: r.Study.Dir, Cached: true}
	a := describe(r.Workload, b, id)
	a.Given = true
	if p, err := binary.Fingerprint(path); err == nil {
		a.Print = p // other programs have none, and are measured
	}
	w.deliver(Delivery{Artifact: a, Built: b, Study: r.Study})
	return a, nil
}

// findProgram finds a program as a shell in dir would.
func findProgram(dir, name string) (string, error) {
	if strings.ContainsRune(name, '/') || strings.ContainsRune(name, filepath.Separator) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}
