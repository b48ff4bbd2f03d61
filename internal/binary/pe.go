package binary

import (
	"debug/pe"
	"fmt"
	"strings"
)

var peArch = map[uint16]string{pe.IMAGE_FILE_MACHINE_AMD64: "amd64", pe.IMAGE_FILE_MACHINE_ARM64: "arm64"}

func readPE(f *pe.File) (*image, error) {
	im := &image{format: "pe", arch: peArch[f.Machine]}
	header, ok := f.OptionalHeader.(*pe.OptionalHeader64)
	if im.arch == "" || !ok {
		return nil, fmt.Errorf("%w: %#x", ErrArch, f.Machine)
	}
	for _, s := range f.Sections {
		if s.Characteristics&pe.IMAGE_SCN_MEM_DISCARDABLE != 0 || s.VirtualAddress == 0 {
			continue
		}
		sec := &section{name: s.Name, addr: header.ImageBase + uint64(s.VirtualAddress), size: uint64(s.VirtualSize)}
		sec.exec = s.Characteristics&pe.IMAGE_SCN_MEM_EXECUTE != 0
		sec.skip = isDerived(s.Name)
		if s.Size > 0 {
			data, err := s.Data()
			if err != nil {
				return nil, fmt.Errorf("read section %s: %w", s.Name, err)
			}
			sec.data = data[:min(len(data), int(s.VirtualSize))]
		}
		im.sections = append(im.sections, sec)
	}
	for _, s := range f.Symbols {
		n := int(s.SectionNumber)
		if n < 1 || n > len(f.Sections) || strings.HasPrefix(s.Name, ".") {
			continue
		}
		base := header.ImageBase + uint64(f.Sections[n-1].VirtualAddress)
		im.symbols = append(im.symbols, symbol{name: s.Name, addr: base + uint64(s.Value)})
	}
	im.imports, _ = f.ImportedSymbols()
	return im, im.settle()
}
