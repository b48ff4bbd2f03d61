package cputime

import (
	"slices"
	"strings"

	"github.com/seed-1318a441/assay/internal/binary"
)

// The categories of time: the program's own functions, and what the run time does for
// them. Each sample is in one: in CategoryProgram if its innermost function is not the
// run time's.
const (
	CategoryProgram    = "program"
	CategoryAllocation = "allocation"
	CategoryMark       = "GC mark"            // workers in the background, and write barriers
	CategoryIdleMark   = "GC mark, idle CPUs" // workers where nothing else ran: no time on the clock
	CategoryAssist     = "GC assist"
	CategoryGC         = "GC sweep and other"
	CategoryScheduling = "scheduling"
	CategoryChannels   = "channels"
	CategoryMemory     = "memory moves" // moves, clears, compares, hashes
	CategoryMaps       = "maps"
	CategoryStrings    = "strings and slices" // growing, joining, converting
	CategorySyscalls   = "syscalls"           // and calls of C
	CategoryLocks      = "locks"
	CategoryStacks     = "stack growth"
	CategoryInterfaces = "defers and interfaces" // and panics
	CategoryRuntime    = "other run time"
)

// A rule gives functions of the run time whose names begin so to a category.
type rule struct {
	category string
	prefixes []string
}

// collectorRules come first: a collector's function makes a sample the collector's,
// whoever called it. The names are those of go1.24 to go1.27.
var collectorRules = []rule{
	{CategoryAssist, []string{"gcAssistAlloc", "gcParkAssist"}},
	{CategoryIdleMark, []string{"gcDrainMarkWorkerIdle"}},
	{CategoryMark, []string{
		"gcBgMarkWorker", "gcDrain", "gcMark(", "gcMarkTinyAllocs", "gcMarkWorkAvailable", "scanobject", "scanObject", "scanSpan", "scanblock", "scanstack",
		"scanConservative", "scanframe", "scanFrame", "scanStack", "scanBlock", "greyobject", "markroot", "shade", "gcWriteBarrier", "wbBuf", "wbZero", "wbMove",
		"bulkBarrier", "typeBitsBulkBarrier", "(*gcWork)", "(*spanQueue)", "(*spanInlineMarkBits)", "tryDeferToSpanScan", "(*workType)", "_GC",
	}},
	{CategoryGC, []string{
		"sweepone", "bgsweep", "deductSweepCredit", "(*sweepLocked)", "(*sweepLocker)", "(*mspan).ensureSwept", "(*mheap).reclaim", "finishsweep_m", "gcSweep",
		"gcStart", "gcMarkDone", "gcMarkTermination", "gcResetMarkState", "gcBgMarkStartWorkers", "gcBgMarkPrepare", "gcPrepareMarkRoots", "gcParkStrongFromWeak",
		"GC(", "forcegchelper", "clearpools", "bgscavenge", "(*scavengerState)", "(*pageAlloc).scavenge", "(*mheap).scavengeAll", "runfinq", "runFinalizers", "runCleanups",
		"(*cleanupQueue)", "freeSomeWbufs", "freeStackSpans", "prepareFreeWorkbufs", "(*gcControllerState).startCycle", "(*gcControllerState).endCycle",
	}},
}

// mallocPrefixes are the entries of the allocator: everything below is allocation, except
// the collector's work.
var mallocPrefixes = []string{"malloc", "newobject", "newarray", "makeslice(", "makeslice64", "reflect_unsafe_New", "reflectlite_unsafe_New", "freegc", "rawmem"}

// callRules apply to the outermost function of the run time that one of them knows: what
// the program asked for, whatever that took.
var callRules = []rule{
	{CategoryStacks, []string{"morestack", "newstack", "copystack", "stackalloc", "stackfree", "stackcache"}},
	{CategoryStrings, []string{
		"growslice", "reflect_growslice", "makeslicecopy", "concat", "rawstring", "rawbyteslice", "rawruneslice", "slicebytetostring", "slicerunetostring", "stringtoslice", "intstring", "gostring",
		"decoderune", "countrunes", "encoderune", "moveSlice", "findnull",
	}},
	{CategoryMaps, []string{"map", "makemap", "reflect_map", "reflect_makemap", "maps_", "evacuate", "growWork"}},
	{CategoryMemory, []string{
		"memmove", "memclr", "memequal", "memeq", "memhash", "strhash", "aeshash", "nilinterhash", "interhash", "typehash", "f32hash", "f64hash", "c64hash", "c128hash",
		"typedmem", "typedslicecopy", "reflect_typed", "reflectcallmove", "slicecopy", "cmpstring", "cmpbody", "duff", "strequal", "reflect_memmove",
	}},
	{CategoryInterfaces, []string{
		"defer", "gopanic", "gorecover", "recovery", "panic", "goPanic", "(*_panic)", "(*_defer)", "newdefer", "freedefer", "printpanics", "assertE2I", "typeAssert",
		"interfaceSwitch", "getitab", "itab", "(*itab", "conv", "ifaceeq", "efaceeq", "interequal", "nilinterequal", "reflect_ifaceE2I",
	}},
	{CategoryChannels, []string{"chan", "selectgo", "selectnb", "closechan", "makechan", "reflect_chan", "reflect_rselect", "send(", "recv(", "sendDirect", "recvDirect"}},
	{CategorySyscalls, []string{
		"entersyscall", "exitsyscall", "reentersyscall", "syscall_", "syscall(", "syscall6", "syscall9", "rawSyscall", "rawsyscall", "libcCall", "stdcall", "cgocall", "asmcgocall",
		"cgocallback", "asmstdcall", "read(", "write1", "write(",
	}},
	{CategoryLocks, []string{
		"semacquire", "semrelease", "sync_", "internal_sync_", "readyWithTime", "notifyList", "lock2", "lock(", "unlock2", "unlock(", "lockWithRank", "unlockWithRank",
		"(*rwmutex)", "procyield", "semawakeup", "semasleep", "(*semaRoot)", "(*mLockProfile)", "mutex",
	}},
	{CategoryScheduling, []string{
		"schedule", "findRunnable", "findrunnable", "park_m", "mcall", "gopark", "goready", "ready(", "gosched", "Gosched", "goschedImpl", "goyield", "gopreempt",
		"asyncPreempt", "preempt", "goexit", "newproc", "mstart", "mPark", "stopm", "startm", "startlockedm", "stoplockedm", "wakep", "handoffp", "retake", "sysmon",
		"note", "futex", "netpoll", "poll_", "runq", "stealWork", "injectglist", "execute", "gogo", "resetspinning", "(*timer", "checkTimers", "timeSleep", "startTheWorld",
		"stopTheWorld", "casgstatus", "gfget", "gfput", "malg", "usleep", "osyield", "_System", "runSafePointFn", "releasep", "acquirep", "pidle", "mget", "mput", "globrunq",
		"checkRunqs", "checkIdleGC", "bgMark", "sigFetchG", "wakeNetPoller", "epoll", "kevent",
	}},
	// If nothing above is known: the lower floors of the allocator.
	{CategoryAllocation, []string{"(*mcache)", "(*mcentral)", "(*mheap)", "(*mspan)", "(*pageAlloc)", "(*pageCache)", "(*fixalloc)", "nextFree", "heapSetType", "persistentalloc", "sysAlloc", "sysMap", "profilealloc", "mProf_Malloc"}},
}

// category returns the category of a stack, leaf first, one of the Category constants. It
// is the program's if the innermost function is, including inlined ones. Of the run
// time's frames below the program's it is the collector's if one of them is; then the
// allocator's, so that clearing what is allocated is allocation, as is what growing a
// slice or a map allocates; then that of the outermost known frame: copying a slice that
// grows belongs to growing.
func category(stack []frame) string {
	n := slices.IndexFunc(stack, func(f frame) bool { return !runtimeFrame(f.name) })
	if n < 0 {
		n = len(stack)
	}
	if n == 0 {
		return CategoryProgram
	}
	names := make([]string, n)
	for i, f := range stack[:n] {
		names[i] = ruleName(f.name)
	}
	if c := collectorCategory(names); c != "" {
		return c
	}
	if slices.ContainsFunc(names, func(name string) bool { return hasPrefix(name, mallocPrefixes) }) {
		return CategoryAllocation
	}
	return callCategory(names)
}

// collectorCategory is assist or idle marking if any frame is, else that of the innermost
// collector's frame, else "".
func collectorCategory(names []string) (found string) {
	for _, name := range names {
		switch c := matchRule(name, collectorRules); {
		case c == CategoryAssist, c == CategoryIdleMark:
			return c
		case found == "":
			found = c
		}
	}
	return found
}

// callCategory is that of the outermost frame that a rule knows. Growing a stack is also
// where the scheduler takes a goroutine off its CPU.
func callCategory(names []string) string {
	stacks := false
	for _, name := range slices.Backward(names) {
		switch c := matchRule(name, callRules); {
		case c == CategoryStacks:
			stacks = true
		case c == CategoryScheduling, c != "" && !stacks:
			return c
		}
	}
	if stacks {
		return CategoryStacks
	}
	return CategoryRuntime
}

// ruleName is a run time function's name as the rules have it: without package, and with
// a mark at its end, so that a rule can ask for a whole name. Closures end before the
// ".func". Packages below internal/runtime have one purpose each.
func ruleName(name string) string {
	switch binary.PackageOf(name) {
	case "internal/runtime/maps":
		return "maps_"
	case "internal/runtime/gc", "internal/runtime/gc/scan":
		return "scanSpan"
	case "internal/runtime/syscall", "runtime/internal/syscall", "internal/runtime/syscall/linux", "internal/runtime/syscall/windows":
		return "syscall_"
	case "runtime":
		name = strings.TrimPrefix(name, "runtime.")
	}
	name, _, _ = strings.Cut(name, ".func")
	name = strings.TrimSuffix(name, ".abi0")
	if strings.HasPrefix(name, "(") {
		return name
	}
	return name + "("
}

func matchRule(name string, rules []rule) string {
	for _, r := range rules {
		if hasPrefix(name, r.prefixes) {
			return r.category
		}
	}
	return ""
}

func hasPrefix(name string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// pushed are the functions of the run time that have names in package reflect
// (go:linkname), in go1.24 to go1.27.
var pushed = []string{
	"mapassign", "mapaccess", "mapdelete", "mapclear", "maplen", "mapiter", "mapIter", "makemap", "mapclone", "makechan", "chan", "rselect",
	"unsafe_New", "typedmemmove", "typedmemclr", "typedslicecopy", "typedarrayclear", "typehash", "growslice", "unsafeslice", "ifaceE2I", "verifyNotInHeapPtr", "memmove",
}

// runtimeFrame reports whether a function is the run time's: in one of its packages, by a
// name in package reflect, or of assembly and without a package.
func runtimeFrame(name string) bool {
	if rest, ok := strings.CutPrefix(name, "reflect."); ok {
		return hasPrefix(rest, pushed)
	}
	return binary.InRuntime(name) || name != unknownFrame && !strings.Contains(name, ".")
}

// Shared has the categories whose time no single function causes, or in which changes of
// code elsewhere show.
var Shared = map[string]bool{
	CategoryAllocation: true, CategoryMark: true, CategoryIdleMark: true, CategoryAssist: true, CategoryGC: true,
	CategoryScheduling: true, CategoryLocks: true, CategorySyscalls: true, CategoryStacks: true, CategoryRuntime: true,
}

// owner returns what caused the time of a stack, leaf first: its category if that is
// shared, else the innermost function that is not the run time's. What is copied or
// looked up for a function is its own cost.
func owner(frames []frame, category string) string {
	if Shared[category] {
		return category
	}
	for _, f := range frames {
		if !runtimeFrame(f.name) {
			return binary.ReadableName(f.name)
		}
	}
	return category
}
