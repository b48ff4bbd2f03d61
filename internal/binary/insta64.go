package binary

import (
	"encoding/binary"
	"fmt"
	"strings"

	"golang.org/x/arch/arm64/arm64asm"
)

// a64 decodes arm64. The first of two instructions that make an address (ADRP) names it;
// the second then has no offset.
func (d *decoder) a64() {
	pool := literals(d.code)
	pairs := map[int]bool{} // second halves
	for i := 0; i+4 <= len(d.code) && len(d.list) < maxInsts; i += 4 {
		pc := d.fn.Addr + uint64(i)
		w := binary.LittleEndian.Uint32(d.code[i:])
		in := Inst{Addr: pc, Size: 4, Text: unknownA64(w)}
		raw := d.code[i : i+4]
		if pairs[i] {
			raw = binary.LittleEndian.AppendUint32(nil, w&^maskImm12)
		}
		inst, err := arm64asm.Decode(raw)
		if err != nil || pool[i] {
			d.add(in, 0, false)
			continue
		}
		target, branch := targetA64(inst, pc)
		if inst.Op == arm64asm.ADRP {
			j, whole := adrpPartner(d.code, i, pc)
			if target = 0; j > 0 && !pairs[j] {
				pairs[j] = true
				target = whole
			}
		}
		in.Call = inst.Op == arm64asm.BL || inst.Op == arm64asm.BLR
		in.Indirect = inst.Op == arm64asm.BLR || inst.Op == arm64asm.BR
		if d.texts {
			in.Text = d.textA64(inst, pc, target)
		}
		d.add(in, target, branch)
	}
}

// targetA64 returns the address of an instruction's pc-relative operand, 0 without one,
// and whether it jumps there.
func targetA64(inst arm64asm.Inst, pc uint64) (target uint64, branch bool) {
	for _, a := range inst.Args {
		if rel, ok := a.(arm64asm.PCRel); ok {
			switch inst.Op {
			case arm64asm.B, arm64asm.BL, arm64asm.CBZ, arm64asm.CBNZ, arm64asm.TBZ, arm64asm.TBNZ:
				return pc + uint64(rel), true
			}
			return pc + uint64(rel), false
		}
	}
	return 0, false
}

func (d *decoder) textA64(inst arm64asm.Inst, pc, target uint64) string {
	label := d.label(target, inst.Op == arm64asm.BL)
	if inst.Op == arm64asm.ADR || inst.Op == arm64asm.ADRP && label != "" {
		return withoutBase(fmt.Sprintf("%s %s(SB), R%d", inst.Op, label, inst.Enc&31), label) // GoSyntax has no names here
	}
	s := arm64asm.GoSyntax(inst, pc, func(addr uint64) (string, uint64) {
		if label == "" {
			return "", 0
		}
		return label, addr
	}, nil)
	return withoutBase(s, label)
}

// unknownA64 prints what arm64asm cannot decode, such as the atomic instructions of
// Armv8.1 that every lock of Go's run time uses: Arm Architecture Reference Manual,
// chapter C4.1, "Compare and swap" and "Atomic memory operations".
func unknownA64(w uint32) string {
	op, order := "", ""
	switch {
	case w&0x3fa07c00 == 0x08a07c00:
		op, order = "CAS", ordering(w>>22, w>>15)
	case w&0x3f20fc00 == 0x38208000:
		op, order = "SWP", ordering(w>>23, w>>22)
	case w&0x3f20cc00 == 0x38200000:
		op, order = []string{"LDADD", "LDCLR", "LDEOR", "LDOR"}[w>>12&3], ordering(w>>23, w>>22)
	default:
		return fmt.Sprintf("WORD $%#08x", w)
	}
	return fmt.Sprintf("%s%s%c R%d, (R%d), R%d", op, order, "BHWD"[w>>30], w>>16&31, w>>5&31, w&31)
}

// ordering returns the part of an atomic's name that says whether it acquires and
// releases, by the last bits.
func ordering(acquire, release uint32) string {
	return strings.Repeat("A", int(acquire&1)) + strings.Repeat("L", int(release&1))
}
