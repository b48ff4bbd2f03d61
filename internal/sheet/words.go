package sheet

import (
	"slices"
	"strings"
)

// JoinWords joins the texts that are not empty.
func JoinWords(sep string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), sep)
}

// ShellLine joins words as a shell would read them again.
func ShellLine(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w
		// Braces stay as they are: {bin} is no alternative to a shell, and reads
		// better.
		if w == "" || strings.ContainsAny(w, " \t\n\"'\\$`&|;<>()*?[]~#!") {
			out[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(out, " ")
}

// ShortHash is as much of a hash as tells it from others.
func ShortHash(h string) string { return h[:min(len(h), 8)] }
