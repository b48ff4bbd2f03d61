package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestStream(t *testing.T) {
	var buf bytes.Buffer
	s := NewStream(&buf, &buf)
	long := strings.Repeat("slices ", 20_000)
	for _, v := range []string{"short", long} {
		if err := s.Send(v); err != nil {
			t.Fatal(err)
		}
		f, err := s.Receive()
		if err != nil || string(f.JSON) != `"`+v+`"` {
			t.Fatalf("%.20q, %v", f.JSON, err)
		}
	}
	if sent, _ := s.Traffic(); sent > 1000 {
		t.Errorf("%d bytes sent for %d of one word", sent, len(long))
	}
	for _, piece := range []string{"a piece", ""} {
		if err := s.SendPiece(7, []byte(piece)); err != nil {
			t.Fatal(err)
		}
		if f, err := s.Receive(); err != nil || f.ID != 7 || string(f.Piece) != piece || f.JSON != nil {
			t.Fatalf("%+v, %v", f, err)
		}
	}
	if _, err := s.Receive(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

// What is no frame is refused before memory is set aside for it.
func TestBadFrames(t *testing.T) {
	frame := func(n uint32, kind byte, data string) string {
		return string(append(binary.BigEndian.AppendUint32(nil, n), kind)) + data
	}
	for name, text := range map[string]string{
		"a gigabyte":  frame(1<<30, kindJSON, "x"),
		"a kind":      frame(1, '?', "x"),
		"not packed":  frame(4, kindPacked, "text"),
		"a bomb":      frame(uint32(len(bomb())), kindPacked, bomb()),
		"short piece": frame(3, kindBlob, "abc"),
		"a login":     "Welcome to Debian GNU/Linux 13!\n",
	} {
		if _, err := NewStream(strings.NewReader(text), io.Discard).Receive(); !errors.Is(err, ErrFrame) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := NewStream(strings.NewReader(frame(9, kindJSON, "cut")), io.Discard).Receive(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("cut off: %v", err)
	}
}

// bomb is a frame of few bytes that would unpack to more than is allowed.
func bomb() string {
	s := NewStream(nil, io.Discard)
	return string(s.pack.EncodeAll(make([]byte, maxUnpacked+1), nil))
}

func TestAwait(t *testing.T) {
	r := strings.NewReader("Last login: yesterday\n" + Magic + "frames")
	before, err := Await(r)
	rest, _ := io.ReadAll(r)
	if err != nil || before != "Last login: yesterday\n" || string(rest) != "frames" {
		t.Errorf("%q, %v, then %q", before, err, rest)
	}
	if _, err := Await(strings.NewReader(strings.Repeat("no agent\n", 20_000))); !errors.Is(err, ErrFrame) {
		t.Errorf("no agent: %v", err)
	}
	if before, err := Await(strings.NewReader("bash: not found\n")); err != io.EOF || !strings.Contains(before, "not found") {
		t.Errorf("ended: %q, %v", before, err)
	}
}

func FuzzReceive(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x02j{}"))
	f.Add([]byte("\x00\x00\x00\x09b12345678x"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := NewStream(bytes.NewReader(data), io.Discard)
		for range 10 {
			if _, err := s.Receive(); err != nil {
				return
			}
		}
	})
}
