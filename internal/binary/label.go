package binary

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
)

// label describes what an address means, without the address: a function or data symbol
// and an offset, a type, or the content of an unnamed object. Its first letters say
// which. depth counts the pointers followed so far.
func (p *fingerprinter) label(addr uint64, depth int) string {
	if depth > maxDepth {
		return p.describe(addr, depth)
	}
	l, ok := p.labels[depth][addr]
	if !ok {
		l = p.describe(addr, depth)
		p.labels[depth][addr] = l
	}
	return l
}

func (p *fingerprinter) describe(addr uint64, depth int) string {
	sec := p.im.section(addr)
	switch {
	case sec == nil:
		return fmt.Sprintf("address %#x", addr)
	case sec.exec:
		return p.describeCode(sec, addr)
	}
	if i := find(p.im.named, addr); i >= 0 {
		return fmt.Sprintf("data %s+%d", p.named[i], addr-p.im.named[i].addr)
	}
	if sec.skip {
		return fmt.Sprintf("section %s+%d", sec.name, addr-sec.addr)
	}
	if key, ok := p.types.key(addr); ok {
		return key
	}
	if addr-sec.addr >= uint64(len(sec.data)) {
		// Counted, not measured: the padding between them may vary.
		if place, ok := p.places[addr]; ok {
			return "zeroes " + place
		}
		return fmt.Sprintf("zeroes %s+%d", sec.name, addr-sec.addr)
	}
	if sec.links {
		return fmt.Sprintf("link %x", p.content(addr, addr+8, depth+1))
	}
	if depth > maxDepth {
		return "unnamed"
	}
	if p.closure(addr) && slices.ContainsFunc(p.im.funcvals, func(g symbol) bool { return g.holds(addr) }) {
		return fmt.Sprintf("value %x", p.content(addr, addr+8, depth+1))
	}
	if p.itab(addr) {
		return fmt.Sprintf("itab %x", p.content(addr, addr+16, depth+1))
	}
	if p.types.holds(addr) { // a closure that compares or hashes: function, size
		p.types.know(addr, 16)
		return fmt.Sprintf("closure %x", p.content(addr, addr+16, depth+1))
	}
	return fmt.Sprintf("content %016x", uint64(sum(p.content(addr, p.unpadded(addr, p.objectEnd(addr)), depth+1))))
}

func (p *fingerprinter) describeCode(sec *section, addr uint64) string {
	if i := find(p.im.funcs, addr); i >= 0 {
		return fmt.Sprintf("func %s+%d", p.funcs[i], addr-p.im.funcs[i].addr)
	}
	if name, ok := p.im.stub(addr); ok {
		return "import " + name
	}
	return fmt.Sprintf("section %s+%d", sec.name, addr-sec.addr)
}

// objectEnd returns the last possible end of the unnamed object at addr: where the next
// thing begins.
func (p *fingerprinter) objectEnd(addr uint64) uint64 {
	i := sort.Search(len(p.bounds), func(i int) bool { return p.bounds[i] > addr })
	if i == len(p.bounds) {
		return addr
	}
	return p.bounds[i]
}

// content returns the bytes of the file from addr to end with every pointer replaced by
// its label. The length of each run of bytes comes first, so that it cannot look like a
// label.
func (p *fingerprinter) content(addr, end uint64, depth int) []byte {
	raw := p.im.bytes(addr, end-addr)
	var out []byte
	done := 0 // how much of raw is in out
	flush := func(to int) {
		if to > done {
			out = binary.AppendUvarint(append(out, 0), uint64(to-done))
			out = append(out, raw[done:to]...)
		}
	}
	for at := int(-addr & 7); at+8 <= len(raw); at += 8 {
		if l, ok := p.pointerLabel(addr+uint64(at), depth); ok {
			flush(at)
			out = appendLabel(out, l)
			done = at + 8
		}
	}
	flush(len(raw))
	return out
}

// pointerLabel returns the label of the pointer at addr, if there is one. A word that
// points at nothing named, or into the middle of a function, is more likely a number.
func (p *fingerprinter) pointerLabel(addr uint64, depth int) (string, bool) {
	if d, ok := p.im.dynamic[addr]; ok {
		return "import " + d, true
	}
	v, ok := p.pointer(addr)
	if !ok {
		return "", false
	}
	if p.im.section(v).exec {
		i := find(p.im.funcs, v)
		if i < 0 || v != p.im.funcs[i].addr && !p.jumps(addr, i) {
			return "", false
		}
	}
	return p.label(v, depth), true
}

// jumps reports whether addr lies in a jump table of function i: compilers make them of
// many words (Go: 8 or more), so a neighbour leads there too.
func (p *fingerprinter) jumps(addr uint64, i int) bool {
	f := p.im.funcs[i]
	return slices.ContainsFunc([]uint64{addr - 8, addr + 8}, func(at uint64) bool {
		v, ok := p.pointer(at)
		return ok && f.holds(v)
	})
}

// stub returns what a stub of the procedure linkage table jumps to: on amd64 with a jmp
// through a pc-relative word, on arm64 with adrp x16 and ldr x17.
func (im *image) stub(addr uint64) (string, bool) {
	code := im.bytes(addr, 16)
	if im.arch == "arm64" {
		for _, r := range refsA64(code, addr) {
			if name, ok := im.dynamic[r.target]; ok {
				return name, true
			}
		}
		return "", false
	}
	for i := 0; i+6 <= len(code); i++ {
		if code[i] == 0xff && code[i+1] == 0x25 {
			d := int32(binary.LittleEndian.Uint32(code[i+2:]))
			name, ok := im.dynamic[addr+uint64(i)+6+uint64(int64(d))]
			return name, ok
		}
	}
	return "", false
}
