package code

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay/internal/binary"
)

// BenchmarkCompareCode compares two binaries, read anew each time, since what was
// learned of a file stays with it; and beside it has go tool objdump read one of
// them. They are those of ASSAY_BINARIES=OLD,NEW, else the go command, some 15 MB,
// with itself.
func BenchmarkCompareCode(b *testing.B) {
	base, variant, ok := strings.Cut(os.Getenv("ASSAY_BINARIES"), ",")
	if !ok {
		path, err := exec.LookPath("go")
		if err != nil {
			b.Skip(err)
		}
		base, variant = path, path
	}
	b.Run("two", func(b *testing.B) {
		b.SetBytes(sizeOf(b, base) + sizeOf(b, variant))
		for b.Loop() {
			Compare(Input{Base: opened(b, base), Variant: opened(b, variant)})
		}
	})
	b.Run("objdump-of-one", func(b *testing.B) {
		b.SetBytes(sizeOf(b, base))
		for b.Loop() {
			cmd := exec.Command("go", "tool", "objdump", base)
			cmd.Stdout = io.Discard
			if err := cmd.Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func sizeOf(b *testing.B, name string) int64 {
	info, err := os.Stat(name)
	if err != nil {
		b.Fatal(err)
	}
	return info.Size()
}

func opened(b *testing.B, name string) *binary.File {
	f, err := binary.Open(name)
	if err != nil {
		b.Fatal(err)
	}
	return f
}
