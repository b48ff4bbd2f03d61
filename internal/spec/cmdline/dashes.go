package cmdline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/spec/goflag"
)

// variantFlags are the flags of go build that a variant can have.
var variantFlags = []string{"gcflags", "ldflags", "tags", "pgo", "modfile"}

// IsVariantFlag reports whether a word is a build flag of a variant, such as
// "-gcflags=-l", and not a flag of assay.
func IsVariantFlag(word string) bool {
	name, _, hasValue := goflag.Cut(word)
	return strings.HasPrefix(word, "-") && hasValue && slices.Contains(variantFlags, name)
}

// A Typed is a command line as typed, for messages about misplaced flags.
type Typed struct {
	// Command is assay and its command, Args what follows.
	Command, Args []string
	// TakesValue reports whether a flag is assay's and the next word is its value.
	TakesValue func(flag string) bool
}

// ForgotDashes returns the error for a flag of go test, such as "-bench", before the
// "--", with a line that moves what belongs to go test; nil for other flags.
func ForgotDashes(flag string, typed Typed) *assay.Error {
	name, value, hasValue := goflag.Cut(flag)
	f, ok := goflag.Known[name]
	if !ok || IsVariantFlag(flag) {
		return nil
	}
	if slices.Contains(variantFlags, name) && !hasValue {
		return typed.apart(flag)
	}
	before, after := typed.Split()
	right := compareLine{Line: Line{Command: typed.Command, Variants: before, Dashed: after}}
	if f.To == goflag.Owned {
		if value == "" {
			value = valueOf(name, typed.Args)
		}
		return refuse(name, value, right)
	}
	return usage(assay.CodeNeedsDashes, fmt.Sprintf("-%s is a flag of go test, not of %s", name, strings.Join(typed.Command, " ")), right.try(before))
}

// apart returns the error for a build flag of a variant with its value in another word.
func (t Typed) apart(flag string) *assay.Error {
	e := usage(assay.CodeUnknownVariant, flag+" needs its value in the same word", "")
	if i := slices.Index(t.Args, flag); i >= 0 && i+1 < len(t.Args) && t.Args[i+1] != "--" {
		right := slices.Replace(slices.Clone(t.Args), i, i+2, flag+"="+t.Args[i+1])
		e.Try = shell.Join(slices.Concat(t.Command, right))
	}
	return e
}

// Split splits the arguments into those of assay and those of go test: flags with their
// values, package patterns, and all after "--". A word such as -gcflags=-l is a variant
// if there would otherwise be nothing to compare.
func (t Typed) Split() (before, after []string) {
	alone := t.variants() < 2
	for i := 0; i < len(t.Args); i++ {
		a := t.Args[i]
		if a == "--" {
			return before, append(after, t.Args[i+1:]...)
		}
		name, _, hasValue := goflag.Cut(a)
		f, known := goflag.Known[name]
		switch {
		case alone && IsVariantFlag(a):
			before = append(before, a)
		case strings.HasPrefix(a, "-") && known && !t.TakesValue(a):
			after = append(after, a)
			if f.Value && !hasValue && i+1 < len(t.Args) {
				i++
				after = append(after, t.Args[i])
			}
		case t.TakesValue(a) && i+1 < len(t.Args):
			i++
			before = append(before, a, t.Args[i])
		case isPackagePattern(a):
			after = append(after, a)
		default:
			before = append(before, a)
		}
	}
	return before, after
}

// variants counts the words that can only be variants.
func (t Typed) variants() (n int) {
	for i := 0; i < len(t.Args) && t.Args[i] != "--"; i++ {
		a := t.Args[i]
		name, _, hasValue := goflag.Cut(a)
		switch {
		case t.TakesValue(a), strings.HasPrefix(a, "-") && goflag.Known[name].Value && !hasValue:
			i++
		case !strings.HasPrefix(a, "-") && !isPackagePattern(a):
			n++
		}
	}
	return n
}

func isPackagePattern(word string) bool {
	return word == "..." || strings.HasPrefix(word, "./") || strings.HasPrefix(word, "../") || strings.HasSuffix(word, "/...")
}

// valueOf finds the value of a flag in args, "" if there is none.
func valueOf(name string, args []string) string {
	for i, a := range args {
		n, value, hasValue := goflag.Cut(a)
		switch {
		case n != name || !strings.HasPrefix(a, "-"):
		case hasValue:
			return value
		case i+1 < len(args):
			return args[i+1]
		}
	}
	return ""
}
