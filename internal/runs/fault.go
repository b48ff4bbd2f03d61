package runs

import (
	"errors"
	"io/fs"
	"os/exec"
	"strings"
	"syscall"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/shell"
)

// BadRecord returns the error for an inconsistent record, and what to do about it.
func BadRecord(ref string, err error) *assay.Error {
	e := assay.NewError(assay.ExitRefused, assay.CodeBadRecord, "the record of "+ref+" has changed since assay wrote it",
		[]string{printable.OneLine(err)}, "assay verify "+shell.Quote(ref)+"   (a copy that verifies, or another measurement, is needed)")
	if f, ok := errors.AsType[*record.Fault](err); ok && f.Unsealed {
		e.Text = "the record of " + ref + " is not sealed: nothing shows whether it has changed"
		e.Suggest("another measurement")
	} else if errors.Is(err, record.ErrNewer) {
		e.Text = "the record of " + ref + " was made by a newer assay than this one"
		e.Suggest(upgrade)
	} else if !ok && !errors.Is(err, record.ErrCollected) {
		e.Text = "the record of " + ref + " cannot be read"
	}
	return e
}

// upgrade gets the newest assay.
const upgrade = "go install github.com/seed-1318a441/assay/cmd/assay@latest"

// badResult returns the error for an incomplete result without a record.
func badResult(name string, err error) *assay.Error {
	e := BadRecord(name, err)
	if errors.Is(err, record.ErrNewer) {
		e.Text = "the result " + name + " was made by a newer assay than this one"
		return e
	}
	e.Text = "the result " + name + " has changed since assay wrote it"
	e.Suggest("the run that it is of: its own result.json, or what assay show --json prints of it")
	return e
}

func VersionName(s string) string {
	if s == "" {
		return "(unknown)"
	}
	return s
}

// Named gives an error of the system a code, and says what helps. Other errors stay as they
// are.
func Named(err error) error {
	if _, has := errors.AsType[*assay.Error](err); has {
		return err
	}
	e := func(code assay.Code, text, try string) error {
		return assay.NewError(assay.ExitRefused, code, text, []string{printable.OneLine(err)}, try)
	}
	exit, ended := errors.AsType[*exec.ExitError](err)
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return e(assay.CodeDisk, "the disk is full", "go clean -cache")
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS):
		try := ""
		if strings.Contains(err.Error(), cache.New("").Dir) {
			try = "export XDG_CACHE_HOME=$(mktemp -d)"
		}
		return e(assay.CodeUnwritable, "a file or a folder that assay needs cannot be written or read", try)
	case ended && exit.ProcessState.String() == "signal: killed":
		return e(assay.CodeKilled, "a tool that assay ran was killed; a system that is short of memory does that", "")
	}
	return err
}
