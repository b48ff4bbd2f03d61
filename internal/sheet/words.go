package sheet

import (
	"cmp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/shell"
)

// JoinWords joins texts that are not empty.
func JoinWords(sep string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), sep)
}

// ShellLine joins words so that a shell reads them again.
func ShellLine(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w
		// Braces need no quotes: {bin} is no alternative to a shell, and reads better.
		if w == "" || strings.ContainsAny(w, " \t\n\"'\\$`&|;<>()*?[]~#!") {
			out[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(out, " ")
}

// Run is "run 7k2m", "" of a result that comes from no run.
func Run(r *assay.Result) string {
	if r.Run == "" {
		return ""
	}
	return "run " + r.Run
}

// RunArg is a run on the command line, quoted for a shell; "" of a result that comes from
// none.
func RunArg(r *assay.Result) string {
	if ref := cmp.Or(r.Ref, r.Run); ref != "" {
		return shell.Quote(ref)
	}
	return ""
}

// IDs identify a result: its run and its study.
func IDs(r *assay.Result) string {
	study := ""
	if r.StudyHash != "" {
		study = "study " + ShortHash(r.StudyHash)
	}
	return JoinWords(" · ", Run(r), study)
}

// Interleaved is "12 blocks, interleaved", "" of none.
func Interleaved(blocks int) string {
	if blocks <= 0 {
		return ""
	}
	return printable.Count(blocks, "block") + interleaved
}

// RunBlocks is "88 blocks, geomean over 20–28, interleaved" of a run, "" where nothing
// ran.
func RunBlocks(r *assay.Result) string {
	if r.Spent.Blocks <= 0 {
		return ""
	}
	return answer.Blocks(r) + interleaved
}

const interleaved = ", interleaved"

// ShortHash is as much of a hash as tells it from others.
func ShortHash(h string) string { return h[:min(len(h), 8)] }
