package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-1318a441/assay"
)

// The formats of -o and --format.
const (
	HTML     = "html"
	Markdown = "md"
	CSV      = "csv"
	JSON     = "json"
	Benchfmt = "benchfmt"
)

// Stdout is the name of -o for standard output.
const Stdout = "-"

// Formats lists them.
var Formats = []string{HTML, Markdown, CSV, JSON, Benchfmt}

// FormatOf returns the format for a file name, "" if its suffix is unknown.
func FormatOf(name string) string {
	suffixes := map[string]string{".html": HTML, ".htm": HTML, ".md": Markdown, ".csv": CSV, ".json": JSON, ".txt": Benchfmt}
	return suffixes[strings.ToLower(filepath.Ext(name))]
}

// formatFor returns the format of an output: that of its suffix, or the given one where the
// suffix does not say.
func formatFor(name, format string) (string, error) {
	suffix := FormatOf(name)
	switch {
	case name == Stdout && format == "":
		return HTML, nil
	case name == Stdout, suffix == "" && format != "":
		return format, nil
	case suffix == "":
		return "", SuffixError(name)
	case format != "" && format != suffix:
		return "", assay.UsageError(assay.CodeOutput, fmt.Sprintf("-o %s: the suffix says %s, and assay writes %s here", name, suffix, format), "")
	}
	return suffix, nil
}

// SuffixError returns the error for a file name with an unknown suffix.
func SuffixError(name string) error {
	return assay.UsageError(assay.CodeOutput, fmt.Sprintf("-o %s: no output with this suffix", name), "-o report.html, or .md, .csv, .json, .txt")
}

// WriteError returns the error for a file that cannot be written.
func WriteError(name string, err error) error {
	return assay.UsageError(assay.CodeOutput, fmt.Sprintf("-o %s: %v", name, err), "-o with a file in a folder that exists")
}

// Check checks, before anything is measured, that the files of -o can be written.
func Check(names []string) error {
	for _, name := range names {
		if FormatOf(name) == "" {
			return SuffixError(name)
		}
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			return WriteError(name, errors.New("it is a folder"))
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return WriteError(name, err)
		}
		if !inPlace(name) {
			continue
		}
		f, err := os.CreateTemp(filepath.Dir(name), tempName(name))
		if err == nil {
			err = errors.Join(f.Close(), os.Remove(f.Name()))
		}
		if err != nil {
			return WriteError(name, err)
		}
	}
	return nil
}

// CheckSeveral is Check for results of several machines, of which there are fewer formats.
func CheckSeveral(names []string) error {
	for _, name := range names {
		if f := FormatOf(name); f != HTML && f != Markdown && f != JSON {
			return assay.UsageError(assay.CodeOutput, fmt.Sprintf("-o %s: of several machines there is no output with this suffix", name), "-o report.html, or .md, .json")
		}
	}
	return Check(names)
}

// inPlace reports whether a file can be replaced. A device, a pipe or a link is written
// to instead.
func inPlace(name string) bool {
	info, err := os.Lstat(name)
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular()
}

func tempName(name string) string { return "." + filepath.Base(name) + ".*" }

// Write writes a file whole, or leaves the old one: a full disk destroys nothing.
func Write(name string, text []byte) error {
	write := replaceFile
	if !inPlace(name) {
		write = func(name string, text []byte) error { return os.WriteFile(name, text, 0o666) }
	}
	if err := write(name, text); err != nil {
		return WriteError(name, err)
	}
	return nil
}

// replaceFile replaces a file, and keeps its permissions.
func replaceFile(name string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), tempName(name))
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())  // where it did not become the other
	mode := fs.FileMode(0o644) // CreateTemp's is for one user alone
	if info, err := os.Stat(name); err == nil {
		mode = info.Mode().Perm()
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
