// Package cmdline turns the words of a command line into an assay.Study: variants, flags
// of go test behind "--", commands (Parse). It helps with misplaced flags (ForgotDashes),
// and applies the caller's Go settings to a study (Inherit).
//
// Every error is an *assay.Error that names the word and what was probably meant, as a
// line to paste. The package runs nothing and reads no files: Env answers what it must
// know about the place. Package spec checks single values.
package cmdline
