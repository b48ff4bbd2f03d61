package code

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// linesOf makes lines of texts, with jumps as Insts has them.
func linesOf(text string) (out []line) {
	for i, s := range strings.Split(strings.Trim(text, "\n"), "\n") {
		op, _, _ := strings.Cut(s, " ")
		out = append(out, line{text: s, key: jump.ReplaceAllString(s, ""), op: op, at: i + 1})
	}
	return out
}

// drawn shows rows as text: " " equal, "~" differs, "-" and "+" one side, "=n" folded.
func drawn(rows []assay.CodeLine) string {
	var b strings.Builder
	for _, r := range rows {
		switch {
		case r.Kind == assay.CodeFolded:
			fmt.Fprintf(&b, "=%d\n", r.Count)
		case r.Kind == "":
			fmt.Fprintf(&b, " %s\n", r.Base)
		case r.Variant == "":
			fmt.Fprintf(&b, "-%s\n", r.Base)
		case r.Base == "":
			fmt.Fprintf(&b, "+%s\n", r.Variant)
		default:
			fmt.Fprintf(&b, "~%s | %s\n", r.Base, r.Variant)
		}
	}
	return b.String()
}

func TestList(t *testing.T) {
	for _, c := range []struct{ name, base, variant, want string }{
		{"the same", "A\nB", "A\nB", " A\n B\n"},
		{"jumps moved", "JMP +0x10\nRET", "JMP +0x14\nRET", " JMP +0x10\n RET\n"},
		{"calls are no jumps", "CALL a.F(SB)", "CALL a.G(SB)", "~CALL a.F(SB) | CALL a.G(SB)\n"},
		{"one more", "A\nC", "A\nB\nC", " A\n+B\n C\n"},
		{"one less, one changed", "A\nADD 1\nB\nC", "A\nADD 2\nC", " A\n~ADD 1 | ADD 2\n-B\n C\n"},
		{"folded inside", "X\n1\n2\n3\n4\n5\n6\n7\nY", "Z\n1\n2\n3\n4\n5\n6\n7\nW", "-X\n+Z\n 1\n 2\n 3\n=1\n 5\n 6\n 7\n-Y\n+W\n"},
		{"folded at the ends", "1\n2\n3\n4\n5\n6\n7\nA\n1\n2\n3\n4\n5\n6\n7", "1\n2\n3\n4\n5\n6\n7\nB\n1\n2\n3\n4\n5\n6\n7", "=4\n 5\n 6\n 7\n-A\n+B\n 1\n 2\n 3\n=4\n"},
	} {
		rows, left := listingOf(linesOf(c.base), linesOf(c.variant))
		if got := drawn(rows); got != c.want || left != 0 {
			t.Errorf("%s: got\n%swant\n%s", c.name, got, c.want)
		}
	}
}

func TestListOfOneSide(t *testing.T) {
	rows, _ := listingOf(nil, linesOf("A\nB"))
	if got, want := drawn(rows), "+A\n+B\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if rows, _ := listingOf(nil, nil); len(rows) != 0 {
		t.Errorf("nothing: got %v", rows)
	}
}

// TestListIsBounded: two functions with nothing in common, and two too different
// to align, end in time and are cut.
func TestListIsBounded(t *testing.T) {
	var a, b []line
	for i := range 50_000 {
		a = append(a, line{text: fmt.Sprint("A", i), key: fmt.Sprint("k", i%7), op: "A"})
		b = append(b, line{text: fmt.Sprint("B", i), key: fmt.Sprint("k", i%5), op: "B"})
	}
	rows, left := listingOf(a, b)
	if len(rows) != maxRows || left < 40_000 {
		t.Errorf("got %d rows, %d left out; want %d, and most of 50,000", len(rows), left, maxRows)
	}
}

func TestShown(t *testing.T) {
	for in, want := range map[string]string{
		"CALL github.com/a-b/c%2ed/e.(*T).M(SB)": "CALL e.(*T).M(SB)",
		"LEAQ main.x(SB), AX":                    "LEAQ main.x(SB), AX",
		`LEAQ "a/b"(SB), AX`:                     `LEAQ "a/b"(SB), AX`,
		"CALL a.\x1b[31mF(SB)":                   "CALL a.F(SB)",
	} {
		if got := printableInst(in); got != want {
			t.Errorf("shown(%q): got %q, want %q", in, got, want)
		}
	}
}

// FuzzAlign: whatever two listings are, rows hold every line of both, in order, and
// those said to be equal are.
func FuzzAlign(f *testing.F) {
	f.Add("ABCABBA", "CBABAC")
	f.Add("", "A")
	f.Add("AAAA", "AABAA")
	f.Fuzz(func(t *testing.T, x, y string) {
		letters := func(s string) (out []line) {
			for i := range len(s) {
				out = append(out, line{text: s[i : i+1], key: s[i : i+1], op: string('A' + s[i]%3)})
			}
			return out
		}
		a, b := letters(x), letters(y)
		var inA, inB []int
		for _, r := range align(a, b) {
			if r.a >= 0 {
				inA = append(inA, r.a)
			}
			if r.b >= 0 {
				inB = append(inB, r.b)
			}
			if r.a >= 0 && r.b >= 0 && a[r.a].op != b[r.b].op {
				t.Errorf("%q %q: %v pairs different operations", x, y, r)
			}
		}
		for _, side := range []struct {
			got  []int
			want int
		}{{inA, len(a)}, {inB, len(b)}} {
			if len(side.got) != side.want || !slices.IsSorted(side.got) || len(slices.Compact(side.got)) != side.want {
				t.Errorf("%q %q: rows hold the lines %v, want all of %d in order", x, y, side.got, side.want)
			}
		}
	})
}
