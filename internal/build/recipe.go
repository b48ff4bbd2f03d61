package build

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay/internal/toolchain"
)

// A command is the linker's command, as the go command ran it, with marks for what differs
// between links. Without a tool there is none.
type command struct {
	tool      string
	args, env []string
	// config is the importcfg: for each package its archive in the go command's build
	// cache, and the build information.
	config string
	// main is where the archive of the main package was found.
	main string
}

// Marks in a command and a Kit.
const (
	markOut    = "$OUT"
	markConfig = "$CONFIG"
	markSeed   = "$SEED"
	markMain   = "$MAIN" // not in a Kit
	markBlob   = "$BLOB/"
)

// captureSeed stands for the seed while a command is captured; it is long enough to occur
// nowhere else.
const captureSeed uint64 = 4611686018427387847

var captureText = strconv.FormatUint(captureSeed, 10)

// parseCommand finds the linker's command in the output of -x -work and reads the
// importcfg that it left. It returns the zero command if it cannot, or if the link needs
// temporary files other than the archive of the main package.
func parseCommand(log string) command {
	var work, line string
	for l := range strings.Lines(log) {
		l = strings.TrimRight(l, "\r\n")
		if w, ok := strings.CutPrefix(l, "WORK="); ok {
			work = w
		}
		if strings.Contains(l, "importcfg.link ") && strings.Contains(l, " -randlayout=") {
			line = l
		}
	}
	words, ok := shellWords(line)
	if !ok || work == "" {
		return command{}
	}
	cmd, config := readCommand(words)
	data, err := os.ReadFile(strings.Replace(config, "$WORK", work, 1))
	if err != nil || len(cmd.args) == 0 || strings.TrimSuffix(filepath.Base(cmd.tool), toolchain.Exe()) != "link" { // another with -toolexec
		return command{}
	}
	last := &cmd.args[len(cmd.args)-1]
	cmd.main = strings.Replace(*last, "$WORK", work, 1)
	*last = markMain
	cmd.config = strings.ReplaceAll(strings.ReplaceAll(string(data), cmd.main, markMain), captureText, markSeed)
	all := strings.Join(cmd.args, " ")
	if strings.Contains(cmd.config, work) || strings.Contains(all, "$WORK") || !strings.Contains(all, markOut) || !strings.Contains(all, markSeed) {
		return command{}
	}
	return cmd
}

// readCommand sorts the words of the linker's command and returns the name of its
// importcfg.
func readCommand(words []string) (cmd command, config string) {
	for i, w := range words {
		switch {
		case cmd.tool == "" && isAssignment(w):
			cmd.env = append(cmd.env, w)
		case cmd.tool == "":
			cmd.tool = w
		case words[i-1] == "-o":
			cmd.args = append(cmd.args, markOut)
		case words[i-1] == "-importcfg":
			config = w
			cmd.args = append(cmd.args, markConfig)
		default:
			cmd.args = append(cmd.args, strings.ReplaceAll(w, captureText, markSeed))
		}
	}
	return cmd, config
}

func isAssignment(w string) bool {
	name, _, ok := strings.Cut(w, "=")
	return ok && !strings.ContainsAny(name, `/\`)
}

// shellWords splits a command printed by -x: words with odd characters are Go strings,
// and values of variables may be in single quotes.
func shellWords(s string) (words []string, ok bool) {
	for s = strings.TrimLeft(s, " "); s != ""; s = strings.TrimLeft(s, " ") {
		var w strings.Builder
		for s != "" && s[0] != ' ' {
			part, rest, ok := shellPart(s)
			if !ok {
				return nil, false
			}
			w.WriteString(part)
			s = rest
		}
		words = append(words, w.String())
	}
	return words, len(words) > 0
}

// shellPart cuts one quoted or plain piece of a word off s.
func shellPart(s string) (part, rest string, ok bool) {
	switch s[0] {
	case '\'':
		return strings.Cut(s[1:], "'")
	case '"':
		q, err := strconv.QuotedPrefix(s)
		if err != nil {
			return "", "", false
		}
		part, err = strconv.Unquote(q)
		return part, s[len(q):], err == nil
	}
	n := strings.IndexAny(s, ` '"`)
	if n < 0 {
		n = len(s)
	}
	return s[:n], s[n:], true
}
