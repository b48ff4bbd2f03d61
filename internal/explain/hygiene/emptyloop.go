package hygiene

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/printable"
)

// noWork warns of a loop of which the compiler has left the counting only. The loop in
// the binary is matched with that in the source by its lines; without sources nothing is
// said.
func noWork(in Input, src *source) assay.Warning {
	loops := src.loops()
	if in.Binary == nil || in.Root == "" || len(loops) != 1 {
		return assay.Warning{}
	}
	l := src.lines(loops[0])
	for _, fn := range loopHolders(in, src) {
		if list := emptyLoop(in.Binary.Insts(fn), fn.Addr, l); len(list) > 0 {
			return noWorkWarning(in, src.place(loops[0].stmt.Pos()), l, list)
		}
	}
	return assay.Warning{}
}

func noWorkWarning(in Input, at string, l loopLines, list []binary.Inst) assay.Warning {
	w := assay.Warning{Code: assay.CodeNoWork,
		Text:   fmt.Sprintf("%s measures an empty loop: the compiler removed everything it calls", in.name()),
		Facts:  []string{at + ": all that is left is " + printable.Line(strings.Join(texts(list), "; "), binary.MaxNameLen)},
		Advice: keepAlive}
	if l.kind == loopCall {
		w.Facts = []string{at + ": all that is left is the code of b.Loop itself"}
		for _, r := range loopRules {
			if r.drops && r.before != "" {
				w.Facts = append(w.Facts, fmt.Sprintf("before %s: %s (%s)", r.before, r.does, r.source))
			}
		}
		w.Advice = "store the result in a package-level variable"
	}
	return w
}

// maxHolders is the number of functions in which a benchmark's loop is looked for.
const maxHolders = 200

// loopHolders lists the functions that may hold the benchmark's loop: its own and its
// helpers', with their closures.
func loopHolders(in Input, src *source) (out []binary.Func) {
	names := []string{in.Root}
	if i := strings.LastIndex(in.Root, ".Benchmark"); i >= 0 {
		for _, h := range src.helpers {
			names = append(names, in.Root[:i+1]+h)
		}
	}
	for _, fn := range in.Binary.Funcs {
		for _, name := range names {
			if rest, ok := strings.CutPrefix(fn.Name, name); ok && (rest == "" || rest[0] == '.') {
				out = append(out, fn)
			}
		}
	}
	return out[:min(len(out), maxHolders)]
}

// loopLines are the lines of a loop in the source: its header from first to header, its
// body up to last.
type loopLines struct {
	kind                string
	file                string
	first, header, last int
}

func (s *source) lines(l benchLoop) loopLines {
	from, brace, end := s.files.Position(l.stmt.Pos()), s.files.Position(l.block.Lbrace), s.files.Position(l.block.Rbrace)
	return loopLines{l.kind, from.Filename, from.Line, brace.Line, end.Line}
}

func (l loopLines) inHeader(in binary.Inst) bool {
	return path.Base(in.File) == l.file && in.Line >= l.first && in.Line <= l.header
}

func (l loopLines) inBody(in binary.Inst) bool {
	return path.Base(in.File) == l.file && in.Line > l.header && in.Line <= l.last
}

// emptyLoop returns the instructions of the loop in a function, if it is the one of these
// lines and only counts; else nil.
func emptyLoop(list []binary.Inst, start uint64, l loopLines) []binary.Inst {
	// Anywhere in the function: blocks of a loop need not be together.
	busy := slices.ContainsFunc(list, func(in binary.Inst) bool { return l.inBody(in) && !isNop(in) })
	found := turns(list, start, l)
	if busy || len(found) != 1 || !onlyCounts(found[0], l) {
		return nil
	}
	return found[0]
}

// turns lists the loops that begin or jump back on a line of the header: for each target
// of a jump back, the instructions up to the last such jump.
func turns(list []binary.Inst, start uint64, l loopLines) (out [][]binary.Inst) {
	index := map[uint64]int{}
	last := map[int]int{}
	for i, in := range list {
		index[in.Addr] = i
		to, ok := index[start+uint64(jumpsTo(in))]
		if ok && jumpsTo(in) >= 0 && (l.inHeader(in) || l.inHeader(list[to])) {
			last[to] = i
		}
	}
	for i := range list {
		if j, ok := last[i]; ok {
			out = append(out, list[i:j+1])
		}
	}
	return out
}

var jumpTarget = regexp.MustCompile(`(?:^| )\+0x([0-9a-f]+)$`)

// jumpsTo returns how far from the start of its function an instruction jumps, -1 if it
// does not or jumps elsewhere.
func jumpsTo(in binary.Inst) int64 {
	m := jumpTarget.FindStringSubmatch(in.Text)
	if m == nil || in.Call || kindOf(in) != "branch" && kindOf(in) != "jump" {
		return -1
	}
	n, err := strconv.ParseInt(m[1], 16, 63)
	if err != nil {
		return -1
	}
	return n
}

// onlyCounts reports whether the instructions of a loop do no more than its header asks
// for.
func onlyCounts(list []binary.Inst, l loopLines) bool {
	if l.kind == loopCall {
		return onlyLoop(list, l)
	}
	count := map[string]int{}
	for _, in := range list {
		if !isNop(in) && !l.inHeader(in) {
			return false
		}
		count[kindOf(in)]++
	}
	return count["other"] == 0 && count["count"] == 1 && count["compare"] <= 1 && count["load"] <= 1 && count["branch"] == 1 && count["jump"] <= 1
}

// onlyLoop reports whether a loop holds nothing but the inlined b.Loop.
func onlyLoop(list []binary.Inst, l loopLines) bool {
	slow := 0
	for _, in := range list {
		switch {
		case in.Call && in.Callee == "testing.(*B).loopSlowPath":
			slow++
		case in.Call:
			return false
		case strings.HasSuffix(in.File, "testing/benchmark.go"), isNop(in):
		case !l.inHeader(in) || kindOf(in) == "count" || kindOf(in) == "other":
			return false
		}
	}
	return slow == 1
}

func isNop(in binary.Inst) bool { return kindOf(in) == "nop" }

// The instructions of loops that count, in Go's syntax for amd64 and arm64, by their
// whole text, so that those with another operand do not match.
var loopInsts = []struct {
	kind string
	text *regexp.Regexp
}{
	{"nop", regexp.MustCompile(`^(NOP[LW]?( .*)?|NOOP|XCHG[LW] AX, AX|HINT .*)$`)},
	{"count", regexp.MustCompile(`^((INC|DEC)[LQ] [A-Z0-9]+|(ADD|SUB)[LQ] \$-?[0-9a-fx]+, [A-Z0-9]+|LEA[LQ] -?[0-9a-fx]+\([A-Z0-9]+\), [A-Z0-9]+|(ADD|SUB)W? \$[0-9a-fx]+, R\d+, R\d+)$`)},
	{"compare", regexp.MustCompile(`^(CMP|TEST)[LQ] [^ ]+, [^ ]+$|^(CMP|TST|CMN)W? [^ ]+, R\d+$`)},
	{"branch", regexp.MustCompile(`^(J[A-Z]{1,3}|B[A-Z]{2}|C?BN?ZW?|CBN?ZW? R\d+,|TBN?Z \$\d+, R\d+,) \+0x[0-9a-f]+$`)},
	{"jump", regexp.MustCompile(`^(JMP|B) \+0x[0-9a-f]+$`)},
	{"load", regexp.MustCompile(`^MOV[LQ] -?[0-9a-fx]*\([A-Z0-9]+\), [A-Z0-9]+$|^MOVD -?[0-9a-fx]*\(R[A-Z0-9]+\), R\d+$`)},
}

// kindOf names what an instruction does in a loop that counts, "other" for all that such
// a loop has no use for.
func kindOf(in binary.Inst) string {
	if in.Call || in.Indirect || in.Callee != "" {
		return "other"
	}
	if strings.HasPrefix(in.Text, "JMP ") { // which looks like a condition
		return "jump"
	}
	for _, k := range loopInsts {
		if k.text.MatchString(in.Text) {
			return k.kind
		}
	}
	return "other"
}

func texts(list []binary.Inst) (out []string) {
	for _, in := range list {
		if !isNop(in) {
			out = append(out, in.Text)
		}
	}
	return out
}
