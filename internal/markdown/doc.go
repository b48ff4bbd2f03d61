// Package markdown writes a result as a comment on a pull request. Rows, digits and words
// are those of package sheet; how much of them fits, and what of a stranger's names may
// stand on a page that everybody reads, is decided here.
package markdown
