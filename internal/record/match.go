package record

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Files of two machines, or of two versions of a module, call one benchmark by two names: the
// suffix of GOMAXPROCS differs, or the path of the package. What can be matched without a doubt
// is compared, and Samples.Mixed says so.

// suffix is that of GOMAXPROCS behind a benchmark's name, or a number that belongs to it.
var suffix = regexp.MustCompile(`-([0-9]+)( \[|$)`)

// cutProcs returns a name without its suffix, and the number; "1" if there is none.
func cutProcs(name string) (rest, procs string) {
	m := suffix.FindStringSubmatchIndex(name)
	if m == nil {
		return name, "1"
	}
	return name[:m[0]] + name[m[3]:], name[m[2]:m[3]]
}

// names are the benchmarks of a variant, and what their suffix can be.
type names struct {
	whole, short map[string]bool // as they are, and without the suffix
	// procs is the suffix of all of them, "1" if it is not one. certain is set where it can be
	// nothing but GOMAXPROCS.
	procs   string
	certain bool
}

// namesOf reads the names of a variant. The name of a Go function has no "-" in it, so a number
// behind it is GOMAXPROCS, and so is that of the sub-benchmarks beside it. Where there are
// sub-benchmarks alone, n-128 may be a name: only a suffix behind names that end differently
// is GOMAXPROCS. ok is false for a variant that has several: names of a -cpu list are compared
// as they are.
func (im *importer) namesOf(variant string) (n names, ok bool) {
	n = names{whole: map[string]bool{}, short: map[string]bool{}}
	var all, ofFunctions, last []string
	for _, x := range im.s.Samples {
		if x.Variant != variant || n.whole[x.Benchmark.Name] {
			continue
		}
		rest, procs := cutProcs(x.Benchmark.Name)
		n.whole[x.Benchmark.Name], n.short[rest] = true, true
		all = append(all, procs)
		if !strings.Contains(rest, "/") {
			ofFunctions = append(ofFunctions, procs)
		}
		last = append(last, path.Base(rest))
	}
	slices.Sort(all)
	slices.Sort(ofFunctions)
	slices.Sort(last)
	all, ofFunctions = slices.Compact(all), slices.Compact(ofFunctions)
	if len(ofFunctions) > 1 {
		return n, false
	}
	if n.procs = "1"; len(all) == 1 {
		n.procs = all[0]
	}
	n.certain = n.procs == "1" || len(ofFunctions) == 1 || len(slices.Compact(last)) > 1
	return n, true
}

// common counts the names that two sets have in common.
func common(a, b map[string]bool) (n int) {
	for name := range a {
		if b[name] {
			n++
		}
	}
	return n
}

// procs takes the suffix of GOMAXPROCS from the names of variants that differ in it: their
// benchmarks are the same. A number that may belong to the name stays there.
func (im *importer) procs() {
	of := make([]names, len(im.s.Variants))
	for i, v := range im.s.Variants {
		var ok bool
		if of[i], ok = im.namesOf(v); !ok {
			return
		}
	}
	for i, n := range of {
		of[i].certain = slices.ContainsFunc(of, func(o names) bool { return o.certain && o.procs == n.procs })
	}
	cut := make([]bool, len(of))
	for i := range of {
		cut[i] = of[i].procs != "1" && isCalledShort(of, i)
	}
	var facts, unsure []string
	differ := false
	for i, v := range im.s.Variants {
		procs := of[i].procs
		if !cut[i] && isWhole(of, cut, i) {
			procs = "1"
		} else if !cut[i] && procs != "1" {
			if isDoubtful(of, i) {
				unsure = append(unsure, slices.Sorted(maps.Keys(of[i].whole))[0])
			}
			continue
		}
		facts = append(facts, procs+" in "+v)
		differ = differ || !strings.HasPrefix(facts[0], procs+" ")
	}
	im.noteNames("not compared, because the numbers may belong to the names: ", unsure)
	if !differ {
		return
	}
	for i := range im.s.Samples {
		if x := &im.s.Samples[i]; cut[slices.Index(im.s.Variants, x.Variant)] {
			x.Benchmark.Name, _ = cutProcs(x.Benchmark.Name)
		}
	}
	im.s.Mixed = append(im.s.Mixed, "GOMAXPROCS: "+strings.Join(facts, ", "))
}

// isCalledShort reports whether more names of a variant are found in the others without their
// suffix than with it.
func isCalledShort(all []names, i int) bool {
	n, long, short := all[i], 0, 0
	for j, o := range all {
		if j == i {
			continue
		}
		long += common(n.whole, o.whole)
		short += common(n.short, o.whole)
		if n.certain && o.certain && o.procs != "1" {
			short += common(n.short, o.short)
		}
	}
	return short > long
}

// isWhole reports whether names of a variant are what is left of others without their suffix.
func isWhole(all []names, cut []bool, i int) bool {
	for j, o := range all {
		if cut[j] && common(all[i].whole, o.short) > 0 {
			return true
		}
	}
	return false
}

// isDoubtful reports whether nothing but the number distinguishes names of a variant from those
// of another.
func isDoubtful(all []names, i int) bool {
	n := all[i]
	return slices.ContainsFunc(all, func(o names) bool { return common(n.short, o.short) > 0 && common(n.whole, o.whole) == 0 })
}

// version is an element of a package's path that is the major version of a module, or one that
// ends in it.
var version = regexp.MustCompile(`(^|\.)v[0-9]+$`)

// pathElements returns the elements of a package's path, the last one first, without versions.
func pathElements(pkg string) (out []string) {
	for e := range strings.SplitSeq(pkg, "/") {
		if e = version.ReplaceAllString(e, ""); e != "" {
			out = append(out, e)
		}
	}
	slices.Reverse(out)
	return out
}

// alike returns the number of elements at the end of two paths that are the same.
func alike(a, b string) int {
	x, y := pathElements(a), pathElements(b)
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return i
		}
	}
	return min(len(x), len(y))
}

// packages finds the packages that variants call by other paths than the first variant, or not
// at all.
func (im *importer) packages() {
	for _, v := range im.s.Variants {
		im.unsaid(v)
	}
	first := im.s.Variants[0]
	for _, v := range im.s.Variants[1:] {
		im.moved(first, v)
	}
}

// unsaid finds the packages of a variant whose results do not say them, where only one package
// of the others has benchmarks of these names.
func (im *importer) unsaid(variant string) {
	own, others := map[string]bool{}, map[string][]string{} // names, and the packages that have them
	for _, x := range im.s.Samples {
		name, pkg := x.Benchmark.Name, x.Benchmark.Package
		switch {
		case x.Variant == variant && pkg != "":
			own[name] = true
		case x.Variant != variant && pkg != "" && !slices.Contains(others[name], pkg):
			others[name] = append(others[name], pkg)
		}
	}
	var found, doubtful []string
	for i := range im.s.Samples {
		b := &im.s.Samples[i].Benchmark
		if im.s.Samples[i].Variant != variant || b.Package != "" || len(others[b.Name]) == 0 {
			continue
		}
		if len(others[b.Name]) > 1 || own[b.Name] {
			doubtful = append(doubtful, b.Name)
			continue
		}
		b.Package = others[b.Name][0]
		found = append(found, b.Package)
	}
	im.noteNames(variant+" does not say its package; compared by name with ", found)
	im.noteNames(variant+" does not say its package, and several have these names: ", doubtful)
}

// noteNames adds a fact about names, if there are any.
func (im *importer) noteNames(text string, names []string) {
	slices.Sort(names)
	if names = slices.Compact(names); len(names) > mostUnread {
		names = append(names[:mostUnread], "…")
	}
	if len(names) > 0 {
		im.s.Mixed = append(im.s.Mixed, text+strings.Join(names, ", "))
	}
}

// moved finds the packages of a variant that the first variant calls by another path: by the
// longest end of the path that both have, if no other package has one as long.
func (im *importer) moved(first, variant string) {
	before, after := im.packagesOf(first), im.packagesOf(variant)
	both := func(pkg string) bool { return slices.Contains(before, pkg) && slices.Contains(after, pkg) }
	before, after = slices.DeleteFunc(slices.Clone(before), both), slices.DeleteFunc(slices.Clone(after), both)
	at := map[string]string{}
	var facts []string
	for _, pkg := range after {
		if old := nearest(pkg, before); old != "" && nearest(old, after) == pkg {
			at[pkg] = old
			facts = append(facts, fmt.Sprintf("%s is compared with %s", pkg, old))
		}
	}
	for i := range im.s.Samples {
		if x := &im.s.Samples[i]; x.Variant == variant && at[x.Benchmark.Package] != "" {
			x.Benchmark.Package = at[x.Benchmark.Package]
		}
	}
	im.noteNames("other paths in "+variant+": ", facts)
}

// packagesOf lists the packages of a variant.
func (im *importer) packagesOf(variant string) (out []string) {
	for _, x := range im.s.Samples {
		if pkg := x.Benchmark.Package; x.Variant == variant && pkg != "" && !slices.Contains(out, pkg) {
			out = append(out, pkg)
		}
	}
	return out
}

// nearest returns the package whose path ends most like that of pkg, "" for none or several.
func nearest(pkg string, among []string) (found string) {
	most := 0
	for _, other := range among {
		switch n := alike(pkg, other); {
		case n > most:
			most, found = n, other
		case n == most:
			found = ""
		}
	}
	return found
}

// A skip is a benchmark of a variant that skipped itself.
type skip struct{ variant, name, why string }

// skipped says which benchmarks of other variants have no result because they skipped
// themselves. A name on that line may lack the suffix of GOMAXPROCS.
func (im *importer) skipped() {
	for _, s := range im.skips {
		short, _ := cutProcs(s.name)
		other, has := "", false
		for _, x := range im.s.Samples {
			rest, _ := cutProcs(x.Benchmark.Name)
			if x.Benchmark.Name == s.name || x.Benchmark.Name == short || rest == s.name {
				other, has = x.Benchmark.Name, has || x.Variant == s.variant
			}
		}
		fact := strings.TrimSuffix(fmt.Sprintf("%s: not in %s because it skipped there: %s", other, s.variant, s.why), ": ")
		if other != "" && !has && !slices.Contains(im.s.Skipped, fact) {
			im.s.Skipped = append(im.s.Skipped, fact)
		}
	}
}
