// Package cmdline turns the words of a command line into an assay.Study: variants, flags
// of go test behind "--", commands (Parse). It helps with misplaced flags (ForgotDashes),
// and applies the caller's Go settings to a study (Inherit).
//
// Every error is an *assay.Error that names the word and what was probably meant, as a
// line to paste. The package runs nothing and reads no files: Env answers what it must
// know about the place. Package spec checks single values.
package cmdline

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/spec"
)

// Env answers questions about where a compare line is typed. A nil function answers no.
type Env struct {
	// Dir is the folder that assay was started in.
	Dir string
	// Module is the path of the module there, "" if there is none.
	Module string
	// IsRevision reports whether git knows the word as a commit, in Dir.
	IsRevision func(string) bool
	// Revisions lists the names of revisions in Dir: branches, tags, HEAD.
	Revisions func() []string
	// IsProgram reports whether a word names a program on the PATH.
	IsProgram func(string) bool
	// Unavailable says why a revision that may well exist cannot be had in Dir, and its name
	// after the command of the error, "" if that stays; nil for a word that is simply none.
	Unavailable func(rev string) (why *assay.Error, right string)
	// Folders lists the names of the folders in a folder, which is relative to Dir.
	Folders func(dir string) []string
}

func (env Env) isRevision(s string) bool { return env.IsRevision != nil && env.IsRevision(s) }

// nearRevision returns the revision that s may mean, "HEAD~1" for "HED~1", or "".
func (env Env) nearRevision(s string) string {
	if env.Revisions == nil || strings.Contains(s, "..") { // a range has two
		return ""
	}
	name, ancestor := s, ""
	if i := strings.IndexAny(s, "~^@:"); i > 0 {
		name, ancestor = s[:i], s[i:]
	}
	for _, right := range printable.NearestNames(name, env.Revisions()) {
		if env.isRevision(right + ancestor) {
			return right + ancestor
		}
	}
	return ""
}

// A Line is a compare line without the flags that any study can have.
type Line struct {
	// Command is the command and its flags before the variants, for lines that messages
	// suggest. Nil means "assay compare" with the flags below.
	Command []string
	// Variants has one variant a word, Dashed the words after "--".
	Variants, Dashed []string
	// By is the flag --by.
	By string
	// Commands are the values of --cmd: command lines, each a benchmark.
	Commands []string
	// A and B are --cmd-a and --cmd-b: two programs that assay does not build.
	A, B string
	// Overlay is --overlay: "." or a revision whose benchmarks are copied over every
	// variant, or a folder whose files are.
	Overlay string
	// Factors are the values of --factor: NAME=LEVEL,LEVEL. Their levels are crossed, and with
	// the variants if there are any.
	Factors []string
	// Prepare, Cleanup, Stdin and Expect are the flags of these names, for all commands.
	Prepare, Cleanup, Stdin, Expect string
	// Metrics are the values of --metric: metrics to find in the output of all commands.
	Metrics []string
}

// Parse makes a Study from a line and fills in the defaults. With By, Study.Variants
// holds only the build; the values to compare are found later. With A and B, those are
// the variants. Every error is an *assay.Error with exit status 2.
func Parse(env Env, words Line) (*assay.Study, error) {
	line := compareLine{Line: words, env: env}
	if err := line.checkText(); err != nil {
		return nil, err
	}
	if err := line.checkCommands(); err != nil {
		return nil, err
	}
	s := &assay.Study{Dir: env.Dir}
	for _, read := range []func(*assay.Study) error{line.readBy, line.readVariants, line.readFactors, line.readOverlay, line.readWorkloads} {
		if err := read(s); err != nil {
			return nil, err
		}
	}
	spec.SetDefaults(s)
	return s, nil
}

// readOverlay distinguishes a tree, whose benchmarks are copied, from a folder of files.
func (l compareLine) readOverlay(s *assay.Study) error {
	w := l.Overlay
	_, err := spec.ModuleVersion(w)
	right := l.env.nearRevision(w)
	switch {
	case w == "":
	case l.hasCommands():
		return usage(assay.CodeOverlay, "--overlay brings Go benchmarks, and commands have none", "")
	case w == spec.WorkingTree, l.env.isRevision(w), err == nil:
		s.Source.BenchmarksFrom = w
	case right != "" && !strings.ContainsAny(w, `/\`):
		return usage(assay.CodeUnknownRevision, fmt.Sprintf("--overlay %s: git finds no commit of this name", shell.Quote(w)), l.withOverlay(right), fmt.Sprintf("there is %q", right))
	default:
		if looksLikeRevision(w) {
			if err := l.unavailable(w, l.withOverlay); err != nil {
				return err
			}
		}
		s.Source.Overlay = w
	}
	return nil
}

// withOverlay returns the line with another --overlay.
func (l compareLine) withOverlay(right string) string {
	l.Command = slices.Clone(l.Command)
	for i, w := range l.Command {
		if w == "--overlay="+l.Overlay {
			l.Command[i] = "--overlay=" + right
		}
	}
	l.Overlay = right
	return l.try(l.Variants)
}

func (l compareLine) readWorkloads(s *assay.Study) error {
	if l.hasCommands() {
		return l.readCommands(s)
	}
	l.ofTree = slices.ContainsFunc(s.Variants, func(v assay.Variant) bool { return v.Rev == "" && v.Module == "" })
	w, err := goTestArgs(&s.Measure, l.Dashed, l)
	s.Workloads = []assay.Workload{w}
	return err
}

// checkText refuses text that neither TOML nor JSON could hold.
func (l compareLine) checkText() error {
	for _, word := range slices.Concat(l.Variants, l.Dashed, l.Commands, l.Factors, l.Metrics, []string{l.By, l.Overlay, l.A, l.B, l.Prepare, l.Cleanup, l.Stdin, l.Expect}) {
		if !utf8.ValidString(word) {
			return usage(assay.CodeUnknownVariant, fmt.Sprintf("%q is not UTF-8 text", word), "")
		}
	}
	return nil
}

type compareLine struct {
	Line
	env Env
	// ofTree is true once a variant is known to have the code of the tree as it is now.
	ofTree bool
}

// try returns the line with other variants, to paste.
func (l compareLine) try(variants []string) string {
	words := slices.Concat(l.Command, variants)
	if l.Command == nil {
		words = slices.Concat([]string{"assay", "compare"}, variants, l.flagsOfCommands(), given("--by", l.By, "--overlay", l.Overlay))
	}
	if len(l.Dashed) > 0 {
		words = append(append(words, "--"), l.Dashed...)
	}
	return shell.Join(words)
}

// replace returns the variants with one word of the i-th replaced.
func (l compareLine) replace(i int, word, by string) []string {
	vs := slices.Clone(l.Variants)
	whole := regexp.MustCompile(`(^|[\s:'"])` + regexp.QuoteMeta(word) + `($|[\s'"])`) // not the variant's name
	if at := whole.FindStringSubmatchIndex(vs[i]); at != nil {
		vs[i] = strings.TrimSpace(vs[i][:at[3]] + by + vs[i][at[4]:])
	}
	if strings.HasSuffix(vs[i], ":") {
		vs[i] += " " + spec.WorkingTree // only the name is left
	}
	return slices.DeleteFunc(vs, func(v string) bool { return v == "" })
}

func (l compareLine) readBy(s *assay.Study) error {
	by, n := l.By, len(l.Variants)
	if by == "" {
		if n < 2 && l.A == "" && len(l.Factors) == 0 {
			return l.tooFew()
		}
		return nil
	}
	key, err := spec.ByKey(by)
	if err != nil {
		return usage(assay.CodeByKey, fmt.Sprintf("--by %s %v", shell.Quote(by), err), "")
	}
	if n > 1 {
		return usage(assay.CodeByKey, fmt.Sprintf("with --by the variants are inside one binary, and %d are named", n),
			l.try(l.Variants[:1]))
	}
	s.By = &assay.By{Key: key}
	return nil
}

func (l compareLine) tooFew() error {
	text := "compare needs two variants or more, or --by"
	if l.hasCommands() {
		text = "compare needs two variants or more, or --cmd-a and --cmd-b"
	}
	try := l.try(l.twoVariants())
	if len(l.Variants) == 1 {
		word := l.Variants[0]
		if ends := l.ends(word); ends != nil {
			return usage(assay.CodeTooFewVariants, fmt.Sprintf("%q is a range of revisions; compare takes its ends as two variants", word), l.try(ends))
		}
		text = fmt.Sprintf("there is nothing to compare %q with", word)
		if word == "help" && !l.env.isRevision(word) {
			return usage(assay.CodeTooFewVariants, text, "assay compare --help")
		}
		if err := (&variantParser{line: l}).parse(); err != nil {
			return err // it would still be wrong beside another
		}
	}
	return usage(assay.CodeTooFewVariants, text, try)
}

// ends returns the ends of a range of revisions such as v1..main, nil for another word.
func (l compareLine) ends(word string) []string {
	from, to, ok := strings.Cut(word, "..")
	to = cmp.Or(strings.TrimPrefix(to, "."), "HEAD") // git's three dots have the same ends
	if !ok || !l.env.isRevision(from) || !l.env.isRevision(to) {
		return nil
	}
	return []string{from, to}
}

// twoVariants returns the variants of a line with one or none, and one to compare with.
func (l compareLine) twoVariants() []string {
	if len(l.Variants) == 1 && l.Variants[0] != spec.WorkingTree {
		return []string{l.Variants[0], spec.WorkingTree}
	}
	for _, rev := range []string{"HEAD~1", "HEAD"} {
		if l.env.isRevision(rev) {
			return []string{rev, spec.WorkingTree}
		}
	}
	return []string{"GOGC=100", "GOGC=200"} // what can be had without a history or a network
}

// readVariants parses and names the variants.
func (l compareLine) readVariants(s *assay.Study) error {
	switch {
	case l.A != "", len(l.Variants) == 0 && len(l.Factors) > 0:
		return nil // the commands are the variants, or the factors make them
	case len(l.Variants) == 0:
		s.Variants = []assay.Variant{spec.BuildOnly()}
		return nil
	}
	var labels [][]label
	for i := range l.Variants {
		p := variantParser{line: l, index: i}
		if err := p.parse(); err != nil {
			return err
		}
		s.Variants = append(s.Variants, p.variant)
		labels = append(labels, p.labels)
	}
	nameVariants(s.Variants, labels)
	return l.checkNames(s.Variants)
}

func (l compareLine) checkNames(vs []assay.Variant) error {
	for i, v := range vs {
		if _, err := spec.VariantName(v.Name); err != nil {
			return usage(assay.CodeVariantName, fmt.Sprintf("variant name %q %v", v.Name, err), "")
		}
		if slices.Contains(spec.VariantNames(vs[:i]), v.Name) {
			return usage(assay.CodeVariantName, fmt.Sprintf("variant name %q is used twice", v.Name), "")
		}
	}
	return nil
}

// usage returns an error of the command line.
func usage(code assay.Code, text, try string, facts ...string) *assay.Error {
	return assay.NewError(assay.ExitUsage, code, text, facts, try)
}
