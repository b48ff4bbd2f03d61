package runs

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// farm is a store with a group of two machines, of which alpha was measured twice, and then
// a run of another study.
func farm(t *testing.T) (store string) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	store = t.TempDir()
	for i, x := range []struct{ run, machine string }{{"aaaa", "alpha"}, {"bbbb", "beta"}, {"cccc", "alpha"}} {
		p := demo(x.run, i+1)
		p.Machine, p.Group, p.Machines = x.machine, "g1", 2
		keep(t, store, p, true)
	}
	p := demo("dddd", 4)
	p.Study.Name = "single"
	keep(t, store, p, true)
	return store
}

// The name of a group, and of a study whose newest run belongs to one, stand for the
// newest run of each machine; the name of a run stands for that run.
func TestMembers(t *testing.T) {
	store := farm(t)
	for name, want := range map[string][]string{"g1": {"bbbb", "cccc"}, "demo": {"bbbb", "cccc"}, "aaaa": nil, "cccc": nil, "last": nil, "": nil, "single": nil, "nothing": nil} {
		list, err := members(store, name)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range list {
			got = append(got, e.Run)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	p := demo("eeee", 5)
	p.Machine, p.Group, p.Machines = "beta", "g2", 2
	keep(t, store, p, true)
	for _, name := range []string{"", "last", "g2"} {
		if list, err := members(store, name); err != nil || len(list) != 1 || list[0].Run != "eeee" {
			t.Errorf("%q: got %+v, %v, want the only run of the newest group", name, list, err)
		}
	}
}

// A group is read as its runs, each with the label of its machine, and merged into one
// result; a single run is read as itself.
func TestOpenGroup(t *testing.T) {
	store := farm(t)
	for name, want := range map[string][2][]string{"g1": {{"bbbb", "cccc"}, {"beta", "alpha"}}, "aaaa": {{"aaaa"}, {""}}, "last": {{"dddd"}, {""}}} {
		list, err := OpenGroup(store, name)
		if err != nil {
			t.Fatal(err)
		}
		var got [2][]string
		for _, s := range list {
			got[0], got[1] = append(got[0], s.Result.Run), append(got[1], s.Machine)
		}
		if !slices.Equal(got[0], want[0]) || !slices.Equal(got[1], want[1]) {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	m, err := MergedGroup(store, "demo")
	if err != nil || len(m.Machines) != 2 || m.Machines[0].Name != "beta" || m.Machines[1].Name != "alpha" || m.Group != "g1" || len(m.Heads) != 1 || m.Heads[0].Better != 2 {
		t.Errorf("got %+v, %v, want new better on beta and alpha", m, err)
	}
	if m, err := MergedGroup(store, "aaaa"); m != nil || err != nil {
		t.Errorf("a single run: got %+v, %v", m, err)
	}
	_, err = OpenGroup(store, "nothing")
	if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != assay.CodeNoRun {
		t.Errorf("got %v, want that there is no such run", err)
	}
}

// Machines go by the names in front of the runs, and a group by the labels of its own.
func TestMergeNames(t *testing.T) {
	store := farm(t)
	for _, x := range []struct{ args, want []string }{
		{[]string{"here=bbbb", "there=cccc"}, []string{"here", "there"}},
		{[]string{"bbbb", "there=aaaa"}, []string{"beta", "there"}},
		{[]string{"g1"}, []string{"beta", "alpha"}},
		{[]string{"x=g1"}, []string{"beta", "alpha"}},
	} {
		m, err := Merge(store, x.args)
		if err != nil {
			t.Errorf("%q: %v", x.args, err)
			continue
		}
		var got []string
		for _, machine := range m.Machines {
			got = append(got, machine.Name)
		}
		if !slices.Equal(got, x.want) {
			t.Errorf("%q: got machines %q, want %q", x.args, got, x.want)
		}
	}
	_, err := Merge(store, []string{"aaaa", "cccc"})
	if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != assay.CodeMergePlatform {
		t.Errorf("two runs of one machine: got %v", err)
	}
	_, err = Merge(store, []string{"aaaa", "dddd"})
	if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != assay.CodeMergeStudies {
		t.Errorf("two studies: got %v", err)
	}
}

// Where any run was measured on a machine with a label, the list says which machine and
// group each is of.
func TestLinesOfMachines(t *testing.T) {
	store := t.TempDir()
	p := demo("aaaa", 1)
	p.Machine, p.Group, p.Machines = "alpha", "g1", 2
	keep(t, store, p, false)
	keep(t, store, demo("bbbb", 2), false)
	lines, err := Lines(store, p.Created)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, line := range lines {
		got = append(got, strings.Join(strings.Fields(line)[:6], " "))
	}
	if want := []string{"run age machine group study variants", "aaaa 0 s alpha g1 demo", "bbbb 0 s – – demo"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
