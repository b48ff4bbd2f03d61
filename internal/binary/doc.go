// Package binary reads Go binaries (ELF, Mach-O and PE; amd64 and arm64): what their
// functions contain, and whether two of them are the same code.
//
// A Print is a fingerprint: one short hash for each function, data symbol and type
// descriptor. Hashes cover what the bytes mean: a pc-relative operand or a pointer counts
// as the symbol that it points at, unnamed data (string literals, static initialisers,
// jump tables) as its content. So the order of functions, the build's folder, comments,
// line numbers, build ids and the version string do not count; a changed instruction,
// call target, constant, string literal, type or initial value does.
//
// Whatever this package does not understand is hashed as raw bytes, which can only turn
// "same" into "different". The reverse would be the worst mistake, because assay never
// measures two binaries of the same code against each other.
//
// A File also gives the code itself: instructions as text that does not depend on the
// layout, their lines, what was inlined, counts of bounds checks and write barriers, and
// who calls whom. The tables of Go's run time give all of that for stripped files too,
// except the names of data and of C functions.
//
// ReadableName, PlainName and PackageOf read the names of functions as symbol tables and
// profiles write them.
//
// A Print ignores line tables, unwind tables, debug information, versions of dynamic
// libraries and stack maps: an edit that only lengthens a variable's life
// (runtime.KeepAlive) and changes no instruction is the same code. The package does not
// read universal Mach-O files, plugins, or stripped data symbols, and knows nothing of
// variants: package build makes the files, package lab draws the conclusions.
package binary
