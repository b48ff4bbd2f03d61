package binary

import (
	"encoding/binary"
	"encoding/hex"
	"reflect"
	"strings"
	"testing"
)

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The bytes are what GNU as makes of the names.
func TestInstX86(t *testing.T) {
	for _, test := range []struct {
		name, code string
		size, disp int
	}{
		{"call rel32", "e8 00 01 00 00", 5, 1},
		{"jne rel8", "75 10", 2, 0},
		{"jbe rel32", "0f 86 10 00 00 00", 6, 2},
		{"lea rip", "48 8d 05 01 02 03 04", 7, 3},
		{"cmpl rip, imm8", "83 3d 01 02 03 04 00", 7, 2},
		{"mov rsp+8", "48 89 44 24 08", 5, 0},
		{"vzeroupper", "c5 f8 77", 3, 0},
		{"vmovdqu ymm0, [rip]", "c5 fe 6f 05 01 02 03 04", 8, 4},
		{"vpshufd xmm0, [rip], imm8", "c5 f9 70 05 01 02 03 04 1b", 9, 4},
		{"vpalignr ymm, [rip], imm8", "c4 e3 7d 0f 05 01 02 03 04 08", 10, 5},
		{"vpshufb ymm, [rip]", "c4 e2 7d 00 05 01 02 03 04", 9, 5},
		{"vmovdqu [rax+rcx*4+8]", "c5 fe 6f 44 88 08", 6, 0},
		{"vmovdqu64 zmm0, [rip]", "62 f1 fe 48 6f 05 01 02 03 04", 10, 6},
		{"vpternlogd zmm, imm8", "62 f3 7d 48 25 c0 ff", 7, 0},
		{"not an instruction", "06", 1, 0},
	} {
		size, disp := instX86(append(unhex(t, test.code), 0x90, 0x90, 0x90, 0x90))
		if size != test.size || disp != test.disp {
			t.Errorf("%s: got length %d, operand at %d, want %d, %d", test.name, size, disp, test.size, test.disp)
		}
	}
}

func TestRefsX86(t *testing.T) {
	// jmp to itself stays raw; call 0x2000 from 0x1002 does not.
	got := refsX86(unhex(t, "eb fe e8 f9 0f 00 00"), 0x1000)
	want := []ref{{off: 3, mask: 0xffffffff, target: 0x2000}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := refsX86(unhex(t, "e8 f9"), 0x1000); got != nil {
		t.Errorf("cut instruction: got %+v", got)
	}
}

func words(w ...uint32) []byte {
	var b []byte
	for _, w := range w {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

func TestRefsA64(t *testing.T) {
	for _, test := range []struct {
		name string
		code []byte
		want []ref
	}{
		{"bl forward", words(0x94000400), []ref{{off: 0, mask: maskImm26, target: 0x2000}}},
		{"bl back", words(0xd503201f, 0x97ffffff), nil}, // to 0x1000, the function itself
		{"b back", words(0x17fffc00), []ref{{off: 0, mask: maskImm26, target: 0}}},
		{"adrp, add", words(0xb0000000, 0x91004000), []ref{{off: 0, mask: maskImm21, half: true}, {off: 4, mask: maskImm12, target: 0x2010}}},
		{"adrp, nop, ldr x1, [x0, 16]", words(0xb0000000, 0xd503201f, 0xf9400801),
			[]ref{{off: 0, mask: maskImm21, half: true}, {off: 8, mask: maskImm12, target: 0x2010}}},
		{"adrp, ldr q1, [x0, 16]", words(0xb0000000, 0x3dc00401),
			[]ref{{off: 0, mask: maskImm21, half: true}, {off: 4, mask: maskImm12, target: 0x2010}}},
		{"adrp without its half", words(0xb0000000, 0x91004020), nil},
		// The constant 0x10000028 read by ldr w27 looks like an adr.
		{"literal pool", words(0x1800003b, 0x10000028), nil},
	} {
		if got := refsA64(test.code, 0x1000); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %+v, want %+v", test.name, got, test.want)
		}
	}
}

func TestMapTypeSize(t *testing.T) {
	for version, want := range map[string]uint64{"go1.26.8": 112, "go1.27.2": 136, "go1.24.9 X:noswissmap": 88,
		"devel go1.28-abc": 136, "go1.23.1": 88, "": 88} {
		if got := mapTypeSize(version); got != want {
			t.Errorf("%q: got %d, want %d", version, got, want)
		}
	}
}
