package alloc

import (
	"path"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay/internal/binary"
)

// A callTable finds which function of the run time is called at an address of a profile.
type callTable struct {
	file  *binary.File // nil finds nothing
	calls map[uint64][]binary.Inst
}

// pageMask covers the bits of an address that stay when the system loads a program
// elsewhere than its file says.
const pageMask = 1<<12 - 1

// callee is the function of the run time that the location calls, "" if unknown. In a
// program that was loaded elsewhere, as all of macOS are, the last bits of the address
// identify it if they leave one function only.
func (c *callTable) callee(loc *profile.Location) string {
	if c.file == nil || len(loc.Line) == 0 || loc.Line[len(loc.Line)-1].Function == nil {
		return ""
	}
	name := loc.Line[len(loc.Line)-1].Function.Name
	if fn, ok := c.file.FuncAt(loc.Address); ok && binary.PlainName(fn.Name) == binary.PlainName(name) {
		return theCallee(c.of(fn), func(in binary.Inst) bool { return loc.Address-in.Addr < uint64(in.Size) })
	}
	fn, ok := c.file.Find(name)
	if !ok {
		return ""
	}
	return theCallee(c.of(fn), func(in binary.Inst) bool { return (loc.Address-in.Addr)&pageMask < uint64(in.Size) })
}

// theCallee is what the chosen calls agree on.
func theCallee(calls []binary.Inst, chosen func(binary.Inst) bool) string {
	callee := ""
	for _, in := range calls {
		if !chosen(in) {
			continue
		}
		if callee != "" && callee != in.Callee {
			return ""
		}
		callee = in.Callee
	}
	return callee
}

// of lists a function's calls of the run time.
func (c *callTable) of(fn binary.Func) []binary.Inst {
	calls, ok := c.calls[fn.Addr]
	if !ok {
		for _, in := range c.file.Insts(fn) {
			if in.Call && c.ofRuntime(in.Callee) {
				in.Text = "" // it is not needed, and there may be many
				calls = append(calls, in)
			}
		}
		c.calls[fn.Addr] = calls
	}
	return calls
}

func (c *callTable) ofRuntime(name string) bool {
	fn, ok := c.file.Find(name)
	if !ok {
		return false
	}
	file, _, _ := c.file.Line(fn.Addr)
	return runtimeFunction(name, file)
}

// runtimeFunction reports whether a function is of the run time, as runtime/pprof does,
// or in a file of it: some have the name of another package, such as
// internal/bytealg.MakeNoZero. The file is in GOROOT, or has the name that -trimpath
// gives it.
func runtimeFunction(name, file string) bool {
	if binary.InRuntime(name) {
		return true
	}
	root, _, deep := strings.Cut(name, "/")
	dir := path.Dir(file)
	return !(deep && strings.Contains(root, ".")) && (dir == "runtime" || strings.HasSuffix(dir, "/src/runtime"))
}
