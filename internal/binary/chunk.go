package binary

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// A chunk is data without symbols of its own: string literals, the static initialisers
// behind a symbol, zeroes.
type chunk struct {
	name       string
	start, end uint64
	// base is where places in the chunk are measured from: the end of the symbol before
	// it (its start, if symbols have no sizes). If aligned, padding may follow base.
	base    uint64
	aligned bool
}

// findChunks lists the chunks of all data sections in address order, and numbers every
// object in its chunk that something points at.
func (p *fingerprinter) findChunks() {
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
		c := chunk{name: "start of " + s.name, base: s.addr}
		at := s.addr
		for end := s.end(); at < end; {
			if i := find(p.im.named, at); i >= 0 {
				// The linker sorts by size, so the length of a version string decides
				// where it stands: treat it as absent.
				if p.im.aboutBuild(p.im.named[i]) == 0 {
					c = chunk{name: p.named[i], base: p.im.named[i].addr, aligned: p.im.sized}
					if p.im.sized {
						c.base = p.im.named[i].end()
					}
				}
				at = p.im.named[i].end()
				continue
			}
			if g, ok := groups[at]; ok {
				c = chunk{name: g, base: at}
			}
			c.start, c.end = at, min(p.im.after(at), end)
			// Go's line tables, if they have no section of their own, end in go:func.*;
			// types are hashed one by one.
			if c.name != "go:func.*" && !p.types.holds(at) {
				p.chunks = append(p.chunks, c)
			}
			at = c.end
		}
	}
	p.numberTargets()
}

// numberTargets gives every target its number in its chunk, and its distance from the
// last one, which distinguishes X+16 from X+24 where both are zero.
func (p *fingerprinter) numberTargets() {
	p.places = map[uint64]string{}
	squeeze := p.squeezer()
	var base, last uint64
	at, count := 0, 0
	for _, c := range p.chunks {
		if c.base != base || count == 0 {
			base, last, count = c.base, squeeze(c.base), 0
		}
		for ; at < len(p.targets) && p.targets[at] < c.end; at++ {
			if p.targets[at] < c.start {
				continue
			}
			addr := squeeze(p.targets[at])
			distance := addr - last
			if c.aligned && count == 0 && distance < maxAlign {
				distance = 0
			}
			p.places[p.targets[at]] = fmt.Sprintf("%s+%d:%d", c.name, count, distance)
			last, count = addr, count+1
		}
	}
}

// maxAlign is the largest alignment that the Go linker gives by itself.
const maxAlign = 32

// squeezer returns a function from addresses to those that they would have without the
// version strings, whose lengths shift what follows. A version string extends to the next
// thing behind it, with the padding between them.
func (p *fingerprinter) squeezer() func(uint64) uint64 {
	var ends, cut []uint64
	sum := uint64(0)
	for _, s := range p.im.named {
		if p.im.aboutBuild(s) < s.size {
			continue
		}
		end := s.end()
		i, _ := slices.BinarySearch(p.bounds, end+1)
		if j := sort.Search(len(p.targets), func(i int) bool { return p.targets[i] >= end }); j < len(p.targets) {
			if next := p.targets[j]; next-end < maxAlign && (i == len(p.bounds) || next <= p.bounds[i]) {
				end = next
			}
		}
		sum += end - s.addr
		ends, cut = append(ends, end), append(cut, sum)
	}
	return func(addr uint64) uint64 {
		i, _ := slices.BinarySearch(ends, addr+1)
		if i == 0 {
			return addr
		}
		return addr - cut[i-1]
	}
}

// hashChunks hashes the content of every chunk, object by object.
func (p *fingerprinter) hashChunks(out map[string]Hash) {
	parts := map[string][]byte{}
	for _, c := range p.chunks {
		for at := c.start; at < c.end; {
			end := min(p.objectEnd(at), c.end)
			if b := p.content(at, p.unpadded(at, end), 1); len(b) > 0 {
				parts[c.name] = binary.BigEndian.AppendUint64(parts[c.name], uint64(sum(b)))
			}
			at = end
		}
	}
	for name, b := range parts {
		out["after "+name] = sum(b)
	}
}

// unpadded excludes the zeroes at the end of an object, which may be padding; its users
// have its length. The end of a pointer stays.
func (p *fingerprinter) unpadded(at, end uint64) uint64 {
	b := p.im.bytes(at, end-at)
	n := len(b)
	for n > 0 && b[n-1] == 0 {
		n--
	}
	cut := at + uint64(n)
	if word := cut &^ 7; word >= at && word < cut && word+8 <= at+uint64(len(b)) {
		if _, ok := p.pointer(word); ok {
			return word + 8
		}
	}
	return cut
}

// hashPlaces hashes which unnamed object each function and each pointer in named data
// means, by its number in its chunk. For a label an object ends where another one seems
// to begin, which may be too early; but if the content of all chunks and all places are
// equal, the objects are equal whatever their length.
func (p *fingerprinter) hashPlaces() Hash {
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
		if p.im.aboutBuild(s) == 0 && !p.im.section(s.addr).skip {
			b = p.appendPlaces(b, s.addr, s.end())
		}
	}
	for _, c := range p.chunks {
		b = p.appendPlaces(b, c.start, c.end)
	}
	return sum(b)
}

// appendPlaces adds the places that the pointers from addr to end lead to.
func (p *fingerprinter) appendPlaces(b []byte, addr, end uint64) []byte {
	end = addr + uint64(len(p.im.bytes(addr, end-addr)))
	for at := (addr + 7) &^ 7; at+8 <= end; at += 8 {
		if v, ok := p.pointer(at); ok {
			b = p.appendPlace(b, v)
		}
	}
	return b
}

func (p *fingerprinter) appendPlace(b []byte, addr uint64) []byte {
	if place, ok := p.places[addr]; ok {
		b = append(append(b, place...), '\n')
	}
	return b
}
