// Package benchfile reads files of Go benchmark output as people have them: the text that go
// test prints, its events (go test -json), logs of CI jobs, text in UTF-16, with colours, quoted
// or packed, and archives of these. It names every line with a result that it cannot read, and
// says what a file is that holds something else. It compares nothing.
package benchfile
