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

// A section is a part of the loaded program. Bytes beyond data, up to size, are zero when
// the program starts (bss).
type section struct {
	name       string
	addr, size uint64
	data       []byte
	exec       bool
	write      bool // known for ELF only
	// skip marks sections whose content follows from the others (line tables, unwind
	// tables) or names the build.
	skip bool
	// links marks tables of addresses in other libraries. Their order means nothing; each
	// word means what it is filled with.
	links bool
	// numbers marks data that Go keeps free of pointers.
	numbers bool
}

func (s *section) end() uint64 { return s.addr + s.size }

// A symbol names a part of a section, or with size 0 a place.
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
	// dynamic has the words that the dynamic linker fills in, by address.
	dynamic map[uint64]string
	// pointers has the addresses of all pointers in a position-independent ELF file. If
	// it is nil any word may be one.
	pointers map[uint64]bool
	// strings and gcbits are where Go's string literals and the collector's masks are:
	// neither has pointers.
	strings, gcbits symbol
	// funcvals are where the words are that func values point at. Up to go1.25 line
	// tables are there too.
	funcvals []symbol
	// unreachable is the address that stands for methods that nothing calls.
	unreachable uint64
	// imports lists what comes from other libraries.
	imports []string

	// stripped is true if funcs come from the line table.
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
	// Of several names for one address take one with a size, then the first in the
	// alphabet: the order in the file depends on the layout.
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
	im.unreachable, _ = im.markAt("runtime.unreachableMethod")
	return nil
}

// cutZeroes ends the file's part of a section where Go's zeroed data begins. PE has both
// in one section and rounds the file's part up.
func (im *image) cutZeroes() {
	bss, _ := im.markAt("runtime.bss")
	s := im.section(bss)
	if s == nil || bss-s.addr >= uint64(len(s.data)) {
		return
	}
	if n := bss - s.addr; len(bytes.Trim(s.data[n:], "\x00")) == 0 {
		s.data = s.data[:n]
	}
}

func (im *image) group(name string) symbol {
	addr, ok := im.markAt(name)
	if !ok {
		return symbol{}
	}
	return symbol{name: name, addr: addr, size: im.after(addr) - addr}
}

func compactAddr(s []symbol) []symbol {
	return slices.CompactFunc(s, func(a, b symbol) bool { return a.addr == b.addr })
}

// extent returns the size of a symbol. In a format without sizes it excludes the padding
// behind a function, which is the linker's.
func (im *image) extent(sec *section, s symbol) uint64 {
	if im.sized && (s.size > 0 || !sec.exec) {
		return min(s.size, sec.end()-s.addr)
	}
	end := im.after(s.addr)
	if sec.exec {
		return im.unpaddedCode(s.addr, end-s.addr)
	}
	// Of initialised data count only what is certain: unnamed data may follow.
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

// bytes returns up to n bytes of the file at addr: fewer at the end of a section, none
// where memory is zero or absent.
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

// markAt returns the address of the symbol of that name, sized or not.
func (im *image) markAt(name string) (addr uint64, ok bool) {
	for _, s := range im.symbols {
		if s.name == name {
			return s.addr, true
		}
	}
	return 0, false
}

// after returns the first address above addr where a symbol starts or the section ends.
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

// isBuildID reports whether a symbol is the build ID, which PE and Mach-O keep among the
// functions.
func isBuildID(name string) bool { return name == "go:buildid" || name == "go.buildid" }

// isMark reports whether a symbol only marks a place: an end of a part of the program, or
// a group of symbols that the linker does not list.
func isMark(name string) bool {
	if isBuildID(name) {
		return true
	}
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
