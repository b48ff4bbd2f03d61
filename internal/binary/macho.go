package binary

import (
	"bytes"
	"debug/macho"
	"fmt"
	"strings"
)

var machoArch = map[macho.Cpu]string{macho.CpuAmd64: "amd64", macho.CpuArm64: "arm64"}

// Flags of <mach-o/loader.h>.
const (
	machoZeroFill            = 1          // S_ZEROFILL, in the low byte of a section's flags
	machoInstructions        = 0x80000400 // S_ATTR_PURE_INSTRUCTIONS | S_ATTR_SOME_INSTRUCTIONS
	segmentSize, sectionSize = 72, 80     // of segment_command_64 and section_64
	machoStab, machoSec      = 0xe0, 0x0e // N_STAB and N_SECT, in a symbol's type
)

func readMachO(f *macho.File) (*image, error) {
	im := &image{format: "macho", arch: machoArch[f.Cpu]}
	if im.arch == "" {
		return nil, fmt.Errorf("%w: %v", ErrArch, f.Cpu)
	}
	for _, s := range f.Sections {
		if s.Seg == "__DWARF" {
			continue
		}
		sec := &section{name: s.Name, addr: s.Addr, size: s.Size, exec: s.Flags&machoInstructions != 0, skip: isDerived(s.Name)}
		sec.links = linkTable(s.Name)
		if s.Flags&0xff != machoZeroFill && s.Offset != 0 {
			data, err := s.Data()
			if err != nil {
				return nil, fmt.Errorf("read section %s: %w", s.Name, err)
			}
			sec.data = data
		}
		im.sections = append(im.sections, sec)
	}
	if f.Symtab != nil {
		im.symbols = machoSymbols(f)
	}
	im.imports, _ = f.ImportedSymbols()
	im.dynamic = machoLinks(f)
	return im, im.settle()
}

// machoSymbols removes the underscore that the system's linker puts before every name,
// and Go's own before names without a dot.
func machoSymbols(f *macho.File) []symbol {
	var list []symbol
	underscore := ""
	for _, s := range f.Symtab.Syms {
		if s.Type&machoStab != 0 || s.Type&machoSec != machoSec {
			continue
		}
		list = append(list, symbol{name: s.Name, addr: s.Value})
		if s.Name == "_runtime.text" {
			underscore = "_"
		}
	}
	for i := range list {
		list[i].name = strings.TrimPrefix(list[i].name, underscore)
		if s := list[i].name; strings.HasPrefix(s, "_go:") || strings.HasPrefix(s, "_type:") {
			list[i].name = s[1:]
		}
	}
	return list
}

// machoLinks names the words that the dynamic linker fills in. The field reserved1 of a
// section, which debug/macho does not give, has the index of its first word in the table
// of indirect symbols.
func machoLinks(f *macho.File) map[uint64]string {
	links := map[uint64]string{}
	if f.Dysymtab == nil || f.Symtab == nil {
		return links
	}
	for _, l := range f.Loads {
		seg, ok := l.(*macho.Segment)
		if !ok || f.Magic != macho.Magic64 {
			continue
		}
		raw := seg.Raw()
		for at := segmentSize; at+sectionSize <= len(raw); at += sectionSize {
			header := raw[at : at+sectionSize]
			if !linkTable(string(bytes.TrimRight(header[:16], "\x00"))) {
				continue
			}
			addr, size := f.ByteOrder.Uint64(header[32:]), f.ByteOrder.Uint64(header[40:])
			first := uint64(f.ByteOrder.Uint32(header[68:]))
			for i := uint64(0); i < size/8 && first+i < uint64(len(f.Dysymtab.IndirectSyms)); i++ {
				if n := f.Dysymtab.IndirectSyms[first+i]; n < uint32(len(f.Symtab.Syms)) {
					links[addr+8*i] = f.Symtab.Syms[n].Name
				}
			}
		}
	}
	return links
}
