package deflate

import (
	"math/bits"
	"slices"
)

// The alphabets of RFC 1951: literals and lengths, distances, and the lengths of codes.
const (
	literals    = 286
	distances   = 30
	codeLengths = 19
	endOfBlock  = 256
)

// A lengthCode is the symbol of a length, the least length of this symbol, and the bits
// that tell it from the symbol's others.
type lengthCode struct{ symbol, from, extra int }

var lengthCodes = func() (codes [maxMatch + 1]lengthCode) {
	n := minMatch
	for s := range 28 {
		from, extra := n, max(0, s/4-1)
		for ; n < min(from+1<<extra, maxMatch); n++ {
			codes[n] = lengthCode{257 + s, from, extra}
		}
	}
	codes[maxMatch] = lengthCode{285, maxMatch, 0}
	return codes
}()

// distanceSymbol returns the symbol of a distance of 1 to 32768.
func distanceSymbol(d int) int {
	if d <= 4 {
		return d - 1
	}
	n := bits.Len(uint(d - 1))
	return 2*(n-1) + (d-1)>>(n-2)&1
}

// distanceExtra returns the bits that tell a distance from the symbol's others, and
// distanceFrom the least of them.
func distanceExtra(symbol int) int { return max(0, symbol/2-1) }

func distanceFrom(symbol int) int {
	if symbol < 4 {
		return symbol + 1
	}
	return (2+symbol&1)<<distanceExtra(symbol) + 1
}

// codes are the lengths in bits of the codes of a block.
type codes struct {
	literal  [literals]int
	distance [distances]int
}

func codesOf(h *histogram) *codes {
	c := &codes{}
	copy(c.literal[:], huffman(h.literal[:], 15))
	counts := h.distance
	// Some readers want two codes, used or not.
	for i, n := 0, used(counts[:]); n < 2; i++ {
		if counts[i] == 0 {
			counts[i], n = 1, n+1
		}
	}
	copy(c.distance[:], huffman(counts[:], 15))
	return c
}

func used(counts []int) (n int) {
	for _, k := range counts {
		if k > 0 {
			n++
		}
	}
	return n
}

// huffman returns the lengths of the best codes of at most limit bits; 0 for what never
// occurs. Rare symbols count as more frequent than they are where a code would be longer.
func huffman(counts []int, limit int) []int {
	type node struct{ count, left, right, symbol int }
	for least := 1; ; least *= 2 {
		var nodes []node
		for s, n := range counts {
			if n > 0 {
				nodes = append(nodes, node{max(n, least), -1, -1, s})
			}
		}
		lengths := make([]int, len(counts))
		leaves := len(nodes)
		if leaves == 0 {
			return lengths
		}
		if leaves == 1 {
			lengths[nodes[0].symbol] = 1
			return lengths
		}
		slices.SortStableFunc(nodes, func(a, b node) int { return a.count - b.count })
		// The inner nodes follow the leaves, and are made by rising count too.
		leaf, inner := 0, leaves
		next := func() int {
			if leaf < leaves && (inner >= len(nodes) || nodes[leaf].count <= nodes[inner].count) {
				leaf++
				return leaf - 1
			}
			inner++
			return inner - 1
		}
		for len(nodes) < 2*leaves-1 {
			a, b := next(), next()
			nodes = append(nodes, node{nodes[a].count + nodes[b].count, a, b, -1})
		}
		depth := make([]int, len(nodes))
		deepest := 0
		for i := len(nodes) - 1; i >= 0; i-- {
			if n := nodes[i]; n.symbol < 0 {
				depth[n.left], depth[n.right] = depth[i]+1, depth[i]+1
			} else {
				lengths[n.symbol] = depth[i]
				deepest = max(deepest, depth[i])
			}
		}
		if deepest <= limit {
			return lengths
		}
	}
}

// assign returns the codes of such lengths, with their bits in the order of writing.
func assign(lengths []int) []int {
	out := make([]int, len(lengths))
	code := 0
	for n := 1; n <= 15; n++ {
		code <<= 1
		for s, length := range lengths {
			if length == n {
				out[s] = int(bits.Reverse16(uint16(code)) >> (16 - n))
				code++
			}
		}
	}
	return out
}

// A lengthToken is an entry of the head of a block: the length of a code, or a run of equal
// ones, whose length is in some extra bits.
type lengthToken struct{ symbol, more, extra int }

// head returns the lengths of all codes as tokens, with the numbers of literals and of
// distances that they are of.
func (c *codes) head() (tokens []lengthToken, literal, distance int) {
	literal, distance = literals, distances
	for literal > endOfBlock+1 && c.literal[literal-1] == 0 {
		literal--
	}
	for distance > 1 && c.distance[distance-1] == 0 {
		distance--
	}
	all := append(append([]int{}, c.literal[:literal]...), c.distance[:distance]...)
	for i := 0; i < len(all); {
		run := 1
		for i+run < len(all) && all[i+run] == all[i] {
			run++
		}
		i += run
		if n := all[i-1]; n > 0 {
			tokens = append(tokens, lengthToken{symbol: n})
			for run--; run >= 3; {
				k := min(run, 6)
				if run-k == 1 || run-k == 2 { // a rest of 3 is a run too
					k = max(3, run-3)
				}
				tokens = append(tokens, lengthToken{16, k - 3, 2})
				run -= k
			}
		} else {
			for run >= 11 {
				k := min(run, 138)
				tokens = append(tokens, lengthToken{18, k - 11, 7})
				run -= k
			}
			if run >= 3 {
				tokens = append(tokens, lengthToken{17, run - 3, 3})
				run = 0
			}
		}
		for ; run > 0; run-- {
			tokens = append(tokens, lengthToken{symbol: all[i-1]})
		}
	}
	return tokens, literal, distance
}

// order is that in which a head has the lengths of the codes of its own alphabet.
var order = [codeLengths]int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// headCodes returns the lengths of the codes of a head, and how many of them it has to
// write.
func headCodes(tokens []lengthToken) (lengths []int, n int) {
	var counts [codeLengths]int
	for _, t := range tokens {
		counts[t.symbol]++
	}
	lengths = huffman(counts[:], 7)
	n = codeLengths
	for n > 4 && lengths[order[n-1]] == 0 {
		n--
	}
	return lengths, n
}

// headBits is the size of the head.
func (c *codes) headBits() int {
	tokens, _, _ := c.head()
	lengths, n := headCodes(tokens)
	size := 3 + 5 + 5 + 4 + 3*n
	for _, t := range tokens {
		size += lengths[t.symbol] + t.extra
	}
	return size
}

func (c *codes) writeHead(w *bitWriter) {
	tokens, literal, distance := c.head()
	lengths, n := headCodes(tokens)
	w.bits(literal-257, 5)
	w.bits(distance-1, 5)
	w.bits(n-4, 4)
	for _, s := range order[:n] {
		w.bits(lengths[s], 3)
	}
	code := assign(lengths)
	for _, t := range tokens {
		w.bits(code[t.symbol], lengths[t.symbol])
		w.bits(t.more, t.extra)
	}
}
