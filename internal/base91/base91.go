// Package base91 writes bytes as printable characters, for files that must be text: 13
// bits are two characters, which is 8 % less than base64. It is not the basE91 that
// others use: no character of it can begin or end an element of HTML.
package base91

import (
	"fmt"
	"strings"
)

// The characters are those from '#' on. '!' stands for '<'.
const (
	first   = '#'
	size    = 91
	bits    = 13
	oneChar = 6 // bits that fit into one character, at the end
)

// Encode returns data as text.
func Encode(data []byte) string {
	var b strings.Builder
	b.Grow(len(data)*16/bits + 2)
	put := func(v int) {
		c := byte(first + v)
		if c == '<' {
			c = '!'
		}
		b.WriteByte(c)
	}
	word, n := 0, 0
	for _, x := range data {
		word |= int(x) << n
		if n += 8; n >= bits {
			v := word & (1<<bits - 1)
			put(v % size)
			put(v / size)
			word, n = word>>bits, n-bits
		}
	}
	if n > 0 {
		put(word % size)
	}
	if n > oneChar {
		put(word / size)
	}
	return b.String()
}

// Decode returns the data of a text that Encode returned. It returns an error if the text
// has other characters.
func Decode(text string) ([]byte, error) {
	data := make([]byte, 0, len(text)*bits/16)
	word, n := 0, 0
	for i := 0; i < len(text); i += 2 {
		v, more := 0, oneChar
		for j, c := range []byte(text[i:min(i+2, len(text))]) {
			if c == '!' {
				c = '<'
			} else if c < first || c >= first+size || c == '<' {
				return nil, fmt.Errorf("base91: character %q at %d", c, i+j)
			}
			if j == 0 {
				v = int(c - first)
			} else {
				v, more = v+size*int(c-first), bits
			}
		}
		word |= v << n
		for n += more; n >= 8; n -= 8 {
			data = append(data, byte(word))
			word >>= 8
		}
	}
	return data, nil
}

// Decoder is an expression of JavaScript: a function that returns the bytes of a text
// that Encode returned.
const Decoder = `t=>{const n=t.length,b=new Uint8Array((n>>1)*13+(n&1)*6>>3),at=i=>{const c=t.charCodeAt(i);return c<35?25:c-35};` +
	`for(let i=0,x=0,k=0,o=0;i<n;i+=2){x|=at(i)+(i+1<n?91*at(i+1):0)<<k;for(k+=13;k>7;k-=8,x>>=8)b[o++]=x}return b}`
