package load

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
)

// maxHDR is the maximum size of an uncompressed histogram, in bytes. One of five digits
// over the whole range of int64 has 6 million buckets, most of them empty.
const maxHDR = 16 << 20

// Cookies of the second version of the encoding, without the nibble that has no meaning
// in it (HdrHistogram, EncodableHistogram.java).
const (
	hdrCompressed = 0x1c849304
	hdrPlain      = 0x1c849303
	hdrNibble     = 0xf0
)

var errHDR = errors.New("has a histogram that is cut off or damaged")

// decodeHDR calls f with the buckets of a base64 histogram in ascending order, each with
// its middle. hdrhistogram-go would allocate what a header asks for, and panics on an
// invalid one.
func decodeHDR(text string, f func(value float64, n int) error) error {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(b) < 8 {
		return errHDR
	}
	if cookie := binary.BigEndian.Uint32(b) &^ hdrNibble; cookie != hdrCompressed {
		return fmt.Errorf("has a histogram whose encoding is not version 2 (cookie %#x)", cookie)
	}
	z, err := zlib.NewReader(bytes.NewReader(b[8:]))
	if err != nil {
		return errHDR
	}
	payload, err := io.ReadAll(io.LimitReader(z, maxHDR+1))
	switch {
	case err != nil:
		return errHDR
	case len(payload) > maxHDR:
		return fmt.Errorf("has a histogram of more than %d MiB", maxHDR>>20)
	}
	return decodeHDRPayload(payload, f)
}

// decodeHDRPayload reads cookie, length, offset, digits, lowest and highest value, ratio,
// then the counts.
func decodeHDRPayload(b []byte, f func(value float64, n int) error) error {
	const header = 40
	if len(b) < header || binary.BigEndian.Uint32(b)&^hdrNibble != hdrPlain {
		return errHDR
	}
	length, offset := binary.BigEndian.Uint32(b[4:]), binary.BigEndian.Uint32(b[8:])
	digits, lowest := binary.BigEndian.Uint32(b[12:]), binary.BigEndian.Uint64(b[16:])
	if int64(length) > int64(len(b)-header) || digits > 5 || lowest < 1 || lowest > 1<<40 {
		return errHDR
	}
	if offset != 0 {
		return errors.New("has a histogram whose buckets are shifted")
	}
	scale := hdrScale{unit: bits.Len64(lowest) - 1, half: max(1, int(math.Ceil(math.Log2(2*math.Pow10(int(digits)))))) - 1}
	return decodeHDRCounts(b[header:header+int(length)], scale, f)
}

// decodeHDRCounts reads counts bucket by bucket; a negative one is a number of empty
// buckets.
func decodeHDRCounts(b []byte, scale hdrScale, f func(value float64, n int) error) error {
	for index := 0; len(b) > 0; {
		n, size := zigZag(b)
		if size == 0 {
			return errHDR
		}
		b = b[size:]
		switch {
		case n < int64(index)-scale.buckets() || n > 0 && int64(index) >= scale.buckets():
			return errHDR
		case n > maxRequests:
			return fmt.Errorf("has a histogram that counts %d requests of one latency", n)
		case n < 0:
			index -= int(n)
			continue
		case n > 0:
			if err := f(scale.middle(index), int(n)); err != nil {
				return err
			}
		}
		index++
	}
	return nil
}

// zigZag reads a number of seven bits a byte, lowest first; the ninth byte has eight. The
// lowest bit is the sign. size is 0 if the number is cut off.
func zigZag(b []byte) (n int64, size int) {
	var v uint64
	for i := range min(9, len(b)) {
		if i == 8 || b[i] < 0x80 {
			v |= uint64(b[i]) << (7 * i)
			return int64(v>>1) ^ -int64(v&1), i + 1
		}
		v |= uint64(b[i]&0x7f) << (7 * i)
	}
	return 0, 0
}

// An hdrScale determines the values of a bucket: there are 2^(half+1) buckets of the same
// width, then 2^half of twice that, and so on.
type hdrScale struct{ unit, half int }

// buckets returns their number up to the largest int64.
func (s hdrScale) buckets() int64 { return int64(64-s.unit-s.half) << s.half }

// middle returns the middle of a bucket.
func (s hdrScale) middle(index int) float64 {
	bucket := max(0, index>>s.half-1)
	sub := index - bucket<<s.half
	width := math.Ldexp(1, bucket+s.unit)
	return float64(sub)*width + math.Floor(width/2)
}
