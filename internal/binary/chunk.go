package binary

import (
	"encoding/binary"
	"fmt"
	"sort"
	"strings"
)

// A chunk is a stretch of initialised data without symbols of its own: the
// string literals, the static initialisers behind a symbol.
type chunk struct {
	name       string
	start, end uint64
}

// findChunks lists the chunks of all data sections, in address order.
func (p *printer) findChunks() {
	groups := map[uint64]string{}
	for _, s := range p.im.symbols {
		if strings.HasSuffix(s.name, "*") || strings.HasPrefix(s.name, "go:funcdesc") {
			groups[s.addr] = s.name
		}
	}
	for _, s := range p.im.sections {
		if s.exec || s.skip {
			continue
		}
		name, at := "start of "+s.name, s.addr
		for end := s.addr + uint64(len(s.data)); at < end; {
			if i := find(p.im.named, at); i >= 0 {
				name, at = p.named[i], p.im.named[i].end()
				continue
			}
			if g, ok := groups[at]; ok {
				name = g
			}
			next := min(p.im.after(at), end)
			// Go's line tables, where they are not in a section of their own,
			// end in go:func.*; types are hashed one by one.
			if name != "go:func.*" && !p.types.holds(at) {
				p.addChunk(chunk{name, at, next})
			}
			at = next
		}
	}
}

// addChunk joins a chunk to the last one where only a mark lies between them.
func (p *printer) addChunk(c chunk) {
	if n := len(p.chunks); n > 0 && p.chunks[n-1].name == c.name && p.chunks[n-1].end == c.start {
		p.chunks[n-1].end = c.end
		return
	}
	p.chunks = append(p.chunks, c)
}

// hashChunks hashes the content of every chunk, object by object.
func (p *printer) hashChunks(out map[string]Hash) {
	parts := map[string][]byte{}
	for _, c := range p.chunks {
		for at := c.start; at < c.end; {
			end := min(p.objectEnd(at), c.end)
			if b := p.content(at, unpadded(p.im, at, end), 1); len(b) > 0 {
				parts[c.name] = binary.BigEndian.AppendUint64(parts[c.name], uint64(sum(b)))
			}
			at = end
		}
	}
	for name, b := range parts {
		out["after "+name] = sum(b)
	}
}

// unpadded leaves out what may be alignment at the end of an object. Go aligns
// by up to 32 bytes.
func unpadded(im *image, at, end uint64) uint64 {
	b := im.bytes(at, end-at)
	n := len(b)
	for n > 0 && n > len(b)-31 && b[n-1] == 0 {
		n--
	}
	return at + uint64(n)
}

// hashPlaces hashes which unnamed object each function and each pointer in
// named data means, by its number in its chunk. The content of an object ends
// for a label where another object seems to begin, which need not be the true
// end; with the content of all chunks equal and the places equal as well, the
// objects are equal whatever their length.
func (p *printer) hashPlaces() Hash {
	var b []byte
	for _, i := range byName(p.funcs) {
		for _, r := range p.refs[i] {
			if !r.half {
				b = p.appendPlace(b, r.target)
			}
		}
	}
	for _, i := range byName(p.named) {
		s := p.im.named[i]
		if p.aboutBuild(s) > 0 || p.im.section(s.addr).skip {
			continue
		}
		for at := (s.addr + 7) &^ 7; at+8 <= s.end(); at += 8 {
			if v, ok := p.im.pointer(at); ok {
				b = p.appendPlace(b, v)
			}
		}
	}
	for _, c := range p.chunks {
		for at := (c.start + 7) &^ 7; at+8 <= c.end; at += 8 {
			if v, ok := p.im.pointer(at); ok {
				b = p.appendPlace(b, v)
			}
		}
	}
	return sum(b)
}

func (p *printer) appendPlace(b []byte, addr uint64) []byte {
	i := sort.Search(len(p.chunks), func(i int) bool { return p.chunks[i].start > addr }) - 1
	if i < 0 || addr >= p.chunks[i].end {
		return b
	}
	c := p.chunks[i]
	first := sort.Search(len(p.bounds), func(i int) bool { return p.bounds[i] >= c.start })
	here := sort.Search(len(p.bounds), func(i int) bool { return p.bounds[i] >= addr })
	return fmt.Appendf(b, "%s+%d\n", c.name, here-first)
}
