package cmdline

import (
	"reflect"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/spec"
)

// TestFactors: --factor makes levels of the values of variables and of parts of variants.
// What is written of it is read as the same again.
func TestFactors(t *testing.T) {
	level := func(name string, v assay.Variant) assay.Level { return assay.Level{Name: name, Setting: v} }
	gogc := assay.Factor{Name: "GOGC", Levels: []assay.Level{
		level("50", assay.Variant{Env: map[string]string{"GOGC": "50"}}), level("off", assay.Variant{Env: map[string]string{"GOGC": "off"}})}}
	toolchains := func(name string) assay.Factor {
		return assay.Factor{Name: name, Levels: []assay.Level{level("go1.26.8", assay.Variant{Go: "go1.26.8"}), level("go1.27.2", assay.Variant{Go: "go1.27.2"})}}
	}
	for _, test := range []struct {
		line Line
		want []assay.Factor
	}{
		{Line{Factors: []string{"toolchain=go1.26.8,go1.27.2", "GOGC=50,off"}}, []assay.Factor{toolchains("toolchain"), gogc}},
		{Line{Factors: []string{"GOTOOLCHAIN=go1.26.8,go1.27.2"}}, []assay.Factor{toolchains("GOTOOLCHAIN")}},
		{Line{Factors: []string{"gc=,classic: GOEXPERIMENT=nogreenteagc"}}, nil}, // a variant has no empty text
		{Line{Factors: []string{"GOEXPERIMENT=,nogreenteagc"}}, []assay.Factor{{Name: "GOEXPERIMENT", Levels: []assay.Level{
			level("default", assay.Variant{}), level("nogreenteagc", assay.Variant{Experiment: []string{"nogreenteagc"}})}}}},
		{Line{Factors: []string{"pgo=plain: .,pgo: -pgo=auto"}}, []assay.Factor{{Name: "pgo", Levels: []assay.Level{
			level("plain", assay.Variant{}), level("pgo", assay.Variant{PGO: "auto"})}}}},
		{Line{Variants: []string{"HEAD~1", "."}, Factors: []string{"GOGC=50,off"}, Commands: []string{"{bin} x"}, Dashed: []string{"./cmd/x"}},
			[]assay.Factor{{Name: "version", Levels: []assay.Level{level("HEAD~1", assay.Variant{Rev: "HEAD~1"}), level(".", assay.Variant{})}}, gogc}},
	} {
		s, err := Parse(here(), test.line)
		if test.want == nil {
			checkExit(t, err)
			continue
		}
		if err != nil || !reflect.DeepEqual(s.Factors, test.want) || len(s.Variants) > 0 {
			t.Errorf("%q: got %+v, %v, want %+v", test.line.Factors, s, err, test.want)
			continue
		}
		back, err := spec.Parse("study.toml", spec.Format(s))
		if err != nil || !reflect.DeepEqual(back.Factors, test.want) {
			t.Errorf("%q: read again: %+v, %v, from\n%s", test.line.Factors, back, err, spec.Format(s))
		}
	}
}

func TestWrongFactors(t *testing.T) {
	for _, test := range []struct {
		line Line
		want string
	}{
		{Line{Factors: []string{"GOGC=50"}}, "--factor GOGC=50 needs a name and two levels or more   [factors]\n" +
			"  such as --factor GOGC=50,100 or --factor toolchain=go1.26.8,go1.27.2\n  try: assay init --help"},
		{Line{Factors: []string{"GOGC=50,50"}}, `--factor GOGC: level "50" is there twice   [factors]`},
		{Line{Factors: []string{"GOGC=50,100", "GOGC=1,2"}}, "--factor GOGC is there twice   [factors]"},
		{Line{Factors: []string{"go=go1.26.8,path:/opt/go"}}, "--factor go: level \"path:/opt/go\" has a \"/\" in it, which stands between levels in the names of variants   [factors]\n" +
			"  NAME: in front gives a level a name of your own"},
		{Line{Factors: []string{"go=1.26.8,go1.27.2"}}, "variant \"1.26.8\" is neither a toolchain nor a git revision here   [unknown-variant]\n" +
			`  toolchains are written go1.26.8; "." is the working tree`},
		{Line{Variants: []string{"."}, Factors: []string{"GOGC=50,100"}}, `"." alone is crossed with nothing: name two variants, or none   [factors]`},
	} {
		_, err := Parse(here(), test.line)
		checkUsage(t, err, test.want)
	}
}
