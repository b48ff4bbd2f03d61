package cputime

import "github.com/seed-1318a441/assay/internal/funcname"

// Shared has the categories whose time no single function causes, or that a change
// of code elsewhere shows in.
var Shared = map[string]bool{
	CategoryAllocation: true, CategoryMark: true, CategoryIdleMark: true, CategoryAssist: true, CategoryGC: true,
	CategoryScheduling: true, CategoryLocks: true, CategorySyscalls: true, CategoryStacks: true, CategoryRuntime: true,
}

// owner says who asked for the time of a stack, leaf first: its category where that
// is shared, else the innermost function that is not the run time's. What is copied
// or looked up for a function is its own cost.
func owner(frames []frame, category string) string {
	if Shared[category] {
		return category
	}
	for _, f := range frames {
		if !runtimeFrame(f.name) {
			return funcname.Readable(f.name)
		}
	}
	return category
}
