package hygiene

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
)

// harmless are methods of testing.B that do not repeat anything. Any other use of a b
// counts as using its N: also skipping, and reporting metrics of one's own, which then
// are what counts.
var harmless = []string{"ReportAllocs", "SetBytes", "StopTimer", "StartTimer", "ResetTimer", "Log", "Logf", "Error", "Errorf",
	"Fatal", "Fatalf", "Fail", "FailNow", "Failed", "Helper", "Name", "Cleanup", "TempDir", "Setenv", "Chdir", "Context", "Elapsed"}

// repeating are the names by which a benchmark repeats its work.
var repeating = []string{"N", "Loop", "RunParallel", "Run", "Next"}

// unusedN warns of a benchmark that does its work once, whatever b.N is.
func unusedN(in Input, src *source) assay.Warning {
	if len(src.bodies) == 0 || slices.ContainsFunc(src.bodies, usesN) {
		return assay.Warning{}
	}
	return assay.Warning{Code: assay.CodeNUnused,
		Text:   fmt.Sprintf("%s does not repeat its work: it neither reads b.N nor calls b.Loop", in.name()),
		Facts:  []string{src.place(src.bodies[0].block.Pos()) + ": the time of an operation is that of one run divided by b.N, which means nothing"},
		Advice: "for b.Loop() { ... } around the code to measure"}
}

// usesN reports whether a body may use its b.N: any use of b except the harmless methods.
func usesN(b body) bool {
	fine := map[*ast.Ident]bool{}
	for _, sel := range nodes[*ast.SelectorExpr](b.block) {
		if slices.Contains(repeating, sel.Sel.Name) { // of whatever: an outer b, a wrapped one
			return true
		}
		if id, ok := sel.X.(*ast.Ident); ok && slices.Contains(harmless, sel.Sel.Name) {
			fine[id] = true
		}
	}
	return slices.ContainsFunc(nodes[*ast.Ident](b.block), func(id *ast.Ident) bool { return id.Name == b.b && !fine[id] })
}

// slowEnough is the time of an operation in seconds from which stopping the timer around
// it has no visible effect. With the two calls in each turn, go1.26.8 on two busy CPUs
// measured 100 ns for 4.4 ns, 18 µs for 4 µs, 1.7 ms for 0.9 ms, and no more for 15 ms:
// other threads wake up each time.
const slowEnough = 10e-3

// stoppedTimer warns of a timer that is stopped in every turn of the loop.
func stoppedTimer(in Input, src *source) assay.Warning {
	var at []token.Pos
	reset := false
	for _, l := range src.loops() {
		everyTurn(l.block, func(c *ast.CallExpr) {
			for _, method := range []string{"StopTimer", "StartTimer", "ResetTimer"} {
				if isMethod(c.Fun, l.in.b, method) {
					at = append(at, c.Pos())
					reset = reset || method == "ResetTimer"
				}
			}
		})
	}
	if len(at) == 0 || !reset && in.PerOp >= slowEnough {
		return assay.Warning{}
	}
	w := assay.Warning{Code: assay.CodeSetupInLoop, Text: fmt.Sprintf("%s stops the timer in every turn of its loop", in.name()),
		Facts:  []string{src.place(at[0]) + ": each stop and start stops all goroutines to read memory statistics, and the measured code begins with cold caches"},
		Advice: "prepare the inputs of many turns before the loop, or measure the preparation as well"}
	if reset {
		w.Text = fmt.Sprintf("%s resets the timer in every turn of its loop", in.name())
		w.Facts = []string{src.place(at[0]) + ": only the last turn is timed, and its time is divided by b.N"}
		w.Advice = "b.ResetTimer() before the loop"
	}
	return w
}

// A preparation is a function that usually prepares what a benchmark works on. Words in a
// benchmark's name or package say that it is what is measured.
type preparation struct {
	pkg   string
	names []string
	words []string
}

var (
	fileWords     = []string{"file", "open", "creat", "read", "writ", "load", "save", "stor", "disk", "fs", "dir", "copy"}
	regexpWords   = []string{"regexp", "compile", "pattern", "parse"}
	templateWords = []string{"template", "parse", "compile", "render", "load"}
	randWords     = []string{"rand", "seed", "new", "source"}
)

var preparations = []preparation{
	{"os", []string{"ReadFile", "Open", "Create", "OpenFile"}, fileWords},
	{"io/ioutil", []string{"ReadFile"}, fileWords},
	{"regexp", []string{"Compile", "MustCompile", "CompilePOSIX", "MustCompilePOSIX"}, regexpWords},
	{"text/template", []string{"Must", "ParseFiles", "ParseGlob", "ParseFS"}, templateWords},
	{"html/template", []string{"Must", "ParseFiles", "ParseGlob", "ParseFS"}, templateWords},
	// Seeding fills 607 words. The sources of math/rand/v2 cost next to nothing.
	{"math/rand", []string{"NewSource", "NewZipf"}, randWords},
}

// setupInLoop warns of a call in every turn of the loop that plainly prepares something,
// in a benchmark of something else.
func setupInLoop(in Input, src *source) assay.Warning {
	var w assay.Warning
	for _, l := range src.loops() {
		stopped := false // by StopTimer: what follows is not measured
		everyTurn(l.block, func(c *ast.CallExpr) {
			stopped = isMethod(c.Fun, l.in.b, "StopTimer") || stopped && !isMethod(c.Fun, l.in.b, "StartTimer")
			name := prepares(c, l.in.file, in.Benchmark)
			if name == "" || stopped || w.Code != "" {
				return
			}
			w = assay.Warning{Code: assay.CodeSetupInLoop, Text: fmt.Sprintf("%s calls %s in every turn of its loop", in.name(), name),
				Facts:  []string{src.place(c.Pos()) + ": the time of an operation includes it"},
				Advice: "call it before the loop, unless it is what the benchmark measures"}
		})
	}
	return w
}

// prepares returns the name of the preparation that a call is, "" for none.
func prepares(c *ast.CallExpr, file *ast.File, bench assay.Benchmark) string {
	sel, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	pkg := importPathOf(file, sel.X)
	for _, p := range preparations {
		if p.pkg != pkg || !slices.Contains(p.names, sel.Sel.Name) {
			continue
		}
		tested := strings.TrimSuffix(bench.Package, "_test")
		if tested == pkg || mentionsWord(bench.Name, p.words...) || mentionsWord(path.Base(tested), p.words...) {
			return ""
		}
		return path.Base(pkg) + "." + sel.Sel.Name
	}
	return ""
}
