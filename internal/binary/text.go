package binary

import "bytes"

// HoldsText reports whether the program's data, where string literals are, has a text.
// Literals lie side by side, so a short text may be there by chance.
func (f *File) HoldsText(text string) bool {
	for _, s := range f.image.sections {
		if !s.exec && !s.skip && bytes.Contains(s.data, []byte(text)) {
			return true
		}
	}
	return false
}
