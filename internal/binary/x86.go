package binary

import (
	"encoding/binary"

	"golang.org/x/arch/x86/x86asm"
)

// A ref is an operand that means a place. In the 32-bit word at offset off of the
// function, the bits of mask depend on the layout; what they point at does not.
type ref struct {
	off    uint32
	mask   uint32
	target uint64
	// half marks the first instruction of a pair; the second has the target.
	half bool
}

// refsX86 lists the pc-relative operands of a function at addr that lead out of it. It
// steps over undecodable bytes one by one: anything then read as an operand still stands
// for its four bytes.
func refsX86(code []byte, addr uint64) []ref {
	var refs []ref
	for i := 0; i < len(code); {
		size, disp := instX86(code[i:])
		if disp > 0 && i+size <= len(code) {
			d := int32(binary.LittleEndian.Uint32(code[i+disp:]))
			target := addr + uint64(i+size) + uint64(int64(d))
			if target < addr || target >= addr+uint64(len(code)) {
				refs = append(refs, ref{off: uint32(i + disp), mask: 0xffffffff, target: target})
			}
		}
		i += size
	}
	return refs
}

// instX86 returns the length of the first instruction and the offset of its 32-bit
// pc-relative operand, or 0.
func instX86(code []byte) (size, disp int) {
	if size, disp = instVEX(code); size > 0 {
		return size, disp
	}
	inst, err := x86asm.Decode(code, 64)
	if err != nil || inst.Len <= 0 {
		return 1, 0
	}
	if inst.PCRel == 4 && inst.PCRelOff > 0 {
		return inst.Len, inst.PCRelOff
	}
	return inst.Len, 0
}

// instVEX measures AVX and AVX-512 instructions, for which x86asm gives no offset of the
// operand, and returns 0 for all others. Prefixes and maps are those of the Intel manual,
// volume 2, sections 2.3 and 2.7.
func instVEX(code []byte) (size, disp int) {
	if len(code) < 4 {
		return 0, 0
	}
	var at, opmap int // at: offset of the opcode
	switch code[0] {
	case 0xc5:
		at, opmap = 2, 1
	case 0xc4:
		at, opmap = 3, int(code[1]&31)
	case 0x62:
		at, opmap = 4, int(code[1]&7)
	default:
		return 0, 0
	}
	if len(code) < at+2 || opmap < 1 || opmap > 6 {
		return 0, 0
	}
	op, modrm := code[at], code[at+1]
	if opmap == 1 && op == 0x77 && code[0] != 0x62 { // VZEROUPPER has no operands
		return at + 1, 0
	}
	size = at + 2
	mod, rm := modrm>>6, modrm&7
	if mod != 3 && rm == 4 { // SIB
		if len(code) < size+1 {
			return 0, 0
		}
		if mod == 0 && code[size]&7 == 5 {
			size += 4
		}
		size++
	}
	switch {
	case mod == 1:
		size++
	case mod == 2:
		size += 4
	case mod == 0 && rm == 5:
		disp = size
		size += 4
	}
	if immVEX(opmap, op) {
		size++
	}
	if size > len(code) {
		return 0, 0
	}
	return size, disp
}

// immVEX reports whether an 8-bit immediate follows an opcode.
func immVEX(opmap int, op byte) bool {
	switch {
	case opmap == 3:
		return true
	case opmap == 1:
		return op >= 0x70 && op <= 0x73 || op == 0xc2 || op >= 0xc4 && op <= 0xc6
	}
	return false
}
