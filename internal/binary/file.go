package binary

import (
	"bytes"
	"debug/elf"
	"debug/gosym"
	"debug/macho"
	"debug/pe"
	"errors"
	"fmt"
	"os"
)

// A File is a Go binary, fully read.
type File struct {
	// Arch is "amd64" or "arm64".
	Arch string
	// Format is "elf", "macho" or "pe".
	Format string
	// Funcs are the functions, by address. A stripped binary lists the Go
	// functions of its line table; other binaries also list C functions.
	Funcs []Func

	image *image
}

// A Func is a function of a binary. Addr is its address in memory before
// relocation, Size its length in bytes without the padding behind it (with
// the padding, in stripped binaries).
type Func struct {
	Name       string
	Addr, Size uint64
}

// ErrStripped is returned by Fingerprint where only functions can be named.
var ErrStripped = errors.New("no symbol table; build without -ldflags=-s")

// ErrArch is the error of a file for a processor whose instructions this package
// does not read.
var ErrArch = errors.New("architecture is not amd64 or arm64")

// Open reads a Go binary's functions and initialised data. A file that is not
// an amd64 or arm64 ELF, Mach-O or PE executable, or that holds no Go
// functions, is an error.
func Open(path string) (*File, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read binary: %w", err)
	}
	im, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("read binary %q: %w", path, err)
	}
	f := &File{Arch: im.arch, Format: im.format, image: im}
	for _, s := range im.funcs {
		f.Funcs = append(f.Funcs, Func{s.name, s.addr, s.size})
	}
	if len(f.Funcs) == 0 {
		if f.Funcs, err = strippedFuncs(im); err != nil {
			return nil, fmt.Errorf("read binary %q: %w", path, err)
		}
	}
	return f, nil
}

// parse tells the formats apart by their first bytes. The standard library's
// readers promise no protection from hostile files, so a panic of theirs is
// an error here.
func parse(data []byte) (im *image, err error) {
	defer func() {
		if r := recover(); r != nil {
			im, err = nil, fmt.Errorf("damaged file: %v", r)
		}
	}()
	r := bytes.NewReader(data)
	switch {
	case bytes.HasPrefix(data, []byte(elf.ELFMAG)):
		f, err := elf.NewFile(r)
		if err != nil {
			return nil, err
		}
		return readELF(f)
	case bytes.HasPrefix(data, []byte{0xcf, 0xfa, 0xed, 0xfe}):
		f, err := macho.NewFile(r)
		if err != nil {
			return nil, err
		}
		return readMachO(f)
	case bytes.HasPrefix(data, []byte("MZ")):
		f, err := pe.NewFile(r)
		if err != nil {
			return nil, err
		}
		return readPE(f)
	}
	return nil, errors.New("not an ELF, Mach-O or PE file")
}

// strippedFuncs lists the functions of the line table, which -ldflags=-s
// leaves in place.
func strippedFuncs(im *image) (funcs []Func, err error) {
	defer func() {
		if r := recover(); r != nil {
			funcs, err = nil, fmt.Errorf("damaged line table: %v", r)
		}
	}()
	var text uint64
	var table []byte
	for _, s := range im.sections {
		switch s.name {
		case ".text", "__text":
			text = s.addr
		case ".gopclntab", "__gopclntab":
			table = s.data
		}
	}
	if table == nil {
		return nil, errors.New("no functions found: neither a symbol table nor a Go line table")
	}
	t, err := gosym.NewTable(nil, gosym.NewLineTable(table, text))
	if err != nil {
		return nil, fmt.Errorf("read line table: %w", err)
	}
	for _, f := range t.Funcs {
		funcs = append(funcs, Func{f.Name, f.Entry, f.End - f.Entry})
	}
	if len(funcs) == 0 {
		return nil, errors.New("no functions found: the line table is empty")
	}
	return funcs, nil
}
