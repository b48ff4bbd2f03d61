// Command make writes the git repository that this study measures: package lex and the
// steps that made it faster, one commit each.
//
//	go run ./make repo
//
// It copies base, the whole of the first version, and applies for each story
// steps/NN-name.md what the step changed, steps/NN-name.diff. The name in a story's
// front matter is the subject of its commit, what is below it the body. Commits are tagged arc/00, the base, to the last step. Authors and dates are
// fixed, so that the hashes are the same everywhere.
//
// A folder that it made itself is made anew; any other that is not empty is refused.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	author = "assay studies"
	email  = "studies@assay.invalid"
)

// start is the date of the base; each step comes a day later.
var start = time.Date(2026, time.January, 1, 9, 0, 0, 0, time.UTC)

// mark is a file in the .git of a repository that was made here.
const mark = "made-by-studies-arc"

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage, in studies/arc: go run ./make DIR")
		os.Exit(2)
	}
	n, err := makeRepository(os.DirFS("."), os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "make:", err)
		os.Exit(1)
	}
	fmt.Printf("%s: base and %d steps, arc/00 to arc/%02d\n", os.Args[1], n, n)
}

// makeRepository makes the repository of a study in dir, and returns the number of
// its steps.
func makeRepository(study fs.FS, dir string) (int, error) {
	steps, err := readSteps(study)
	if err != nil {
		return 0, err
	}
	if err := makeEmpty(dir); err != nil {
		return 0, err
	}
	g := git{dir: dir}
	if err := g.run("", "init", "--quiet", "--template=", "--initial-branch=main"); err != nil {
		return 0, err
	}
	if err := os.WriteFile(filepath.Join(dir, ".git", mark), nil, 0o644); err != nil {
		return 0, err
	}
	for i, s := range steps {
		g.date = start.AddDate(0, 0, i)
		if err := g.step(study, s, fmt.Sprintf("arc/%02d", i)); err != nil {
			return 0, fmt.Errorf("step %s: %w", s.name, err)
		}
	}
	return len(steps) - 1, nil
}

// step makes the commit of a step, or of the base.
func (g git) step(study fs.FS, s step, tag string) error {
	if s.name == base {
		if err := copyTree(g.dir, study, base); err != nil {
			return err
		}
	} else {
		diff, err := fs.ReadFile(study, path.Join("steps", s.name+".diff"))
		if err != nil {
			return err
		}
		if err := g.run(string(diff), "apply", "--whitespace=nowarn"); err != nil {
			return err
		}
	}
	return g.commit(s.message, tag)
}

// A step is a commit to be made.
type step struct {
	name    string // of its files, NN-name; or base
	message string
}

// base is the folder of the first version.
const base = "base"

// readSteps returns the base and the steps, which must be numbered without gaps.
func readSteps(study fs.FS) ([]step, error) {
	files, err := fs.Glob(study, "steps/[0-9][0-9]-*.md")
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("no steps/NN-name.md here: run it in studies/arc")
	}
	steps := []step{{name: base, message: "base\n\nThe first version: correct and straightforward.\n"}}
	for i, file := range files {
		name := strings.TrimSuffix(path.Base(file), ".md")
		if want := fmt.Sprintf("%02d-", i+1); !strings.HasPrefix(name, want) {
			return nil, fmt.Errorf("%s: want step %s… here", file, want)
		}
		text, err := fs.ReadFile(study, file)
		if err != nil {
			return nil, err
		}
		message, err := messageOf(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		steps = append(steps, step{name: name, message: message})
	}
	return steps, nil
}

// messageOf makes a commit's message of a story: of its front matter only the name
// is needed here, so that this is no parser of TOML.
func messageOf(text string) (string, error) {
	front, story, ok := strings.Cut(strings.TrimPrefix(text, "+++\n"), "\n+++\n")
	if !ok || !strings.HasPrefix(text, "+++\n") {
		return "", errors.New("no front matter between lines +++")
	}
	for line := range strings.Lines(front) {
		key, value, _ := strings.Cut(line, "=")
		if strings.TrimSpace(key) != "name" {
			continue
		}
		name, err := strconv.Unquote(strings.TrimSpace(value))
		if err != nil {
			return "", fmt.Errorf("name = %s: %w", strings.TrimSpace(value), err)
		}
		return name + "\n\n" + strings.TrimSpace(story) + "\n", nil
	}
	return "", errors.New("front matter has no name")
}

// makeEmpty makes an empty folder of dir, if it is one of ours or was none.
func makeEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(entries) > 0 {
		if _, err := os.Stat(filepath.Join(dir, ".git", mark)); err != nil {
			return fmt.Errorf("%s is there and was not made here: name another folder, or remove it", dir)
		}
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	return os.MkdirAll(dir, 0o755)
}

// copyTree copies the files of a folder over those in dir.
func copyTree(dir string, study fs.FS, folder string) error {
	return fs.WalkDir(study, folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(name, folder)))
		if d.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		text, err := fs.ReadFile(study, name)
		if err != nil {
			return err
		}
		return os.WriteFile(to, text, 0o644)
	})
}

// A git runs the git command in a folder, at a date.
type git struct {
	dir  string
	date time.Time
}

// commit commits all that changed, and tags it.
func (g git) commit(message, tag string) error {
	if err := g.run("", "add", "--all", "--force"); err != nil {
		return err
	}
	if err := g.run(message, "commit", "--quiet", "--no-verify", "--cleanup=verbatim", "--file=-"); err != nil {
		return err
	}
	return g.run("", "tag", tag)
}

// run runs git with a text as its input. What the user has configured does not
// count: it would change the hashes.
func (g git) run(input string, args ...string) error {
	fixed := []string{"-c", "core.autocrlf=false", "-c", "core.fileMode=false", "-c", "core.excludesFile=", "-c", "core.attributesFile="}
	cmd := exec.Command("git", append(fixed, args...)...)
	cmd.Dir = g.dir
	cmd.Stdin = strings.NewReader(input)
	date := fmt.Sprintf("@%d +0000", g.date.Unix())
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GIT_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env,
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_AUTHOR_NAME="+author, "GIT_AUTHOR_EMAIL="+email, "GIT_AUTHOR_DATE="+date,
		"GIT_COMMITTER_NAME="+author, "GIT_COMMITTER_EMAIL="+email, "GIT_COMMITTER_DATE="+date)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(out))
	}
	return nil
}
