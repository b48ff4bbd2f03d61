package record

import (
	"archive/tar"
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// results returns a file with a result of each benchmark; a name with a colon is a line of
// configuration.
func results(names ...string) string {
	var text strings.Builder
	for i, n := range names {
		if strings.Contains(n, ":") {
			text.WriteString(n + "\n")
			continue
		}
		fmt.Fprintf(&text, "Benchmark%s 1 %d ns/op\n", n, i+1)
	}
	return text.String()
}

// matched imports files that are called by their place, and returns the benchmarks that all of
// them have, and what Mixed says.
func matched(t *testing.T, texts ...string) (common []string, mixed string) {
	t.Helper()
	files, names := map[string]string{}, []string{}
	for i, text := range texts {
		names = append(names, fmt.Sprint(i))
		files[fmt.Sprint(i)] = text
	}
	s := imported(t, files, names...)
	in := map[string]int{}
	for _, x := range s.Samples {
		in[strings.TrimPrefix(x.Benchmark.Package+" "+x.Benchmark.Name, " ")]++
	}
	for _, name := range slices.Sorted(maps.Keys(in)) {
		if in[name] == len(texts) {
			common = append(common, name)
		}
	}
	return common, strings.Join(s.Mixed[1:], "; ")
}

// A number behind a name is GOMAXPROCS, or belongs to the name: the whole file says which.
func TestNumbersInNames(t *testing.T) {
	for name, test := range map[string]struct {
		texts  []string
		common []string
		mixed  string
	}{
		"sizes":                       {[]string{results("Fill/n-128"), results("Fill/n-256")}, nil, "not compared, because the numbers may belong to the names: Fill/n-128, Fill/n-256"},
		"sizes of two":                {[]string{results("Fill/n-128", "Drain/n-128"), results("Fill/n-256", "Drain/n-256")}, nil, "not compared, because the numbers may belong to the names: Drain/n-128, Drain/n-256"},
		"some sizes":                  {[]string{results("Fill/n-64", "Fill/n-128"), results("Fill/n-64", "Fill/n-256")}, []string{"Fill/n-64"}, ""},
		"one size of two":             {[]string{results("Fill/n-64", "Fill/n-128"), results("Fill/n-64")}, []string{"Fill/n-64"}, ""},
		"one CPU":                     {[]string{results("Fill", "Drain/x"), results("Fill-8", "Drain/x-8")}, []string{"Drain/x", "Fill"}, "GOMAXPROCS: 1 in 0, 8 in 1"},
		"one CPU and sizes":           {[]string{results("Fill/n-64", "Fill/n-128"), results("Fill/n-64-8", "Fill/n-128-8")}, []string{"Fill/n-128", "Fill/n-64"}, "GOMAXPROCS: 1 in 0, 8 in 1"},
		"one CPU and a size":          {[]string{results("Fill/n-64"), results("Fill/n-64-8")}, []string{"Fill/n-64"}, "GOMAXPROCS: 1 in 0, 8 in 1"},
		"one CPU second":              {[]string{results("Fill/n-64-8"), results("Fill/n-64")}, []string{"Fill/n-64"}, "GOMAXPROCS: 8 in 0, 1 in 1"},
		"one CPU beside a function":   {[]string{results("Top", "Fill/n-64"), results("Top-8", "Fill/n-64-8")}, []string{"Fill/n-64", "Top"}, "GOMAXPROCS: 1 in 0, 8 in 1"},
		"two counts of CPUs":          {[]string{results("Fill-8"), results("Fill-16")}, []string{"Fill"}, "GOMAXPROCS: 8 in 0, 16 in 1"},
		"of sub-benchmarks":           {[]string{results("Fill/a-8", "Fill/b-8"), results("Fill/a-16", "Fill/b-16")}, []string{"Fill/a", "Fill/b"}, "GOMAXPROCS: 8 in 0, 16 in 1"},
		"the same count":              {[]string{results("Fill-8", "Fill/a-8"), results("Fill-8", "Fill/a-8")}, []string{"Fill-8", "Fill/a-8"}, ""},
		"a list of -cpu":              {[]string{results("Fill", "Fill-2"), results("Fill-2", "Fill-4")}, []string{"Fill-2"}, ""},
		"three":                       {[]string{results("Fill-8", "Fill/n-4-8"), results("Fill/n-4-8"), results("Fill-16", "Fill/n-4-16")}, []string{"Fill/n-4"}, "GOMAXPROCS: 8 in 0, 8 in 1, 16 in 2"},
		"one CPU, three":              {[]string{results("Fill/n-4"), results("Fill/n-4-8"), results("Fill/n-4-16")}, []string{"Fill/n-4"}, "GOMAXPROCS: 1 in 0, 8 in 1, 16 in 2"},
		"a size that is like a count": {[]string{results("Fill/n-8", "Drain/n-8"), results("Fill/n-8-4", "Drain/n-8-4")}, []string{"Drain/n-8", "Fill/n-8"}, "GOMAXPROCS: 1 in 0, 4 in 1"},
	} {
		common, mixed := matched(t, test.texts...)
		if !slices.Equal(common, test.common) || mixed != test.mixed {
			t.Errorf("%s: %q, %q, want %q, %q", name, common, mixed, test.common, test.mixed)
		}
	}
}

// A package that moved, or that one file does not say, is compared where it can be one alone.
func TestPackagePaths(t *testing.T) {
	for name, test := range map[string]struct {
		texts  []string
		common []string
		mixed  string
	}{
		"unsaid":               {[]string{results("pkg: x/wire", "A-8"), results("A-8")}, []string{"x/wire A-8"}, "1 does not say its package; compared by name with x/wire"},
		"unsaid by the base":   {[]string{results("A-8"), results("pkg: x/wire", "A-8")}, []string{"x/wire A-8"}, "0 does not say its package; compared by name with x/wire"},
		"unsaid by both":       {[]string{results("A-8"), results("A-8")}, []string{"A-8"}, ""},
		"unsaid of two":        {[]string{results("pkg: x/wire", "A", "pkg: x/disk", "B"), results("A", "B")}, []string{"x/disk B", "x/wire A"}, "1 does not say its package; compared by name with x/disk, x/wire"},
		"unsaid, doubtful":     {[]string{results("pkg: x/wire", "A", "pkg: x/disk", "A", "B"), results("A", "B")}, []string{"x/disk B"}, "1 does not say its package; compared by name with x/disk; 1 does not say its package, and several have these names: A"},
		"unsaid on one CPU":    {[]string{results("pkg: x/wire", "A-8"), results("A")}, []string{"x/wire A"}, "GOMAXPROCS: 8 in 0, 1 in 1; 1 does not say its package; compared by name with x/wire"},
		"next major version":   {[]string{results("pkg: a.com/x/wire", "A"), results("pkg: a.com/x/v2/wire", "A")}, []string{"a.com/x/wire A"}, "other paths in 1: a.com/x/v2/wire is compared with a.com/x/wire"},
		"at the root":          {[]string{results("pkg: gopkg.in/yaml.v2", "A"), results("pkg: go.yaml.in/yaml/v3", "A")}, []string{"gopkg.in/yaml.v2 A"}, "other paths in 1: go.yaml.in/yaml/v3 is compared with gopkg.in/yaml.v2"},
		"another host":         {[]string{results("pkg: a.com/x/wire", "A", "pkg: a.com/x/disk", "A"), results("pkg: b.org/y/disk", "A", "pkg: b.org/y/wire", "A")}, []string{"a.com/x/disk A", "a.com/x/wire A"}, "other paths in 1: b.org/y/disk is compared with a.com/x/disk, b.org/y/wire is compared with a.com/x/wire"},
		"the longest end":      {[]string{results("pkg: a.com/x/up/wire", "A", "pkg: a.com/x/wire", "A"), results("pkg: a.com/x/v2/up/wire", "A", "pkg: a.com/x/v2/wire", "A")}, []string{"a.com/x/up/wire A", "a.com/x/wire A"}, "other paths in 1: a.com/x/v2/up/wire is compared with a.com/x/up/wire, a.com/x/v2/wire is compared with a.com/x/wire"},
		"two with one end":     {[]string{results("pkg: a.com/x/wire", "A"), results("pkg: b.com/x/wire", "A", "pkg: c.com/x/wire", "A")}, nil, ""},
		"other packages":       {[]string{results("pkg: a.com/x/wire", "A"), results("pkg: a.com/x/disk", "A")}, nil, ""},
		"one stays, one comes": {[]string{results("pkg: a.com/x/wire", "A"), results("pkg: a.com/x/wire", "A", "pkg: a.com/y/wire", "A")}, []string{"a.com/x/wire A"}, ""},
	} {
		common, mixed := matched(t, test.texts...)
		if !slices.Equal(common, test.common) || mixed != test.mixed {
			t.Errorf("%s: %q, %q, want %q, %q", name, common, mixed, test.common, test.mixed)
		}
	}
}

// A benchmark that one variant lacks because it skipped itself is said with the reason, if
// another has it.
func TestSkippedBenchmarks(t *testing.T) {
	skip := "--- SKIP: BenchmarkB%s\n    x_test.go:4: needs a disk\n"
	for name, test := range map[string]struct{ older, newer, want string }{
		"with suffix":    {results("A-8", "B-8"), results("A-8") + fmt.Sprintf(skip, "-8"), "B-8: not in new because it skipped there: x_test.go:4: needs a disk"},
		"without":        {results("A-8", "B-8"), results("A-8") + fmt.Sprintf(skip, ""), "B-8: not in new because it skipped there: x_test.go:4: needs a disk"},
		"once, then not": {results("A-8", "B-8"), results("A-8") + fmt.Sprintf(skip, "") + results("B-8"), ""},
		"in both":        {results("A-8") + fmt.Sprintf(skip, ""), results("A-8") + fmt.Sprintf(skip, ""), ""},
	} {
		s := imported(t, map[string]string{"old": test.older, "new": test.newer}, "old", "new")
		if got := strings.Join(s.Skipped, "; "); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// Events of two packages are benchmarks of each.
func TestPackagesOfEvents(t *testing.T) {
	event := func(pkg, ns string) string {
		return fmt.Sprintf(`{"Action":"output","Package":%q,"Output":"BenchmarkPut-8 1 %s ns/op\n"}`, pkg, ns) + "\n"
	}
	s := imported(t, map[string]string{"old": event("wire", "10") + event("disk", "500"), "new": event("disk", "510") + event("wire", "8")}, "old", "new")
	var got []string
	for i, x := range times(s) {
		got = append(got, s.Samples[i].Benchmark.Package+" "+x)
	}
	if want := []string{"wire Put-8 in old: 10", "disk Put-8 in old: 500", "disk Put-8 in new: 510", "wire Put-8 in new: 8"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// What is lost of an archive is named with the file in it.
func TestArchivedFiles(t *testing.T) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for name, text := range map[string]string{"r/a.txt": results("A") + "BenchmarkB b 1 5 ns/op\n", "README.md": "text"} {
		if err := w.WriteHeader(&tar.Header{Name: name, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s := imported(t, map[string]string{"old.tar": b.String(), "new": results("A")}, "old.tar", "new")
	if len(s.Lost) != 1 || !strings.HasPrefix(s.Lost[0], "old.tar/r/a.txt:2: ") || !slices.Contains(s.Mixed, "without results, so not read: old.tar/README.md") {
		t.Errorf("lost %q, mixed %q", s.Lost, s.Mixed)
	}
}

// Beside results a folder may hold anything; without any it is an error.
func TestFolders(t *testing.T) {
	fsys := fstest.MapFS{"old/1": {Data: []byte(results("A"))}, "old/2": {Data: []byte(results("A"))}, "old/README.md": {Data: []byte("text")}, "old/empty": {}, "new/1": {Data: []byte(results("A"))}, "none/1": {Data: []byte("{}")}}
	in := func(folder string, files ...string) (out []LabelledFile) {
		for _, f := range files {
			out = append(out, LabelledFile{Name: folder + "/" + f, Folder: folder})
		}
		return out
	}
	s, err := Import(fsys, append(in("old", "1", "2", "README.md", "empty"), in("new", "1")...), Selection{})
	if err != nil || !slices.Equal(times(s), []string{"A in old: 1 1", "A in new: 1"}) || !slices.Equal(s.Names, []string{"old", "new"}) ||
		!slices.Contains(s.Mixed, "without results, so not read: old/README.md, old/empty") {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := Import(fsys, append(in("old", "1"), in("none", "1")...), Selection{}); err == nil || !strings.Contains(err.Error(), "read none: no file of this folder has a benchmark result") {
		t.Errorf("no results: %v", err)
	}
}
