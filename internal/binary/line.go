package binary

// A LineOf is a run of a function's instructions, from Addr up to End, that come from one
// line. File is as the compiler wrote it, mostly a whole path. For inlined code it is the
// line in the inlined function.
type LineOf struct {
	Addr, End uint64
	File      string
	Line      int
}

// An InlinedCall is a call that the compiler replaced by the code of Callee. File and
// Line are the call's. Line is 0 if no code of the call's own line is left.
type InlinedCall struct {
	Callee string
	// File and Line are of the call. Line is 0 where no code is left of the call's own
	// line.
	File string
	Line int
}

// Line returns the file and line of the instruction at addr; ok is false if Go's line
// table has none, as for C functions. It works in stripped files too.
func (f *File) Line(addr uint64) (file string, line int, ok bool) {
	lf, ok := f.lines.function(addr)
	if !ok {
		return "", 0, false
	}
	file, line = lf.fileAt(addr), int(valueAt(lf.values(funcLine), addr))
	return file, line, line > 0 && file != ""
}

// Start returns where a function is declared: the line of its func keyword.
func (f *File) Start(fn Func) (file string, line int, ok bool) {
	lf, ok := f.lines.function(fn.Addr)
	if !ok {
		return "", 0, false
	}
	file, line = lf.fileAt(fn.Addr), int(int32(u32(lf.record, funcStart)))
	return file, line, line > 0 && file != ""
}

// LinesOf returns the lines of a function's instructions by address, nil for a C
// function.
func (f *File) LinesOf(fn Func) []LineOf {
	lf, ok := f.lines.function(fn.Addr)
	if !ok {
		return nil
	}
	lf.end = min(lf.end, fn.Addr+fn.Size)
	files := lf.values(funcFile)
	names := map[int32]string{}
	var list []LineOf
	next := 0
	for _, s := range lf.values(funcLine) {
		for pc := s.start; pc < s.end; {
			for next < len(files) && files[next].end <= pc {
				next++
			}
			stop, n := s.end, int32(-1)
			if next < len(files) {
				stop, n = min(stop, files[next].end), files[next].value
			}
			if _, ok := names[n]; !ok {
				names[n] = lf.fileName(lf.record, n)
			}
			list = append(list, LineOf{pc, stop, names[n], int(s.value)})
			pc = stop
		}
	}
	return list
}

// Inlined returns the calls that were inlined into a function and left code there, once
// each, with those in inlined functions. They come from the tree of Go's own stack
// traces, which stripped files keep. Nil is none or unknown: in C functions, and in
// stripped Mach-O files of the system's linker.
func (f *File) Inlined(fn Func) []InlinedCall {
	lf, ok := f.lines.function(fn.Addr)
	r := lf.record
	if !ok || lf.gofunc == 0 || r == nil {
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
	calls := inlinedCalls{lineFunc: lf, tree: lf.im.rest(lf.gofunc + uint64(off)), seen: map[int32]bool{},
		index: lf.values(funcSize + 4*inlineIndex), files: lf.values(funcFile), lines: lf.values(funcLine)}
	for _, s := range calls.index {
		calls.add(s.value)
	}
	return calls.list
}

// inlinedCalls collects the calls of an inline tree.
type inlinedCalls struct {
	lineFunc
	tree                []byte
	index, files, lines []stretch
	seen                map[int32]bool
	list                []InlinedCall
}

// add adds call number n and those that it is inlined in. It visits each number once, so
// that a damaged tree ends too.
func (c *inlinedCalls) add(n int32) {
	for n >= 0 && !c.seen[n] && (int(n)+1)*inlinedSize <= len(c.tree) {
		c.seen[n] = true
		node := c.tree[int(n)*inlinedSize:]
		call := c.entry + uint64(u32(node, 8))
		in := InlinedCall{Callee: c.name(n), Line: max(0, int(valueAt(c.lines, call)))}
		in.File = c.fileName(c.record, valueAt(c.files, call))
		c.list = append(c.list, in)
		n = valueAt(c.index, call)
	}
}

func (c *inlinedCalls) name(n int32) string {
	if (int(n)+1)*inlinedSize > len(c.tree) {
		return ""
	}
	return cString(c.names, uint64(u32(c.tree[int(n)*inlinedSize:], 4)))
}
