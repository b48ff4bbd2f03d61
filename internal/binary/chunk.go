package binary

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// A chunk is a stretch of initialised data without symbols of its own: the
// string literals, the static initialisers behind a symbol.
type chunk struct {
	name       string
	start, end uint64
}

// findChunks lists the chunks of all data sections in address order, and gives
// every object that something points at a number in its chunk.
func (p *printer) findChunks() {
	groups := map[uint64]string{}
	for _, s := range p.im.symbols {
		if strings.HasSuffix(s.name, "*") || strings.HasPrefix(s.name, "go:funcdesc") {
			groups[s.addr] = s.name
		}
	}
	for _, s := range p.im.sections {
		if s.exec || s.skip || s.links {
			continue
		}
		name, at := "start of "+s.name, s.addr
		for end := s.addr + uint64(len(s.data)); at < end; {
			if i := find(p.im.named, at); i >= 0 {
				// The linker sorts by size, so the length of a version string
				// decides where it stands: as if it were not there.
				if p.aboutBuild(p.im.named[i]) == 0 {
					name = p.named[i]
				}
				at = p.im.named[i].end()
				continue
			}
			if g, ok := groups[at]; ok {
				name = g
			}
			next := min(p.im.after(at), end)
			// Go's line tables, where they are not in a section of their own,
			// end in go:func.*; types are hashed one by one.
			if name != "go:func.*" && !p.types.holds(at) {
				p.chunks = append(p.chunks, chunk{name, at, next})
			}
			at = next
		}
	}
	p.numberTargets()
}

func (p *printer) numberTargets() {
	p.places = map[uint64]string{}
	count := map[string]int{}
	at := 0
	for _, c := range p.chunks {
		for ; at < len(p.targets) && p.targets[at] < c.end; at++ {
			if p.targets[at] >= c.start {
				p.places[p.targets[at]] = fmt.Sprintf("%s+%d", c.name, count[c.name])
				count[c.name]++
			}
		}
	}
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

// unpadded leaves out what may be alignment at the end of an object: up to 31
// zeroes, for Go aligns by up to 32 bytes. The end of a pointer is none.
func unpadded(im *image, at, end uint64) uint64 {
	b := im.bytes(at, end-at)
	n := len(b)
	for n > 0 && n > len(b)-31 && b[n-1] == 0 {
		n--
	}
	cut := at + uint64(n)
	if word := cut &^ 7; word >= at && word < cut && word+8 <= at+uint64(len(b)) {
		if _, ok := im.pointer(word); ok {
			return word + 8
		}
	}
	return cut
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
	if place, ok := p.places[addr]; ok {
		b = append(append(b, place...), '\n')
	}
	return b
}
