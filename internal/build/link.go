package build

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/memo"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/process"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// Relink links a request's binary again, with the function order of the seed r.Layout,
// and writes it to the file out. It compiles nothing that Binary has compiled, and keeps
// only how to link.
//
// It runs the linker itself with the command that the go command used once: for a test
// binary the size of strconv's that takes 150 ms, and go test -c, which checks every
// package again, 260 ms. Apart from the build ID, the file is the one that go test -c
// -ldflags=-randlayout=SEED makes. If the go command's build cache has been emptied
// since, or its output is not understood, the go command links.
func (b *Builder) Relink(ctx context.Context, r Request, out string) (Artifact, error) {
	if r.Layout == 0 || r.Layout > math.MaxInt64 {
		return Artifact{}, fmt.Errorf("relink %s: layout %d is not a seed from 1 to 1<<63-1", r.Package, r.Layout)
	}
	j, err := b.job(ctx, r)
	if err != nil {
		return Artifact{}, err
	}
	if r.Align > 0 && !j.tc.HasFuncAlign() {
		return Artifact{}, fmt.Errorf("relink %s: the linker of %s has no -funcalign; go1.25 was the first", r.Package, j.tc.Version)
	}
	if !j.tc.HasRandLayout() {
		return Artifact{}, fmt.Errorf("relink %s: the linker of %s has no -randlayout; go1.23 was the first", r.Package, j.tc.Version)
	}
	a, id, err := b.binary(ctx, j)
	if err != nil {
		return Artifact{}, err
	}
	start := time.Now()
	if err := b.links.link(ctx, j, id, out); err != nil {
		return Artifact{}, err
	}
	a.ID, a.Path, a.Cached, a.Link = fmt.Sprintf("%s-%x", id, r.Layout), out, false, time.Since(start)
	a.SHA256, err = disk.Digest(out)
	return a, err
}

// A linker links cached binaries, by recipes kept beside them.
type linker struct {
	cache    *cache.Cache
	commands *runner
	keys     *keys
	recipes  memo.Map[recipe] // by the ID of the artifact
}

// link makes out in the quickest way that works.
func (l *linker) link(ctx context.Context, j job, id, out string) error {
	for range 2 { // the second time with a recipe made afresh
		rec, err := l.recipes.Do(id, func() (recipe, error) { return l.recipe(ctx, j, id) })
		if err != nil {
			return err
		}
		if rec.Tool == "" {
			break
		}
		if err = l.run(ctx, j, id, rec, out); err == nil || ctx.Err() != nil {
			return err
		}
		l.recipes.Forget(id)
		os.RemoveAll(l.folder(id))
	}
	return l.slowly(ctx, j, id, out)
}

// slowly has the go command link.
func (l *linker) slowly(ctx context.Context, j job, id, out string) error {
	tmp, err := l.cache.TempDir("link-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	flags := withLayout(j.flags(), j.Layout)
	if j.Align > 0 {
		flags = withLinkFlag(flags, alignFlag(j.Align))
	}
	if err := l.commands.build(ctx, j, flags, nil, out, filepath.Join(tmp, "build.log")); err != nil {
		return err
	}
	return l.keys.unchanged(ctx, j, id)
}

// A recipe is how to link a binary: the linker's command with marks for what differs
// between links. Without Tool there is none.
type recipe struct {
	Tool string
	Args []string
	Env  []string
	// Config is the importcfg: for each package its archive in the go command's build
	// cache, and the build information.
	Config string

	main string // where the archive of the main package was found
}

// Marks in a recipe.
const (
	markOut    = "$OUT"
	markConfig = "$CONFIG"
	markSeed   = "$SEED"
	markMain   = "$MAIN"
)

// captureSeed stands for the seed while a recipe is made; it is long enough to occur
// nowhere else.
const captureSeed = 4611686018427387847

// folder is where the recipe of an artifact is kept, with all it takes.
func (l *linker) folder(id string) string { return filepath.Join(artifactFolder(l.cache, id), "link") }

// The files of a link folder: the recipe; a copy of the main package's archive,
// which the go command compiles anew whenever -ldflags change, so that it may have
// been in no cache; and the digests of both, as sha256sum has them.
const (
	recipeName = "link.json"
	mainName   = "main.a"
	sumsName   = "SHA256SUMS"
)

func (l *linker) mainFile(id string) string { return filepath.Join(l.folder(id), mainName) }

// recipe reads an artifact's recipe from the cache or makes it.
func (l *linker) recipe(ctx context.Context, j job, id string) (recipe, error) {
	dir := l.folder(id)
	sums, err := os.ReadFile(filepath.Join(dir, sumsName))
	var rec recipe
	if err == nil && bytes.Equal(sums, linkSums(dir)) && disk.ReadJSON(filepath.Join(dir, recipeName), &rec) && rec.Tool != "" {
		return rec, nil
	}
	if err == nil {
		l.cache.Alert(changedBinary("link of "+j.Package+" for "+j.Variant.Name, "its SHA-256 is another"))
	}
	if err := os.RemoveAll(dir); err != nil {
		return recipe{}, fmt.Errorf("throw away a changed link: %w", err)
	}
	return l.capture(ctx, j, id)
}

// linkSums are the digests of what is in a link folder.
func linkSums(dir string) []byte {
	var out []byte
	for _, name := range []string{recipeName, mainName} {
		digest, err := disk.Digest(filepath.Join(dir, name))
		if err != nil {
			return nil
		}
		out = fmt.Appendf(out, "%s  %s\n", digest, name)
	}
	return out
}

// store keeps a recipe and its archive with an artifact. The folder appears whole, since
// two processes may capture at the same time.
func (l *linker) store(id string, rec recipe, archive []byte) error {
	tmp, err := l.cache.TempDir("link-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	made := filepath.Join(tmp, "link")
	err = os.Mkdir(made, 0o777)
	if err == nil {
		err = os.WriteFile(filepath.Join(made, mainName), archive, 0o666)
	}
	if err == nil {
		err = disk.WriteJSON(filepath.Join(made, recipeName), rec)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(made, sumsName), linkSums(made), 0o666)
	}
	if err != nil {
		return fmt.Errorf("keep how to link: %w", err)
	}
	return cache.Put(made, l.folder(id))
}

// capture links once through the go command with -x -work and stores how it did so.
func (l *linker) capture(ctx context.Context, j job, id string) (recipe, error) {
	tmp, err := l.cache.TempDir("link-")
	if err != nil {
		return recipe{}, err
	}
	defer os.RemoveAll(tmp)
	log := filepath.Join(tmp, "x.log")
	flags := append([]string{"-x", "-work"}, withLayout(j.flags(), captureSeed)...)
	out := filepath.Join(tmp, "captured"+toolchain.Exe())
	if err := l.commands.build(ctx, j, flags, []string{"GOTMPDIR=" + tmp}, out, log); err != nil {
		return recipe{}, err
	}
	if err := l.keys.unchanged(ctx, j, id); err != nil {
		return recipe{}, err
	}
	data, err := os.ReadFile(log)
	if err != nil {
		return recipe{}, fmt.Errorf("read how to link %s: %w", j.Package, err)
	}
	rec := parseRecipe(string(data))
	archive, err := os.ReadFile(rec.main)
	if rec.Tool == "" || err != nil {
		return recipe{}, nil // Relink goes the slow way
	}
	return rec, l.store(id, rec, archive)
}

// parseRecipe finds the linker's command in the output of -x -work and reads the
// importcfg that it left. It returns the zero recipe if it cannot, or if the link needs
// temporary files other than the archive of the main package.
func parseRecipe(log string) recipe {
	var work, command string
	for line := range strings.Lines(log) {
		line = strings.TrimRight(line, "\r\n")
		if w, ok := strings.CutPrefix(line, "WORK="); ok {
			work = w
		}
		if strings.Contains(line, "importcfg.link ") && strings.Contains(line, " -randlayout=") {
			command = line
		}
	}
	words, ok := shellWords(command)
	if !ok || work == "" {
		return recipe{}
	}
	rec, config := readCommand(words)
	data, err := os.ReadFile(strings.Replace(config, "$WORK", work, 1))
	if err != nil || len(rec.Args) == 0 {
		return recipe{}
	}
	last := &rec.Args[len(rec.Args)-1]
	rec.main = strings.Replace(*last, "$WORK", work, 1)
	*last = markMain
	rec.Config = strings.ReplaceAll(strings.ReplaceAll(string(data), rec.main, markMain), strconv.Itoa(captureSeed), markSeed)
	all := strings.Join(rec.Args, " ")
	if strings.Contains(rec.Config, work) || strings.Contains(all, "$WORK") || !strings.Contains(all, markOut) || !strings.Contains(all, markSeed) {
		return recipe{}
	}
	return rec
}

// readCommand sorts the words of the linker's command and returns the name of its
// importcfg.
func readCommand(words []string) (rec recipe, config string) {
	for i, w := range words {
		switch {
		case rec.Tool == "" && isAssignment(w):
			rec.Env = append(rec.Env, w)
		case rec.Tool == "":
			rec.Tool = w
		case words[i-1] == "-o":
			rec.Args = append(rec.Args, markOut)
		case words[i-1] == "-importcfg":
			config = w
			rec.Args = append(rec.Args, markConfig)
		default:
			rec.Args = append(rec.Args, strings.ReplaceAll(w, strconv.Itoa(captureSeed), markSeed))
		}
	}
	return rec, config
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

// run links by a recipe. The binary appears whole or not at all.
func (l *linker) run(ctx context.Context, j job, id string, rec recipe, out string) error {
	if err := l.commands.acquire(ctx); err != nil {
		return err
	}
	defer l.commands.release()
	out, err := filepath.Abs(out)
	if err != nil {
		return fmt.Errorf("link %s: %w", j.Package, err)
	}
	config, made := out+".cfg", out+".new"
	defer os.Remove(config)
	defer os.Remove(made)
	fill := strings.NewReplacer(markSeed, strconv.FormatUint(j.Layout, 10), markOut, made, markConfig, config, markMain, l.mainFile(id))
	if err := os.WriteFile(config, []byte(fill.Replace(rec.Config)), 0o666); err != nil {
		return fmt.Errorf("link %s: %w", j.Package, err)
	}
	var args []string
	if j.Align > 0 {
		args = append(args, alignFlag(j.Align))
	}
	for _, a := range rec.Args {
		args = append(args, fill.Replace(a))
	}
	var errs bytes.Buffer
	if err := process.Run(ctx, j.tree.Dir, append(j.env[:len(j.env):len(j.env)], rec.Env...), &errs, &errs, rec.Tool, args...); err != nil {
		return fmt.Errorf("link %s: %w: %s", j.Package, err, printable.LastLine(errs.String()))
	}
	return os.Rename(made, out)
}
