package deflate

import (
	"bytes"
	"compress/gzip"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay/web"
)

// read returns what compress/gzip reads, with its checks of sum and length.
func read(t *testing.T, packed []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestGzip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 100_000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	// Counts that double: their best codes are longer than allowed.
	var steep strings.Builder
	for i, n := 0, 1; i < 18; i, n = i+1, 2*n {
		for range n {
			steep.WriteByte(byte('a' + i))
			steep.WriteByte(byte(r.Uint32()))
		}
	}
	far := append(bytes.Clone(noise[:300]), noise[1000:1000+window-300]...)
	for name, data := range map[string][]byte{
		"empty":        nil,
		"one byte":     {'x'},
		"two":          []byte("xy"),
		"a run":        bytes.Repeat([]byte{'x'}, 1000),
		"noise":        noise,
		"steep":        []byte(steep.String()),
		"words":        []byte(strings.Repeat("faster, slower, same; ", 2000) + string(noise[:5000]) + strings.Repeat("less, more; ", 2000)),
		"far":          append(far, noise[:300]...), // at the largest distance, less one
		"too far":      append(append(far, 'x', 'y'), noise[:300]...),
		"nearly equal": append(bytes.Clone(noise[:30_000]), append(bytes.Clone(noise[:10_000]), noise[10_001:30_000]...)...),
	} {
		if got := read(t, Gzip(data)); !bytes.Equal(got, data) {
			t.Errorf("%s: %d bytes read back, want %d", name, len(got), len(data))
		}
	}
}

// The page's own script is what most pages consist of.
func TestSmallerThanGzip(t *testing.T) {
	data := []byte(web.Core + web.Why)
	if f := os.Getenv("DEFLATE_FILE"); f != "" {
		data, _ = os.ReadFile(f)
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	got := Gzip(data)
	t.Logf("%d bytes, %d with compress/gzip, of %d", len(got), b.Len(), len(data))
	if len(got) > b.Len()*98/100 {
		t.Errorf("%d bytes; compress/gzip makes %d", len(got), b.Len())
	}
	if !bytes.Equal(read(t, got), data) {
		t.Error("it does not read back")
	}
	if !bytes.Equal(got, Gzip(data)) {
		t.Error("the same data gives other bytes")
	}
}

func FuzzGzip(f *testing.F) {
	f.Add([]byte("to be or not to be, that is the question"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got := read(t, Gzip(data)); !bytes.Equal(got, data) {
			t.Errorf("got %q, want %q", got, data)
		}
	})
}
