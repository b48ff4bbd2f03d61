package code

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/explain/cputime"
)

// A package variable and an embedded file that differ under the same functions are named.
func TestDataThatDiffers(t *testing.T) {
	build := func(rounds, text string) *binary.File {
		dir := t.TempDir()
		disktest.Write(t, dir, map[string]string{"go.mod": "module main\n\ngo 1.24\n", "in.txt": text, "main.go": `package main

import (
	_ "embed"
	"os"
)

//go:embed in.txt
var in []byte

var rounds = [2]int{1, ` + rounds + `}

func main() { println(len(in), rounds[len(os.Args)&1]) }
`})
		cmd := exec.Command("go", "build", "-trimpath", "-o", "out.exe", ".")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false", "GOWORK=off")
		if msg, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, msg)
		}
		f, err := binary.Open(filepath.Join(dir, "out.exe"))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	base := build("2", "one")
	for _, c := range []struct {
		name, rounds, text string
		want               []string
	}{
		{"nothing", "2", "one", nil},
		{"a table", "5", "one", []string{"main.rounds"}},
		{"an embedded file", "2", "other", []string{"an initial value in main", "main.in"}},
		{"both", "5", "two", []string{"an initial value in main", "main.rounds"}},
	} {
		got := Compare(Input{Base: base, Variant: build(c.rounds, c.text), Hot: []cputime.Hot{{Name: "main.main"}}})
		if !slices.Equal(got.Data, c.want) || got.Differ != 0 {
			t.Errorf("%s: got %q of %d functions that differ, want %q", c.name, got.Data, got.Differ, c.want)
		}
	}
}
