// Package cmdline turns the words of a command line into an assay.Study: variants, flags
// of go test behind "--", commands (Parse). It says what was meant where a flag stands
// in the wrong place (ForgotDashes), and gives a study the Go settings of whoever
// starts assay (Inherit).
//
// Every error is an *assay.Error that names the word and what was probably meant, as a
// line to paste. The package runs nothing and reads no files: Env answers what it must
// know about the place. What a single value may be is package spec's to say.
package cmdline
