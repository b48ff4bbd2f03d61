package build

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// The clock of a test binary that takes turns with others (Request.Clock): the time
// for which the process was stopped is left out.
//
// Package testing takes time through highPrecisionTime and its two functions alone, in
// testing/testing_other.go, from go1.21 on. They are replaced; all else of the
// toolchain's own file is kept. The page, whose number is in ASSAY_CLOCK_FD, holds the
// nanoseconds of all stops so far (child.Command.Clock). It changes only while the
// process is stopped, so that the time between two equal readings of it belongs to it.

// clockFile is where package testing has its clock, below GOROOT/src.
const clockFile = "testing/testing_other.go"

// clockNames are the declarations that are replaced.
var clockNames = []string{"highPrecisionTime", "highPrecisionTimeNow", "highPrecisionTimeSince"}

// clockImports are what the new ones need.
var clockImports = []string{"os", "strconv", "sync/atomic", "syscall", "time", "unsafe"}

const clockSource = `
// A highPrecisionTime is a point in time and the nanoseconds for which the
// process had been stopped by then.
type highPrecisionTime struct {
	now    time.Time
	paused int64
}

var assayPaused = assayPausedPage()

func assayPausedPage() *int64 {
	fd, err := strconv.Atoi(os.Getenv("ASSAY_CLOCK_FD"))
	if err != nil {
		return new(int64)
	}
	page, err := syscall.Mmap(fd, 0, os.Getpagesize(), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		panic("testing: map ASSAY_CLOCK_FD: " + err.Error())
	}
	return (*int64)(unsafe.Pointer(&page[0]))
}

func highPrecisionTimeNow() highPrecisionTime {
	for {
		paused := atomic.LoadInt64(assayPaused)
		now := time.Now()
		if atomic.LoadInt64(assayPaused) == paused {
			return highPrecisionTime{now, paused}
		}
	}
}

func highPrecisionTimeSince(b highPrecisionTime) time.Duration {
	n := highPrecisionTimeNow()
	return n.now.Sub(b.now) - time.Duration(n.paused-b.paused)
}
`

// errNoClock says that a toolchain's package testing takes time in another way.
var errNoClock = errors.New("no clock that could leave out stops")

// clock writes an overlay that gives package testing that clock, together with what
// the build's own flags lay over, into the cache, and returns the file.
func (b *Builder) clock(j job) (string, error) {
	if disk.Within(j.tc.GOROOT, toolchain.ModCache()) {
		return "", fmt.Errorf("%w: the go command lays no files over those of %s, in the module cache", errNoClock, j.tc.Version)
	}
	original := filepath.Join(j.tc.GOROOT, "src", filepath.FromSlash(clockFile))
	source, err := os.ReadFile(original)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%w: %s has no %s", errNoClock, j.tc.Version, clockFile)
	}
	if err == nil {
		source, err = withClock(source)
	}
	if err != nil {
		return "", err
	}
	replace, err := j.overlay()
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "clock 1 %q %q\n", original, source)
	if err := json.NewEncoder(sum).Encode(replace); err != nil {
		return "", fmt.Errorf("name clock: %w", err)
	}
	dir := filepath.Join(b.Cache.Dir, "clock", cache.Key(sum))
	file := filepath.Join(dir, "overlay.json")
	if _, err := os.Stat(file); err == nil {
		return file, nil // written last
	}
	if replace == nil {
		replace = map[string]string{}
	}
	replace[original] = filepath.Join(dir, filepath.Base(clockFile))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("write clock: %w", err)
	}
	if err := disk.WriteFile(replace[original], source); err != nil {
		return "", err
	}
	return file, disk.WriteJSON(file, map[string]any{"Replace": replace})
}

// withClock replaces the clock in the file that has it.
func withClock(source []byte) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, clockFile, source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	type span struct{ from, to int }
	var cut []span
	remove := func(n ast.Node, doc *ast.CommentGroup) {
		from := n.Pos()
		if doc != nil {
			from = doc.Pos()
		}
		cut = append(cut, span{fset.Position(from).Offset, fset.Position(n.End()).Offset})
	}
	imports := slices.Clone(clockImports)
	found := 0
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && slices.Contains(clockNames, d.Name.Name) {
				remove(d, d.Doc)
				found++
			}
		case *ast.GenDecl:
			switch spec, isType := d.Specs[0].(*ast.TypeSpec); {
			case d.Tok == token.IMPORT:
				remove(d, nil)
				for _, s := range d.Specs {
					path, _ := strconv.Unquote(s.(*ast.ImportSpec).Path.Value)
					imports = append(imports, path)
				}
			case isType && len(d.Specs) == 1 && slices.Contains(clockNames, spec.Name.Name):
				remove(d, d.Doc)
				found++
			}
		}
	}
	if found != len(clockNames) {
		return nil, fmt.Errorf("%w: %s declares %d of %s", errNoClock, clockFile, found, strings.Join(clockNames, ", "))
	}
	var out strings.Builder
	at := fset.Position(f.Name.End()).Offset
	out.Write(source[:at])
	slices.Sort(imports)
	fmt.Fprint(&out, "\n\nimport (\n")
	for _, path := range slices.Compact(imports) {
		fmt.Fprintf(&out, "\t%q\n", path)
	}
	fmt.Fprint(&out, ")\n")
	for _, c := range cut {
		out.Write(source[at:c.from])
		at = c.to
	}
	out.Write(source[at:])
	out.WriteString(clockSource)
	return []byte(out.String()), nil
}
