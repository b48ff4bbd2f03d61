package blob

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"
)

func open(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func packed(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if n, err := Compress(&b, bytes.NewReader(data)); err != nil || n != int64(len(data)) {
		t.Fatalf("compressed %d bytes, %v", n, err)
	}
	return b.Bytes()
}

func sumOf(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

func put(t testing.TB, s *Store, data string) string {
	t.Helper()
	sum := sumOf([]byte(data))
	if err := s.Put(sum, int64(len(data)), bytes.NewReader(packed(t, []byte(data)))); err != nil {
		t.Fatal(err)
	}
	return sum
}

// left lists the files in a store.
func left(t testing.TB, s *Store) (out []string) {
	t.Helper()
	for _, pattern := range []string{"??/*", "tmp/*"} {
		found, err := filepath.Glob(filepath.Join(s.dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, found...)
	}
	return out
}

func TestPut(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "blob"))
	for _, data := range []string{"", "#!/bin/sh\nexit 0\n", strings.Repeat("x", 3<<20)} {
		sum, size := sumOf([]byte(data)), int64(len(data))
		if s.Has(sum, size) {
			t.Error("a file is there before it is put")
		}
		for range 2 { // the second time it is there
			r := bytes.NewReader(packed(t, []byte(data)))
			if err := s.Put(sum, size, r); err != nil || r.Len() > 0 {
				t.Fatalf("%v, %d bytes were not read", err, r.Len())
			}
		}
		got, err := os.ReadFile(s.Path(sum))
		if err != nil || string(got) != data || !s.Has(sum, size) || !s.Check(sum) {
			t.Errorf("got %d bytes, %v; want %d", len(got), err, size)
		}
		if st, err := os.Stat(s.Path(sum)); err != nil || st.Mode().Perm() != 0o555 {
			t.Errorf("%v, %v; want it read-only and executable", st.Mode(), err)
		}
	}
	if n := len(left(t, s)); n != 3 {
		t.Errorf("%d files are there, want 3", n)
	}
}

// What is not what its sum and size say is refused, and leaves nothing.
func TestPutRefuses(t *testing.T) {
	s := open(t, t.TempDir())
	data := bytes.Repeat([]byte("assay"), 1000)
	good := packed(t, data)
	bomb := packed(t, make([]byte, 1<<30))
	broken := errors.New("the line is down")
	for name, c := range map[string]struct {
		sum  string
		size int64
		r    io.Reader
		want error
	}{
		"another content": {sumOf([]byte("other")), 5000, bytes.NewReader(good), ErrContent},
		"fewer bytes":     {sumOf(data), 5001, bytes.NewReader(good), ErrContent},
		"more bytes":      {sumOf(data), 4999, bytes.NewReader(good), ErrContent},
		"none expected":   {sumOf(nil), 0, bytes.NewReader(good), ErrContent},
		"a bomb":          {sumOf(data), 5000, bytes.NewReader(bomb), ErrContent},
		"cut off":         {sumOf(data), 5000, bytes.NewReader(good[:len(good)-3]), ErrContent},
		"not compressed":  {sumOf(data), 5000, bytes.NewReader(data), ErrContent},
		"junk after it":   {sumOf(data), 5000, io.MultiReader(bytes.NewReader(good), strings.NewReader("junk")), ErrContent},
		"a broken line":   {sumOf(data), 5000, io.MultiReader(bytes.NewReader(good[:9]), iotest.ErrReader(broken)), broken},
		"no sum":          {"../../etc/passwd", 5000, bytes.NewReader(good), nil},
		"upper case":      {strings.ToUpper(sumOf(data)), 5000, bytes.NewReader(good), nil},
		"negative":        {sumOf(data), -1, bytes.NewReader(good), nil},
	} {
		err := s.Put(c.sum, c.size, c.r)
		if err == nil || c.want != nil && !errors.Is(err, c.want) || c.want == broken && errors.Is(err, ErrContent) {
			t.Errorf("%s: %v", name, err)
		}
		if files := left(t, s); len(files) > 0 {
			t.Errorf("%s: it left %v", name, files)
		}
	}
	if s.Path("../x") != "" || s.Has("../x", 1) || s.Check("../x") {
		t.Error("a path that is no sum was taken")
	}
}

// A damaged file is thrown away at its next use if its size is another, and by Check.
func TestDamaged(t *testing.T) {
	s := open(t, t.TempDir())
	damage := func(sum, data string) {
		os.Chmod(s.Path(sum), 0o755)
		if err := os.WriteFile(s.Path(sum), []byte(data), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	sum := put(t, s, "twelve bytes")
	damage(sum, "twelve")
	if s.Has(sum, 12) || len(left(t, s)) > 0 {
		t.Error("a file that was cut off is still there")
	}
	put(t, s, "twelve bytes")
	damage(sum, "TWELVE BYTES")
	if s.Check(sum) || len(left(t, s)) > 0 {
		t.Error("a file that was written to is still there")
	}
	if put(t, s, "twelve bytes"); !s.Check(sum) {
		t.Error("it cannot be put again")
	}
	// A folder in its place does not stay in the way.
	os.Remove(s.Path(sum))
	if err := os.MkdirAll(filepath.Join(s.Path(sum), "x"), 0o777); err != nil {
		t.Fatal(err)
	}
	if s.Has(sum, 12) {
		t.Error("a folder is a file")
	}
	put(t, s, "twelve bytes")
}

// The files used least recently go first; those of today stay, above the limit too; what a
// killed process left goes.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	var sums []string
	for i := range 5 {
		sums = append(sums, put(t, s, fmt.Sprintf("%1000d", i)))
		then := time.Now().Add(time.Duration(i-10) * inUse)
		if err := os.Chtimes(s.Path(sums[i]), then, then); err != nil {
			t.Fatal(err)
		}
	}
	dead, alive := filepath.Join(dir, "tmp", "dead"), filepath.Join(dir, "tmp", "alive")
	for _, name := range []string{dead, alive} {
		if err := os.WriteFile(name, make([]byte, 100), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-2 * inUse)
	os.Chtimes(dead, old, old)

	s = open(t, dir) // a later process
	s.Has(sums[0], 1000)
	has := func() (out string) {
		for _, sum := range sums {
			if _, err := os.Stat(s.file(sum)); err == nil {
				out += "x"
			} else {
				out += "-"
			}
		}
		return out
	}
	if freed, err := s.Sweep(3200); err != nil || freed != 2000 || has() != "x--xx" {
		t.Errorf("freed %d, %v: %s, want the two least recently used", freed, err, has())
	}
	if freed, err := s.Sweep(0); err != nil || freed != 2000 || has() != "x----" {
		t.Errorf("freed %d, %v: %s, want the one of today", freed, err, has())
	}
	if _, err := os.Stat(dead); err == nil {
		t.Error("what a dead process left is still there")
	}
	if _, err := os.Stat(alive); err != nil {
		t.Error("what another process receives is gone")
	}
}

// Several stores on one folder, as of several processes, put and sweep at the same time.
func TestParallel(t *testing.T) {
	dir := t.TempDir()
	data := make([][]byte, 20)
	for i := range data {
		data[i] = make([]byte, 1+i*10_000)
		for j := range data[i] {
			data[i][j] = byte(rand.N(4))
		}
	}
	var wg sync.WaitGroup
	for range 8 {
		s := open(t, dir)
		wg.Go(func() {
			for _, i := range rand.Perm(len(data)) {
				sum, size := sumOf(data[i]), int64(len(data[i]))
				if err := s.Put(sum, size, bytes.NewReader(packed(t, data[i]))); err != nil {
					t.Error(err)
				}
				if got, err := os.ReadFile(s.Path(sum)); err != nil || !bytes.Equal(got, data[i]) {
					t.Errorf("got %d bytes, %v; want %d", len(got), err, size)
				}
				if _, err := s.Sweep(0); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n := len(left(t, open(t, dir))); n != len(data) {
		t.Errorf("%d files are there, want %d", n, len(data))
	}
}

// Whatever is sent: a file is stored only if it is what its sum says, and at most size
// bytes are kept of it.
func FuzzDecompress(f *testing.F) {
	f.Add(packed(f, []byte("twelve bytes")), int64(12))
	f.Add(packed(f, make([]byte, 1<<20)), int64(100))
	f.Add([]byte("(\xb5/\xfd"), int64(math.MaxInt64))
	f.Fuzz(func(t *testing.T, data []byte, size int64) {
		r := Decompress(bytes.NewReader(data), size&math.MaxInt64)
		defer r.Close()
		n, err := io.Copy(io.Discard, io.LimitReader(r, 1<<24))
		if n > size&math.MaxInt64 || err == nil && n < 1<<24 && n != size&math.MaxInt64 {
			t.Errorf("%d of %d bytes, %v", n, size, err)
		}
	})
}
