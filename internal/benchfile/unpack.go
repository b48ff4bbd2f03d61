package benchfile

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/seed-1318a441/assay/internal/printable"
)

const (
	// peeked is how much of a file is looked at to find out what it is, in bytes.
	peeked = 4 << 10
	// maxDepth is how often a file may be packed: a tar.gz of .gz files is packed three times.
	maxDepth = 8
	// maxZip is the size of the largest zip file that is read, in bytes: it is kept in memory.
	maxZip = 128 << 20
)

// unpack reads a text, or each file of an archive, however it is packed or encoded. member is
// its name in an archive, "" outside.
func (f *file) unpack(r io.Reader, member string, depth int) error {
	in := bufio.NewReaderSize(r, 64<<10)
	head, err := in.Peek(peeked)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if depth > maxDepth {
		return fmt.Errorf("it is packed more than %d times", maxDepth)
	}
	switch encoding := encodingOf(head); {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(in)
		if err != nil {
			return err
		}
		return f.unpack(z, member, depth+1)
	case bytes.HasPrefix(head, []byte("BZh")) && bytes.HasPrefix(head[min(len(head), 4):], []byte("1AY&SY")):
		return f.unpack(bzip2.NewReader(in), member, depth+1)
	case isTar(head):
		return f.tar(in, member, depth)
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return f.zip(in, member, depth)
	case encoding != nil:
		return f.unpack(transform.NewReader(in, encoding), member, depth+1)
	case len(head) == 0:
		return other("it is empty (0 bytes)")
	}
	if by := packedBy(head); by != "" {
		return fmt.Errorf("it is compressed by %s, which assay does not read: unpack it first, or use gzip", by)
	}
	if what := otherThan(head); what != "" {
		return other(what)
	}
	t := &text{file: f, member: member, lead: leadOf(head), builds: map[string]string{}, failed: map[string]bool{}, streams: map[string]*stream{}, open: map[string][]partial{}}
	return t.read(in)
}

// encodingOf returns what makes UTF-8 of a text that begins so, nil if it is.
func encodingOf(head []byte) transform.Transformer {
	switch {
	case bytes.HasPrefix(head, []byte{0xef, 0xbb, 0xbf}):
		return unicode.UTF8BOM.NewDecoder()
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder()
	case len(head) >= 4 && head[1] == 0 && head[3] == 0 && head[0] != 0:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewDecoder()
	case len(head) >= 4 && head[0] == 0 && head[2] == 0 && head[1] != 0:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewDecoder()
	}
	return nil
}

// packedBy names what compressed a file, "" for nothing that is known.
func packedBy(head []byte) string {
	for magic, by := range map[string]string{
		"\xfd7zXZ\x00": "xz", "\x28\xb5\x2f\xfd": "zstd", "\x04\x22\x4d\x18": "lz4", "7z\xbc\xaf\x27\x1c": "7-Zip", "Rar!\x1a\x07": "RAR", "\x1f\x9d": "compress",
	} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return by
		}
	}
	return ""
}

// The header of a tar archive is a block; its checksum adds up the others' bytes, with blanks
// in its own place.
const (
	tarBlock     = 512
	checksumFrom = 148
	checksumTo   = 156
)

// isTar reports whether a file begins with the header of a tar archive.
func isTar(head []byte) bool {
	if len(head) < tarBlock {
		return false
	}
	want, err := strconv.ParseInt(strings.Trim(string(head[checksumFrom:checksumTo]), " \x00"), 8, 64)
	if err != nil {
		return false
	}
	sum := int64(0)
	for i, b := range head[:tarBlock] {
		if i >= checksumFrom && i < checksumTo {
			b = ' '
		}
		sum += int64(b)
	}
	return sum == want
}

// tar reads the files of a tar archive.
func (f *file) tar(r io.Reader, outer string, depth int) error {
	t := tar.NewReader(r)
	return f.members(outer, depth, func() (string, io.Reader, error) {
		h, err := t.Next()
		if err != nil || h.Typeflag != tar.TypeReg {
			return "", nil, err
		}
		return h.Name, t, nil
	})
}

// zip reads the files of a zip archive.
func (f *file) zip(r io.Reader, outer string, depth int) error {
	data, err := io.ReadAll(io.LimitReader(r, maxZip+1))
	if err != nil {
		return err
	}
	if len(data) > maxZip {
		return fmt.Errorf("it is a zip file of more than %d MB", maxZip>>20)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	files := z.File
	return f.members(outer, depth, func() (string, io.Reader, error) {
		if len(files) == 0 {
			return "", nil, io.EOF
		}
		next := files[0]
		files = files[1:]
		if !next.Mode().IsRegular() {
			return "", nil, nil
		}
		in, err := next.Open()
		return next.Name, in, err
	})
}

// members reads the files of an archive, which next returns until io.EOF; a nil reader is no
// file. What holds no output of go test may be beside results: it is noted.
func (f *file) members(outer string, depth int, next func() (string, io.Reader, error)) error {
	before, n := f.results, 0
	for {
		name, in, err := next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if in == nil || strings.HasPrefix(path.Base(name), ".") {
			continue
		}
		n++
		name = path.Join(outer, printable.Brief(name))
		err = f.unpack(in, name, depth+1)
		if c, ok := in.(io.Closer); ok {
			err = errors.Join(err, c.Close())
		}
		if IsOther(err) {
			f.Unread = append(f.Unread, name)
		} else if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if f.results == before {
		return fmt.Errorf("%w in the %s of the archive", ErrNothing, printable.Count(n, "file"))
	}
	return nil
}
