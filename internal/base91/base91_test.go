package base91

import (
	"bytes"
	"strings"
	"testing"
)

// Bytes of every length come back from text that HTML leaves as it is.
func TestDecode(t *testing.T) {
	var data []byte
	for i, x := 0, uint32(1); i < 3000; i++ {
		text := Encode(data)
		if got, err := Decode(text); err != nil || !bytes.Equal(got, data) {
			t.Fatalf("%d bytes: %v", len(data), err)
		}
		if strings.ContainsAny(text, "<\" \n") {
			t.Fatalf("%d bytes: %q", len(data), text)
		}
		if n := (len(data)*16 + bits - 1) / bits; len(text) > n+1 {
			t.Fatalf("%d bytes in %d characters", len(data), len(text))
		}
		x = x*1664525 + 1013904223
		data = append(data, byte(x>>24))
	}
	for _, text := range []string{"<", "a\n", "é", "~"} {
		if _, err := Decode(text); err == nil {
			t.Errorf("%q is decoded", text)
		}
	}
}
