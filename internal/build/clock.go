package build

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// The clock of a test binary that takes turns with others (Request.Clock) leaves out the
// time for which the process was stopped.
//
// Package testing takes time only through highPrecisionTime and its two functions, in
// testing/testing_other.go, since go1.21. That file keeps them under another name, and a
// file beside it declares them anew. The page, whose number is in ASSAY_CLOCK_FD, holds
// the nanoseconds of all stops so far (child.Command.Clock). It changes only while the
// process is stopped, so the time between two equal readings of it belongs to it.

// clockFile is where package testing has its clock, below GOROOT/src, and newClockFile
// the file that replaces it.
const (
	clockFile    = "testing/testing_other.go"
	newClockFile = "testing/assay_clock.go"
)

// clockDeclarations are the replaced declarations.
var clockDeclarations = []string{"\ntype highPrecisionTime struct", "\nfunc highPrecisionTimeNow(", "\nfunc highPrecisionTimeSince("}

const clockSource = `//go:build !windows

package testing

import (
	"os"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

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

// errNoClock means that a toolchain's package testing takes time in another way.
var errNoClock = errors.New("no clock that could leave out stops")

// clock writes an overlay with that clock to the cache, together with the replacements of
// the build's own overlay, and returns its file.
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
		source, err = withoutClock(source)
	}
	if err != nil {
		return "", err
	}
	replace, err := j.overlay()
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "clock 2 %q %q %q\n", original, source, clockSource)
	if err := json.NewEncoder(sum).Encode(replace); err != nil {
		return "", fmt.Errorf("name clock: %w", err)
	}
	dir := filepath.Join(b.Cache.Dir, "clock", cache.Key(sum))
	file := filepath.Join(dir, "overlay.json")
	if _, err := os.Stat(file); err == nil {
		return file, nil // written last
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("write clock: %w", err)
	}
	for name, text := range map[string][]byte{clockFile: source, newClockFile: []byte(clockSource)} {
		laid := filepath.Join(dir, filepath.Base(name))
		replace[filepath.Join(j.tc.GOROOT, "src", filepath.FromSlash(name))] = laid
		if err := disk.WriteFile(laid, text); err != nil {
			return "", err
		}
	}
	return file, disk.WriteJSON(file, overlayFile{replace})
}

// withoutClock renames the clock in the file that has it.
func withoutClock(source []byte) ([]byte, error) {
	text := string(source)
	for _, declaration := range clockDeclarations {
		if strings.Count(text, declaration) != 1 {
			return nil, fmt.Errorf("%w: %s has no%s", errNoClock, clockFile, strings.ReplaceAll(declaration, "\n", " "))
		}
	}
	return []byte(strings.ReplaceAll(text, "highPrecisionTime", "replacedTime")), nil
}
