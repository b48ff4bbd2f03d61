package build

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/process"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// thisSystem is the system and processor of this computer, as Request.Linker names them.
const thisSystem = runtime.GOOS + "/" + runtime.GOARCH

// toolFor returns the linker of a job's toolchain that runs on the machine of j.Linker. A
// toolchain has the source of its linker, so it is built for that machine, once.
func (l *linker) toolFor(ctx context.Context, j job) (KitFile, error) {
	goos, goarch, ok := strings.Cut(j.Linker, "/")
	if !ok {
		return KitFile{}, fmt.Errorf("build linker for %q: want GOOS/GOARCH", j.Linker)
	}
	h := sha256.New()
	fmt.Fprintf(h, "linker %q %q %q\n", j.tc.Version, j.tc.GOROOT, j.Linker)
	if !j.tc.Released() {
		hashTools(h, j.tc)
	}
	dir, err := l.cache.Place(filepath.Join(l.cache.Dir, "linker", cache.Key(h)), func(made string) error {
		if err := l.commands.acquire(ctx); err != nil {
			return err
		}
		defer l.commands.release()
		env := toolchain.Env(map[string]string{"GOROOT": j.tc.GOROOT, "GOOS": goos, "GOARCH": goarch, "CGO_ENABLED": "0"})
		var errs bytes.Buffer
		err := process.Run(ctx, made, env, &errs, &errs, j.tc.Go(), "build", "-trimpath", "-buildvcs=false", "-o", filepath.Join(made, "link"), "cmd/link")
		if err != nil && ctx.Err() == nil {
			return fmt.Errorf("%w: the linker of %s does not build for %s: %s", ErrNoKit, j.tc.Version, j.Linker, printable.LastLine(errs.String()))
		}
		return err
	})
	if err != nil {
		return KitFile{}, err
	}
	l.cache.Touch(dir)
	return l.sum(filepath.Join(dir, "link"))
}
