package binary

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// A printer turns an image into a Print. It works in passes: decode all
// functions, learn where unnamed objects begin (everything that something
// points at begins an object), then hash.
type printer struct {
	im    *image
	refs  [][]ref  // of im.funcs
	funcs []string // names of im.funcs, made unique
	named []string // names of im.named, made unique

	// bounds are the addresses at which something starts or ends, sorted.
	bounds []uint64
	// targets are the bounds that something points at; places numbers them.
	targets []uint64
	places  map[uint64]string
	types   *typeTable
	// labels remembers, per depth of pointers followed, what an address means.
	labels [maxDepth + 1]map[uint64]string
	chunks []chunk
}

// maxDepth is how many pointers between unnamed objects are followed to
// describe one. It only sharpens which functions are named as changed: all
// unnamed data is hashed in its place as well.
const maxDepth = 2

// Fingerprint reads a binary and hashes its functions and data. It takes about
// 0.1 s for 10 MB on two cores. A stripped binary is an error.
func Fingerprint(path string) (*Print, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	if len(f.image.funcs) == 0 {
		return nil, fmt.Errorf("fingerprint %q: %w", path, errStripped)
	}
	return f.image.print(), nil
}

func (im *image) print() *Print {
	p := &printer{im: im, types: newTypeTable(im)}
	for i := range p.labels {
		p.labels[i] = map[uint64]string{}
	}
	p.decode()
	p.nameAll()
	p.findBounds()
	p.findChunks()
	out := &Print{Format: printFormat, Platform: im.format + "/" + im.arch, Data: map[string]Hash{}}
	out.Funcs = p.hashFuncs()
	p.hashNamed(out.Data)
	p.hashChunks(out.Data)
	out.Data["places of unnamed data"] = p.hashPlaces()
	slices.Sort(im.imports)
	out.Data["imports"] = sum([]byte(strings.Join(im.imports, "\n")))
	// Last: only now is it known which types are in use.
	p.types.hash(p, out.Data)
	return out
}

// decode finds the operands of all functions that depend on the layout.
func (p *printer) decode() {
	p.refs = make([][]ref, len(p.im.funcs))
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(p.refs); i += workers {
				p.refs[i] = p.im.decodeFunc(p.im.funcs[i])
			}
		})
	}
	wg.Wait()
}

func (im *image) decodeFunc(f symbol) []ref {
	code := im.bytes(f.addr, f.size)
	if im.arch == "arm64" {
		return refsA64(code, f.addr)
	}
	return refsX86(code, f.addr)
}

// masked returns a function's bytes without what depends on the layout.
func (p *printer) masked(i int) []byte {
	f := p.im.funcs[i]
	code := bytes.Clone(p.im.bytes(f.addr, f.size))
	for _, r := range p.refs[i] {
		w := binary.LittleEndian.Uint32(code[r.off:])
		binary.LittleEndian.PutUint32(code[r.off:], w&^r.mask)
	}
	return code
}

// nameAll gives things of one name (static functions and variables of C)
// different names by their content, which does not depend on their order.
func (p *printer) nameAll() {
	p.funcs = unique(p.im.funcs, p.masked)
	p.named = unique(p.im.named, func(i int) []byte { return p.im.bytes(p.im.named[i].addr, p.im.named[i].size) })
}

func unique(list []symbol, content func(int) []byte) []string {
	count := map[string]int{}
	for _, s := range list {
		count[s.name]++
	}
	names := make([]string, len(list))
	for i, s := range list {
		names[i] = s.name
		if count[s.name] > 1 {
			names[i] += fmt.Sprintf("~%016x", uint64(sum(content(i))))
		}
	}
	return names
}

// findBounds collects where unnamed objects begin, from everything that points
// at them, and where all others begin and end.
func (p *printer) findBounds() {
	p.bounds = slices.Clone(p.im.marks)
	for _, s := range p.im.named {
		p.bounds = append(p.bounds, s.addr, s.end())
	}
	for _, s := range p.im.sections {
		p.bounds = append(p.bounds, s.addr, s.addr+uint64(len(s.data)), s.end())
	}
	for _, refs := range p.refs {
		for _, r := range refs {
			p.addBound(r.target)
		}
	}
	for _, s := range p.im.sections {
		if s.exec || s.skip {
			continue
		}
		for at := (s.addr + 7) &^ 7; at+8 <= s.addr+uint64(len(s.data)); at += 8 {
			if v, ok := p.im.pointer(at); ok {
				p.addBound(v)
			}
		}
	}
	slices.Sort(p.targets)
	p.targets = slices.Compact(p.targets)
	slices.Sort(p.bounds)
	p.bounds = slices.Compact(p.bounds)
}

func (p *printer) addBound(addr uint64) {
	if s := p.im.section(addr); s != nil && !s.exec && !s.skip && find(p.im.named, addr) < 0 && !p.types.holds(addr) {
		p.bounds = append(p.bounds, addr)
		p.targets = append(p.targets, addr)
	}
}

// pointer returns the word at addr if it may be a pointer into the image.
func (im *image) pointer(addr uint64) (uint64, bool) {
	v, ok := im.word(addr)
	if !ok || v == 0 || im.strings.holds(addr) || im.gcbits.holds(addr) {
		return 0, false
	}
	to := im.section(v)
	if to == nil || im.pointers != nil {
		// Methods that the linker left out have no relocation.
		return v, to != nil && (im.pointers[addr] || v == im.unreachable)
	}
	return v, !im.mayBeNumber(addr, v, to)
}

// mayBeNumber says of a word that is an address in section to whether it is
// more likely a number. In a position-dependent ELF file addresses are small
// (1<<20 is one, on arm64). There, code is pointed at from read-only data and
// from the lists of init functions only.
func (im *image) mayBeNumber(addr, v uint64, to *section) bool {
	from := im.section(addr)
	if !im.sized || !from.numbers && !(to.exec && from.write) {
		return false
	}
	i := find(im.named, addr)
	return i < 0 || !slices.ContainsFunc([]string{"inittask", "moduledatap", "cgo"}, func(part string) bool {
		return strings.Contains(im.named[i].name, part)
	})
}

func (p *printer) hashFuncs() map[string]Hash {
	parts := map[string][]Hash{}
	for i, name := range p.funcs {
		if name == "go:buildid" || name == "go.buildid" {
			continue
		}
		b := p.masked(i)
		for _, r := range p.refs[i] {
			if !r.half {
				b = appendLabel(b, p.label(r.target, 0))
			}
		}
		parts[name] = append(parts[name], sum(b))
	}
	return combine(parts)
}

// hashNamed hashes the content of all named data, with pointers resolved.
func (p *printer) hashNamed(out map[string]Hash) {
	parts := map[string][]Hash{}
	for i, s := range p.im.named {
		sec := p.im.section(s.addr)
		skip := p.aboutBuild(s)
		if sec.skip || skip >= s.size {
			continue
		}
		end := s.end()
		if !p.im.sized {
			end = unpadded(p.im, s.addr+skip, end)
		}
		b := p.content(s.addr+skip, end, 1)
		if p.im.sized || len(b) == 0 {
			b = binary.LittleEndian.AppendUint64(b, s.size)
		}
		parts[p.named[i]] = append(parts[p.named[i]], sum(b))
	}
	for name, h := range combine(parts) {
		out[name] = h
	}
}

// combine makes one hash of all the things of one name, whatever their order.
func combine(parts map[string][]Hash) map[string]Hash {
	out := make(map[string]Hash, len(parts))
	for name, list := range parts {
		slices.Sort(list)
		out[name] = list[0]
		if len(list) > 1 {
			out[name] = sum(fmt.Append(nil, list))
		}
	}
	return out
}

// aboutBuild returns how many bytes at the start of a data symbol follow from
// the rest or speak of the build: addresses, line tables, version, folder.
// Where symbols have no sizes the symbol may reach over unnamed data, which
// counts.
func (p *printer) aboutBuild(s symbol) uint64 {
	known := func(size uint64) uint64 {
		if p.im.sized {
			return s.size
		}
		return min(size, s.size)
	}
	switch s.name {
	case "runtime.buildVersion", "runtime.modinfo", "runtime.defaultGOROOT":
		return min(16, s.size)
	case "runtime.buildVersion.str", "runtime.modinfo.str", "runtime.defaultGOROOT.str":
		header, _ := p.im.mark(strings.TrimSuffix(s.name, ".str"))
		n, _ := p.im.word(header + 8)
		return known(n + 1) // the linker ends it with a zero
	case "runtime.firstmoduledata", "local.moduledata":
		return known(560) // in go1.24 to go1.27 560 to 608
	case "runtime.textsectionmap":
		return known(24)
	case "go:buildinfo.ref":
		return known(8)
	case "go:buildinfo", "go:fipsinfo", "runtime.findfunctab", "runtime.pclntab", "runtime.pcheader", "runtime.funcnametab",
		"runtime.cutab", "runtime.filetab", "runtime.pctab", "runtime.functab", "runtime.typelink", "runtime.itablink":
		return s.size
	}
	return 0
}

func sum(b []byte) Hash {
	h := sha256.Sum256(b)
	return Hash(binary.BigEndian.Uint64(h[:8]))
}

// appendLabel adds a label so that no other sequence of bytes and labels
// looks the same.
func appendLabel(b []byte, label string) []byte {
	b = binary.AppendUvarint(append(b, 1), uint64(len(label)))
	return append(b, label...)
}

// byName returns the indexes of names in the order of the names.
func byName(names []string) []int {
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(names[a], names[b]) })
	return order
}
