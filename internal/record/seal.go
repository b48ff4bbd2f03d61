package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
)

// A sealed text is a JSON object whose last member is a hash of all bytes before that
// member: the chain value in a line of trials.jsonl, the digest in a file. It hashes
// bytes, not values, so that a reader need not know every field to check them.
const (
	// chainLen is the length of a chain value: 128 bits in hex.
	chainLen = 32
	// digestLen is the length of a digest: SHA-256 in hex.
	digestLen = 64

	lineStart   = `,"chain":"`
	lineEnd     = "\"}\n"
	digestStart = ",\n  \"digest\": \""
	chainStart  = ",\n  \"chain\": \""
	fileEnd     = "\"\n}\n"
)

// link returns the chain value of text that follows an earlier value: the first 128 bits
// of the SHA-256 of both.
func link(before string, text []byte) string {
	h := sha256.New()
	h.Write([]byte(before))
	h.Write(text)
	return hex128(h.Sum(nil))
}

// hex128 returns the first 128 bits of a digest in hex.
func hex128(sum []byte) string { return hex.EncodeToString(sum)[:chainLen] }

// digest returns the SHA-256 of text in hex.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// sealLine makes a line of trials.jsonl from a JSON object, and returns its chain value.
func sealLine(before string, object []byte) (line []byte, chain string) {
	text := object[:len(object)-1]
	chain = link(before, text)
	line = make([]byte, 0, len(text)+len(lineStart)+chainLen+len(lineEnd))
	line = append(append(line, text...), lineStart...)
	return append(append(line, chain...), lineEnd...), chain
}

// sealFile encodes a value as an indented object and adds its digest.
func sealFile(name string, v any) (data []byte, sum string, err error) {
	text, err := objectText(name, v)
	if err != nil {
		return nil, "", err
	}
	sum = digest(text)
	return fmt.Appendf(text, "%s%s%s", digestStart, sum, fileEnd), sum, nil
}

// objectText returns an indented object up to the end of its last member.
func objectText(name string, v any) ([]byte, error) {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", filepath.Base(name), err)
	}
	return bytes.TrimSuffix(data, []byte("\n}")), nil
}

// cutSeal splits a sealed text into the hashed part and the hash; ok is false if it has
// no such end.
func cutSeal(data []byte, start string, length int, end string) (text []byte, sum string, ok bool) {
	if text, ok = sealedText(data, start, length, end); ok {
		sum = string(data[len(text)+len(start) : len(data)-len(end)])
	}
	return text, sum, ok
}

// sealedText returns the hashed part of a sealed text.
func sealedText(data []byte, start string, length int, end string) (text []byte, ok bool) {
	at := len(data) - len(start) - length - len(end)
	if at < 0 || string(data[at:at+len(start)]) != start || string(data[len(data)-len(end):]) != end {
		return nil, false
	}
	return data[:at], true
}

// checkDigest checks that a file is unmodified, and returns its digest.
func checkDigest(name string, data []byte) (string, error) {
	text, sum, ok := cutSeal(data, digestStart, digestLen, fileEnd)
	switch {
	case !ok:
		return "", &Fault{File: name, Text: "it does not end with its digest: it was cut off, changed, or written by an older assay"}
	case digest(text) != sum:
		return "", &Fault{File: name, Text: "its digest does not fit: it was changed after it was written"}
	}
	return sum, nil
}

// A Fault says that a record was modified: a file or a line was changed, is missing, or
// belongs to another run.
type Fault struct {
	// File in the run folder, and its line from 1; 0 means the whole file.
	File string
	Line int
	Text string
	// Unsealed is true for a record of an older assay, which has no chain.
	Unsealed bool
}

func (f *Fault) Error() string {
	if f.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Text)
	}
	return f.File + ": " + f.Text
}
