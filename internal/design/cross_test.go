package design

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

func level(name string, set assay.Variant) assay.Level { return assay.Level{Name: name, Setting: set} }

func factorStudy(fs ...assay.Factor) *assay.Study {
	s := &assay.Study{Name: "x", Factors: fs, Workloads: []assay.Workload{{Kind: assay.KindGoTest}}}
	s.SetDefaults()
	return s
}

// plain is a factor whose levels set nothing.
func plain(name string, levels int) assay.Factor {
	f := assay.Factor{Name: name}
	for i := range levels {
		f.Levels = append(f.Levels, level(fmt.Sprint(name, i), assay.Variant{}))
	}
	return f
}

var (
	gc = assay.Factor{Name: "gc", Levels: []assay.Level{level("greentea", assay.Variant{}),
		level("classic", assay.Variant{Experiment: []string{"nogreenteagc"}})}}
	stack = assay.Factor{Name: "slices", Levels: []assay.Level{level("stack", assay.Variant{}),
		level("heap", assay.Variant{GCFlags: []string{"all=-d=variablemakethreshold=0"}})}}
	malloc = assay.Factor{Name: "malloc", Levels: []assay.Level{level("generic", assay.Variant{}),
		level("sizespec", assay.Variant{Experiment: []string{"sizespecializedmalloc"}})}}
)

func variantNames(s *assay.Study) (out []string) {
	for _, v := range s.Variants {
		out = append(out, v.Name)
	}
	return out
}

func TestCross(t *testing.T) {
	s := factorStudy(gc, stack, malloc)
	if err := Cross(s); err != nil {
		t.Fatal(err)
	}
	want := []string{"greentea/stack/generic", "greentea/stack/sizespec", "greentea/heap/generic", "greentea/heap/sizespec",
		"classic/stack/generic", "classic/stack/sizespec", "classic/heap/generic", "classic/heap/sizespec"}
	if got := variantNames(s); !slices.Equal(got, want) || s.Base != want[0] {
		t.Fatalf("got %v, base %q", got, s.Base)
	}
	last := assay.Variant{Name: want[7], Experiment: []string{"nogreenteagc", "sizespecializedmalloc"},
		GCFlags: []string{"all=-d=variablemakethreshold=0"}, Levels: map[string]string{"gc": "classic", "slices": "heap", "malloc": "sizespec"}}
	if got := s.Variants[7]; !reflect.DeepEqual(got, last) {
		t.Errorf("got %+v\nwant %+v", got, last)
	}
	once := *s
	if err := Cross(s); err != nil || !reflect.DeepEqual(*s, once) {
		t.Errorf("crossing twice: %v, %+v", err, s)
	}
}

// Levels that are mere values say what they are values of, where nothing else does. The base
// can be named either way.
func TestLevelName(t *testing.T) {
	value := func(v string) assay.Level { return level(v, assay.Variant{Env: map[string]string{"GOGC": v}}) }
	gogc := assay.Factor{Name: "GOGC", Levels: []assay.Level{value("100"), value("off"), level("default", assay.Variant{})}}
	for _, base := range []string{"", "off", "GOGC=off"} {
		s := factorStudy(gogc)
		if s.Base = base; Cross(s) != nil {
			t.Fatalf("base %q is refused", base)
		}
		if got, want := variantNames(s), []string{"GOGC=100", "GOGC=off", "default"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		if want := map[bool]string{true: "GOGC=100", false: "GOGC=off"}[base == ""]; s.Base != want {
			t.Errorf("base %q: got %q, want %q", base, s.Base, want)
		}
	}
	s := factorStudy(gogc, gc)
	if err := Cross(s); err != nil || s.Variants[0].Name != "100/greentea" {
		t.Errorf("of two factors: %v, %q", err, s.Variants[0].Name)
	}
}

func TestCrossBase(t *testing.T) {
	listed := []assay.Variant{{Name: "old", Go: "go1.25.7"}, {Name: "new", Go: "go1.26.8"}}
	for _, tc := range []struct {
		base   string
		listed []assay.Variant
		want   string
	}{
		{"classic/heap", nil, "classic/heap"},
		{"", nil, "greentea/stack"},
		{"", listed, "old/greentea/stack"},
		{"new", listed, "new/greentea/stack"},
		{"new/classic/stack", listed, "new/classic/stack"},
	} {
		s := factorStudy(gc, stack)
		s.Base, s.Variants = tc.base, tc.listed
		s.SetDefaults() // names the first listed variant
		if err := Cross(s); err != nil {
			t.Errorf("base %q: %v", tc.base, err)
			continue
		}
		if s.Base != tc.want || !slices.Contains(variantNames(s), s.Base) {
			t.Errorf("base %q: got %q, want %q", tc.base, s.Base, tc.want)
		}
		if tc.listed != nil && s.Variants[7].Levels["variant"] != "new" {
			t.Errorf("levels of the last are %v", s.Variants[7].Levels)
		}
	}
}

func TestCrossRefuses(t *testing.T) {
	set := func(name string, a, b assay.Variant) assay.Factor {
		return assay.Factor{Name: name, Levels: []assay.Level{level("1", a), level("2", b)}}
	}
	none := assay.Variant{}
	flags := func(f ...string) assay.Variant { return assay.Variant{GCFlags: f} }
	for _, tc := range []struct {
		name    string
		factors []assay.Factor
		want    string
	}{
		{"scalar", []assay.Factor{set("tc", assay.Variant{Go: "go1.25.7"}, none), set("x", none, assay.Variant{Go: "go1.26.8"})},
			`factor "tc" and factor "x" both set go`},
		{"source", []assay.Factor{set("a", none, assay.Variant{Rev: "HEAD"}), set("b", none, assay.Variant{Module: "m@v1.0.0"})}, "both set rev or module"},
		{"variable", []assay.Factor{set("a", none, assay.Variant{Env: map[string]string{"GOGC": "50"}}),
			set("b", none, assay.Variant{Env: map[string]string{"GOGC": "200"}})}, "both set GOGC"},
		{"experiment", []assay.Factor{gc, set("b", none, assay.Variant{Experiment: []string{"greenteagc"}})},
			`level "classic" of factor "gc" and level "2" of factor "b": experiments nogreenteagc and greenteagc contradict`},
		{"debug key", []assay.Factor{set("a", none, flags("all=-d=wb=0")), set("b", none, flags("-N -d=nil,wb=1"))}, "set -d=wb to different values"},
		{"patterns", []assay.Factor{set("a", none, flags("std=-l")), set("b", none, flags("runtime=-N"))}, "may be for the same package"},
		{"level twice", []assay.Factor{{Name: "a", Levels: []assay.Level{level("1", none), level("1", none)}}}, "is there twice"},
		{"no level", []assay.Factor{{Name: "a"}}, "has no levels"},
		{"factor twice", []assay.Factor{plain("a", 2), plain("a", 2)}, `factor name "a" is used twice`},
		{"names that join alike", []assay.Factor{
			{Name: "a", Levels: []assay.Level{level("x", none), level("x/y", none)}},
			{Name: "b", Levels: []assay.Level{level("z", none), level("y/z", none)}}}, `"x/y/z" is used twice`},
		{"201", []assay.Factor{plain("a", 201)}, "make 201 variants, and 200 are the most"},
		{"overflow", []assay.Factor{plain("a", 100), plain("b", 100), plain("c", 100), plain("d", 100), plain("e", 100),
			plain("f", 100), plain("g", 100), plain("h", 100), plain("i", 100), plain("j", 100)}, "make more than a million variants"},
	} {
		s := factorStudy(tc.factors...)
		before := fmt.Sprint(*s)
		err := Cross(s)
		e, ok := errors.AsType[*assay.Error](err)
		if !ok || e.Exit != assay.ExitUsage || !strings.Contains(e.Text, tc.want) {
			t.Errorf("%s: got %v, want %q", tc.name, err, tc.want)
		}
		if fmt.Sprint(*s) != before {
			t.Errorf("%s: a refused study was changed", tc.name)
		}
	}
}

func TestJoinFlags(t *testing.T) {
	for _, tc := range []struct {
		parts [][]string
		want  []string
	}{
		{nil, nil},
		{[][]string{{"all=-N", "all=-l"}, nil}, []string{"all=-N", "all=-l"}}, // as go build has it
		{[][]string{{"all=-d=a=n"}, {"all=-d=b=n"}}, []string{"all=-d=a=n -d=b=n"}},
		{[][]string{{"-N"}, {"all=-d=b=n"}}, []string{"all=-d=b=n", "-N -d=b=n"}},
		{[][]string{{"all=-N", "runtime="}, {"all=-l"}}, []string{"all=-N -l", "runtime=-l"}},
		{[][]string{{"runtime=-N", "all=-S"}, {"all=-l"}}, []string{"all=-S -l", "runtime=-S -l"}},
		{[][]string{{"fmt=-N"}, {"os=-l"}, {"-S"}}, []string{"fmt=-N", "os=-l", "-S"}},
	} {
		if got := joinFlags(tc.parts); !slices.Equal(got, tc.want) {
			t.Errorf("%q: got %q, want %q", tc.parts, got, tc.want)
		}
	}
}
