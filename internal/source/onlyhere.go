package source

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/printable"
)

// An OnlyHere is a file or folder of the working tree that no revision has.
type OnlyHere struct {
	// Path is relative to the folder of the module, with slashes.
	Path string
	// Why says why no revision has it: git ignores it, or it is not committed.
	Why string
}

// Why a file is in no revision.
const (
	ignored     = "git ignores it"
	uncommitted = "it is not committed"
)

var (
	// absent matches what programs and the go command say of a file that is not there.
	absent = regexp.MustCompile(`\b(?:open|l?stat|read|readlink|chdir|fork/exec) ([^\n"':]+): (?:no such file or directory|The system cannot find)|` +
		`pattern (?:all:)?([^\n"': ]+): no matching files found`)
	// checkedOutAt matches the folder of a revision, its overlay or its copy in a path.
	checkedOutAt = regexp.MustCompile(`^.*/(?:(?:git|overlay)-[0-9a-f]+|tree-\d+)/`)
)

// Absent finds the files that texts say are missing, and that the working tree in dir has
// without git knowing them: what was checked out or copied is without them.
func Absent(ctx context.Context, dir string, texts []string) (out []OnlyHere) {
	for _, text := range texts {
		for _, m := range absent.FindAllStringSubmatch(text, -1) {
			name := checkedOutAt.ReplaceAllString(filepath.ToSlash(m[1]+m[2]), "")
			for strings.HasPrefix(name, "../") {
				name = name[len("../"):]
			}
			if name = path.Clean(name); !filepath.IsLocal(filepath.FromSlash(name)) || name == "." {
				continue
			}
			for _, found := range onlyHere(ctx, dir, name) {
				if !slices.Contains(out, found) {
					out = append(out, found)
				}
			}
		}
	}
	return out
}

// onlyHere finds a file, or a folder with files, in any folder below dir, if git does not
// know it.
func onlyHere(ctx context.Context, dir, name string) (out []OnlyHere) {
	for _, why := range []string{ignored, uncommitted} {
		args := []string{"ls-files", "-z", "--others", "--exclude-standard"}
		if why == ignored {
			args = append(args, "--ignored")
		}
		var list zeroFields
		if err := gitTo(ctx, dir, nil, &list, append(args, "--", ":(glob)**/"+name, ":(glob)**/"+name+"/**")...); err != nil {
			return nil // then nothing is known of it
		}
		for _, file := range list.all {
			if i := strings.Index("/"+file+"/", "/"+name+"/"); i >= 0 {
				file = file[:i+len(name)]
			}
			if found := (OnlyHere{file, why}); !slices.Contains(out, found) {
				out = append(out, found)
			}
		}
	}
	return out
}

// lacksWork records that a revision is built without the workspace of the working tree, for
// Lacking: where git does not know it. A workspace that the history has or had is another
// matter.
func (f *Finder) lacksWork(ctx context.Context, dir, top, rev string) {
	here, err := workingTree(dir)
	if err != nil || here.Work == "off" {
		return
	}
	why := "it is outside the repository"
	if disk.Within(here.Work, filepath.FromSlash(top)) {
		found := onlyHere(ctx, filepath.Dir(here.Work), filepath.Base(here.Work))
		i := slices.IndexFunc(found, func(o OnlyHere) bool { return o.Path == filepath.Base(here.Work) })
		if i < 0 {
			return
		}
		why = found[i].Why
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lacking == nil {
		f.lacking = map[string]assay.Warning{}
	}
	w, ok := f.lacking[here.Work]
	if !ok {
		w = assay.Warning{Code: assay.CodeWorkspace,
			Text: fmt.Sprintf("the workspace %s is in no revision: %s", printable.Line(disk.Tilde(here.Work), 0), why)}
	}
	w.Facts = append(w.Facts, fmt.Sprintf("revision %q is built without it, and may use other versions of modules", rev))
	f.lacking[here.Work] = w
}
