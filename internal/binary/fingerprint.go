package binary

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/seed-1318a441/assay/internal/fault"
)

// A fingerprinter turns an image into a Print in three passes: it decodes all functions, finds
// where unnamed objects begin (wherever something points), then hashes.
type fingerprinter struct {
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
	// labels caches the meaning of an address, by the number of pointers followed.
	labels [maxDepth + 1]map[uint64]string
	chunks []chunk
}

// maxDepth is the number of pointers between unnamed objects that a description follows.
// It only affects which functions are named as changed: all unnamed data is hashed in its
// own place too.
const maxDepth = 2

// Fingerprint reads a binary and hashes its functions and data. It takes 0.2 to 0.4 s for
// 10 MB on two cores. A stripped binary is an error.
func Fingerprint(path string) (*Print, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	if f.Stripped() {
		return nil, fmt.Errorf("fingerprint %q: %w", path, ErrStripped)
	}
	return f.Print(), nil
}

// Print returns the fingerprint of a file, nil for a stripped one.
func (f *File) Print() *Print {
	if f.Stripped() {
		return nil
	}
	return f.image.print()
}

func (im *image) print() *Print {
	p := newFingerprinter(im)
	p.decode()
	p.nameAll()
	p.findBounds()
	p.findChunks()
	out := &Print{Format: printFormat, Platform: im.format + "/" + im.arch, Data: map[string]Hash{}}
	out.Funcs = p.hashFuncs(p.appendOperand)
	p.hashNamed(out.Data)
	p.hashChunks(out.Data)
	out.Data["places of unnamed data"] = p.hashPlaces()
	slices.Sort(im.imports)
	out.Data["imports"] = sum([]byte(strings.Join(im.imports, "\n")))
	// Last, because only now all types in use are known.
	p.types.hash(p, out.Data)
	return out
}

func newFingerprinter(im *image) *fingerprinter {
	p := &fingerprinter{im: im, types: newTypeTable(im)}
	for i := range p.labels {
		p.labels[i] = map[uint64]string{}
	}
	return p
}

// decode finds the operands of all functions that depend on the layout.
func (p *fingerprinter) decode() {
	p.refs = make([][]ref, len(p.im.funcs))
	refs := refsX86
	if p.im.arch == "arm64" {
		refs = refsA64
	}
	inParallel(len(p.refs), func(i int) {
		f := p.im.funcs[i]
		p.refs[i] = refs(p.im.bytes(f.addr, f.size), f.addr)
	})
}

// inParallel calls do with the numbers below n, on all CPUs.
func inParallel(n int, do func(i int)) {
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wg.Go(func() {
			defer fault.Exit()
			for i := w; i < n; i += workers {
				do(i)
			}
		})
	}
	wg.Wait()
}

// masked returns a function's bytes without what depends on the layout.
func (p *fingerprinter) masked(i int) []byte {
	f := p.im.funcs[i]
	code := bytes.Clone(p.im.bytes(f.addr, f.size))
	for _, r := range p.refs[i] {
		w := binary.LittleEndian.Uint32(code[r.off:])
		binary.LittleEndian.PutUint32(code[r.off:], w&^r.mask)
	}
	return code
}

// nameAll gives things of one name (static functions and variables of C) different names
// by their content, which does not depend on their order.
func (p *fingerprinter) nameAll() {
	p.funcs = uniqueNames(p.im.funcs, p.masked)
	p.named = uniqueNames(p.im.named, func(i int) []byte { return p.im.bytes(p.im.named[i].addr, p.im.named[i].size) })
}

func uniqueNames(list []symbol, content func(int) []byte) []string {
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

// findBounds collects where unnamed objects begin, from everything that points at them,
// and where all others begin and end.
func (p *fingerprinter) findBounds() {
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
			if v, ok := p.pointer(at); ok {
				p.addBound(v)
			}
		}
	}
	slices.Sort(p.targets)
	p.targets = slices.Compact(p.targets)
	slices.Sort(p.bounds)
	p.bounds = slices.Compact(p.bounds)
}

func (p *fingerprinter) addBound(addr uint64) {
	if s := p.im.section(addr); s != nil && !s.exec && !s.skip && find(p.im.named, addr) < 0 && !p.types.holds(addr) {
		p.bounds = append(p.bounds, addr)
		p.targets = append(p.targets, addr)
	}
}

// hashFuncs hashes functions: their bytes, and what appendTarget adds for each operand.
func (p *fingerprinter) hashFuncs(appendTarget func(b []byte, target uint64) []byte) map[string]Hash {
	parts := map[string][]Hash{}
	for i, name := range p.funcs {
		b := p.masked(i)
		for _, r := range p.refs[i] {
			if !r.half {
				b = appendTarget(b, r.target)
			}
		}
		parts[name] = append(parts[name], sum(b))
	}
	return combineHashes(parts)
}

// appendOperand adds what an operand means.
func (p *fingerprinter) appendOperand(b []byte, target uint64) []byte {
	return appendLabel(b, p.label(target, 0))
}

// hashNamed hashes the content of all named data, with pointers resolved.
func (p *fingerprinter) hashNamed(out map[string]Hash) {
	parts := map[string][]Hash{}
	for i, s := range p.im.named {
		sec := p.im.section(s.addr)
		skip := p.im.aboutBuild(s)
		if sec.skip || skip >= s.size {
			continue
		}
		size := s.size
		if !p.im.sized { // of zeroes, with padding and what is unnamed
			size >>= 10
		}
		b := binary.LittleEndian.AppendUint64(nil, size)
		b = append(b, p.content(s.addr+skip, s.end(), 1)...)
		parts[p.named[i]] = append(parts[p.named[i]], sum(b))
	}
	maps.Copy(out, combineHashes(parts))
}

// combineHashes makes one hash of all things of one name, whatever their order.
func combineHashes(parts map[string][]Hash) map[string]Hash {
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

func sum(b []byte) Hash {
	h := sha256.Sum256(b)
	return Hash(binary.BigEndian.Uint64(h[:8]))
}

// appendLabel adds a label in a form that no other sequence of bytes and labels has.
func appendLabel(b []byte, label string) []byte {
	b = binary.AppendUvarint(append(b, 1), uint64(len(label)))
	return append(b, label...)
}

// byName returns the indexes of names, in the order of the names.
func byName(names []string) []int {
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(names[a], names[b]) })
	return order
}
