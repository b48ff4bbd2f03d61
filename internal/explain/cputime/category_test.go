package cputime

import (
	"strings"
	"testing"
)

// Stacks as the profilers of go1.24.9, go1.26.8 and go1.27.2 wrote them, "runtime."
// left out where a name has no other package.
func TestCategory(t *testing.T) {
	for _, c := range []struct{ stack, want string }{
		{"m.work < m.BenchmarkX", CategoryProgram},
		{"strings.Index < m.BenchmarkX", CategoryProgram},
		{"sync.(*Mutex).Lock < m.BenchmarkX", CategoryProgram},
		{"m.New < sync.(*Pool).Get < m.BenchmarkX", CategoryProgram},
		{"m.Equal < mapaccess1 < m.BenchmarkX", CategoryProgram},
		{"(unknown) < m.BenchmarkX", CategoryProgram},
		{"", CategoryProgram},

		{"newobject < m.tree", CategoryAllocation},
		{"mallocgcSmallNoScanSC4 < m.tree", CategoryAllocation},
		{"nextFreeFast < mallocgcSmallScanNoHeader < mallocgc < newobject < m.tree", CategoryAllocation},
		{"memclrNoHeapPointers < memclrNoHeapPointersChunked < mallocgcLarge < mallocgc < makeslice < m.F", CategoryAllocation},
		{"mallocgc < convT64 < m.F", CategoryAllocation},
		{"(*mspan).writeHeapBitsSmall < heapSetTypeNoHeader < mallocgcSmallScanNoHeader < mallocgc < growslice < m.F", CategoryAllocation},
		{"internal/runtime/atomic.(*Uint64).Add < (*spanSet).push < (*mcache).allocLarge < mallocgcLarge < mallocgc < makeslice < m.F", CategoryAllocation},
		{"mallocgc < newarray < internal/runtime/maps.newarray < internal/runtime/maps.newGroups < mapassign_fast64 < m.F", CategoryAllocation},
		{"callers < mProf_Malloc < profilealloc < mallocgcSmallScanNoHeaderSC5 < m.tree", CategoryAllocation},
		{"gcmarknewobject < mallocgcSmallScanNoHeader < mallocgc < newobject < m.tree", CategoryAllocation},

		{"findObject < scanobject < gcDrain < gcDrainMarkWorkerDedicated < gcBgMarkWorker.func2 < systemstack < gcBgMarkWorker", CategoryMark},
		{"internal/runtime/gc/scan.scanSpanPackedAVX512 < internal/runtime/gc/scan.ScanSpanPacked < scanSpan < gcDrain < gcBgMarkWorker.func2", CategoryMark},
		{"spanClass.noscan < tryDeferToSpanScan < scanObjectsSmall < scanSpan < gcDrain < gcBgMarkWorker.func2 < systemstack < gcBgMarkWorker", CategoryMark},
		{"findObject < wbBufFlush1 < wbBufFlush.func1 < systemstack < wbBufFlush < gcWriteBarrier < mapassign_faststr < m.F", CategoryMark},
		{"gcWriteBarrier4 < slices.insertionSortOrdered[go.shape.string]", CategoryMark},
		{"bulkBarrierPreWriteSrcOnly < growslice < m.F", CategoryMark},
		{"shrinkstack < scanstack < markroot.func1 < markroot < gcDrain < gcBgMarkWorker.func2", CategoryMark},
		{"greyobject < scanobject < gcDrain < gcDrainMarkWorkerIdle < gcBgMarkWorker.func2 < systemstack < gcBgMarkWorker", CategoryIdleMark},
		{"scanobject < gcDrainN < gcAssistAlloc1 < gcAssistAlloc.func2 < systemstack < gcAssistAlloc < deductAssistCredit < mallocgc < newobject < m.F", CategoryAssist},
		{"(*sweepLocked).sweep < sweepone < bgsweep", CategoryGC},
		{"(*mspan).moveInlineMarks < (*sweepLocked).sweep < (*mcentral).cacheSpan < (*mcache).refill < (*mcache).nextFree < mallocgc < newobject < m.F", CategoryGC},
		{"gcResetMarkState < systemstack < gcStart < mallocgcLarge < mallocgc < makeslice < m.F", CategoryGC},
		{"futex < futexsleep < notetsleep < forEachP < gcMarkDone < gcBgMarkWorker", CategoryGC},
		{"madvise < sysUnusedOS < (*pageAlloc).scavengeOne < (*pageAlloc).scavenge.func1 < systemstack < bgscavenge", CategoryGC},

		{"memmove < m.F", CategoryMemory},
		{"memeqbody < m.F", CategoryMemory},
		{"cmpbody < cmp.Less[go.shape.string]", CategoryMemory},
		{"memmove < typedslicecopy < m.F", CategoryMemory},
		{"duffcopy < m.F", CategoryMemory},
		{"mapassign_faststr < m.F", CategoryMaps},
		{"aeshashbody < mapassign_faststr < m.F", CategoryMaps},
		{"internal/runtime/maps.ctrlGroup.matchH2 < mapaccess2_fast64 < m.F", CategoryMaps},
		{"internal/runtime/maps.(*Iter).Next < m.F", CategoryMaps},
		{"growslice < m.F", CategoryStrings},
		{"memmove < growslice < m.F", CategoryStrings},
		{"memmove < concatstrings < concatstring2 < m.F", CategoryStrings},
		{"memclrNoHeapPointers < rawbyteslice < stringtoslicebyte < m.F", CategoryStrings},

		{"internal/runtime/syscall.Syscall6 < syscall.RawSyscall6 < syscall.Syscall < syscall.read", CategorySyscalls},
		{"internal/runtime/syscall/linux.Syscall6 < syscall.RawSyscall6", CategorySyscalls},
		{"reentersyscall < entersyscall < syscall.Syscall", CategorySyscalls},
		{"cgocall < net._Cfunc_getaddrinfo", CategorySyscalls},
		{"internal/runtime/syscall.Syscall6 < internal/runtime/syscall.EpollWait < netpoll < findRunnable < schedule < park_m < mcall", CategoryScheduling},
		{"futex < futexsleep < notesleep < mPark < stopm < findRunnable < schedule < park_m < mcall", CategoryScheduling},
		{"procyieldAsm < procyield < lock2 < lockWithRank < lock < goschedImpl < gopreempt_m < newstack < morestack", CategoryScheduling},
		{"isSystemGoroutine < newproc1 < newproc.func1 < systemstack < newproc < m.F", CategoryScheduling},
		{"asyncPreempt < m.F", CategoryScheduling},
		{"usleep < sysmon < mstart1 < mstart0 < mstart", CategoryScheduling},
		{"futex < futexwakeup < notewakeup < startm < wakep < ready < send.goready.func1 < systemstack < goready < send < chansend < chansend1 < m.F", CategoryChannels},
		{"selectgo < m.F", CategoryChannels},
		{"futex < futexwakeup < notewakeup < startm < wakep < ready < readyWithTime.goready.func1 < systemstack < goready < readyWithTime < semrelease1 < internal/sync.runtime_Semrelease", CategoryLocks},
		{"lock2 < lockWithRank < semacquire1 < sync.runtime_SemacquireWaitGroup", CategoryLocks},
		{"memmove < copystack < newstack < morestack < m.F", CategoryStacks},
		{"(*unwinder).initAt < (*unwinder).init < gorecover.func1 < systemstack < gorecover < m.F.func1", CategoryInterfaces},
		{"getitab < assertE2I2 < m.F", CategoryInterfaces},
		{"memequal < efaceeq < m.F", CategoryInterfaces},
		{"nanotime1 < nanotime < time.now < time.Now < m.F", CategoryRuntime},
		{"systemstack", CategoryRuntime},
	} {
		if got := category(stackOf(c.stack)); got != c.want {
			t.Errorf("%s:\n\tgot %q, want %q", c.stack, got, c.want)
		}
	}
}

// stackOf completes the names of a stack: those of assembly have no package.
func stackOf(s string) (out []frame) {
	if s == "" {
		return nil
	}
	for name := range strings.SplitSeq(s, " < ") {
		assembly := strings.HasSuffix(name, "body") || strings.HasPrefix(name, "gcWriteBarrier") || name == unknownFrame
		local, _, _ := strings.Cut(name, "[")
		slash := strings.Contains(local, "/")
		pkg, _, dotted := strings.Cut(local, ".")
		known := dotted && (pkg == "m" || pkg == "strings" || pkg == "sync" || pkg == "syscall" || pkg == "slices" || pkg == "cmp" || pkg == "time" || pkg == "net")
		if !assembly && !slash && !known {
			name = "runtime." + name
		}
		out = append(out, frame{name: name})
	}
	return out
}
