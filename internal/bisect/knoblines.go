package bisect

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/printable"
)

// tell reports a finding.
func (k *knobSearch) tell(what string, f KnobFinding) {
	why := f.Why
	if why == "" && f.By != "" {
		why = "by " + f.By
	}
	change, whole := f.Change, f.Whole
	if assay.IsCount(f.By) {
		change = nil
	}
	effect := ""
	if f.Kind == KnobProbe {
		what += fmt.Sprintf(": %s of %s", printable.Count(f.Matches, "place"), shortPattern(f.Pattern))
		if f.Place == PlaceUndecided {
			effect = ", counts as off"
		}
	} else {
		whole = nil
	}
	report(k.ses.Config.Progress, what, f.Place, why, effectText(change, whole)+effect, costText(f.Blocks, f.Took))
}

// shortPattern returns a pattern for a line of progress.
func shortPattern(p string) string {
	if p = strings.TrimPrefix(p, "v"); len(p) > 40 {
		p = p[:40] + "..."
	}
	return p
}

// lines returns the places of sets with their source.
func (k *knobSearch) lines(ctx context.Context, sets [][]Match) (out []KnobSet, err error) {
	vs, err := k.variants(PatternOn)
	if err != nil {
		return nil, err
	}
	tree, err := k.ses.Builder.Tree(ctx, k.ses.Config.Study.Dir, k.ses.Config.Study.Source, vs[0])
	if err != nil {
		return nil, err
	}
	source := func(p Position) string { return sourceLine(inTree(tree, p.File), p.Line) }
	for _, set := range sets {
		var s KnobSet
		for _, m := range set {
			s.Lines = append(s.Lines, m.Line(func(file string) string { return displayFile(tree, file) }, source))
		}
		out = append(out, s)
	}
	return out, nil
}

// inTree returns the path of a file named by the compiler.
func inTree(t build.Tree, file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(t.Dir, file)
}

// displayFile returns a file's name for the reader: relative to the module's folder, by
// its module and version, or in the standard library.
func displayFile(t build.Tree, file string) string {
	path := inTree(t, file)
	if rel, err := filepath.Rel(t.Dir, path); err == nil && filepath.IsLocal(rel) {
		return printable.Brief(filepath.ToSlash(rel))
	}
	if rel, err := filepath.Rel(filepath.Join(t.GOROOT, "src"), path); err == nil && filepath.IsLocal(rel) {
		return printable.Brief("$GOROOT/src/" + filepath.ToSlash(rel))
	}
	slashed := filepath.ToSlash(path)
	if i := strings.Index(slashed, "/pkg/mod/"); i >= 0 {
		slashed = slashed[i+len("/pkg/mod/"):]
	}
	return printable.Brief(slashed)
}

// sourceLine returns a line of a file; "" if there is none.
func sourceLine(name string, n int) string {
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	in := bufio.NewScanner(io.LimitReader(f, maxSource))
	in.Buffer(nil, 1<<20)
	for i := 1; in.Scan(); i++ {
		if i == n {
			return printable.Brief(strings.TrimSpace(in.Text()))
		}
	}
	return ""
}

// maxSource is how many bytes of a file are searched for a line.
const maxSource = 16 << 20
