package binary

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"strings"
)

var elfArch = map[elf.Machine]string{elf.EM_X86_64: "amd64", elf.EM_AARCH64: "arm64"}

func readELF(f *elf.File) (*image, error) {
	im := &image{format: "elf", arch: elfArch[f.Machine], sized: true, dynamic: map[uint64]string{}}
	if im.arch == "" || f.Class != elf.ELFCLASS64 || f.Data != elf.ELFDATA2LSB {
		return nil, fmt.Errorf("%w: %v", ErrArch, f.Machine)
	}
	for _, s := range f.Sections {
		// Thread-local zeroes take no room of their own.
		if s.Flags&elf.SHF_ALLOC == 0 || s.Type == elf.SHT_NOBITS && s.Flags&elf.SHF_TLS != 0 {
			continue
		}
		sec := &section{name: s.Name, addr: s.Addr, size: s.Size, exec: s.Flags&elf.SHF_EXECINSTR != 0}
		sec.write = s.Flags&elf.SHF_WRITE != 0
		sec.links, sec.numbers = linkTable(s.Name), s.Name == ".noptrdata"
		sec.skip = isDerived(s.Name) || s.Type == elf.SHT_NOTE || s.Type == elf.SHT_DYNAMIC
		if s.Type != elf.SHT_NOBITS {
			data, err := s.Data()
			if err != nil {
				return nil, fmt.Errorf("read section %s: %w", s.Name, err)
			}
			sec.data = data
		}
		im.sections = append(im.sections, sec)
	}
	symbols, err := f.Symbols()
	if err != nil && len(symbols) > 0 {
		return nil, fmt.Errorf("read symbols: %w", err)
	}
	for _, s := range symbols {
		t := elf.ST_TYPE(s.Info)
		if s.Section == elf.SHN_UNDEF || s.Section >= elf.SHN_LORESERVE || t == elf.STT_SECTION || t == elf.STT_FILE || t == elf.STT_TLS {
			continue
		}
		im.symbols = append(im.symbols, symbol{s.Name, s.Value, s.Size, t == elf.STT_NOTYPE})
	}
	if err := im.settle(); err != nil {
		return nil, err
	}
	return im, im.relocateELF(f)
}

// relocateELF does what the dynamic linker does to a position-independent program loaded
// at 0, and names the words that other libraries fill in.
func (im *image) relocateELF(f *elf.File) error {
	imports, _ := f.DynamicSymbols()
	for _, s := range f.Sections {
		if s.Type != elf.SHT_RELA || s.Flags&elf.SHF_ALLOC == 0 {
			continue
		}
		data, err := s.Data()
		if err != nil {
			return fmt.Errorf("read section %s: %w", s.Name, err)
		}
		var r elf.Rela64
		for in := bytes.NewReader(data); binary.Read(in, binary.LittleEndian, &r) == nil; {
			relative := r.Info&0xffffffff == uint64(elf.R_X86_64_RELATIVE)
			if im.arch == "arm64" {
				relative = r.Info&0xffffffff == uint64(elf.R_AARCH64_RELATIVE)
			}
			name := ""
			if n := r.Info >> 32; n > 0 && n <= uint64(len(imports)) {
				name = imports[n-1].Name
			}
			if b := im.bytes(r.Off, 8); relative && len(b) == 8 {
				binary.LittleEndian.PutUint64(b, uint64(r.Addend))
				if im.pointers == nil {
					im.pointers = map[uint64]bool{}
				}
				im.pointers[r.Off] = true
			} else {
				im.dynamic[r.Off] = fmt.Sprintf("%s type %d addend %d", name, uint32(r.Info), r.Addend)
			}
		}
	}
	return nil
}

func linkTable(name string) bool {
	switch strings.TrimLeft(name, "._") {
	case "got", "got.plt", "nl_symbol_ptr", "la_symbol_ptr":
		return true
	}
	return false
}

// isDerived reports whether a section's content follows from code and data, or describes
// this build: line and unwind tables, links, build ids.
func isDerived(name string) bool {
	switch strings.TrimLeft(name, "._") {
	case "gopclntab", "go.pclntab", "gosymtab", "typelink", "itablink", "go.buildinfo", "go_buildinfo", "go.fipsinfo", "go_fipsinfo",
		"dynsym", "dynstr", "hash", "interp", "dynamic", "eh_frame", "eh_frame_hdr", "gcc_except_table", "unwind_info",
		"pdata", "xdata", "reloc", "rsrc", "edata", "idata":
		return true
	}
	return strings.HasPrefix(name, ".rela") || strings.HasPrefix(name, ".gnu.") || strings.HasPrefix(name, ".debug") ||
		strings.HasPrefix(name, ".zdebug") || strings.HasPrefix(name, ".note")
}
