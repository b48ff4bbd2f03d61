package binary

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay/internal/printable"
)

// MaxNameLen is the length in bytes of the longest name that ReadableName returns. Names
// of instances can contain whole struct types.
const MaxNameLen = 400

// ReadableName returns a symbol's name as a reader of the source knows it, safe to print:
// with type arguments in place of the shapes that the compiler instantiates for,
// shortened struct and interface types, and import paths without escapes. A shape stands
// for all types of one underlying type, and that of pointers, shown as *T, for all
// pointers. Names of closures (F.func1) and method values (T.M-fm) stay.
func ReadableName(symbol string) string {
	name := printable.Line(unescape(symbol[:min(len(symbol), 4*MaxNameLen)]), 0)
	if strings.Contains(name, "[") {
		name = strings.ReplaceAll(name, "go.shape.*uint8", "*T")
		name = strings.ReplaceAll(name, "go.shape.", "")
		name = foldBraces(name)
	}
	if len(name) > MaxNameLen {
		name = printable.Line(name, MaxNameLen-len("…")) + "…"
	}
	return name
}

// PlainName returns a symbol's name without type arguments, escapes and the suffix of its
// calling convention, so that names in profiles and symbols can be compared: profiles say
// "pkg.F[...]" for all instances of F. Like the run time (funcNameForPrint) it takes
// everything from the first bracket to the last for type arguments.
func PlainName(name string) string {
	name = unescape(name)
	if i, j := strings.IndexByte(name, '['), strings.LastIndexByte(name, ']'); i >= 0 && j > i {
		name = name[:i] + name[j+1:]
	}
	for _, abi := range []string{".abi0", ".abiinternal"} {
		name = strings.TrimSuffix(name, abi)
	}
	return name
}

// escaped is how symbols encode dots, quotes and control characters of import paths.
var escaped = regexp.MustCompile(`%[0-9a-f]{2}`)

func unescape(name string) string {
	if !strings.Contains(name, "%") {
		return name
	}
	return escaped.ReplaceAllStringFunc(name, func(s string) string {
		n, err := strconv.ParseUint(s[1:], 16, 8)
		if err != nil {
			return s
		}
		return string([]byte{byte(n)})
	})
}

// foldBraces replaces the text between the outermost braces by dots.
func foldBraces(name string) string {
	var b strings.Builder
	depth := 0
	for i, r := range name {
		switch {
		case r == '{':
			if depth++; depth == 1 && !strings.HasPrefix(name[i:], "{}") {
				b.WriteString("{...")
			} else if depth == 1 {
				b.WriteRune(r)
			}
		case r == '}' && depth > 0:
			if depth--; depth == 0 {
				b.WriteRune(r)
			}
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// The packages of functions that have none of their own.
const (
	compilerPackage = "(compiler)" // equality and hash functions of types
	assemblyPackage = "(assembly)" // helpers of assembly files
)

// CPackage stands for the package of all functions that are not Go's.
const CPackage = "(C)"

// PackageOf returns the import path of a Go function's package, of an instance that of the
// generic function.
func PackageOf(symbol string) string {
	for _, prefix := range []string{"type:", "type..", "go:", "go."} {
		if strings.HasPrefix(symbol, prefix) {
			return compilerPackage
		}
	}
	// Receivers and type arguments contain paths too.
	path := symbol
	if i := strings.IndexAny(path, "[("); i >= 0 {
		path = path[:i]
	}
	slash := strings.LastIndexByte(path, '/') + 1
	dot := strings.IndexByte(path[slash:], '.')
	if dot <= 0 {
		return assemblyPackage
	}
	return unescape(path[:slash+dot])
}

// InPackage reports whether a piece of data in a Print belongs to a Go package: it is a
// package variable, or what the compiler made for one, such as p..stmp_1.
func InPackage(data string) bool {
	pkg := PackageOf(data)
	return !strings.ContainsAny(data, " :~*") && pkg != compilerPackage && pkg != assemblyPackage
}

// InRuntime reports whether a function is in the packages of the Go run time.
func InRuntime(symbol string) bool {
	p := PackageOf(symbol)
	return p == "runtime" || strings.HasPrefix(p, "runtime/internal/") || strings.HasPrefix(p, "internal/runtime/")
}

// NameInPackage returns a function's name without its package and type arguments:
// "(*Decoder).Decode" for "encoding/json.(*Decoder).Decode".
func NameInPackage(name string) string {
	name = PlainName(name)
	pkg := PackageOf(name)
	return strings.TrimPrefix(strings.TrimPrefix(name, pkg), ".")
}
