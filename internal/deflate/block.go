package deflate

// A histogram counts the symbols of some tokens, the end of the block among them, and the
// extra bits of their matches.
type histogram struct {
	literal  [literals]int
	distance [distances]int
	extra    int
}

func countTokens(tokens []token) (h histogram) {
	h.literal[endOfBlock] = 1
	for _, t := range tokens {
		if t.length == 0 {
			h.literal[t.distance]++
			continue
		}
		c, d := lengthCodes[t.length], distanceSymbol(int(t.distance))
		h.literal[c.symbol]++
		h.distance[d]++
		h.extra += c.extra + distanceExtra(d)
	}
	return h
}

func (h *histogram) add(o *histogram) {
	for i, n := range o.literal {
		h.literal[i] += n
	}
	for i, n := range o.distance {
		h.distance[i] += n
	}
	h.extra += o.extra
	h.literal[endOfBlock] = 1
}

// bits is the size of a block with its codes.
func (h *histogram) bits() int {
	c := codesOf(h)
	n := h.extra + c.headBits()
	for i, k := range h.literal {
		n += k * c.literal[i]
	}
	for i, k := range h.distance {
		n += k * c.distance[i]
	}
	return n
}

// A block is a run of tokens with codes of their own.
type block struct {
	from, to int
	h        histogram
	bits     int
}

const chunk = 128 // tokens: blocks are made of so many each

// split divides tokens into blocks that take few bits together: small ones first, of which
// the two neighbours that save the most become one, until no two save anything.
func split(tokens []token) []block {
	var blocks []block
	for from := 0; from < len(tokens) || from == 0; from += chunk {
		b := block{from: from, to: min(from+chunk, len(tokens))}
		b.h = countTokens(tokens[b.from:b.to])
		b.bits = b.h.bits()
		blocks = append(blocks, b)
	}
	join := func(i int) block {
		b := blocks[i]
		b.to = blocks[i+1].to
		b.h.add(&blocks[i+1].h)
		b.bits = b.h.bits()
		return b
	}
	joined := make([]block, len(blocks)-1)
	for i := range joined {
		joined[i] = join(i)
	}
	for len(joined) > 0 {
		best, most := 0, 0
		for i, b := range joined {
			if saved := blocks[i].bits + blocks[i+1].bits - b.bits; saved > most {
				best, most = i, saved
			}
		}
		if most == 0 {
			break
		}
		blocks[best] = joined[best]
		blocks = append(blocks[:best+1], blocks[best+2:]...)
		joined = append(joined[:best], joined[best+1:]...)
		for i := max(best-1, 0); i <= best && i < len(joined); i++ {
			joined[i] = join(i)
		}
	}
	return blocks
}

// A bitWriter writes bits, the lowest first.
type bitWriter struct {
	out  []byte
	word uint64
	n    int
}

func (w *bitWriter) bits(v, n int) {
	w.word |= uint64(v) << w.n
	for w.n += n; w.n >= 8; w.n -= 8 {
		w.out = append(w.out, byte(w.word))
		w.word >>= 8
	}
}

// flush fills up the last byte.
func (w *bitWriter) flush() { w.bits(0, (8-w.n%8)%8) }

// block writes tokens as a block with codes of its own.
func (w *bitWriter) block(tokens []token, last bool) {
	h := countTokens(tokens)
	c := codesOf(&h)
	final := 0
	if last {
		final = 1
	}
	w.bits(final, 1)
	w.bits(2, 2)
	c.writeHead(w)
	literal, distance := assign(c.literal[:]), assign(c.distance[:])
	for _, t := range tokens {
		if t.length == 0 {
			w.bits(literal[t.distance], c.literal[t.distance])
			continue
		}
		l, d := lengthCodes[t.length], distanceSymbol(int(t.distance))
		w.bits(literal[l.symbol], c.literal[l.symbol])
		w.bits(int(t.length)-l.from, l.extra)
		w.bits(distance[d], c.distance[d])
		w.bits(int(t.distance)-distanceFrom(d), distanceExtra(d))
	}
	w.bits(literal[endOfBlock], c.literal[endOfBlock])
}
