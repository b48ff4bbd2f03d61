// Package binary reads Go binaries (ELF, Mach-O and PE; amd64 and arm64): what
// is in their functions, and whether two of them are the same code.
//
// A Print is a fingerprint: one short hash per function, data symbol and type
// descriptor. Hashes are taken over what the bytes mean. A pc-relative operand
// counts as the symbol that it points at, a pointer in data likewise, and
// unnamed data (string literals, static initialisers, jump tables) as its
// content. So the order in which the linker placed functions, the folder that
// the build ran in, comments, line numbers, build ids and the version string
// do not count; a changed instruction, call target, constant, string literal,
// type or initial value does.
//
// The rule for everything it does not understand is to hash the raw bytes:
// that can only turn "same" into "different". The worst mistake would be the
// other way round, because two binaries that are the same code are never
// measured against each other.
//
// A File also reads the code itself: instructions as text that does not depend
// on the layout, their lines, what was inlined, counts of bounds checks and write
// barriers, and who calls whom. All of that but the names of data and of C
// functions is there in stripped files too, from the tables of Go's run time.
//
// A Print does not compare line tables, unwind tables, debug information, dynamic
// library versions, or what a program does. It does not compare stack maps
// either: an edit that only lengthens a variable's life (runtime.KeepAlive)
// and changes no instruction is the same code. It does not read universal
// Mach-O files, plugins, or stripped data symbols. It knows
// nothing of variants: package build makes the files, package lab draws the
// conclusions.
package binary
