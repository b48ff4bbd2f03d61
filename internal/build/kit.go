package build

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/process"
)

// A Kit is all that links of a binary take: a linker, archives, and what to tell it. It
// names files by their SHA-256, so that it means the same in every folder, and on a machine
// that has neither Go nor the sources.
type Kit struct {
	// Tool is the sum of the linker.
	Tool string `json:"tool"`
	// Args are the linker's arguments. The mark $BLOB/SUM stands for the path of a file,
	// $OUT, $CONFIG and $SEED for what differs between links.
	Args []string `json:"args"`
	// Env is its whole environment.
	Env []string `json:"env"`
	// Config is the importcfg, with the same marks.
	Config string `json:"config"`
	// Files are all files that it takes, the linker first.
	Files []KitFile `json:"files"`
}

// A KitFile is a file of a Kit.
type KitFile struct {
	Sum  string `json:"sum"`  // hex SHA-256
	Size int64  `json:"size"` // in bytes
	// Path is where the computer that made the kit has it.
	Path string `json:"-"`
}

// ErrNoKit means that files alone do not make a link: it is external, needs a C compiler,
// or the go command links in a way that assay does not understand. Relink can do it where
// the toolchain is.
var ErrNoKit = errors.New("the link takes more than files")

// A KitPlace is where a Kit is linked.
type KitPlace struct {
	// Blob returns the path of the file of a sum, "" if it is not there. The linker's
	// must be executable.
	Blob func(sum string) string
	// Dir is the folder in which the linker runs; it leaves nothing there.
	Dir string
	// Env is what the linker gets besides Kit.Env. A kit of Builder.Kit needs nothing.
	Env []string
}

var blobMark = regexp.MustCompile(regexp.QuoteMeta(markBlob) + `[0-9a-f]{64}`)

// Link writes the binary with the function order of the seed layout (0 for the linker's
// own) and functions aligned to align bytes (0 for the linker's own) to the file out. It
// starts the linker, and the linker starts nothing. The file appears whole or not at all.
// Calls may run in parallel, for different files.
func (k Kit) Link(ctx context.Context, place KitPlace, layout uint64, align int, out string) error {
	var first []string
	if align > 0 {
		first = []string{alignFlag(align)}
	}
	args, seed := append(first, k.Args...), strconv.FormatUint(layout, 10)
	out, err := filepath.Abs(out)
	if err != nil {
		return fmt.Errorf("link: %w", err)
	}
	configFile, made := out+".cfg", out+".new"
	defer os.Remove(configFile)
	defer os.Remove(made)
	var missing string
	marks := strings.NewReplacer(markSeed, seed, markOut, made, markConfig, configFile)
	fill := func(text string) string {
		return blobMark.ReplaceAllStringFunc(marks.Replace(text), func(mark string) string {
			sum := strings.TrimPrefix(mark, markBlob)
			path := place.Blob(sum)
			if path == "" {
				missing = sum
			}
			return path
		})
	}
	tool, config := fill(markBlob+k.Tool), fill(k.Config)
	filled := make([]string, len(args))
	for i, a := range args {
		filled[i] = fill(a)
	}
	if missing != "" {
		return fmt.Errorf("link: the file %.12s of the kit is not here", missing)
	}
	if err := os.WriteFile(configFile, []byte(config), 0o666); err != nil {
		return fmt.Errorf("link: %w", err)
	}
	if err := runTool(ctx, place, k.Env, tool, filled); err != nil {
		return err
	}
	return os.Rename(made, out)
}

// runTool runs the linker. One that has just been written may still be open in a process
// that another goroutine is starting; then it cannot be run for a moment.
func runTool(ctx context.Context, place KitPlace, env []string, tool string, args []string) error {
	env = slices.Concat(place.Env, env)
	for n := 0; ; n++ {
		var errs bytes.Buffer
		err := process.Run(ctx, place.Dir, env, &errs, &errs, tool, args...)
		switch {
		case err == nil || ctx.Err() != nil:
			return err
		case !errors.Is(err, syscall.ETXTBSY) || n == 100:
			return fmt.Errorf("link: %w: %s", err, printable.LastLine(errs.String()))
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// Kit returns what links of a request's binary take, with a linker for the machine of
// r.Linker. It builds the binary if it is not in the cache. The error is ErrNoKit if files
// are not enough: Kit links once in an empty environment to see that this gives what
// Relink gives.
func (b *Builder) Kit(ctx context.Context, r Request) (Kit, error) {
	r.Layout, r.Align = 0, 0
	j, err := b.job(ctx, r)
	if err != nil {
		return Kit{}, err
	}
	if !j.tc.HasRandLayout() {
		return Kit{}, fmt.Errorf("%w: the linker of %s has no -randlayout; go1.23 was the first", ErrNoKit, j.tc.Version)
	}
	_, id, err := b.binary(ctx, j)
	if err != nil {
		return Kit{}, err
	}
	rec, err := b.links.complete(ctx, j, id)
	if err != nil {
		return Kit{}, err
	}
	if err = b.links.tryAlone(ctx, j, id, rec); err != nil {
		return Kit{}, err
	}
	k := rec.Kit
	k.Files = slices.Clone(k.Files)
	for i, f := range k.Files {
		k.Files[i].Path = b.links.blob(id, rec)(f.Sum)
	}
	if j.Linker == "" || j.Linker == thisSystem {
		return k, nil
	}
	k.Files[0], err = b.links.toolFor(ctx, j)
	k.Tool = k.Files[0].Sum
	return k, err
}

// complete returns a recipe of which all files are there.
func (l *linker) complete(ctx context.Context, j job, id string) (recipe, error) {
	for try := 0; ; try++ {
		rec, err := l.recipes.Do(id, func() (recipe, error) { return l.recipe(ctx, j, id) })
		if err != nil {
			return rec, err
		}
		if rec.Kit.Tool == "" {
			return rec, fmt.Errorf("%w: assay does not understand how the go command links %s", ErrNoKit, j.Package)
		}
		gone := slices.IndexFunc(rec.Kit.Files, func(f KitFile) bool {
			now, err := l.sum(l.blob(id, rec)(f.Sum))
			return err != nil || now.Sum != f.Sum
		})
		if gone < 0 {
			return rec, nil
		}
		if try > 0 {
			return rec, fmt.Errorf("link %s: a file that it takes vanished", j.Package)
		}
		l.forget(id)
	}
}

// triedName is the name of what tryAlone has found, kept with an artifact.
const triedName = "kit"

// tryAlone checks, once for each artifact, that a link with nothing but the kit's files
// gives the same as one in the environment of a build.
func (l *linker) tryAlone(ctx context.Context, j job, id string, rec recipe) error {
	var found struct{ Same bool }
	if !l.cache.Load(id, triedName, &found) {
		tmp, err := l.cache.TempDir("kit-")
		if err != nil {
			return err
		}
		defer disk.RemoveAll(tmp)
		if err := l.commands.acquire(ctx); err != nil {
			return err
		}
		alone, here := filepath.Join(tmp, "alone"), filepath.Join(tmp, "here")
		err = rec.Kit.Link(ctx, KitPlace{Blob: l.blob(id, rec), Dir: tmp}, captureSeed, 0, alone)
		l.commands.release()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err == nil {
			j.Layout = captureSeed
			if err := l.run(ctx, j, id, rec, here); err != nil {
				return err
			}
			want, err1 := disk.Digest(here)
			got, err2 := disk.Digest(alone)
			found.Same = err1 == nil && err2 == nil && got == want
		}
		if err := l.cache.Store(id, triedName, found); err != nil {
			return err
		}
	}
	if !found.Same {
		return fmt.Errorf("%w: without this computer's environment the link of %s fails, or gives another file", ErrNoKit, j.Package)
	}
	return nil
}

// pack makes a recipe of the linker's command.
func (l *linker) pack(ctx context.Context, j job, cmd command) (recipe, error) {
	env, err := linkEnv(ctx, j)
	if err != nil {
		return recipe{}, err
	}
	for _, v := range cmd.env { // GOROOT, which is in the binary
		env = append(slices.DeleteFunc(env, func(kv string) bool { return variable(kv) == variable(v) }), v)
	}
	rec := recipe{Kit: Kit{Env: env, Args: slices.Clone(cmd.args)}, Paths: map[string]string{}}
	add := func(file string) (mark string, err error) {
		f, err := l.sum(file)
		if err != nil {
			return "", err
		}
		if rec.Paths[f.Sum] == "" {
			rec.Paths[f.Sum] = file
			rec.Kit.Files = append(rec.Kit.Files, KitFile{Sum: f.Sum, Size: f.Size})
		}
		return markBlob + f.Sum, nil
	}
	if rec.Kit.Tool, err = add(cmd.tool); err != nil {
		return recipe{}, err
	}
	rec.Kit.Tool = strings.TrimPrefix(rec.Kit.Tool, markBlob)
	main, err := add(cmd.main)
	if err != nil {
		return recipe{}, err
	}
	rec.Main = strings.TrimPrefix(main, markBlob)
	delete(rec.Paths, rec.Main) // store copies it
	rec.Kit.Args[len(rec.Kit.Args)-1] = main
	var config strings.Builder
	for line := range strings.Lines(cmd.config) {
		verb, rest, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		name, file, _ := strings.Cut(rest, "=")
		switch {
		case verb == "packageshlib":
			return recipe{}, nil // a shared library has a path in the binary
		case verb == "packagefile" && file == markMain:
			line = "packagefile " + name + "=" + main + "\n"
		case verb == "packagefile":
			mark, err := add(file)
			if err != nil {
				return recipe{}, err
			}
			line = "packagefile " + name + "=" + mark + "\n"
		}
		config.WriteString(line)
	}
	rec.Kit.Config = config.String()
	return rec, nil
}

func variable(kv string) string {
	name, _, _ := strings.Cut(kv, "=")
	return name
}

// linkVars are the variables of the environment that a linker reads (internal/buildcfg in
// Go's source), but for GOOS and GOARCH.
var linkVars = []string{"GOROOT", "GOEXPERIMENT", "GO386", "GOAMD64", "GOARM", "GOARM64", "GOFIPS140", "GOMIPS", "GOMIPS64", "GOPPC64", "GORISCV64", "GOWASM"}

// linkEnv returns what a job's environment tells the linker. It names the target, which a
// linker for another machine would take to be that machine.
func linkEnv(ctx context.Context, j job) ([]string, error) {
	var out, errs bytes.Buffer
	if err := process.Run(ctx, j.tree.Dir, j.env, &out, &errs, j.tc.Go(), "env", "GOOS", "GOARCH"); err != nil {
		return nil, fmt.Errorf("ask %s for its target: %w: %s", j.tc.Version, err, printable.LastLine(errs.String()))
	}
	target := strings.Fields(out.String())
	if len(target) != 2 {
		return nil, fmt.Errorf("ask %s for its target: it says %q", j.tc.Version, out.String())
	}
	env := []string{"GOOS=" + target[0], "GOARCH=" + target[1]}
	for _, name := range linkVars {
		if v := lookup(j.env, name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env, nil
}

// sum returns a file's sum and size, and reads it once.
func (l *linker) sum(file string) (KitFile, error) {
	st, err := os.Stat(file)
	if err != nil {
		return KitFile{}, err
	}
	return l.sums.Do(fmt.Sprintf("%s\x00%d\x00%d", file, st.Size(), st.ModTime().UnixNano()), func() (KitFile, error) {
		data, err := os.ReadFile(file)
		if err != nil {
			return KitFile{}, err
		}
		sum := sha256.Sum256(data)
		return KitFile{Sum: hex.EncodeToString(sum[:]), Size: int64(len(data)), Path: file}, nil
	})
}
