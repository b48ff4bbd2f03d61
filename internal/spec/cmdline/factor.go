package cmdline

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/spec"
)

// readFactors reads --factor. A factor that has the name of a variable has its values as
// levels, any other one parts of variants: toolchains, revisions, build flags. Variants
// beside factors are levels of one more.
func (l compareLine) readFactors(s *assay.Study) error {
	if len(l.Factors) == 0 {
		return nil
	}
	if len(l.Variants) == 1 {
		return usage(assay.CodeFactors, fmt.Sprintf("%q alone is crossed with nothing: name two variants, or none", l.Variants[0]), "")
	}
	if len(l.Variants) > 1 {
		versions := assay.Factor{Name: "version"}
		for _, v := range s.Variants {
			level := assay.Level{Name: v.Name, Setting: v}
			level.Setting.Name = ""
			if err := spec.LevelName(v.Name); err != nil {
				return usage(assay.CodeVariantName, fmt.Sprintf("variant name %q %v", v.Name, err), "")
			}
			versions.Levels = append(versions.Levels, level)
		}
		s.Variants, s.Factors = nil, []assay.Factor{versions}
	}
	for _, text := range l.Factors {
		f, err := l.readFactor(text)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(s.Factors, func(g assay.Factor) bool { return g.Name == f.Name }) {
			return usage(assay.CodeFactors, fmt.Sprintf("--factor %s is there twice", f.Name), "")
		}
		s.Factors = append(s.Factors, f)
	}
	return nil
}

func (l compareLine) readFactor(text string) (f assay.Factor, err error) {
	name, list, _ := strings.Cut(text, "=")
	words := strings.Split(list, ",")
	if name == "" || len(words) < 2 {
		return f, usage(assay.CodeFactors, fmt.Sprintf("--factor %s needs a name and two levels or more", shell.Quote(text)), "assay init --help",
			"such as --factor GOGC=50,100 or --factor toolchain=go1.26.8,go1.27.2")
	}
	f.Name = name
	for _, word := range words {
		level, err := l.readLevel(name, word)
		if err == nil && slices.ContainsFunc(f.Levels, func(m assay.Level) bool { return m.Name == level.Name }) {
			err = usage(assay.CodeFactors, fmt.Sprintf("--factor %s: level %q is there twice", name, level.Name), "")
		}
		if err != nil {
			return f, err
		}
		f.Levels = append(f.Levels, level)
	}
	return f, nil
}

// defaultLevel is the name of a level that sets nothing, such as the first one of
// "GOEXPERIMENT=,nogreenteagc".
const defaultLevel = "default"

func (l compareLine) readLevel(factor, word string) (level assay.Level, err error) {
	variant := word
	if spec.VariableName.MatchString(factor) && factor == strings.ToUpper(factor) && factor != "GOTOOLCHAIN" {
		variant = factor + "=" + word
	}
	p := variantParser{line: compareLine{Line: Line{Variants: []string{variant}}, env: l.env}}
	if err := p.parse(); err != nil {
		if e, ok := errors.AsType[*assay.Error](err); ok {
			e.Try = "" // it has no factors in it
		}
		return level, err
	}
	level = assay.Level{Name: word, Setting: p.variant}
	if p.variant.Name != "" {
		level.Name, level.Setting.Name = p.variant.Name, ""
	} else if word == "" {
		level.Name = defaultLevel
	}
	if err := spec.LevelName(level.Name); err != nil {
		return level, usage(assay.CodeFactors, fmt.Sprintf("--factor %s: level %q %v", factor, level.Name, err), "", "NAME: in front gives a level a name of your own")
	}
	return level, nil
}
