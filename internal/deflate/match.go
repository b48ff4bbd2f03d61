package deflate

// A match finder looks at so many earlier places at most that begin alike.
const (
	deepest  = 512
	hashBits = 16
)

// matches are the matches of each byte of a text: by rising length, each at the least
// distance at which so much is alike.
type matches struct {
	list  []token
	start []int32 // of each byte's matches in list, and the end
}

func (f *matches) at(i int) []token { return f.list[f.start[i]:f.start[i+1]] }

// findMatches finds the matches of all bytes.
func findMatches(data []byte) *matches {
	f := &matches{start: make([]int32, len(data)+1)}
	head, before := make([]int32, 1<<hashBits), make([]int32, len(data)) // places plus 1; 0 is none
	for i := range data {
		f.start[i] = int32(len(f.list))
		if len(data)-i < minMatch {
			continue
		}
		h := (uint32(data[i]) | uint32(data[i+1])<<8 | uint32(data[i+2])<<16) * 0x9e3779b1 >> (32 - hashBits)
		longest, most := minMatch-1, min(maxMatch, len(data)-i)
		for at, n := int(head[h])-1, 0; at >= 0 && i-at < window && n < deepest && longest < most; at, n = int(before[at])-1, n+1 {
			if data[at+longest] != data[i+longest] {
				continue
			}
			length := 0
			for length < most && data[at+length] == data[i+length] {
				length++
			}
			if length > longest {
				longest = length
				f.list = append(f.list, token{uint16(length), uint16(i - at)})
			}
		}
		before[i], head[h] = head[h], int32(i)+1
	}
	f.start[len(data)] = int32(len(f.list))
	return f
}
