package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
)

// A seal is the last member of a JSON object: a hash of all bytes before it. It hashes
// bytes, not values, so that a reader need not know every field to check them.
type seal struct {
	before string // what stands before the hash
	length int    // of the hash
	after  string // what stands after it
}

const (
	// chainLen is the length of a chain value: 128 bits in hex.
	chainLen = 32
	// digestLen is the length of a digest: SHA-256 in hex.
	digestLen = 64
)

var (
	lineSeal   = seal{`,"chain":"`, chainLen, "\"}\n"}             // the chain value in a line of trials.jsonl
	chainSeal  = seal{",\n  \"chain\": \"", chainLen, "\"\n}\n"}   // the chain value in end.json
	digestSeal = seal{",\n  \"digest\": \"", digestLen, "\"\n}\n"} // the digest in a file
)

// add returns a text with its hash.
func (s seal) add(text []byte, sum string) []byte {
	return fmt.Appendf(text, "%s%s%s", s.before, sum, s.after)
}

// cut splits a sealed text into what is hashed and the hash; ok is false without a seal.
func (s seal) cut(data []byte) (text, sum []byte, ok bool) {
	rest, ends := bytes.CutSuffix(data, []byte(s.after))
	at := max(len(rest)-s.length, 0)
	text, begins := bytes.CutSuffix(rest[:at], []byte(s.before))
	return text, rest[at:], ends && begins
}

// link returns the chain value of text after an earlier one: 128 bits of their SHA-256.
func link(before string, text []byte) string {
	h := sha256.New()
	h.Write([]byte(before))
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil))[:chainLen]
}

// digest returns the SHA-256 of text in hex.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// sealLine makes a line of trials.jsonl from a JSON object, and returns its chain value.
func sealLine(before string, object []byte) (line []byte, chain string) {
	text := object[:len(object)-1]
	chain = link(before, text)
	return lineSeal.add(bytes.Clone(text), chain), chain
}

// sealFile encodes a value as an indented object and adds its digest.
func sealFile(name string, v any) (data []byte, sum string, err error) {
	text, err := objectText(name, v)
	if err != nil {
		return nil, "", err
	}
	sum = digest(text)
	return digestSeal.add(text, sum), sum, nil
}

// objectText returns an indented object up to the end of its last member.
func objectText(name string, v any) ([]byte, error) {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", filepath.Base(name), err)
	}
	return bytes.TrimSuffix(data, []byte("\n}")), nil
}

// checkDigest checks that a file is unmodified, and returns its text and its digest.
func checkDigest(name string, data []byte) (text []byte, sum string, err error) {
	text, found, ok := digestSeal.cut(data)
	switch sum = digest(text); {
	case !ok:
		return nil, "", &Fault{File: name, Text: "it does not end with its digest: it was cut off, changed, or written by an older assay"}
	case sum != string(found):
		return nil, "", &Fault{File: name, Text: "its digest does not fit: it was changed after it was written"}
	}
	return text, sum, nil
}

// decode parses a file of a run folder. The error is a *Fault.
func decode(name string, data []byte, v any) error {
	if err := json.Unmarshal(data, v); err != nil {
		return &Fault{File: name, Text: err.Error()}
	}
	return nil
}

// A Fault says that a record was modified: a file or line is changed, missing or foreign.
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
