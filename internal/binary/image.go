package binary

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// A section is a stretch of the loaded program. Bytes past data, up to size,
// are zero when the program starts (bss).
type section struct {
	name       string
	addr, size uint64
	data       []byte
	exec       bool
	write      bool // known for ELF only
	// skip marks sections whose content follows from the rest (line tables,
	// unwind tables) or names the build.
	skip bool
	// links marks tables of addresses in other libraries. Their order means
	// nothing; each word is what it is filled with.
	links bool
	// numbers marks what Go keeps free of pointers.
	numbers bool
}

func (s *section) end() uint64 { return s.addr + s.size }

// A symbol is a named stretch of a section, or a mark of size 0.
type symbol struct {
	name       string
	addr, size uint64
	// plain marks a symbol of ELF type NOTYPE or a section's own name.
	plain bool
}

func (s symbol) end() uint64            { return s.addr + s.size }
func (s symbol) holds(addr uint64) bool { return addr-s.addr < s.size }

// An image is a binary as its loader sees it.
type image struct {
	format, arch string
	// sized says that the file format gives the sizes of symbols.
	sized    bool
	sections []*section
	symbols  []symbol
	// dynamic holds the words that the dynamic linker fills in, by address.
	dynamic map[uint64]string
	// pointers holds the addresses of all pointers in a position-independent
	// ELF file. Where it is nil any word may be one.
	pointers map[uint64]bool
	// strings and gcbits are where Go's string literals and the collector's
	// masks are: neither holds pointers.
	strings, gcbits symbol
	// funcvals are where the words are that func values point at. Up to go1.25
	// line tables are there too.
	funcvals []symbol
	// unreachable is the address that stands for methods never called.
	unreachable uint64
	// imports lists what is taken from other libraries.
	imports []string

	// stripped says that funcs come from the line table.
	stripped bool

	funcs []symbol // sorted by address, one per address
	named []symbol // data likewise
	marks []uint64 // every address at which some symbol starts, sorted
}

// settle sorts what a reader found and gives every symbol its size.
func (im *image) settle() error {
	im.sections = slices.DeleteFunc(im.sections, func(s *section) bool {
		return s.size == 0 || s.addr+s.size < s.addr
	})
	slices.SortStableFunc(im.sections, func(a, b *section) int { return cmp.Compare(a.addr, b.addr) })
	for i, s := range im.sections {
		if i > 0 && s.addr < im.sections[i-1].end() {
			return fmt.Errorf("sections %s and %s overlap", im.sections[i-1].name, s.name)
		}
	}
	// Of several names for one address the one with a size counts, then
	// the first in the alphabet: file order depends on the layout.
	slices.SortFunc(im.symbols, func(a, b symbol) int {
		return cmp.Or(cmp.Compare(a.addr, b.addr), cmp.Compare(b.size, a.size), cmp.Compare(a.name, b.name))
	})
	im.cutZeroes()
	for _, s := range im.symbols {
		im.marks = append(im.marks, s.addr)
	}
	im.marks = slices.Compact(im.marks)
	for _, s := range im.symbols {
		sec := im.section(s.addr)
		if sec == nil || isMark(s.name) || s.plain && s.size == 0 {
			continue
		}
		if s.size = im.extent(sec, s); s.size == 0 {
			continue
		}
		if sec.exec {
			im.funcs = append(im.funcs, s)
		} else {
			im.named = append(im.named, s)
		}
	}
	im.funcs = compactAddr(im.funcs)
	im.named = compactAddr(im.named)
	im.strings, im.gcbits = im.group("go:string.*"), im.group("runtime.gcbits.*")
	for _, name := range []string{"go:funcdesc", "go:funcdescrel", "go:func.*"} {
		im.funcvals = append(im.funcvals, im.group(name))
	}
	im.unreachable, _ = im.mark("runtime.unreachableMethod")
	return nil
}

// cutZeroes ends the file's part of a section where Go's zeroed data begins. In
// PE both are in one section, and the file's part is rounded up.
func (im *image) cutZeroes() {
	bss, _ := im.mark("runtime.bss")
	s := im.section(bss)
	if s == nil || bss-s.addr >= uint64(len(s.data)) {
		return
	}
	if n := bss - s.addr; len(bytes.Trim(s.data[n:], "\x00")) == 0 {
		s.data = s.data[:n]
	}
}

// group returns the stretch of one of the linker's groups of unlisted symbols.
func (im *image) group(name string) symbol {
	addr, ok := im.mark(name)
	if !ok {
		return symbol{}
	}
	return symbol{name: name, addr: addr, size: im.after(addr) - addr}
}

func compactAddr(s []symbol) []symbol {
	return slices.CompactFunc(s, func(a, b symbol) bool { return a.addr == b.addr })
}

// extent returns the size of a symbol. Functions in a format without sizes
// lose the padding between functions: the linker's, not the function's.
func (im *image) extent(sec *section, s symbol) uint64 {
	if im.sized && (s.size > 0 || !sec.exec) {
		return min(s.size, sec.end()-s.addr)
	}
	end := im.after(s.addr)
	if sec.exec {
		return im.unpaddedCode(s.addr, end-s.addr)
	}
	// Of initialised data only what is sure: the rest is unnamed data behind it.
	if s.addr-sec.addr < uint64(len(sec.data)) {
		return min(end-s.addr, max(8, im.aboutBuild(s)))
	}
	return end - s.addr
}

// padding is the byte that the Go linker puts between functions.
var padding = map[string]byte{"amd64": 0xcc, "arm64": 0}

// section returns the section that holds addr, or nil.
func (im *image) section(addr uint64) *section {
	i := sort.Search(len(im.sections), func(i int) bool { return im.sections[i].addr > addr }) - 1
	if i >= 0 && addr < im.sections[i].end() {
		return im.sections[i]
	}
	return nil
}

// bytes returns up to n bytes of the file at addr: fewer at the end of a
// section, none where memory is zero or absent.
func (im *image) bytes(addr, n uint64) []byte {
	s := im.section(addr)
	if s == nil || addr-s.addr >= uint64(len(s.data)) {
		return nil
	}
	b := s.data[addr-s.addr:]
	return b[:min(n, uint64(len(b)))]
}

// word returns the pointer-sized word at addr; ok is false outside the file.
func (im *image) word(addr uint64) (v uint64, ok bool) {
	b := im.bytes(addr, 8)
	if len(b) < 8 {
		return 0, false
	}
	return binary.LittleEndian.Uint64(b), true
}

// half returns the 32-bit word at addr, 0 outside the file.
func (im *image) half(addr uint64) uint32 { return u32(im.bytes(addr, 4), 0) }

// mark returns the address of the symbol of that name, sized or not.
func (im *image) mark(name string) (addr uint64, ok bool) {
	for _, s := range im.symbols {
		if s.name == name {
			return s.addr, true
		}
	}
	return 0, false
}

// after returns the first address above addr at which a symbol starts or its
// section ends.
func (im *image) after(addr uint64) uint64 {
	s := im.section(addr)
	if s == nil {
		return addr
	}
	i := sort.Search(len(im.marks), func(i int) bool { return im.marks[i] > addr })
	if i < len(im.marks) {
		return min(im.marks[i], s.end())
	}
	return s.end()
}

// find returns the index of the symbol of a sorted list that holds addr, or -1.
func find(list []symbol, addr uint64) int {
	i := sort.Search(len(list), func(i int) bool { return list[i].addr > addr }) - 1
	if i >= 0 && addr < list[i].end() {
		return i
	}
	return -1
}

// isMark reports whether a symbol only marks a place: the ends of the
// program's parts, and the linker's groups of symbols that it does not list.
func isMark(name string) bool {
	switch name {
	case "runtime.text", "runtime.etext", "runtime.rodata", "runtime.erodata", "runtime.types", "runtime.etypes",
		"runtime.noptrdata", "runtime.enoptrdata", "runtime.data", "runtime.edata", "runtime.bss", "runtime.ebss",
		"runtime.noptrbss", "runtime.enoptrbss", "runtime.covctrs", "runtime.ecovctrs", "runtime.end",
		"runtime.egcdata", "runtime.egcbss", "runtime.epclntab", "runtime.symtab", "runtime.esymtab",
		"go:funcdesc", "go:funcdescrel", "":
		return true
	}
	return strings.HasSuffix(name, ".*") || strings.HasSuffix(name, ":*") ||
		strings.HasPrefix(name, "runtime.text.") || strings.HasPrefix(name, "runtime.etext.")
}
