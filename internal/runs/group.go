package runs

import (
	"cmp"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/record"
)

// members returns the runs of a group of several machines that a name stands for: the ID of
// the group, or, where the newest run belongs to one, "", "last" and the name of its study.
// It returns nil for the name of a single run. Of two runs of a machine the newer counts.
func members(store, name string) ([]record.Entry, error) {
	list, err := record.List(store)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	group := ""
	switch newest := list[len(list)-1]; {
	case name == "" || name == "last":
		group = newest.Group
	case slices.ContainsFunc(list, func(e record.Entry) bool { return e.Run == name }):
	default:
		for _, e := range list {
			if e.Group == name || e.Study == name {
				group = e.Group
			}
		}
	}
	if group == "" {
		return nil, nil
	}
	var out []record.Entry
	for _, e := range list {
		if e.Group == group {
			out = append(slices.DeleteFunc(out, func(o record.Entry) bool { return o.Machine == e.Machine }), e)
		}
	}
	return out, nil
}

// groupSources returns the results of the group that a name stands for; none for the name
// of a single run, and for a group of which only one machine has a run.
func groupSources(store, name string) (out []Source, err error) {
	list, err := members(store, name)
	if err != nil || len(list) < 2 {
		return nil, nil // what is wrong with the store is said of the run
	}
	for _, e := range list {
		run, err := Find(store, e.Run)
		if err != nil {
			return nil, err
		}
		s, err := run.source("")
		if err != nil {
			return nil, err
		}
		s.Machine = e.Machine
		out = append(out, s)
	}
	return out, nil
}

// OpenGroup reads the runs of the group that a name stands for: the ID of a group, or,
// where the newest run belongs to one, "", "last" and the name of its study. Of any other
// name it reads what Open reads.
func OpenGroup(store, name string) ([]Source, error) {
	list, err := groupSources(store, name)
	if err != nil || list != nil {
		return list, err
	}
	s, err := Open(store, name)
	return []Source{s}, err
}

// MergedGroup returns the merged result of the group that a name stands for, nil for the
// name of a single run.
func MergedGroup(store, name string) (*assay.Merged, error) {
	list, err := groupSources(store, name)
	if err != nil || list == nil {
		return nil, err
	}
	return MergeSources(list)
}

// machineOf is the label of a run's machine, and its group, in the list of runs.
func machineOf(e record.Entry) []string {
	return []string{cmp.Or(e.Machine, "–"), cmp.Or(e.Group, "–")}
}
