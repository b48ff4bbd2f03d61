package binary

import (
	"bytes"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
)

// A File is a Go binary that has been read.
type File struct {
	// Arch is "amd64" or "arm64".
	Arch string
	// Format is "elf", "macho" or "pe".
	Format string
	// Funcs are the functions, by address. A stripped binary lists the Go functions of
	// its line table; others list C functions too.
	Funcs []Func

	image  *image
	lines  *lineTable // nil without one
	survey func() *survey
	byName func() map[string]Func // of several functions of a name the first
}

func newFile(im *image, lines *lineTable) *File {
	f := &File{Arch: im.arch, Format: im.format, image: im, lines: lines}
	for _, s := range im.funcs {
		f.Funcs = append(f.Funcs, Func{s.name, s.addr, s.size})
	}
	f.survey = sync.OnceValue(f.takeSurvey)
	f.byName = sync.OnceValue(func() map[string]Func {
		index := make(map[string]Func, len(f.Funcs))
		for _, fn := range slices.Backward(f.Funcs) {
			index[fn.Name] = fn
		}
		return index
	})
	return f
}

// A Func is a function of a binary: its address in memory before relocation, and its size
// in bytes without the padding behind it. Name is as the file has it, and may hold
// anything.
type Func struct {
	Name       string
	Addr, Size uint64
}

// ErrStripped is the error of Fingerprint for a file in which only functions have names.
var ErrStripped = errors.New("no symbol table; build without -ldflags=-s")

// ErrArch is the error of a file for a processor whose instructions this package cannot
// read.
var ErrArch = errors.New("architecture is not amd64 or arm64")

// Open reads a Go binary's functions and initialised data. A file that is not an amd64 or
// arm64 ELF, Mach-O or PE executable, or that has no Go functions, is an error.
func Open(path string) (*File, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read binary: %w", err)
	}
	im, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("read binary %q: %w", path, err)
	}
	lines := readLineTable(im)
	if len(im.funcs) == 0 {
		if im.funcs, err = strippedFuncs(lines); err != nil {
			return nil, fmt.Errorf("read binary %q: %w", path, err)
		}
		im.stripped = true
	}
	return newFile(im, lines), nil
}

// Strip returns the file as it is read without its symbol table, to compare it with a stripped
// one: with the Go functions of its line table, and data that has no names. A file without
// that table is an error.
func (f *File) Strip() (*File, error) {
	funcs, err := strippedFuncs(f.lines)
	if err != nil {
		return nil, err
	}
	im := *f.image
	im.symbols, im.marks, im.named, im.funcs, im.stripped = nil, nil, nil, funcs, true
	return newFile(&im, f.lines), nil
}

// parse recognises the format by the first bytes. The standard library's readers promise
// no protection from hostile files, so a panic of theirs is an error here.
func parse(data []byte) (im *image, err error) {
	defer func() {
		if r := recover(); r != nil {
			im, err = nil, fmt.Errorf("damaged file: %v", r)
		}
	}()
	switch {
	case bytes.HasPrefix(data, []byte(elf.ELFMAG)):
		return parseAs(data, elf.NewFile, readELF)
	case bytes.HasPrefix(data, []byte{0xcf, 0xfa, 0xed, 0xfe}):
		return parseAs(data, macho.NewFile, readMachO)
	case bytes.HasPrefix(data, []byte("MZ")):
		return parseAs(data, pe.NewFile, readPE)
	}
	return nil, errors.New("not an ELF, Mach-O or PE file")
}

func parseAs[F any](data []byte, open func(io.ReaderAt) (*F, error), read func(*F) (*image, error)) (*image, error) {
	f, err := open(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return read(f)
}

// strippedFuncs lists the functions of the line table, which -ldflags=-s keeps.
func strippedFuncs(t *lineTable) ([]symbol, error) {
	if t == nil {
		return nil, errors.New("no functions found: neither a symbol table nor a Go line table")
	}
	funcs := slices.DeleteFunc(t.listFuncs(), func(s symbol) bool { return isBuildID(s.name) })
	if len(funcs) == 0 {
		return nil, errors.New("no functions found: the line table is empty or damaged")
	}
	return funcs, nil
}

// HoldsText reports whether the program's data, where string literals are, has a text.
// Literals lie side by side, so a short text may be there by chance.
func (f *File) HoldsText(text string) bool {
	return slices.ContainsFunc(f.image.sections, func(s *section) bool {
		return !s.exec && !s.skip && bytes.Contains(s.data, []byte(text))
	})
}
