// Package secret has the values of variables that no study may contain, such as the
// password of a database. A study names a secret; its value is a file of the computer that
// runs the trials (Read). A Mask removes values from what trials print. Withhold takes the
// secrets of whoever starts assay out of its environment.
//
// It keeps nothing on disk, and no value may leave the computer: not in an error either.
package secret

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/shell"
)

const (
	// MaxSize is the maximum size of a value, in bytes. The variables of a process have
	// little more room.
	MaxSize = 64 << 10
	// longestName is the maximum length of a name, in characters.
	longestName = 63
)

// CheckName returns an error for a text that cannot name a secret. The error continues a
// sentence after the name.
func CheckName(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return errors.New("is no name of a secret")
	case name != strings.TrimSpace(name):
		return errors.New("begins or ends with a blank")
	case !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return errors.New("has characters in it that cannot be printed")
	case strings.ContainsAny(name, `/\`) || strings.HasPrefix(name, "."):
		return errors.New("could be a path; the name of a secret has no slashes, and no dot in front")
	case utf8.RuneCountInString(name) > longestName:
		return fmt.Errorf("is longer than %d characters", longestName)
	}
	return nil
}

// Folder is the name of the folder with secrets, in that of the user's settings.
const Folder = "secrets"

// Read returns the value of a secret: the content of a file of that name in dir, without
// one newline at its end. The file must belong to the user, and nobody else may be allowed
// to read it. Errors are *assay.Error with the code "secret" and exit status 2.
func Read(dir, name string) (string, error) {
	if err := CheckName(name); err != nil {
		return "", refused(fmt.Sprintf("the secret %q %v", printable.Line(name, 200), err), "")
	}
	file := filepath.Join(dir, name)
	data, err := read(file)
	switch problem, ok := errors.AsType[*problem](err); {
	case ok:
		return "", refused(fmt.Sprintf("cannot use the secret %q: %s %s", name, disk.Tilde(file), problem.text), strings.ReplaceAll(problem.try, "FILE", typed(file)))
	case errors.Is(err, fs.ErrNotExist):
		return "", refused(fmt.Sprintf("there is no secret %q on this machine: %s is missing", name, disk.Tilde(file)),
			fmt.Sprintf("write its value into %s, then chmod 600 %[1]s", typed(file)))
	case err != nil:
		return "", refused(fmt.Sprintf("cannot read the secret %q: %s", name, printable.OneLine(err)), "")
	}
	return string(data), nil
}

// typed returns a path as it has to be typed. A quoted tilde would be no home folder.
func typed(file string) string {
	if short := disk.Tilde(file); shell.Quote(short) == short || strings.HasPrefix(short, "~") && shell.Quote(short[1:]) == short[1:] {
		return short
	}
	return shell.Quote(file)
}

// ReadFile returns the content of another file with a secret in it, without one newline at
// its end: one that belongs to the user, and that nobody else may read. The error says what
// is wrong with it; what says what the file is.
func ReadFile(file, what string) ([]byte, error) {
	data, err := read(file)
	switch problem, ok := errors.AsType[*problem](err); {
	case ok && problem.try != "":
		return nil, fmt.Errorf("%s %s %s: %s", what, disk.Tilde(file), problem.text, strings.ReplaceAll(problem.try, "FILE", typed(file)))
	case ok:
		return nil, fmt.Errorf("%s %s %s", what, disk.Tilde(file), problem.text)
	case err != nil:
		return nil, fmt.Errorf("cannot read %s: %w", what, err)
	}
	return data, nil
}

// refused returns the error for a secret that cannot be used.
func refused(text, try string) error {
	return assay.UsageError(assay.CodeSecret, text, try)
}

// A problem is what is wrong with a file, and how to correct it; FILE stands for its name.
type problem struct{ text, try string }

func (p *problem) Error() string { return p.text }

// chmod is the command that corrects a file's rights.
const chmod = "chmod 600 FILE"

// read reads a file that only its owner can read.
func read(file string) ([]byte, error) {
	f, err := openPlain(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &problem{"is not a plain file", ""}
	}
	if err := checkRights(info); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxSize {
		return nil, &problem{fmt.Sprintf("has more than %d kB", MaxSize>>10), ""}
	}
	data = bytes.TrimSuffix(data, []byte("\n"))
	switch {
	case len(data) == 0:
		return nil, &problem{"is empty", ""}
	case bytes.IndexByte(data, 0) >= 0:
		return nil, &problem{"has a zero byte in it, which no variable can have", ""}
	}
	return data, nil
}

// isLink reports whether a path is that of a link.
func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// errLink is the problem of a link in the place of a secret.
var errLink = &problem{"is a link, and must be the file itself", ""}
