package binary

import (
	"encoding/binary"
	"sync"
)

// A survey is the result of reading all functions of a file once.
type survey struct {
	hashes map[string]Hash
	edges  map[string]map[string]int
	// fingerprinter names operands, for one caller at a time; nil in stripped files.
	fingerprinter *fingerprinter
	mu            sync.Mutex
}

func (f *File) takeSurvey() *survey {
	p := newFingerprinter(f.image)
	p.decode()
	s := &survey{edges: f.findEdges(p.refs)}
	if f.Stripped() {
		for _, fn := range p.im.funcs {
			p.funcs = append(p.funcs, fn.name)
		}
		s.hashes = p.hashFuncs(p.appendCallee)
		return s
	}
	p.nameAll()
	p.findBounds()
	p.findChunks()
	s.hashes = p.hashFuncs(p.appendOperand)
	p.refs = nil
	s.fingerprinter = p
	return s
}

// Stripped reports whether the file has no symbol table: then functions come from Go's
// line table, data has no names, and C functions are missing.
func (f *File) Stripped() bool { return f.image.stripped }

// Hashes returns the hash of every function, as in Print.Funcs, and whether they are
// exact. In a stripped file they are not: they cover an instruction's bytes and the
// functions that it leads to, but not the data that it uses. The map is shared; do not
// change it.
func (f *File) Hashes() (hashes map[string]Hash, exact bool) {
	return f.survey().hashes, !f.Stripped()
}

// appendCallee adds the function that an operand leads to, and nothing for data, which
// has no names in a stripped file.
func (p *fingerprinter) appendCallee(b []byte, target uint64) []byte {
	if to := find(p.im.funcs, target); to >= 0 {
		b = appendLabel(b, p.im.funcs[to].name)
		b = binary.AppendUvarint(b, target-p.im.funcs[to].addr)
	}
	return b
}

// Edges returns the number of direct calls and jumps from each function to each other
// function, by name. It excludes calls within a function (recursion) and through
// pointers, and includes those that grow the stack (runtime.morestack...). The map is
// shared; do not change it.
func (f *File) Edges() map[string]map[string]int { return f.survey().edges }

func (f *File) findEdges(refs [][]ref) map[string]map[string]int {
	found := make([]map[string]int, len(refs))
	inParallel(len(refs), func(i int) { found[i] = f.edgesOf(i, refs[i]) })
	edges := make(map[string]map[string]int, len(refs))
	for i, callees := range found {
		name := f.Funcs[i].Name
		if callees == nil {
			continue
		}
		if edges[name] == nil {
			edges[name] = callees
			continue
		}
		for callee, n := range callees { // another function of that name
			edges[name][callee] += n
		}
	}
	return edges
}

func (f *File) edgesOf(i int, refs []ref) map[string]int {
	var callees map[string]int
	code := f.image.bytes(f.Funcs[i].Addr, f.Funcs[i].Size)
	for _, r := range refs {
		if r.half || !isBranch(f.Arch, code, r) {
			continue
		}
		if to := f.funcAt(r.target); to >= 0 {
			if callees == nil {
				callees = map[string]int{}
			}
			callees[f.Funcs[to].Name]++
		}
	}
	return callees
}

// isBranch reports whether an operand is that of a call or jump. On amd64 it follows the
// byte E8 or E9, or 0F 80 to 0F 8F; the address of data follows a ModRM byte below 0x40.
func isBranch(arch string, code []byte, r ref) bool {
	if arch == "arm64" {
		w := binary.LittleEndian.Uint32(code[r.off:])
		return r.mask == maskImm26 || w&0xff000000 == 0x54000000 || w&0x7e000000 == 0x34000000
	}
	if r.off == 0 {
		return false
	}
	op := code[r.off-1]
	return op == 0xe8 || op == 0xe9 || op&0xf0 == 0x80 && r.off > 1 && code[r.off-2] == 0x0f
}

func (f *File) funcAt(addr uint64) int { return find(f.image.funcs, addr) }

// Find returns the function of that name, of several the first.
func (f *File) Find(name string) (Func, bool) {
	fn, ok := f.byName()[name]
	return fn, ok
}

// FuncAt returns the function that holds an address.
func (f *File) FuncAt(addr uint64) (Func, bool) {
	if i := f.funcAt(addr); i >= 0 {
		return f.Funcs[i], true
	}
	return Func{}, false
}
