package source

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/process"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// Versions lists the released versions of a module in a range "A..B": those after A up to
// B, oldest first; an empty B is the latest release. Pre-releases and retracted versions
// are omitted unless A or B names them. The go command of a toolchain asks the module
// proxy. An unknown module or version is an *assay.Error with exit status 2 [no-module],
// a backward range one with [steps].
func (f *Finder) Versions(ctx context.Context, tc toolchain.Toolchain, path, rng string) ([]string, error) {
	from, to, ok := strings.Cut(rng, "..")
	if !ok || from == "" {
		return nil, badRange(rng)
	}
	listed, err := f.listVersions(ctx, tc, path)
	if err != nil {
		return nil, err
	}
	released := slices.DeleteFunc(slices.Clone(listed), func(v string) bool { return semver.Prerelease(v) != "" })
	if to == "" && len(released) > 0 {
		to = released[len(released)-1]
	}
	for _, end := range []*string{&from, &to} {
		v := "v" + strings.TrimPrefix(*end, "v")
		if !slices.Contains(listed, v) && !module.IsPseudoVersion(v) {
			all, err := f.listVersions(ctx, tc, path, "-retracted")
			if err != nil {
				return nil, err
			}
			if !slices.Contains(all, v) {
				return nil, noVersion(path, *end, all)
			}
		}
		*end = v
	}
	if semver.Compare(from, to) > 0 {
		return nil, assay.UsageError(assay.CodeSteps, fmt.Sprintf("range %q leads from a newer version to an older", rng), tryRange(to, from))
	}
	return between(released, from, to), nil
}

// between returns the versions after from and before to, and to itself.
func between(versions []string, from, to string) []string {
	out := slices.DeleteFunc(slices.Clone(versions), func(v string) bool { return semver.Compare(v, from) <= 0 || semver.Compare(v, to) >= 0 })
	if from != to {
		out = append(out, to)
	}
	return out
}

// listVersions asks the go command for the versions of a module, oldest first.
func (f *Finder) listVersions(ctx context.Context, tc toolchain.Toolchain, path string, more ...string) ([]string, error) {
	tmp, err := f.cache.TempDir("mod-") // in no module: whose requirements have no say
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	var out, errs bytes.Buffer
	args := append(append([]string{"list", "-m", "-versions", "-json"}, more...), "--", path)
	err = process.Run(ctx, tmp, toolchain.Env(map[string]string{"GOROOT": tc.GOROOT}), &out, &errs, tc.Go(), args...)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("list versions of %s: %w", path, err)
	}
	var m struct{ Versions []string }
	if err == nil {
		err = json.Unmarshal(out.Bytes(), &m)
	}
	if err != nil {
		fact := cmp.Or(printable.LastLine(errs.String()), err.Error())
		return nil, assay.NewError(assay.ExitUsage, assay.CodeNoModule, fmt.Sprintf("versions of module %s are not available", path), []string{fact}, "")
	}
	if len(m.Versions) == 0 {
		return nil, assay.UsageError(assay.CodeNoModule, fmt.Sprintf("module %s has no released version", path), "revisions of its git repository")
	}
	semver.Sort(m.Versions)
	return m.Versions, nil
}

// noVersion returns the error of a version that does not exist. It names those near it,
// or the first and last if it is not a version at all.
func noVersion(path, version string, all []string) error {
	text := fmt.Sprintf("module %s has no version %q", path, version)
	v := "v" + strings.TrimPrefix(version, "v")
	at, _ := slices.BinarySearchFunc(all, v, semver.Compare)
	near := all[max(0, at-2):min(len(all), at+2)]
	fact := "near it: " + strings.Join(near, ", ")
	if !semver.IsValid(v) {
		fact = fmt.Sprintf("it has %d, from %s to %s", len(all), all[0], all[len(all)-1])
	}
	return assay.NewError(assay.ExitUsage, assay.CodeNoModule, text, []string{fact}, "")
}
