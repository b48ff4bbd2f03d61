package binary

import "strings"

// aboutBuild returns how many bytes at the start of a data symbol follow from the rest of
// the file or describe the build: addresses, line tables, version, folder.
func (im *image) aboutBuild(s symbol) uint64 {
	room := im.after(s.addr) - s.addr
	if im.sized {
		room = s.size
	}
	switch s.name {
	case "runtime.buildVersion", "runtime.modinfo", "runtime.defaultGOROOT":
		return min(16, room) // a string's pointer and length
	case "runtime.buildVersion.str", "runtime.modinfo.str", "runtime.defaultGOROOT.str":
		return im.known(im.stringSize(strings.TrimSuffix(s.name, ".str")), room)
	case "runtime.gcdata", "runtime.gcbss": // which words of the data are pointers, padding included
		end, _ := im.markAt("runtime.e" + strings.TrimPrefix(s.name, "runtime."))
		return im.known(end-s.addr, room)
	case "runtime.firstmoduledata", "local.moduledata":
		return im.known(560, room) // 560 to 608 in go1.24 to go1.27
	case "runtime.textsectionmap":
		return im.known(24, room)
	case "go:buildinfo.ref":
		return im.known(8, room)
	case "go:buildinfo", "go:fipsinfo", "runtime.findfunctab", "runtime.pclntab", "runtime.pcheader", "runtime.funcnametab",
		"runtime.cutab", "runtime.filetab", "runtime.pctab", "runtime.functab", "runtime.typelink", "runtime.itablink":
		return room
	}
	return 0
}

// known returns the room of a symbol if the file has its size, and otherwise at most the
// known size: unnamed data may follow, and must not be lost.
func (im *image) known(size, room uint64) uint64 {
	if im.sized {
		return room
	}
	return min(size, room)
}

// stringSize returns the number of bytes behind a Go string variable. The linker ends
// them with a zero.
func (im *image) stringSize(name string) uint64 {
	header, ok := im.markAt(name)
	n, found := im.word(header + 8)
	if !ok || !found || n == 0 {
		return 0
	}
	return n + 1
}
