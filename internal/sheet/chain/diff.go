package chain

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/mod/module"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// shortCommit is the number of digits of a commit in a command.
const shortCommit = 12

// Diff leads to what a step changed in the code: a git command between two commits, or
// the address of a comparison on github.com between two versions of a module there. Both
// are "" if the result does not tell what was built.
func (x Panel) Diff(s assay.StepResult) (line, link string) {
	from, to := x.variant(s.Previous), x.variant(s.Variant)
	if old, now := short(from.Commit), short(cmp.Or(s.Commit, to.Commit)); old != "" && now != "" {
		return "git diff " + old + " " + now, ""
	}
	repo, old, ok := onGitHub(from.Words)
	repo2, now, ok2 := onGitHub(to.Words)
	if !ok || !ok2 || repo != repo2 {
		return "", ""
	}
	return "", "https://" + repo + "/compare/" + old + "..." + now
}

func (x Panel) variant(name string) assay.VariantResult {
	if i := slices.IndexFunc(x.Result.Variants, func(v assay.VariantResult) bool { return v.Name == name }); i >= 0 {
		return x.Result.Variants[i]
	}
	return assay.VariantResult{}
}

// short returns the first digits of a commit, "" for what is none: a result may hold any
// text.
func short(commit string) string {
	if strings.Trim(commit, "0123456789abcdef") != "" {
		return ""
	}
	return commit[:min(shortCommit, len(commit))]
}

// onGitHub returns the repository and the tag, or the commit of a pseudo-version, of a
// variant that is a version of a module at the root of a repository on github.com.
func onGitHub(words []string) (repo, rev string, ok bool) {
	if len(words) != 1 {
		return "", "", false
	}
	path, version, _ := strings.Cut(words[0], "@")
	if module.Check(path, version) != nil {
		return "", "", false
	}
	repo, _, _ = module.SplitPathVersion(path)
	if !strings.HasPrefix(repo, "github.com/") || strings.Count(repo, "/") != 2 {
		return "", "", false
	}
	rev = strings.TrimSuffix(version, "+incompatible")
	if module.IsPseudoVersion(version) {
		commit, err := module.PseudoVersionRev(version)
		if err != nil {
			return "", "", false
		}
		rev = commit
	}
	return repo, rev, true
}

// Explain is the command that explains what a step changed most, "" if nothing did or
// there is no run to ask.
func (x Panel) Explain(s assay.StepResult) string {
	if x.Result.Run == "" || len(s.Movers) == 0 {
		return ""
	}
	return sheet.ExplainCommand(x.Result, &assay.Explanation{Benchmark: s.Movers[0].Benchmark, Variant: x.Measured(s.Variant)})
}
