package binary

import (
	"debug/macho"
	"fmt"
	"strings"
)

var machoArch = map[macho.Cpu]string{macho.CpuAmd64: "amd64", macho.CpuArm64: "arm64"}

// Flags of <mach-o/loader.h>.
const (
	machoZeroFill       = 1          // S_ZEROFILL, in the low byte of a section's flags
	machoInstructions   = 0x80000400 // S_ATTR_PURE_INSTRUCTIONS | S_ATTR_SOME_INSTRUCTIONS
	machoStab, machoSec = 0xe0, 0x0e // N_STAB and N_SECT, in a symbol's type
)

func readMachO(f *macho.File) (*image, error) {
	im := &image{format: "macho", arch: machoArch[f.Cpu]}
	if im.arch == "" {
		return nil, fmt.Errorf("architecture %v is not amd64 or arm64", f.Cpu)
	}
	for _, s := range f.Sections {
		if s.Seg == "__DWARF" {
			continue
		}
		sec := &section{name: s.Name, addr: s.Addr, size: s.Size, exec: s.Flags&machoInstructions != 0, skip: derived(s.Name)}
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
	im.settle()
	return im, nil
}

// machoSymbols drops the underscore that the system's linker puts before every
// name, and Go's own before those without a dot.
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
