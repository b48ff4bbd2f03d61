package lex

// An Interner keeps one copy of each string, so that equal names share memory.
// It is not safe for use by several goroutines at once.
type Interner struct {
	known map[string]string
}

// NewInterner returns an Interner that knows no string.
func NewInterner() *Interner {
	return &Interner{known: map[string]string{}}
}

// Intern returns a string equal to s, the same one each time.
func (n *Interner) Intern(s string) string {
	if same, ok := n.known[s]; ok {
		return same
	}
	n.known[s] = s
	return s
}

// Len returns the number of different strings.
func (n *Interner) Len() int {
	return len(n.known)
}
