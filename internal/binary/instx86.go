package binary

import (
	"fmt"
	"strings"

	"golang.org/x/arch/x86/x86asm"
)

// x86 decodes amd64.
func (d *decoder) x86() {
	for i := 0; i < len(d.code) && len(d.list) < maxInsts; {
		pc := d.fn.Addr + uint64(i)
		inst, err := x86asm.Decode(d.code[i:], 64)
		known, disp := instVEX(d.code[i:])
		if err != nil || inst.Len <= 0 || inst.Op == 0 || known > 0 && inst.Len != known {
			n := max(1, known)
			d.add(Inst{Addr: pc, Size: n, Text: unknownX86(d.code[i : i+n])}, 0, false)
			i += n
			continue
		}
		fixRelative(&inst, disp > 0)
		in := Inst{Addr: pc, Size: inst.Len, Call: inst.Op == x86asm.CALL}
		target, branch := targetX86(inst, pc)
		in.Indirect = !branch && (inst.Op == x86asm.CALL || inst.Op == x86asm.JMP)
		if d.texts {
			in.Text = d.textX86(inst, pc, target)
		}
		d.add(in, target, branch)
		i += inst.Len
	}
}

// fixRelative corrects two errors of x86asm: it takes pc-relative distances for positive,
// and those of AVX-512 for addresses.
func fixRelative(inst *x86asm.Inst, vex bool) {
	for i, a := range inst.Args {
		m, ok := a.(x86asm.Mem)
		if !ok || m.Base != x86asm.RIP && (!vex || m.Base != 0 || m.Index != 0) {
			continue
		}
		m.Base, m.Disp = x86asm.RIP, int64(int32(m.Disp))
		inst.Args[i] = m
	}
}

// targetX86 returns the address of an instruction's pc-relative operand, 0 without one,
// and whether it jumps there.
func targetX86(inst x86asm.Inst, pc uint64) (target uint64, branch bool) {
	next := pc + uint64(inst.Len)
	for _, a := range inst.Args {
		switch a := a.(type) {
		case x86asm.Rel:
			return next + uint64(int64(a)), true
		case x86asm.Mem:
			if a.Base == x86asm.RIP {
				return next + uint64(a.Disp), false
			}
		}
	}
	return 0, false
}

func (d *decoder) textX86(inst x86asm.Inst, pc, target uint64) string {
	label := d.label(target, inst.Op == x86asm.CALL)
	s := x86asm.GoSyntax(inst, pc, func(addr uint64) (string, uint64) {
		if label != "" && addr == target {
			return label, target
		}
		return "", 0
	})
	return withoutBase(s, label)
}

// withoutBase removes the base register of names from a place in the function.
func withoutBase(s, label string) string {
	if strings.HasPrefix(label, "+") {
		return strings.Replace(s, label+"(SB)", label, 1)
	}
	return s
}

// unknownX86 prints what x86asm cannot decode: it takes the instruction behind VZEROUPPER
// for its operand.
func unknownX86(b []byte) string {
	if len(b) == 3 && b[0] == 0xc5 && b[2] == 0x77 {
		if b[1]&4 != 0 { // 256 bits
			return "VZEROALL"
		}
		return "VZEROUPPER"
	}
	var s strings.Builder
	for i, c := range b {
		if i > 0 {
			s.WriteString("; ")
		}
		fmt.Fprintf(&s, "BYTE $%#02x", c)
	}
	return s.String()
}
