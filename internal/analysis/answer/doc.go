// Package answer puts a result into words: which variant to use, what each step did, and
// the warnings about the result as a whole.
//
// It judges nothing: package analysis passes it the tables, and as Evidence what it
// proved besides.
package answer
