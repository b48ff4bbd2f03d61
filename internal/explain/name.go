package explain

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay/internal/printable"
)

// maxName is how much of a symbol is shown, in bytes. Names of instances can hold
// whole struct types.
const maxName = 400

// Readable returns a symbol's name as a reader of the source knows it: type
// arguments in place of the shapes that the compiler instantiates for, with
// struct and interface types shortened, import paths without escapes, and nothing
// that a terminal would act upon. Shapes stand for all types of one underlying
// type, and that of pointers for all pointers: it is shown as *T. Names of
// closures (F.func1) and method values (T.M-fm) stay.
func Readable(symbol string) string {
	name := printable.Line(unescape(cut(symbol, 4*maxName)), 0)
	if strings.Contains(name, "[") {
		name = strings.ReplaceAll(name, "go.shape.*uint8", "*T")
		name = strings.ReplaceAll(name, "go.shape.", "")
		name = foldBraces(name)
	}
	if len(name) > maxName {
		name = printable.Line(name, maxName-len("…")) + "…"
	}
	return name
}

// Plain returns a symbol's name without type arguments, escapes and the suffix of
// its calling convention, by which names in profiles and symbols meet: profiles
// say "pkg.F[...]" for all instances of F. As the run time does (funcNameForPrint),
// it takes everything from the first bracket to the last for type arguments.
func Plain(name string) string {
	name = unescape(name)
	if i, j := strings.IndexByte(name, '['), strings.LastIndexByte(name, ']'); i >= 0 && j > i {
		name = name[:i] + name[j+1:]
	}
	for _, abi := range []string{".abi0", ".abiinternal"} {
		name = strings.TrimSuffix(name, abi)
	}
	return name
}

// escaped is how import paths hold dots, quotes and control characters in symbols.
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

// foldBraces replaces what is between the outermost braces by dots.
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

// The places of functions that are in no package of their own.
const (
	compilerPackage = "(compiler)" // equality and hash functions of types
	assemblyPackage = "(assembly)" // helpers of assembly files
	cPackage        = "(C)"
)

// PackageOf returns the import path of the package that a Go function is in.
// Of an instance it is that of the generic function.
func PackageOf(symbol string) string {
	for _, prefix := range []string{"type:", "type..", "go:", "go."} {
		if strings.HasPrefix(symbol, prefix) {
			return compilerPackage
		}
	}
	// Receivers and type arguments hold paths of their own.
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

// inRuntime reports whether a function belongs to the packages of the run time,
// whose callees are its own business.
func inRuntime(symbol string) bool {
	p := PackageOf(symbol)
	return p == "runtime" || strings.HasPrefix(p, "runtime/internal/") || strings.HasPrefix(p, "internal/runtime/")
}

// baseName is a name without the folders of its import path and of its type
// arguments: "(*Decoder).Decode" of "encoding/json.(*Decoder).Decode".
func baseName(name string) string {
	name = Plain(name)
	pkg := PackageOf(name)
	return strings.TrimPrefix(strings.TrimPrefix(name, pkg), ".")
}

func cut(s string, most int) string {
	if len(s) > most {
		return s[:most]
	}
	return s
}
