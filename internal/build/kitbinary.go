package build

import (
	"debug/buildinfo"
	"debug/elf"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// buildID matches the ID that the go command writes into a binary: four hashes.
var buildID = regexp.MustCompile(`[\w-]{20}/[\w-]{20}/[\w-]{20}/[\w-]{20}`)

// buildIDWithin is how far from the beginning of a binary its ID is looked for.
const buildIDWithin = 64 << 10

// binaryOf returns how to make an artifact's own binary, nil if that is not understood: the
// kit's command without a layout, with the build information and the IDs that are in the
// binary. The go command writes the last part of the ID after the link, since it is a hash
// of the file; here the linker is told the whole. Whether the result is the same must be
// tried.
func binaryOf(k Kit, a Artifact) *KitBinary {
	id, note, err := idsOf(a.Path)
	if err != nil {
		return nil
	}
	info, err := buildinfo.ReadFile(a.Path)
	if err != nil {
		return nil
	}
	b := KitBinary{SHA256: a.SHA256}
	for _, arg := range k.Args {
		switch {
		case arg == "-randlayout="+markSeed:
			continue
		case strings.HasPrefix(arg, "-buildid="):
			arg = "-buildid=" + id
		case arg == "-B" || strings.HasPrefix(arg, "-B="):
			note = ""
		}
		b.Args = append(b.Args, arg)
	}
	if note != "" {
		b.Args = slices.Insert(b.Args, 0, "-B", "0x"+note)
	}
	_, text, _ := strings.Cut(info.String(), "\n") // the first line is the version of Go
	var config strings.Builder
	for line := range strings.Lines(k.Config) {
		if quoted, ok := strings.CutPrefix(line, "modinfo "); ok {
			was, err := strconv.Unquote(strings.TrimSpace(quoted))
			if err != nil || len(was) < 32 {
				return nil
			}
			line = fmt.Sprintf("modinfo %q\n", was[:16]+text+was[len(was)-16:]) // between what marks it
		}
		config.WriteString(line)
	}
	b.Config = config.String()
	return &b
}

// idsOf reads the go command's ID of a binary, and in an ELF file the other one, which is
// made of the former as it was before the go command completed it, in hex.
func idsOf(file string) (id, note string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return "", "", err
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, buildIDWithin))
	if err != nil {
		return "", "", err
	}
	if id = string(buildID.Find(head)); id == "" {
		return "", "", fmt.Errorf("%s has no build ID", file)
	}
	e, err := elf.NewFile(f)
	if err != nil {
		return id, "", nil //nolint:nilerr // of another format
	}
	if s := e.Section(".note.gnu.build-id"); s != nil {
		data, err := s.Data()
		if err != nil || len(data) < 16 {
			return "", "", fmt.Errorf("%s has no readable .note.gnu.build-id", file)
		}
		note = fmt.Sprintf("%x", data[16:]) // after three lengths and "GNU"
	}
	return id, note, nil
}
