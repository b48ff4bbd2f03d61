package binary

// A LineOf is a stretch of a function's instructions, from Addr up to End, that
// come from one line. File is as the compiler wrote it, mostly a whole path. Of
// what was inlined it is the line in the inlined function.
type LineOf struct {
	Addr, End uint64
	File      string
	Line      int
}

// An InlinedCall is a call that the compiler replaced by the callee's code.
type InlinedCall struct {
	// Callee is the function that was inlined.
	Callee string
	// Parent is the inlined function whose call it was; "" is the function itself.
	Parent string
	// File and Line are of the call. Line is 0 where no code is left of the call's
	// own line.
	File string
	Line int
}

// Line returns the file and line of the instruction at addr; ok is false where
// Go's line table has none: in C functions. It works in stripped files as well.
func (f *File) Line(addr uint64) (file string, line int, ok bool) {
	t := f.lines
	i := t.find(addr)
	if i < 0 {
		return "", 0, false
	}
	r := t.record(i)
	entry, end := t.entry(i), t.entry(i+1)
	n := valueAt(t.stretches(u32(r, funcLine), entry, end), addr)
	file = t.fileName(r, valueAt(t.stretches(u32(r, funcFile), entry, end), addr))
	return file, int(n), n > 0 && file != ""
}

// Start returns where a function is declared: the line of its func keyword.
func (f *File) Start(fn Func) (file string, line int, ok bool) {
	t := f.lines
	i := t.find(fn.Addr)
	if i < 0 {
		return "", 0, false
	}
	r := t.record(i)
	file = t.fileName(r, valueAt(t.stretches(u32(r, funcFile), t.entry(i), t.entry(i+1)), fn.Addr))
	line = int(int32(u32(r, funcStart)))
	return file, line, line > 0 && file != ""
}

// LinesOf returns the lines of a function's instructions by address, nil for a C
// function.
func (f *File) LinesOf(fn Func) []LineOf {
	t := f.lines
	i := t.find(fn.Addr)
	if i < 0 {
		return nil
	}
	r := t.record(i)
	entry, end := t.entry(i), min(t.entry(i+1), fn.Addr+fn.Size)
	files := t.stretches(u32(r, funcFile), entry, end)
	names := map[int32]string{}
	var list []LineOf
	next := 0
	for _, s := range t.stretches(u32(r, funcLine), entry, end) {
		for pc := s.start; pc < s.end; {
			for next < len(files) && files[next].end <= pc {
				next++
			}
			stop, n := s.end, int32(-1)
			if next < len(files) {
				stop, n = min(stop, files[next].end), files[next].value
			}
			if _, ok := names[n]; !ok {
				names[n] = t.fileName(r, n)
			}
			list = append(list, LineOf{pc, stop, names[n], int(s.value)})
			pc = stop
		}
	}
	return list
}

// Inlined returns the calls that were inlined into a function and left code
// there, once each, those in inlined functions too. They come from the tree that
// Go's own stack traces use, which stripped files keep. Nil is none or unknown:
// in C functions, and in stripped Mach-O files of the system's linker.
func (f *File) Inlined(fn Func) []InlinedCall {
	t := f.lines
	i := t.find(fn.Addr)
	if i < 0 || t.gofunc == 0 {
		return nil
	}
	r := t.record(i)
	if r == nil {
		return nil
	}
	values, datas := uint64(u32(r, funcValues)), uint64(r[funcDataCount])
	if values <= inlineIndex || datas <= inlineTree || values > 1<<8 {
		return nil
	}
	off := u32(r, funcSize+4*(values+inlineTree))
	if off == ^uint32(0) {
		return nil
	}
	entry, end := t.entry(i), t.entry(i+1)
	tree := inlinedCalls{t: t, tree: t.im.rest(t.gofunc + uint64(off)), record: r, entry: entry, seen: map[int32]bool{},
		index: t.stretches(u32(r, funcSize+4*inlineIndex), entry, end),
		files: t.stretches(u32(r, funcFile), entry, end),
		lines: t.stretches(u32(r, funcLine), entry, end)}
	for _, s := range tree.index {
		tree.add(s.value)
	}
	return tree.list
}

// inlinedCalls collects the calls of an inline tree.
type inlinedCalls struct {
	t                   *lineTable
	tree, record        []byte
	entry               uint64
	index, files, lines []stretch
	seen                map[int32]bool
	list                []InlinedCall
}

// add adds call number n and those that it is inlined in. Each step marks a
// number as seen, so that a damaged tree ends too.
func (c *inlinedCalls) add(n int32) {
	for n >= 0 && !c.seen[n] && (int(n)+1)*inlinedSize <= len(c.tree) {
		c.seen[n] = true
		node := c.tree[int(n)*inlinedSize:]
		call := c.entry + uint64(u32(node, 8))
		parent := valueAt(c.index, call)
		in := InlinedCall{Callee: c.name(n), Line: max(0, int(valueAt(c.lines, call)))}
		in.File = c.t.fileName(c.record, valueAt(c.files, call))
		if parent >= 0 {
			in.Parent = c.name(parent)
		}
		c.list = append(c.list, in)
		n = parent
	}
}

// name returns the function of call number n.
func (c *inlinedCalls) name(n int32) string {
	if (int(n)+1)*inlinedSize > len(c.tree) {
		return ""
	}
	return cString(c.t.names, uint64(u32(c.tree[int(n)*inlinedSize:], 4)))
}
