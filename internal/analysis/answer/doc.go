// Package answer puts a result into words: which variant to use, what each step did,
// and the warnings that the result as a whole calls for.
//
// It judges nothing: package analysis hands it the tables, and as Evidence what it
// proved beside them.
package answer
