// Package inquiry finds out what changed between the variants of a run, and why. It picks
// the comparisons that changed most, builds their variants again, collects evidence from
// their binaries and from trials with instruments, and leaves the causes to package
// explain. Changes does so at the end of a run, Explain for a finished one.
//
//	explain.go, changes.go    Explain and Changes: of a stored run, and of one that ends
//	target.go                 which comparisons to explain
//	evidence.go, allocs.go    the evidence for one comparison
//	layout.go                 whether a difference holds across relinked builds
//	files.go                  Files: two binaries without a run
package inquiry
