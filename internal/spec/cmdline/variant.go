package cmdline

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/knobs"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/spec"
	"github.com/seed-1318a441/assay/internal/spec/goflag"
)

// A variantParser reads one variant of a compare line.
type variantParser struct {
	line    compareLine
	index   int
	variant assay.Variant
	labels  []label
}

func (p *variantParser) text() string { return p.line.Variants[p.index] }

// fail returns an error about the whole variant.
func (p *variantParser) fail(format string, args ...any) error {
	return usage(assay.CodeUnknownVariant, fmt.Sprintf("variant %q: ", p.text())+fmt.Sprintf(format, args...), "")
}

func (p *variantParser) parse() error {
	words, err := shell.Split(p.text())
	if err != nil {
		return p.fail("%v", err)
	}
	words = p.takeName(words)
	if len(words) == 0 {
		return p.fail("there is nothing in it")
	}
	for len(words) > 0 {
		w := words[0]
		words = words[1:]
		if strings.HasPrefix(w, "-") && slices.Contains(variantFlags, strings.TrimLeft(w, "-")) {
			if len(words) == 0 {
				return p.fail("%s needs a value", w)
			}
			w += "=" + words[0]
			words = words[1:]
		}
		n := moreOfValue(w, words)
		if err := p.word(strings.Join(append([]string{w}, words[:n]...), " ")); err != nil {
			return err
		}
		words = words[n:]
	}
	return nil
}

// moreOfValue counts the words that belong to a flag's value: the shell has removed the
// quotes of '-gcflags=all=-N -l'.
func moreOfValue(flag string, words []string) (n int) {
	name, _, _ := goflag.Cut(flag)
	if !IsVariantFlag(flag) || name != "gcflags" && name != "ldflags" {
		return 0
	}
	for ; n < len(words) && strings.HasPrefix(words[n], "-"); n++ {
		name, _, _ := goflag.Cut(words[n])
		if _, ofGo := goflag.Known[name]; ofGo {
			break
		}
		if words[n] == "-X" && n+1 < len(words) { // -ldflags='-X main.version=1'
			n++
		}
	}
	return n
}

// takeName takes "NAME:" off the words, with or without a blank after it.
func (p *variantParser) takeName(words []string) []string {
	if len(words) == 0 {
		return nil
	}
	name, rest, ok := strings.Cut(words[0], ":")
	switch {
	case !ok || name == "" || name == "path" || name == "git" || strings.ContainsAny(name, "=@^~{/") || name[0] == '-':
		return words
	case rest != "":
		words[0] = rest
	default:
		words = words[1:]
	}
	p.variant.Name = name
	return words
}

// word reads one word. A toolchain's name wins over a revision's, and that over the rest.
func (p *variantParser) word(w string) error {
	rev, forced := strings.CutPrefix(w, "git:")
	name, value, assigned := strings.Cut(w, "=")
	switch {
	case forced:
		return p.revision(rev, w)
	case w == spec.WorkingTree:
		return p.source(w, w)
	case spec.IsToolchain(w):
		return p.toolchain(w)
	case strings.HasPrefix(w, "-"):
		return p.flag(w)
	case assigned && spec.VariableName.MatchString(name):
		return p.assignment(name, value)
	case p.line.env.isRevision(w):
		return p.revision(w, w)
	case strings.Contains(w, "@"):
		if _, err := spec.ModuleVersion(w); err == nil {
			p.variant.Module = w
			return p.source(w, w[strings.Index(w, "@")+1:])
		}
	}
	return p.unknown(w)
}

func (p *variantParser) toolchain(w string) error {
	if p.variant.Go != "" {
		return p.fail("%s and %s are two toolchains", p.variant.Go, w)
	}
	p.variant.Go = w
	p.label(w, w)
	return nil
}

// source notes where the code comes from, at most once.
func (p *variantParser) source(w, short string) error {
	for _, l := range p.labels {
		if l.source {
			return p.fail("%s and %s both say where the code comes from", l.full, w)
		}
	}
	p.labels = append(p.labels, label{full: w, short: short, source: true})
	return nil
}

// revision stores a git revision, written as the word w.
func (p *variantParser) revision(rev, w string) error {
	if !p.line.env.isRevision(rev) {
		return p.unknownRevision(rev)
	}
	p.variant.Rev = rev
	return p.source(w, w)
}

func (p *variantParser) assignment(name, value string) error {
	if instead, ok := spec.InsteadOf[name]; ok {
		return usage(assay.CodeOwnsVariable, fmt.Sprintf("variant %q: %s is set by assay itself", p.text(), name), "", instead)
	}
	switch {
	case name == "GOEXPERIMENT":
		for e := range strings.SplitSeq(value, ",") {
			if e = strings.TrimSpace(e); e != "" {
				p.variant.Experiment = append(p.variant.Experiment, e)
				p.label("GOEXPERIMENT="+e, e)
			}
		}
		return nil
	case slices.Contains(spec.BuildVariables, name):
		p.variant.Build = with(p.variant.Build, name, value)
	default:
		if err := knobs.CheckRunVariable(name, value); err != nil {
			return usage(assay.CodeRunVariable, fmt.Sprintf("variant %q: %s %v", p.text(), value, err), "")
		}
		p.variant.Env = with(p.variant.Env, name, value)
	}
	p.label(name+"="+value, name+"="+value)
	return nil
}

// with returns a copy of a map with one more entry.
func with(m map[string]string, name, value string) map[string]string {
	m = maps.Clone(m)
	if m == nil {
		m = map[string]string{}
	}
	m[name] = value
	return m
}

// flag reads a variant's flag of go build. Names have it in full: "-l" says nothing.
func (p *variantParser) flag(w string) error {
	name, value, _ := strings.Cut(strings.TrimLeft(w, "-"), "=")
	v := &p.variant
	switch name {
	case "gcflags":
		v.GCFlags = append(v.GCFlags, value)
	case "ldflags":
		v.LDFlags = append(v.LDFlags, value)
	case "tags":
		tags := strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })
		v.Tags = append(v.Tags, tags...)
	case "pgo":
		file, err := spec.Profile(value)
		if err != nil {
			return p.fail("-pgo=%s %v", value, err)
		}
		v.PGO = file
	case "modfile":
		file, err := spec.ModFile(value)
		if err != nil {
			return p.fail("-modfile=%s %v", value, err)
		}
		v.ModFile = file
	default:
		return p.wrongFlag(w, name)
	}
	p.label("-"+name+"="+value, "-"+name+"="+value)
	return nil
}

// wrongFlag distinguishes flags that belong after "--" from those that do not exist.
func (p *variantParser) wrongFlag(w, name string) error {
	if _, ok := goflag.Known[strings.TrimPrefix(name, "test.")]; ok {
		right := p.line
		right.Variants, right.Dashed = p.line.replace(p.index, w, ""), append([]string{w}, p.line.Dashed...)
		return usage(assay.CodeNeedsDashes, fmt.Sprintf("variant %q: %s is a flag for all variants; it goes after --", p.text(), w),
			right.try(right.Variants))
	}
	return usage(assay.CodeUnknownVariant, fmt.Sprintf("variant %q: a variant has no flag -%s", p.text(), name), "",
		"build flags of a variant are -gcflags, -ldflags, -tags, -pgo and -modfile")
}

// looksLikeRevision reports whether only a revision would be written like this.
func looksLikeRevision(w string) bool {
	switch w {
	case "main", "master", "trunk", "develop":
		return true
	}
	if strings.HasPrefix(w, "HEAD") || strings.HasPrefix(w, "origin/") || strings.ContainsAny(w, "~^") {
		return true
	}
	hex := strings.Trim(w, "0123456789abcdef") == "" && len(w) >= 7 && len(w) <= 40
	tag := len(w) > 1 && w[0] == 'v' && w[1] >= '0' && w[1] <= '9'
	return hex || tag
}

// A label is one word of a variant, in full and as in a name.
type label struct {
	full, short string
	// source is true for the word that says where the code comes from.
	source bool
}

func (p *variantParser) label(full, short string) {
	p.labels = append(p.labels, label{full: full, short: short})
}

// nameVariants gives variants without a name the shortest one that distinguishes them:
// the words that not all have, or all words if that is nothing or not enough.
func nameVariants(vs []assay.Variant, labels [][]label) {
	taken := map[string]bool{assay.ControlName: true}
	for _, v := range vs {
		taken[v.Name] = true
	}
	for i := range vs {
		if vs[i].Name == "" {
			vs[i].Name = firstFree(taken, names(labels, i))
			taken[vs[i].Name] = true
		}
	}
}

// names returns the names for the i-th variant, the best first.
func names(labels [][]label, i int) []string {
	var differing, all []string
	var full []string
	for _, l := range labels[i] {
		all, full = append(all, l.short), append(full, l.full)
		if slices.ContainsFunc(labels, func(list []label) bool { return !slices.Contains(list, l) }) {
			differing = append(differing, l.short)
		}
	}
	var out []string
	for _, words := range [][]string{differing, all, full} {
		if len(words) > 0 {
			out = append(out, strings.Join(words, " "))
		}
	}
	if len(out) == 0 {
		out = []string{spec.WorkingTree}
	}
	return out
}

// firstFree returns the first free name, or a numbered one if variants are identical.
func firstFree(taken map[string]bool, names []string) string {
	for _, n := range names {
		if !taken[n] {
			return n
		}
	}
	for i := 2; ; i++ {
		if n := fmt.Sprintf("%s #%d", names[0], i); !taken[n] {
			return n
		}
	}
}
