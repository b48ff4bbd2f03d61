package cmdline

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/spec"
)

// unknown returns the error for a word that is nothing known.
func (p *variantParser) unknown(w string) error {
	if w == p.text() && p.line.isPackage(w) {
		return p.line.packageBeforeDashes(w)
	}
	toolchain := spec.LikelyToolchain(w) != ""
	// A tag that a shallow clone lacks is likelier than "v" typed for "go".
	if (!toolchain || strings.HasPrefix(w, "v")) && !p.isCommand(w) && !pullRequest.MatchString(w) {
		if e := p.unavailable(w); e != nil {
			return e
		}
	}
	if !toolchain && looksLikeRevision(w) || spec.LikelyModuleVersion(w) {
		return p.unknownRevision(w)
	}
	text := fmt.Sprintf("variant %q is neither a toolchain nor a git revision here", w)
	if w != strings.TrimSpace(p.text()) {
		text = fmt.Sprintf("variant %q: %q is neither a toolchain nor a git revision here", p.text(), w)
	}
	e := usage(assay.CodeUnknownVariant, text, "", `toolchains are written go1.26.8; "." is the working tree`)
	switch t, rev := spec.LikelyToolchain(w), p.line.env.nearRevision(w); {
	case p.isCommand(w):
		e.Facts = []string{"whole runs of programs are compared with --cmd-a and --cmd-b"}
		if vs := p.line.Variants; len(vs) == 2 {
			e.Try = "assay compare --cmd-a " + shell.Quote(vs[0]) + " --cmd-b " + shell.Quote(vs[1])
		}
	case t != "":
		e.Facts = []string{fmt.Sprintf(`toolchains are written %s; "." is the working tree`, t)}
		e.Try = p.line.try(p.line.withToolchains())
	case pullRequest.MatchString(w):
		n := pullRequest.FindStringSubmatch(w)[1]
		e.Facts = []string{"a pull request has to be fetched first; pr-" + n + " is its name then"}
		e.Try = "git fetch origin pull/" + n + "/head:pr-" + n + " && " + p.line.try(p.line.replace(p.index, w, "pr-"+n))
	case releaseAlias[w]:
		e.Facts = []string{fmt.Sprintf("%q is no version: releases are written by number, such as go1.26.8; \"go version\" prints the one here", w)}
	case rev != "" && !beginsLikeToolchain(w):
		e.Facts = []string{fmt.Sprintf("there is a revision %q", rev)}
		e.Try = p.line.try(p.line.replace(p.index, w, rev))
	}
	return e
}

// pullRequest matches the number of a pull request; releaseAlias has what setup-go and
// others call a release.
var (
	pullRequest  = regexp.MustCompile(`^(?:#|pull/|[Pp][Rr][-/]?)(\d+)(?:/head)?$`)
	releaseAlias = map[string]bool{"stable": true, "oldstable": true, "latest": true, "tip": true}
)

// beginsLikeToolchain reports whether a word such as go1.25.x means a toolchain, and no
// revision with a similar name.
func beginsLikeToolchain(w string) bool {
	version, ok := strings.CutPrefix(strings.ToLower(w), "go")
	return ok && version != "" && version[0] >= '0' && version[0] <= '9'
}

// withModule returns the variants with their bare versions made versions of a module.
func (l compareLine) withModule(path string) []string {
	for i, v := range l.Variants {
		words, err := shell.Split(v)
		if err != nil {
			continue
		}
		for _, w := range words {
			if spec.LikelyModuleVersion(w) && !l.env.isRevision(w) {
				l.Variants = l.replace(i, w, path+"@"+w)
			}
		}
	}
	return l.Variants
}

// withToolchains returns the variants with words that likely mean toolchains corrected.
func (l compareLine) withToolchains() []string {
	right := l.Variants
	for i, v := range l.Variants {
		words, err := shell.Split(v)
		if err != nil {
			continue
		}
		for _, w := range (&variantParser{}).takeName(words) {
			if t := spec.LikelyToolchain(w); t != "" && !spec.IsToolchain(w) && !l.env.isRevision(w) {
				right = l.replace(i, w, t)
				l.Variants = right
			}
		}
	}
	return right
}

// isCommand reports whether a variant looks like a command line, and w like its program.
func (p *variantParser) isCommand(w string) bool {
	env := p.line.env
	return env.IsProgram != nil && env.IsProgram(w) && strings.HasPrefix(p.text(), w+" ")
}

// unavailable returns the error for a revision that may well exist but cannot be had here,
// nil if that is not so. with returns the line with the name that it has after a fetch.
func (l compareLine) unavailable(rev string, with func(right string) string) error {
	if l.env.Unavailable == nil {
		return nil
	}
	e, right := l.env.Unavailable(rev)
	if e == nil {
		return nil
	}
	if right != "" {
		fetch := e.Try
		if e.Try = with(right); fetch != "" {
			e.Try = fetch + " && " + e.Try
		}
	}
	return e
}

func (p *variantParser) unavailable(rev string) error {
	return p.line.unavailable(rev, func(right string) string { return p.line.try(p.line.replace(p.index, rev, right)) })
}

// unknownRevision says how to get a revision, if something can.
func (p *variantParser) unknownRevision(rev string) error {
	if e := p.unavailable(rev); e != nil {
		return e
	}
	e := usage(assay.CodeUnknownRevision, fmt.Sprintf("unknown revision %q in %s", rev, disk.Tilde(p.line.env.Dir)), "")
	if !p.line.env.isRevision("HEAD") {
		e.Facts = []string{"there is no git repository here"}
	} else {
		e.Facts = []string{"git finds no commit of this name"}
		e.Try = "git log --oneline --all -20"
		if right := p.line.env.nearRevision(rev); right != "" {
			e.Facts = append(e.Facts, fmt.Sprintf("there is %q", right))
			e.Try = p.line.try(p.line.replace(p.index, rev, right))
		}
	}
	if path := p.line.env.Module; spec.LikelyModuleVersion(rev) {
		e.Facts = append(e.Facts, fmt.Sprintf("a version of a module is written with its path: %s@%s", cmp.Or(path, "MODULE"), rev))
		if path != "" {
			e.Try = p.line.try(p.line.withModule(path))
		}
	}
	return e
}
