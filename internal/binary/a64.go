package binary

import "encoding/binary"

// The fields of arm64 instructions that have places: Arm Architecture Reference Manual,
// chapter C4.1.
const (
	maskImm26 = 0x03ffffff // B, BL
	maskImm19 = 0x00ffffe0 // LDR literal, B.cond, CBZ
	maskImm21 = 0x60ffffe0 // ADR, ADRP
	maskImm12 = 0x003ffc00 // ADD, LDR, STR with an immediate
)

// pairReach is the number of instructions after an ADRP among which its second half is.
// Go puts it right behind; C compilers move it.
const pairReach = 8

// refsA64 lists the pc-relative operands of a function at addr that lead out of it. An
// ADRP counts together with the instruction that adds the low 12 bits; without that one
// it keeps its raw bytes.
func refsA64(code []byte, addr uint64) []ref {
	var refs []ref
	taken := map[int]bool{} // second halves of pairs
	pool := literals(code)
	for i := 0; i+4 <= len(code); i += 4 {
		if pool[i] {
			continue
		}
		w := binary.LittleEndian.Uint32(code[i:])
		pc := addr + uint64(i)
		if w&0x9f000000 == 0x90000000 {
			if j, target := adrpPartner(code, i, pc); j > 0 && !taken[j] {
				taken[j] = true
				refs = append(refs, ref{off: uint32(i), mask: maskImm21, half: true},
					ref{off: uint32(j), mask: maskImm12, target: target})
			}
			continue
		}
		mask, delta := branchOperand(w)
		target := pc + uint64(delta)
		if mask != 0 && (target < addr || target >= addr+uint64(len(code))) {
			refs = append(refs, ref{off: uint32(i), mask: mask, target: target})
		}
	}
	return refs
}

// literals marks the words of a function that its own LDR literals read: constants behind
// its end that may look like instructions.
func literals(code []byte) map[int]bool {
	var pool map[int]bool
	for i := 0; i+4 <= len(code); i += 4 {
		w := binary.LittleEndian.Uint32(code[i:])
		if w&0x3b000000 != 0x18000000 || w>>30 == 3 { // 3: prefetch
			continue
		}
		at := i + int(signed(w>>5&0x7ffff, 19)*4)
		if pool == nil {
			pool = map[int]bool{}
		}
		words := 1 << (w >> 30) // of an integer register
		if w&0x04000000 == 0 {
			words = 1 + int(w>>30&1)
		}
		for ; words > 0; words-- {
			pool[at] = true
			at += 4
		}
	}
	return pool
}

// branchOperand returns the mask and the value in bytes of an instruction's own
// pc-relative operand, or 0. TBZ reaches 32 KiB and never leaves a function.
func branchOperand(w uint32) (mask uint32, delta int64) {
	switch {
	case w&0x7c000000 == 0x14000000: // B, BL
		return maskImm26, signed(w&maskImm26, 26) * 4
	case w&0x3b000000 == 0x18000000, // LDR literal
		w&0xff000000 == 0x54000000, // B.cond
		w&0x7e000000 == 0x34000000: // CBZ, CBNZ
		return maskImm19, signed(w&maskImm19>>5, 19) * 4
	case w&0x9f000000 == 0x10000000: // ADR
		return maskImm21, signed(w>>3&0x1ffffc|w>>29&3, 21)
	}
	return 0, 0
}

// adrpPartner finds the ADD, load or store that completes the ADRP at offset i, and the
// address of both together.
func adrpPartner(code []byte, i int, pc uint64) (j int, target uint64) {
	w := binary.LittleEndian.Uint32(code[i:])
	page := pc&^0xfff + uint64(signed(w>>3&0x1ffffc|w>>29&3, 21)<<12)
	for j = i + 4; j+4 <= len(code) && j <= i+4*pairReach; j += 4 {
		v := binary.LittleEndian.Uint32(code[j:])
		if v>>5&31 != w&31 {
			continue
		}
		imm := uint64(v & maskImm12 >> 10)
		switch {
		case v&0xffc00000 == 0x91000000: // ADD 64-bit, not shifted
			return j, page + imm
		case v&0x3f000000 == 0x39000000: // load or store, integer
			return j, page + imm<<(v>>30)
		case v&0x3f000000 == 0x3d000000: // load or store, floating point
			scale := v >> 30
			if v&0x00800000 != 0 {
				scale += 4 // 128-bit
			}
			return j, page + imm<<scale
		}
	}
	return 0, 0
}

// signed extends the sign of a field of n bits.
func signed(v uint32, n uint) int64 { return int64(v) << (64 - n) >> (64 - n) }
