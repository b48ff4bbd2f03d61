package binary

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxLiteral is how many bytes of a string literal an operand shows.
const maxLiteral = 40

// operand names an address that an instruction of fn uses: a place in fn by its distance,
// or the function, the variable, the type, the text of a string literal, or a hash of
// unnamed data. No name depends on the layout. In a stripped file data has only the name
// of its section.
func (f *File) operand(fn Func, addr uint64) string {
	if addr-fn.Addr < fn.Size {
		return fmt.Sprintf("+%#x", addr-fn.Addr)
	}
	if i := f.funcAt(addr); i >= 0 {
		return withOffset(f.Funcs[i].Name, addr-f.Funcs[i].Addr)
	}
	sec := f.image.section(addr)
	if sec == nil {
		return ""
	}
	if f.Stripped() {
		return strings.TrimLeft(sec.name, "._")
	}
	s := f.survey()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fingerprinter.readable(addr)
}

func withOffset(name string, off uint64) string {
	if off == 0 {
		return name
	}
	return fmt.Sprintf("%s+%#x", name, off)
}

// readable is label for people.
func (p *fingerprinter) readable(addr uint64) string {
	if i := find(p.im.named, addr); i >= 0 {
		return withOffset(p.im.named[i].name, addr-p.im.named[i].addr)
	}
	if p.im.strings.holds(addr) {
		return p.literal(addr)
	}
	label := p.label(addr, 0)
	kind, rest, _ := strings.Cut(label, " ")
	switch kind {
	case "value": // of a func variable: the word is the function's address
		if v, ok := p.im.word(addr); ok {
			if i := find(p.im.funcs, v); i >= 0 {
				return p.im.funcs[i].name + "·f"
			}
		}
	case "import":
		name, _, _ := strings.Cut(rest, " ")
		return name
	case "content":
		return "data#" + rest[:min(8, len(rest))]
	case "itab":
		return p.itabName(addr)
	case "closure", "link":
		return fmt.Sprintf("%s#%08x", kind, uint32(sum([]byte(rest))))
	}
	if strings.HasPrefix(label, "type:") {
		return typeName(label)
	}
	return strings.ReplaceAll(label, " ", ".")
}

func typeName(key string) string {
	if i := strings.LastIndexByte(key, '#'); i > 0 {
		return key[:i]
	}
	return key
}

// itabName names a table of methods like the symbols that go1.27 no longer has: the
// interface comes first in the table, second in the name.
func (p *fingerprinter) itabName(addr uint64) string {
	var names [2]string
	for i := range names {
		at, _ := p.im.word(addr + 8*uint64(i))
		names[i] = strings.TrimPrefix(typeName(p.types.readKey(at)), "type:")
	}
	return "go:itab." + names[1] + "," + names[0]
}

// literal quotes the string literal at addr, up to the next one that something uses.
func (p *fingerprinter) literal(addr uint64) string {
	b := p.im.bytes(addr, p.objectEnd(addr)-addr)
	if len(b) == 0 {
		return "string"
	}
	odd := 0
	for _, r := range string(b[:min(len(b), maxLiteral)]) {
		if r < ' ' || r == utf8.RuneError {
			odd++
		}
	}
	if odd > 1+len(b)/8 {
		return fmt.Sprintf("string#%08x", uint32(sum(b)))
	}
	if len(b) <= maxLiteral {
		return strconv.Quote(string(b))
	}
	// Long ones may differ behind what is shown.
	return fmt.Sprintf("%s#%04x", strconv.Quote(strings.ToValidUTF8(string(b[:maxLiteral]), "")+"…"), uint16(sum(b)))
}
