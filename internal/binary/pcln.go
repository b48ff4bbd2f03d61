package binary

import (
	"bytes"
	"encoding/binary"
	"sort"
	"strings"
)

// A lineTable is Go's table of functions and lines (pclntab), which the run time reads
// and -ldflags=-s keeps. debug/gosym knows neither what was inlined nor the size of
// frames, so this package reads the table itself: runtime.pcHeader, runtime._func and
// runtime.inlinedCall did not change from go1.20 to go1.27. All reads are checked;
// anything outside reads as zero.
type lineTable struct {
	im *image
	// text is where functions count from, gofunc where function data does, 0 if unknown.
	text, gofunc uint64
	quantum      uint64
	count        int
	// The parts of the table: names, files of compilation units, file names, values by
	// program counter, functions.
	names, units, files, pcValues, funcs []byte
}

// Offsets in runtime._func, and two indexes of internal/abi.
const (
	funcName, funcSP, funcFile, funcLine = 4, 16, 20, 24
	funcValues, funcUnit, funcStart      = 28, 32, 36
	funcDataCount, funcSize              = 43, 44
	inlineTree, inlineIndex              = 3, 2 // FUNCDATA_InlTree, PCDATA_InlTreeIndex
	inlinedSize                          = 16   // of runtime.inlinedCall
)

// lineMagic is the magic number of internal/abi since go1.20; go1.27 still uses it.
const lineMagic = 0xfffffff1

// maxName is the maximum length of a name; generic functions in real programs stay below
// it.
const maxName = 1 << 14

// readLineTable finds the table of an image; nil for none.
func readLineTable(im *image) *lineTable {
	addr, data := im.findLineTable()
	if data == nil {
		return nil
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(data[8+8*i:]) }
	part := func(i int) []byte { return data[min(word(i), uint64(len(data))):] }
	t := &lineTable{im: im, quantum: uint64(data[6]),
		names: part(3), units: part(4), files: part(5), pcValues: part(6), funcs: part(7)}
	if word(0) > uint64(len(t.funcs)/8) {
		return nil
	}
	t.count = int(word(0))
	t.place(addr, word(3), word(2))
	return t
}

// findLineTable finds the table by its symbol or section, and in stripped PE files by its
// first bytes.
func (im *image) findLineTable() (addr uint64, data []byte) {
	if at, ok := im.markAt("runtime.pclntab"); ok {
		if b := im.rest(at); isLineTable(b) {
			return at, b
		}
	}
	for _, s := range im.sections {
		if strings.HasSuffix(s.name, "gopclntab") && isLineTable(s.data) {
			return s.addr, s.data
		}
	}
	for _, s := range im.sections {
		for at := 0; at < len(s.data); at++ {
			i := bytes.Index(s.data[at:], []byte{0xf1, 0xff, 0xff, 0xff, 0, 0})
			if i < 0 {
				break
			}
			if at += i; isLineTable(s.data[at:]) {
				return s.addr + uint64(at), s.data[at:]
			}
		}
	}
	return 0, nil
}

// rest returns the bytes of the file from addr to the end of its section.
func (im *image) rest(addr uint64) []byte { return im.bytes(addr, 1<<62) }

// isLineTable checks a table's header: magic number, smallest instruction, size of a
// pointer, and the order of its parts.
func isLineTable(b []byte) bool {
	if len(b) < 72 || binary.LittleEndian.Uint32(b) != lineMagic || b[4] != 0 || b[5] != 0 || b[6] != 1 && b[6] != 4 || b[7] != 8 {
		return false
	}
	for i := 3; i < 7; i++ {
		at, next := binary.LittleEndian.Uint64(b[8+8*i:]), binary.LittleEndian.Uint64(b[16+8*i:])
		if at > next || next > uint64(len(b)) {
			return false
		}
	}
	return true
}

// Offsets in runtime.moduledata. The last two moved in go1.27.
const (
	moduleText, moduleTypes, moduleEtypes = 176, 296, 304
	moduleGofunc, moduleGofunc127         = 320, 344
)

// place finds where functions and their data count from: by symbols, and in stripped
// files by the module data. Nothing else has a pointer to the table and then one to its
// names.
func (t *lineTable) place(addr, names, textStart uint64) {
	text, known := t.im.markAt("runtime.text")
	gofunc, ok := t.im.markAt("go:func.*")
	if known && ok {
		t.text, t.gofunc = text, gofunc
		return
	}
	if at, found := t.im.findModule(addr, addr+names); found {
		t.text, _ = t.im.word(at + moduleText)
		types, _ := t.im.word(at + moduleTypes)
		off := uint64(moduleGofunc)
		if etypes, _ := t.im.word(at + moduleEtypes); etypes < types {
			off = moduleGofunc127 // there stands a length
		}
		t.gofunc, _ = t.im.word(at + off)
		return
	}
	if t.text = text; known {
		return
	}
	if t.text = textStart; t.im.section(textStart) != nil && textStart != 0 { // up to go1.25
		return
	}
	for _, s := range t.im.sections {
		if s.name == ".text" || s.name == "__text" {
			t.text = s.addr
		}
	}
}

// findModule finds a pointer to the table followed by one to its names.
func (im *image) findModule(table, names uint64) (addr uint64, ok bool) {
	for _, s := range im.sections {
		for i := int(-s.addr & 7); i+16 <= len(s.data); i += 8 {
			if binary.LittleEndian.Uint64(s.data[i:]) == table && binary.LittleEndian.Uint64(s.data[i+8:]) == names {
				return s.addr + uint64(i), true
			}
		}
	}
	return 0, false
}

// u32 returns the 32-bit number at off, 0 outside.
func u32(b []byte, off uint64) uint32 {
	if off > uint64(len(b)) || uint64(len(b))-off < 4 {
		return 0
	}
	return binary.LittleEndian.Uint32(b[off:])
}

// cString returns the zero-terminated text at off.
func cString(b []byte, off uint64) string {
	if off >= uint64(len(b)) {
		return ""
	}
	b = b[off:min(uint64(len(b)), off+maxName)]
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}

// entry returns the address of function i, or for i == count the end of the last.
func (t *lineTable) entry(i int) uint64 { return t.text + uint64(u32(t.funcs, 8*uint64(i))) }

// record returns the runtime._func of function i and what follows it, or nil.
func (t *lineTable) record(i int) []byte {
	off := uint64(u32(t.funcs, 8*uint64(i)+4))
	if off > uint64(len(t.funcs)) || len(t.funcs)-int(off) < funcSize {
		return nil
	}
	return t.funcs[off:]
}

// find returns the index of the function that holds addr, or -1.
func (t *lineTable) find(addr uint64) int {
	if t == nil || addr < t.text || t.count == 0 || addr >= t.entry(t.count) {
		return -1
	}
	return sort.Search(t.count, func(i int) bool { return t.entry(i) > addr }) - 1
}

type lineFunc struct {
	*lineTable
	record     []byte
	entry, end uint64
}

// function returns the function that holds addr. ok is false for C functions, and without
// a table.
func (t *lineTable) function(addr uint64) (f lineFunc, ok bool) {
	i := t.find(addr)
	if i < 0 {
		return f, false
	}
	return lineFunc{t, t.record(i), t.entry(i), t.entry(i + 1)}, true
}

// values returns the table of values whose place is at offset in the record.
func (f lineFunc) values(offset uint64) []stretch {
	return f.stretches(u32(f.record, offset), f.entry, f.end)
}

// fileAt returns the file of the instruction at pc.
func (f lineFunc) fileAt(pc uint64) string {
	return f.fileName(f.record, valueAt(f.values(funcFile), pc))
}

// A stretch is a value that holds from start up to end.
type stretch struct {
	start, end uint64
	value      int32
}

// maxStretches is the maximum length of a table: one stretch for each instruction.
const maxStretches = maxInsts

// stretches decodes the table of values at off for a function from entry to end: pairs of
// differences, of the value (zigzag) and of the counter, until a value does not differ.
// See runtime.pcvalue.
func (t *lineTable) stretches(off uint32, entry, end uint64) []stretch {
	if off == 0 || uint64(off) >= uint64(len(t.pcValues)) {
		return nil
	}
	var list []stretch
	b := t.pcValues[off:]
	value, pc := int32(-1), entry
	for pc < end && len(list) < maxStretches {
		delta, n := binary.Uvarint(b)
		if n <= 0 || delta == 0 && len(list) > 0 {
			break
		}
		step, m := binary.Uvarint(b[n:])
		if m <= 0 || step > 1<<32 {
			break
		}
		b = b[n+m:]
		value += int32(uint32(delta>>1) ^ -uint32(delta&1))
		next := min(pc+step*t.quantum, end)
		list = append(list, stretch{pc, next, value})
		pc = next
	}
	return list
}

// valueAt returns the value at pc, -1 for none.
func valueAt(list []stretch, pc uint64) int32 {
	i := sort.Search(len(list), func(i int) bool { return list[i].end > pc })
	if i == len(list) || pc < list[i].start {
		return -1
	}
	return list[i].value
}

// fileName returns the name of file n of a compilation unit.
func (t *lineTable) fileName(record []byte, n int32) string {
	unit := u32(record, funcUnit)
	if n < 0 || unit == ^uint32(0) {
		return ""
	}
	off := 4 * (uint64(unit) + uint64(n))
	if off+4 > uint64(len(t.units)) {
		return ""
	}
	if off := u32(t.units, off); off != ^uint32(0) {
		return cString(t.files, uint64(off))
	}
	return ""
}

func (t *lineTable) listFuncs() []symbol {
	var list []symbol
	for i := range t.count {
		addr, end := t.entry(i), t.entry(i+1)
		s := t.im.section(addr)
		r := t.record(i)
		if end <= addr || r == nil || s == nil || !s.exec {
			continue
		}
		size := t.im.unpaddedCode(addr, min(end, s.end())-addr)
		if name := cString(t.names, uint64(u32(r, funcName))); name != "" && size > 0 {
			list = append(list, symbol{name: name, addr: addr, size: size})
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].addr < list[j].addr })
	return compactAddr(list)
}

// unpaddedCode returns the size of a function without the linker's padding.
func (im *image) unpaddedCode(addr, size uint64) uint64 {
	code := im.bytes(addr, size)
	for len(code) > 0 && code[len(code)-1] == padding[im.arch] {
		code = code[:len(code)-1]
	}
	if im.arch == "arm64" { // an instruction may itself end in a zero byte
		return min((uint64(len(code))+3)&^3, size)
	}
	return uint64(len(code))
}
