package binary

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A typeTable reads the type descriptors of a Go binary. The symbol table does not list
// them, and their bytes depend on the layout: methods are distances from the start of the
// text. The structures are those of internal/abi in go1.24 to go1.27.
type typeTable struct {
	im      *image
	lo, hi  uint64 // where descriptors are; names and types count from lo
	text    uint64 // methods count from here
	mapSize uint64
	keys    map[uint64]string // "" for what is no descriptor
	pending []uint64
	read    []symbol // stretches that were understood
	noted   map[uint64]uint64
	resting bool // all that is left are closures and names
}

// Offsets in abi.Type, and sizes of its kinds.
const (
	typeEqual, typeStr, typeSize     = 24, 40, 48
	kindArray, kindChan, kindFunc    = 17, 18, 19
	kindInterface, kindMap, kindPtr  = 20, 21, 22
	kindSlice, kindStruct, kindCount = 23, 25, 27
	uncommonSize, methodSize         = 16, 16
	flagUncommon, flagExtraStar      = 1, 2
	nameHasTag                       = 2
)

func newTypeTable(im *image) *typeTable {
	t := &typeTable{im: im, keys: map[uint64]string{}, noted: map[uint64]uint64{}, mapSize: mapTypeSize(goVersion(im))}
	lo, ok := im.markAt("runtime.types")
	if !ok {
		return t
	}
	t.text, _ = im.markAt("runtime.text")
	t.lo, t.hi = lo, lo
	// The groups of descriptors start where runtime.types is, or just behind.
	for _, group := range []string{"runtime.types", "type:*", "typerel.*"} {
		if at, ok := im.markAt(group); ok && at >= lo && at-lo <= 64 {
			t.hi = max(t.hi, at+uint64(len(im.bytes(at, im.after(at)-at))))
		}
	}
	return t
}

// goVersion returns the version string that the program itself would print, such as
// "go1.26.8 X:nogreenteagc", or "".
func goVersion(im *image) string {
	header, ok := im.markAt("runtime.buildVersion")
	if !ok {
		return ""
	}
	at, _ := im.word(header)
	n, _ := im.word(header + 8)
	return string(im.bytes(at, min(n, 1000)))
}

// mapTypeSize returns the size of abi.MapType, the one descriptor that changed between
// releases.
func mapTypeSize(version string) uint64 {
	var minor int
	if _, err := fmt.Sscanf(strings.TrimPrefix(version, "devel "), "go1.%d", &minor); err == nil && minor >= 27 {
		return typeSize + 88
	}
	if minor < 24 || strings.Contains(version, "noswissmap") {
		return typeSize + 40
	}
	return typeSize + 64
}

func (t *typeTable) holds(addr uint64) bool { return addr >= t.lo && addr < t.hi }

// key returns a name for the descriptor at addr: the type's string, and the compiler's
// hash of its full name, which distinguishes types of equal strings.
func (t *typeTable) key(addr uint64) (string, bool) {
	if !t.holds(addr) {
		return "", false
	}
	key, ok := t.keys[addr]
	if !ok {
		if key = t.readKey(addr); key != "" {
			t.pending = append(t.pending, addr)
		}
		t.keys[addr] = key
	}
	return key, key != ""
}

// isKey reports whether a descriptor may be at addr, without noting it.
func (t *typeTable) isKey(addr uint64) bool {
	return t.holds(addr) && t.readKey(addr) != ""
}

func (t *typeTable) readKey(addr uint64) string {
	head := t.im.bytes(addr, typeSize)
	if len(head) < typeSize || addr&7 != 0 {
		return ""
	}
	flag, align, kind := head[20], head[21], head[23]&31
	if kind == 0 || kind >= kindCount || align&(align-1) != 0 || align > 64 {
		return ""
	}
	name, ok := t.name(t.lo + uint64(binary.LittleEndian.Uint32(head[typeStr:])))
	if !ok || len(name) < 2 {
		return ""
	}
	str := name[1:] // without the flags
	if flag&flagExtraStar != 0 {
		str = bytes.TrimPrefix(str, []byte("*"))
	}
	return fmt.Sprintf("type:%s#%08x", str, binary.LittleEndian.Uint32(head[16:]))
}

// name returns the flags, text and tag of an abi.Name.
func (t *typeTable) name(addr uint64) ([]byte, bool) {
	if !t.holds(addr) {
		return nil, false
	}
	b := t.im.bytes(addr, t.hi-addr)
	if len(b) == 0 || b[0] > 15 {
		return nil, false
	}
	size := 1
	out := []byte{b[0]}
	for part := 0; part < 1+int(b[0]&nameHasTag)/nameHasTag; part++ {
		n, used := binary.Uvarint(b[size:])
		if used <= 0 || n > uint64(len(b)-size-used) {
			return nil, false
		}
		size += used + int(n)
		out = append(out, b[size-int(n):size]...)
	}
	t.know(addr, uint64(size))
	return out, true
}

// hash hashes every descriptor in use, those between them, and everything else there.
func (t *typeTable) hash(p *fingerprinter, out map[string]Hash) {
	parts := map[string][]Hash{}
	for {
		for len(t.pending) > 0 {
			addr := t.pending[0]
			t.pending = t.pending[1:]
			d := descriptor{t: t, p: p, addr: addr}
			d.write()
			parts[t.keys[addr]] = append(parts[t.keys[addr]], sum(d.out))
		}
		t.gaps(func(at, end uint64) {
			for at = (at + 7) &^ 7; at+typeSize <= end; at += 8 {
				t.key(at)
			}
		})
		if len(t.pending) == 0 {
			break
		}
	}
	maps.Copy(out, combineHashes(parts))
	if t.hi > t.lo {
		out["types not understood"] = t.hashRest(p)
	}
}

// know notes a part that was understood.
func (t *typeTable) know(addr, size uint64) {
	if t.noted[addr] < size {
		t.noted[addr] = size
		t.read = append(t.read, symbol{addr: addr, size: size})
	}
}

// gaps visits what no descriptor has led to, in address order.
func (t *typeTable) gaps(visit func(at, end uint64)) {
	slices.SortFunc(t.read, func(a, b symbol) int {
		return cmp.Or(cmp.Compare(a.addr, b.addr), cmp.Compare(b.size, a.size))
	})
	at := t.lo
	for _, s := range append(slices.Clone(t.read), symbol{addr: t.hi}) {
		if s.addr > at {
			visit(at, s.addr)
		}
		at = max(at, s.end())
	}
}

func (t *typeTable) hashRest(p *fingerprinter) Hash {
	t.resting = true
	var b []byte
	t.gaps(func(at, end uint64) { b = append(b, p.content(at, p.unpadded(at, end), 1)...) })
	return sum(b)
}

// A descriptor collects the content of one type descriptor, without its addresses.
type descriptor struct {
	t    *typeTable
	p    *fingerprinter
	addr uint64
	out  []byte
}

func (d *descriptor) write() {
	head := d.t.im.bytes(d.addr, typeSize)
	flag, kind := head[20], head[23]&31
	d.out = append(d.out, head[:typeEqual]...)
	d.words(typeEqual, typeEqual+8)
	// The bits for the collector at 32 follow from the fields; a pointer type at 44 is
	// there or not as the program uses it elsewhere.
	size := uint64(typeSize)
	switch kind {
	case kindArray:
		size += 24
		d.words(typeSize, size-8)
		d.raw(size-8, 8)
	case kindChan:
		size += 16
		d.words(typeSize, size-8)
		d.raw(size-8, 8)
	case kindMap:
		size = d.t.mapSize
		d.words(typeSize, typeSize+32)
		d.raw(typeSize+32, size-typeSize-32)
	case kindPtr, kindSlice:
		size += 8
		d.words(typeSize, size)
	case kindFunc:
		size += 8
		d.raw(typeSize, 8)
	case kindInterface, kindStruct:
		size += 32
		d.namePointer(d.addr + typeSize)
		d.raw(typeSize+16, 8)
	}
	d.t.know(d.addr, size)
	d.offset(44, d.typeName)
	end := size
	if flag&flagUncommon != 0 {
		d.uncommon(size)
		end += uncommonSize
	}
	switch kind {
	case kindFunc:
		in := d.t.im.half(d.addr + typeSize)
		n := uint64(in&0xffff + in>>16&0x7fff)
		d.words(end, end+8*n)
		d.t.know(d.addr+end, 8*n)
	case kindInterface:
		d.each(8, func(at uint64) {
			d.offset(at-d.addr, d.text)
			d.offset(at+4-d.addr, d.typeName)
		})
	case kindStruct:
		d.each(24, func(at uint64) {
			d.namePointer(at)
			d.words(at+8-d.addr, at+16-d.addr)
			d.raw(at+16-d.addr, 8)
		})
	}
}

// each visits the elements of the slice in the second word behind the head.
func (d *descriptor) each(size uint64, visit func(at uint64)) {
	at, _ := d.t.im.word(d.addr + typeSize + 8)
	n, _ := d.t.im.word(d.addr + typeSize + 16)
	if !d.t.holds(at) || n > (d.t.hi-at)/size {
		return
	}
	d.t.know(at, n*size)
	for ; n > 0; n-- {
		visit(at)
		at += size
	}
}

// uncommon adds the package and the methods.
func (d *descriptor) uncommon(off uint64) {
	d.t.know(d.addr+off, uncommonSize)
	d.offset(off, d.text)
	d.raw(off+4, 4)
	count := d.t.im.half(d.addr + off + 4)
	moff := d.t.im.half(d.addr + off + 8)
	at := off + uint64(moff)
	n := uint64(count & 0xffff)
	if !d.t.holds(d.addr+at) || n > (d.t.hi-d.addr-at)/methodSize {
		return
	}
	d.t.know(d.addr+at, n*methodSize)
	for ; n > 0; n-- {
		d.offset(at, d.text)
		d.offset(at+4, d.typeName)
		d.function(at + 8)
		d.function(at + 12)
		at += methodSize
	}
}

func (d *descriptor) raw(off, n uint64) { d.out = append(d.out, d.t.im.bytes(d.addr+off, n)...) }

// words adds the words from off to end, with pointers resolved.
func (d *descriptor) words(off, end uint64) {
	d.out = append(d.out, d.p.content(d.addr+off, d.addr+end, 1)...)
}

// namePointer adds the name that the word at addr points at.
func (d *descriptor) namePointer(addr uint64) {
	at, _ := d.t.im.word(addr)
	name, _ := d.t.name(at)
	d.out = appendLabel(d.out, string(name))
}

// offset adds what the 32-bit distance at off leads to. 0 and -1 lead nowhere: the linker
// leaves out what nothing can reach.
func (d *descriptor) offset(off uint64, meaning func(uint64) (string, bool)) {
	v := d.t.im.half(d.addr + off)
	if int32(v) > 0 {
		if l, ok := meaning(uint64(v)); ok {
			d.out = appendLabel(d.out, l)
			return
		}
	}
	d.out = binary.LittleEndian.AppendUint32(append(d.out, 0), v)
}

func (d *descriptor) text(v uint64) (string, bool) {
	name, ok := d.t.name(d.t.lo + v)
	return string(name), ok
}

func (d *descriptor) typeName(v uint64) (string, bool) { return d.t.key(d.t.lo + v) }

// function adds what the distance into the text at off leads to. 0 is the first function,
// -1 one that the linker left out.
func (d *descriptor) function(off uint64) {
	v := d.t.im.half(d.addr + off)
	if s := d.t.im.section(d.t.text + uint64(v)); int32(v) >= 0 && s != nil && s.exec {
		d.out = appendLabel(d.out, d.p.label(d.t.text+uint64(v), 0))
		return
	}
	d.out = binary.LittleEndian.AppendUint32(append(d.out, 0), v)
}
