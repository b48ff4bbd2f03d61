package cmdline

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/spec/goflag"
)

// here is a folder of a git repository with a few commits.
func here(revisions ...string) Env {
	known := append([]string{"HEAD", "HEAD~1", "HEAD~2", "main", "v2.2.4", "3f2c9aa", "go1.26.8", "user@branch", "@{u}", "X=Y"}, revisions...)
	return Env{
		Dir:        "/src/toml",
		IsRevision: func(s string) bool { return slices.Contains(known, s) },
		Revisions:  func() []string { return []string{"HEAD", "main", "v2.2.4"} },
	}
}

// TestCompareLineVariants: words to variants, with the names they get.
func TestCompareLineVariants(t *testing.T) {
	for _, test := range []struct {
		words []string
		want  []assay.Variant
	}{
		// The lines of ux.md 4.3.
		{[]string{"go1.25.7", "go1.26.8"}, []assay.Variant{{Name: "go1.25.7", Go: "go1.25.7"}, {Name: "go1.26.8", Go: "go1.26.8"}}},
		{[]string{"HEAD~1", "."}, []assay.Variant{{Name: "HEAD~1", Rev: "HEAD~1"}, {Name: "."}}},
		{[]string{"go1.26.8", "go1.26.8 GOEXPERIMENT=nogreenteagc"}, []assay.Variant{
			{Name: "go1.26.8", Go: "go1.26.8"}, {Name: "nogreenteagc", Go: "go1.26.8", Experiment: []string{"nogreenteagc"}}}},
		{[]string{".", "pgo: . -pgo=cpu.pprof", "v3: . GOAMD64=v3"}, []assay.Variant{
			{Name: "."}, {Name: "pgo", PGO: "cpu.pprof"}, {Name: "v3", Build: map[string]string{"GOAMD64": "v3"}}}},
		{[]string{"GOGC=100", "GOGC=200"}, []assay.Variant{
			{Name: "GOGC=100", Env: map[string]string{"GOGC": "100"}}, {Name: "GOGC=200", Env: map[string]string{"GOGC": "200"}}}},
		{[]string{"go1.26.0", "sizespec: go1.26.0 GOEXPERIMENT=sizespecializedmalloc"}, []assay.Variant{
			{Name: "go1.26.0", Go: "go1.26.0"}, {Name: "sizespec", Go: "go1.26.0", Experiment: []string{"sizespecializedmalloc"}}}},

		// Other toolchains, forced revisions, module versions.
		{[]string{"gotip", "path:/opt/go"}, []assay.Variant{{Name: "gotip", Go: "gotip"}, {Name: "path:/opt/go", Go: "path:/opt/go"}}},
		{[]string{"go1.27rc1", "go1.26", "go1.26beta2"}, []assay.Variant{
			{Name: "go1.27rc1", Go: "go1.27rc1"}, {Name: "go1.26", Go: "go1.26"}, {Name: "go1.26beta2", Go: "go1.26beta2"}}},
		{[]string{"git:go1.26.8", "go1.26.8"}, []assay.Variant{{Name: "git:go1.26.8", Rev: "go1.26.8"}, {Name: "go1.26.8", Go: "go1.26.8"}}},
		{[]string{"v2.2.4", "3f2c9aa"}, []assay.Variant{{Name: "v2.2.4", Rev: "v2.2.4"}, {Name: "3f2c9aa", Rev: "3f2c9aa"}}},
		{[]string{"user@branch", "@{u}"}, []assay.Variant{{Name: "user@branch", Rev: "user@branch"}, {Name: "@{u}", Rev: "@{u}"}}},
		{[]string{"example.org/m@v1.0.0", "example.org/m@v1.1.0"}, []assay.Variant{
			{Name: "v1.0.0", Module: "example.org/m@v1.0.0"}, {Name: "v1.1.0", Module: "example.org/m@v1.1.0"}}},
		{[]string{"example.org/m@v1.0.0", "example.org/n@v1.0.0"}, []assay.Variant{
			{Name: "v1.0.0", Module: "example.org/m@v1.0.0"}, {Name: "example.org/n@v1.0.0", Module: "example.org/n@v1.0.0"}}},

		// A run variable that "go env" knows, names that read like revisions.
		{[]string{"GODEBUG=a=1,b=2", "X=Y CGO_ENABLED=0"}, []assay.Variant{
			{Name: "GODEBUG=a=1,b=2", Env: map[string]string{"GODEBUG": "a=1,b=2"}},
			{Name: "X=Y CGO_ENABLED=0", Env: map[string]string{"X": "Y"}, Build: map[string]string{"CGO_ENABLED": "0"}}}},

		// Flags, quotes, several experiments.
		{[]string{"plain: .", "'-gcflags=all=-d=x -l' -ldflags=-w --tags=a,b -pgo off"}, []assay.Variant{
			{Name: "plain"}, {Name: "-gcflags=all=-d=x -l -ldflags=-w -tags=a,b -pgo=off", GCFlags: []string{"all=-d=x -l"}, LDFlags: []string{"-w"}, Tags: []string{"a", "b"}}}},
		{[]string{`"my base": main`, `-gcflags "all=-N -l" -gcflags=-m`}, []assay.Variant{
			{Name: "my base", Rev: "main"}, {Name: "-gcflags=all=-N -l -gcflags=-m", GCFlags: []string{"all=-N -l", "-m"}}}},
		{[]string{"-gcflags=all=-N -l GOGC=50", "-ldflags=-s -w -X main.v=1 -tags=a"}, []assay.Variant{
			{Name: "-gcflags=all=-N -l GOGC=50", GCFlags: []string{"all=-N -l"}, Env: map[string]string{"GOGC": "50"}},
			{Name: "-ldflags=-s -w -X main.v=1 -tags=a", LDFlags: []string{"-s -w -X main.v=1"}, Tags: []string{"a"}}}},
		{[]string{"GOEXPERIMENT=a", "GOEXPERIMENT=a,nob,", "GOEXPERIMENT="}, []assay.Variant{
			{Name: "a", Experiment: []string{"a"}}, {Name: "a nob", Experiment: []string{"a", "nob"}}, {Name: "."}}},
		{[]string{"go1.26.0 GOEXPERIMENT=a GOGC=50", "go1.26.0 GOEXPERIMENT=b GOGC=50"}, []assay.Variant{
			{Name: "a", Go: "go1.26.0", Experiment: []string{"a"}, Env: map[string]string{"GOGC": "50"}},
			{Name: "b", Go: "go1.26.0", Experiment: []string{"b"}, Env: map[string]string{"GOGC": "50"}}}},
		{[]string{".", "-modfile=new.mod"}, []assay.Variant{{Name: "."}, {Name: "-modfile=new.mod", ModFile: "new.mod"}}},
		{[]string{".", ". -pgo=auto"}, []assay.Variant{{Name: "."}, {Name: "-pgo=auto", PGO: "auto"}}},
		{[]string{"a:.", "b:main"}, []assay.Variant{{Name: "a"}, {Name: "b", Rev: "main"}}},

		// A/A, and a name that is taken.
		{[]string{"go1.26.8", "go1.26.8"}, []assay.Variant{{Name: "go1.26.8", Go: "go1.26.8"}, {Name: "go1.26.8 #2", Go: "go1.26.8"}}},
		{[]string{".", ".", "."}, []assay.Variant{{Name: "."}, {Name: ". #2"}, {Name: ". #3"}}},
		{[]string{"main", "main: ."}, []assay.Variant{{Name: "main #2", Rev: "main"}, {Name: "main"}}},
	} {
		s, err := Parse(here(), Line{Variants: test.words})
		if err != nil {
			t.Errorf("%q: %v", test.words, err)
			continue
		}
		if !reflect.DeepEqual(s.Variants, test.want) {
			t.Errorf("%q:\ngot  %+v\nwant %+v", test.words, s.Variants, test.want)
		}
		if s.Base != test.want[0].Name || s.Dir != "/src/toml" {
			t.Errorf("%q: base %q, dir %q", test.words, s.Base, s.Dir)
		}
		if err := s.Validate(); err != nil {
			t.Errorf("%q: %v", test.words, err)
		}
	}
}

// TestCompareLineWithoutEnv: an Env of nothing knows toolchains and the
// usual build variables.
func TestCompareLineWithoutEnv(t *testing.T) {
	s, err := Parse(Env{}, Line{Variants: []string{"go1.26.8 GOAMD64=v3", "GOMAXPROCS=1"}})
	if err != nil {
		t.Fatal(err)
	}
	if s.Variants[0].Build["GOAMD64"] != "v3" || s.Variants[1].Env["GOMAXPROCS"] != "1" {
		t.Errorf("got %+v", s.Variants)
	}
	if _, err := Parse(Env{}, Line{Variants: []string{"HEAD~1", "."}}); err == nil {
		t.Error("a revision was taken where there is no git")
	}
}

func TestCompareLineBy(t *testing.T) {
	for _, test := range []struct {
		words []string
		key   string
		want  assay.Variant
	}{
		{nil, "/func_(.+)", assay.Variant{Name: "."}},
		{nil, "/impl", assay.Variant{Name: "."}},
		{[]string{"go1.26.8 GOGC=off"}, "/impl", assay.Variant{Name: "go1.26.8 GOGC=off", Go: "go1.26.8", Env: map[string]string{"GOGC": "off"}}},
	} {
		s, err := Parse(here(), Line{Variants: test.words, Dashed: []string{"-bench=MakeQueuePath", "-benchmem"}, By: test.key})
		if err != nil {
			t.Errorf("%q %s: %v", test.words, test.key, err)
			continue
		}
		if s.By.Key != test.key || s.Base != "" || !reflect.DeepEqual(s.Variants, []assay.Variant{test.want}) {
			t.Errorf("%q %s: got %+v, base %q, %+v", test.words, test.key, s.By, s.Base, s.Variants)
		}
	}
}

func TestCompareLineErrors(t *testing.T) {
	shallow := func(env Env) Env { // a clone that lacks branches: origin/NAME is there after the fetch
		env.Unavailable = func(rev string) (*assay.Error, string) {
			return assay.NewError(assay.ExitUsage, assay.CodeUnknownRevision, "shallow: no "+rev, nil, "git fetch "+rev), "origin/" + rev
		}
		return env
	}
	refused := Env{Unavailable: func(string) (*assay.Error, string) {
		return assay.UsageError(assay.CodeGitRefused, "refused", "git config"), ""
	}}
	for _, test := range []struct {
		name   string
		env    Env
		words  []string
		dashed []string
		by     string
		want   string
	}{
		// ux.md 6, message 3.
		{"message 3", here(), []string{"go1.25.7", "1.26.8"}, nil, "",
			`variant "1.26.8" is neither a toolchain nor a git revision here   [unknown-variant]
  toolchains are written go1.26.8; "." is the working tree
  try: assay compare go1.25.7 go1.26.8`},
		{"both toolchains", here(), []string{"1.25.7", "a: Go1.25.7 GOGC=50", "HEAD~1 1.26.8"}, nil, "",
			`variant "1.25.7" is neither a toolchain nor a git revision here   [unknown-variant]
  toolchains are written go1.25.7; "." is the working tree
  try: assay compare go1.25.7 'a: go1.25.7 GOGC=50' 'HEAD~1 go1.26.8'`},
		{"near a branch", here(), []string{"x: mian GOGC=50", "."}, nil, "",
			`variant "x: mian GOGC=50": "mian" is neither a toolchain nor a git revision here   [unknown-variant]
  there is a revision "main"
  try: assay compare 'x: main GOGC=50' .`},
		{"near HEAD", here(), []string{"HED~1", "."}, []string{"-bench=X"}, "",
			`unknown revision "HED~1" in /src/toml   [unknown-revision]
  git finds no commit of this name
  there is "HEAD~1"
  try: assay compare HEAD~1 . -- -bench=X`},
		{"almost a toolchain, among others", here(), []string{"a: go-1.27rc1 GOGC=50", "."}, []string{"-bench=Decode|Encode", "./..."}, "",
			`variant "a: go-1.27rc1 GOGC=50": "go-1.27rc1" is neither a toolchain nor a git revision here   [unknown-variant]
  toolchains are written go1.27rc1; "." is the working tree
  try: assay compare 'a: go1.27rc1 GOGC=50' . -- '-bench=Decode|Encode' ./...`},
		{"pull request", here(), []string{"main", "#12"}, nil, "",
			`variant "#12" is neither a toolchain nor a git revision here   [unknown-variant]
  a pull request has to be fetched first; pr-12 is its name then
  try: git fetch origin pull/12/head:pr-12 && assay compare main pr-12`},
		{"alias of setup-go", here(), []string{"stable", "oldstable"}, nil, "",
			`variant "stable" is neither a toolchain nor a git revision here   [unknown-variant]
  "stable" is no version: releases are written by number, such as go1.26.8; "go version" prints the one here`},
		{"nothing at all", here(), []string{"fast", "."}, nil, "",
			`variant "fast" is neither a toolchain nor a git revision here   [unknown-variant]
  toolchains are written go1.26.8; "." is the working tree`},
		// ux.md 6, message 15.
		{"message 15", shallow(Env{}), []string{"main: main GOGC=50", "."}, nil, "", `shallow: no main   [unknown-revision]
  try: git fetch main && assay compare 'main: origin/main GOGC=50' .`},
		{"any word in a shallow clone", shallow(Env{}), []string{"rel", "."}, []string{"-bench=X"}, "", `shallow: no rel   [unknown-revision]
  try: git fetch rel && assay compare origin/rel . -- -bench=X`},
		{"pull request in a shallow clone", shallow(Env{}), []string{"main", "#12"}[1:], nil, "",
			`variant "#12" is neither a toolchain nor a git revision here   [unknown-variant]
  a pull request has to be fetched first; pr-12 is its name then
  try: git fetch origin pull/12/head:pr-12 && assay compare pr-12`},
		{"commands in a shallow clone", shallow(Env{IsProgram: func(w string) bool { return w == "sort" }}), []string{"sort data.txt", "sort -u data.txt"}, nil, "",
			`variant "sort data.txt": "sort" is neither a toolchain nor a git revision here   [unknown-variant]
  whole runs of programs are compared with --cmd-a and --cmd-b
  try: assay compare --cmd-a 'sort data.txt' --cmd-b 'sort -u data.txt'`},
		{"refused repository", refused, []string{"HEAD~1", "."}, nil, "", "refused   [git-refused]\n  try: git config"},
		{"toolchain without go in a shallow clone", shallow(here()), []string{"1.26.8", "."}, nil, "",
			`variant "1.26.8" is neither a toolchain nor a git revision here   [unknown-variant]
  toolchains are written go1.26.8; "." is the working tree
  try: assay compare go1.26.8 .`},
		{"misspelled revision", here(), []string{"HEAD~300", "."}, nil, "",
			`unknown revision "HEAD~300" in /src/toml   [unknown-revision]
  git finds no commit of this name
  try: git log --oneline --all -20`},
		{"tag", here(), []string{"v9.9.9", "."}, nil, "",
			`unknown revision "v9.9.9" in /src/toml   [unknown-revision]
  git finds no commit of this name
  a version of a module is written with its path: MODULE@v9.9.9
  try: git log --oneline --all -20`},
		{"versions of the module here", Env{Dir: "/src/toml", Module: "x.org/toml/v2"}, []string{"v1.5.0", "v1.6.0-rc.1 GOGC=50"}, nil, "",
			`unknown revision "v1.5.0" in /src/toml   [unknown-revision]
  there is no git repository here
  a version of a module is written with its path: x.org/toml/v2@v1.5.0
  try: assay compare x.org/toml/v2@v1.5.0 'x.org/toml/v2@v1.6.0-rc.1 GOGC=50'`},
		{"commands", Env{Dir: "/x", IsProgram: func(w string) bool { return w == "sort" }}, []string{"sort data.txt", "sort -u data.txt"}, nil, "",
			`variant "sort data.txt": "sort" is neither a toolchain nor a git revision here   [unknown-variant]
  whole runs of programs are compared with --cmd-a and --cmd-b
  try: assay compare --cmd-a 'sort data.txt' --cmd-b 'sort -u data.txt'`},
		{"version of Go", here(), []string{"v1.25.7", "."}, nil, "",
			`variant "v1.25.7" is neither a toolchain nor a git revision here   [unknown-variant]
  toolchains are written go1.25.7; "." is the working tree
  try: assay compare go1.25.7 .`},
		{"forced revision, no git", Env{Dir: "/tmp"}, []string{"git:go1.26.8", "."}, nil, "",
			`unknown revision "go1.26.8" in /tmp   [unknown-revision]
  there is no git repository here`},

		{"none", here(), nil, nil, "", `compare needs two variants or more, or --by   [too-few-variants]
  try: assay compare HEAD~1 .`},
		{"a range", here(), []string{"HEAD..HEAD~1"}, []string{"-bench=."}, "", `"HEAD..HEAD~1" is a range of revisions; compare takes its ends as two variants   [too-few-variants]
  try: assay compare HEAD HEAD~1 -- -bench=.`},
		{"a range to here", here(), []string{"v2.2.4..."}, nil, "", `"v2.2.4..." is a range of revisions; compare takes its ends as two variants   [too-few-variants]
  try: assay compare v2.2.4 HEAD`},
		{"a range of nothing", here(), []string{"v9..HEAD"}, nil, "", `unknown revision "v9..HEAD" in /src/toml   [unknown-revision]
  git finds no commit of this name
  try: git log --oneline --all -20`},
		{"one that is wrong by itself", here(), []string{"fast"}, nil, "", `variant "fast" is neither a toolchain nor a git revision here   [unknown-variant]
  toolchains are written go1.26.8; "." is the working tree`},
		{"no toolchain, beside a tag like it", Env{IsRevision: func(s string) bool { return s == "v1.25.0" }, Revisions: func() []string { return []string{"v1.25.0"} }}, []string{"go1.25.x", "go1.26.8"}, nil, "",
			`variant "go1.25.x" is neither a toolchain nor a git revision here   [unknown-variant]
  toolchains are written go1.26.8; "." is the working tree`},
		{"one", here(), []string{"main"}, []string{"-bench=."}, "", `there is nothing to compare "main" with   [too-few-variants]
  try: assay compare main . -- -bench=.`},
		{"only the tree", here(), []string{"."}, nil, "", `there is nothing to compare "." with   [too-few-variants]
  try: assay compare HEAD~1 .`},
		{"by with two", here(), []string{"main", "."}, nil, "/x", `with --by the variants are inside one binary, and 2 are named   [by-key]
  try: assay compare main --by /x`},
		{"by key", here(), nil, nil, "/(a)(b)", `--by '/(a)(b)' is neither "/name" nor a regular expression with one group such as "/func_(.+)"   [by-key]`},

		{"quote", here(), []string{"'main", "."}, nil, "", `variant "'main": quote ' is not closed   [unknown-variant]`},
		{"not UTF-8", here(), []string{"main", "."}, []string{"-bench=\xff"}, "", `"-bench=\xff" is not UTF-8 text   [unknown-variant]`},
		{"empty", here(), []string{"", "."}, nil, "", `variant "": there is nothing in it   [unknown-variant]`},
		{"name only", here(), []string{"x:", "."}, nil, "", `variant "x:": there is nothing in it   [unknown-variant]`},
		{"two toolchains", here(), []string{"go1.25.7 go1.26.8", "."}, nil, "", `variant "go1.25.7 go1.26.8": go1.25.7 and go1.26.8 are two toolchains   [unknown-variant]`},
		{"two sources", here(), []string{"main .", "."}, nil, "", `variant "main .": main and . both say where the code comes from   [unknown-variant]`},
		{"name twice", here(), []string{"a: main", "a: ."}, nil, "", `variant name "a" is used twice   [variant-name]`},
		{"reserved name", here(), []string{"control: main", "."}, nil, "", `variant name "control" is reserved for the base's second appearance   [variant-name]`},
		{"modfile of another name", here(), []string{". -modfile=go.sum", "."}, nil, "", `variant ". -modfile=go.sum": -modfile=go.sum is no file whose name ends in .mod   [unknown-variant]`},
		{"pgo of nothing", here(), []string{". -pgo=", "."}, nil, "", `variant ". -pgo=": -pgo= names no profile   [unknown-variant]`},
		{"value missing", here(), []string{". -tags", "."}, nil, "", `variant ". -tags": -tags needs a value   [unknown-variant]`},
		{"owned variable", here(), []string{"GOTOOLCHAIN=go1.25.7", "."}, nil, "", `variant "GOTOOLCHAIN=go1.25.7": GOTOOLCHAIN is set by assay itself   [owns-variable]
  write the toolchain as a word: go1.26.8`},
		{"flag of go test", here(), []string{"main", ". -bench=Decode"}, []string{"./..."}, "",
			`variant ". -bench=Decode": -bench=Decode is a flag for all variants; it goes after --   [needs-dashes]
  try: assay compare main . -- -bench=Decode ./...`},
		{"named flag of go test", here(), []string{"main", "b: -bench=Decode"}, nil, "",
			`variant "b: -bench=Decode": -bench=Decode is a flag for all variants; it goes after --   [needs-dashes]
  try: assay compare main 'b: .' -- -bench=Decode`},
		{"unknown flag", here(), []string{". -fast", "."}, nil, "", `variant ". -fast": a variant has no flag -fast   [unknown-variant]
  build flags of a variant are -gcflags, -ldflags, -tags, -pgo and -modfile`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if rest, ok := strings.CutPrefix(test.env.Dir, "HOME"); ok {
				home := t.TempDir()
				t.Setenv("HOME", home)
				t.Setenv("USERPROFILE", home)
				test.env.Dir = home + filepath.FromSlash(rest)
				test.want = strings.ReplaceAll(test.want, "~/toml", "~"+filepath.FromSlash(rest))
			}
			_, err := Parse(test.env, Line{Variants: test.words, Dashed: test.dashed, By: test.by})
			checkUsage(t, err, test.want)
		})
	}
}

// TestCompareLineOverlay: the tree whose benchmarks every variant gets, or a folder.
func TestCompareLineOverlay(t *testing.T) {
	for _, test := range []struct {
		overlay string
		want    assay.Source
	}{
		{".", assay.Source{BenchmarksFrom: "."}},
		{"v2.2.4", assay.Source{BenchmarksFrom: "v2.2.4"}},
		{"HEAD~1", assay.Source{BenchmarksFrom: "HEAD~1"}},
		{"example.org/m@v1.0.0", assay.Source{BenchmarksFrom: "example.org/m@v1.0.0"}},
		{"./suite", assay.Source{Overlay: "./suite"}},
		{"suite", assay.Source{Overlay: "suite"}},
	} {
		s, err := Parse(here(), Line{Variants: []string{"main", "."}, Overlay: test.overlay})
		if err != nil || !reflect.DeepEqual(s.Source, test.want) {
			t.Errorf("--overlay %s: got %+v, %v, want %+v", test.overlay, s, err, test.want)
			continue
		}
		s.Dir = ""
		roundTrip(t, s)
	}
	_, err := Parse(here(), Line{Variants: []string{"main", "."}, Overlay: "mian", Dashed: []string{"-bench=X"}})
	checkUsage(t, err, `--overlay mian: git finds no commit of this name   [unknown-revision]
  there is "main"
  try: assay compare main . --overlay main -- -bench=X`)
}

// FuzzCompareLine: no words end the program, and what is taken can be written
// as a study file that means the same.
func FuzzCompareLine(f *testing.F) {
	for _, words := range []string{"go1.26.8", "a: main GOGC=50", ". CC=clang", "'-gcflags=all=-d=x -l'", "x.org/m@v1", ". -pgo=off", "GOEXPERIMENT=a,b"} {
		f.Add(words, ".", "-bench=. -cpu 2 ./...")
	}
	f.Fuzz(func(t *testing.T, a, b, dashed string) {
		s, err := Parse(here(), Line{Variants: []string{a, b}, Dashed: strings.Fields(dashed)})
		if err != nil {
			checkExit(t, err)
			return
		}
		s.Dir = ""
		roundTrip(t, s)
	})
}

func TestGoTestArgs(t *testing.T) {
	for _, test := range []struct {
		args string
		want assay.Workload
		m    assay.Measure
	}{
		{"", assay.Workload{}, assay.Measure{}},
		{"-bench=. ./...", assay.Workload{Bench: ".", Packages: []string{"./..."}}, assay.Measure{}},
		{"-bench Decode -benchmem ./codec x.org/y", assay.Workload{Bench: "Decode", Packages: []string{"./codec", "x.org/y"}}, assay.Measure{}},
		{"--test.bench=Decode --test.benchtime=100x", assay.Workload{Bench: "Decode", BenchIters: 100}, assay.Measure{}},
		{"-benchtime 2s -run=^$", assay.Workload{BenchTime: 2 * time.Second}, assay.Measure{}},
		{"-run NONE -benchmem=true -cpu 4 -timeout=30s", assay.Workload{}, assay.Measure{GOMAXPROCS: 4, Timeout: 30 * time.Second}},
		{"-short -v=true -parallel 2 -test.failfast", assay.Workload{TestFlags: []string{"-short", "-v=true", "-parallel=2", "-failfast"}}, assay.Measure{}},
		{"-race -tags a,b -mod=mod -trimpath -gcflags=all=-N -ldflags -w", assay.Workload{
			BuildFlags: []string{"-race", "-tags=a,b", "-mod=mod", "-trimpath", "-gcflags=all=-N", "-ldflags=-w"}}, assay.Measure{}},
		{"-bench=. . -args -count=3 ./x", assay.Workload{Bench: ".", Packages: []string{"."}, Args: []string{"-count=3", "./x"}}, assay.Measure{}},
	} {
		s, err := Parse(here(), Line{Variants: []string{"main", "."}, Dashed: strings.Fields(test.args)})
		if err != nil {
			t.Errorf("%q: %v", test.args, err)
			continue
		}
		test.want.Kind = assay.KindGoTest
		want := assay.Study{Measure: test.m}
		want.SetDefaults()
		if !reflect.DeepEqual(s.Workloads, []assay.Workload{test.want}) || !reflect.DeepEqual(s.Measure, want.Measure) {
			t.Errorf("%q: got %+v, %+v", test.args, s.Workloads, s.Measure)
		}
	}
}

func TestGoTestArgErrors(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		// ux.md 6, message 7.
		{"-count=10", `go test -count repeats one variant in a row; assay interleaves instead   [owns-count]
  assay measures until the question is decided; --blocks=N is another number of blocks
  try: assay compare main .`},
		{"-bench=. -test.count 6", `go test -count repeats one variant in a row; assay interleaves instead   [owns-count]
  assay measures until the question is decided; --blocks=N is another number of blocks
  try: assay compare main . -- -bench=.`},
		{"-cpuprofile=cpu.out", `go test -cpuprofile slows the trials down; assay keeps profiles apart from what it measures   [owns-profile]
  try: go test -run='^$' -bench=. -cpuprofile=cpu.out`},
		{"-cover", `go test -cover adds counters to the code; they would be measured too   [owns-cover]
  try: go test -run='^$' -bench=. -cover`},
		{"-bench=. -o x.test", `-o of go test names a binary; assay builds every variant itself, and writes results with its own -o before --   [owns-build]
  try: assay compare main . -- -bench=.`},
		{"-bench=. -o x.html", `-o of go test names a binary; assay builds every variant itself, and writes results with its own -o before --   [owns-build]
  try: assay compare -o x.html main . -- -bench=.`},
		{"-c", `go test -c builds without running; assay builds every variant itself   [owns-build]`},
		{"-c", `go test -c builds without running; assay builds every variant itself   [owns-build]`},
		{"-exec=perf", `go test -exec puts a program between assay and the benchmark; assay starts the benchmark itself   [owns-exec]`},
		{"-json", `go test -json changes what goes where; assay keeps the output itself   [owns-output]
  assay export writes a finished run in the Go benchmark format`},
		{"-fuzz=Decode", `go test -fuzz is for fuzzing; assay runs benchmarks only   [owns-fuzz]`},
		{"-list=.", `go test -list runs nothing; assay plan lists the benchmarks   [owns-list]
  try: assay plan main .`},
		{"-C ../x", `go test -C changes the folder; assay measures the one it is started in   [owns-dir]
  try: cd ../x && assay compare main .`},
		{"-cpu=1,2 -bench=. ./...", `go test -cpu=1,2 runs one number after the other; assay interleaves them as variants   [owns-cpu]
  try: assay compare GOMAXPROCS=1 GOMAXPROCS=2 -- -bench=. ./...`},
		{"-cpu 1,2 -bench .", `go test -cpu=1,2 runs one number after the other; assay interleaves them as variants   [owns-cpu]
  try: assay compare GOMAXPROCS=1 GOMAXPROCS=2 -- -bench .`},
		{"-cpu=all", `-cpu=all is not a number of CPUs   [test-flag]`},
		{"-run=TestDecode", `-run=TestDecode selects tests; assay runs benchmarks only   [test-flag]
  try: -bench=TestDecode`},
		{"-bench=(", "-bench=( is not a regular expression: missing closing ): `(`   [test-flag]"},
		{"-bench", `-bench after -- needs a value   [test-flag]`},
		{"-benchtime=5", `-benchtime=5 needs a unit: "5s" or "5m"   [test-flag]`},
		{"-benchmem=false", `-benchmem=false cannot be: assay always counts allocations   [test-flag]`},
		{"-timeout=0s", `-timeout=0s is not above 0   [test-flag]`},
		{"-data=big", `go test has no flag -data   [test-flag]
  try: -args -data=big at the end, if it is a flag of the test binary's own`},
	} {
		t.Run(test.args, func(t *testing.T) {
			_, err := Parse(here(), Line{Variants: []string{"main", "."}, Dashed: strings.Fields(test.args)})
			checkUsage(t, err, test.want)
		})
	}
}

// TestOwnedFlagsSayWhy: no flag is refused by the catch-all text that is not
// about output.
func TestOwnedFlagsSayWhy(t *testing.T) {
	output := []string{"json", "outputdir", "artifacts"}
	for name, f := range goflag.Known {
		if f.To != goflag.Owned {
			continue
		}
		if e := refuse(name, "x", compareLine{}); (e.Code == "owns-output") != slices.Contains(output, name) || e.Exit != assay.ExitUsage {
			t.Errorf("-%s: %v, exit %d", name, e, e.Exit)
		}
	}
}

// typed are arguments of compare, two of whose flags take values.
func typed(args ...string) Typed {
	return Typed{Command: []string{"assay", "compare"}, Args: args, TakesValue: func(flag string) bool { return flag == "--budget" || flag == "--cmd" }}
}

func TestForgotDashes(t *testing.T) {
	for _, test := range []struct{ flag, args, want string }{
		// ux.md 6, message 2.
		{"-bench", "go1.25.7 go1.26.8 -bench=. ./...", `-bench is a flag of go test, not of assay compare   [needs-dashes]
  try: assay compare go1.25.7 go1.26.8 -- -bench=. ./...`},
		{"bench", "-bench Decode|Encode --budget 5m main . -- -benchmem", `-bench is a flag of go test, not of assay compare   [needs-dashes]
  try: assay compare --budget 5m main . -- -bench 'Decode|Encode' -benchmem`},
		{"--benchtime=1s", "main . --benchtime=1s", `-benchtime is a flag of go test, not of assay compare   [needs-dashes]
  try: assay compare main . -- --benchtime=1s`},
		{"-count", "main . -count 10", `go test -count repeats one variant in a row; assay interleaves instead   [owns-count]
  assay measures until the question is decided; --blocks=N is another number of blocks
  try: assay compare main .`},
		{"-count=3", "main . -count=3", `go test -count repeats one variant in a row; assay interleaves instead   [owns-count]
  assay measures until the question is decided; --blocks=N is another number of blocks
  try: assay compare main .`},
		// A build flag is a variant where the line has too few without it.
		{"-bench", ". -gcflags=-l -bench=.", `-bench is a flag of go test, not of assay compare   [needs-dashes]
  try: assay compare . -gcflags=-l -- -bench=.`},
		{"-bench", "--budget 5m -pgo=off -pgo=auto -bench=.", `-bench is a flag of go test, not of assay compare   [needs-dashes]
  try: assay compare --budget 5m -pgo=off -pgo=auto -- -bench=.`},
		{"-bench", "main . -race -tags=x -bench=.", `-bench is a flag of go test, not of assay compare   [needs-dashes]
  try: assay compare main . -- -race -tags=x -bench=.`},
		{"-gcflags", ". -gcflags -l", `-gcflags needs its value in the same word   [unknown-variant]
  try: assay compare . -gcflags=-l`},
	} {
		t.Run(test.args, func(t *testing.T) {
			e := ForgotDashes(test.flag, typed(strings.Fields(test.args)...))
			if e == nil {
				t.Fatal("got nil")
			}
			checkUsage(t, e, test.want)
		})
	}
	if e := ForgotDashes("--bugdet", typed("main", ".", "--bugdet=5m")); e != nil {
		t.Errorf("a misspelled flag of assay was taken for one of go test: %v", e)
	}
}
