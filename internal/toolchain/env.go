package toolchain

import (
	"bufio"
	"cmp"
	"go/build"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
)

// kept are the user's variables that reach a build: where things are, how they are
// fetched and verified, and the C toolchain. Those before CGO_ENABLED do not change what
// is built.
var kept = []string{
	"GOPATH", "GOMODCACHE", "GOCACHE", "GOCACHEPROG", "GOTMPDIR",
	"GOPROXY", "GOSUMDB", "GOPRIVATE", "GONOPROXY", "GONOSUMDB", "GOINSECURE", "GOVCS", "GOAUTH",
	"GOMAXPROCS", "GOMEMLIMIT", "GOTELEMETRYDIR",
	"CGO_ENABLED", "CC", "CXX", "FC", "AR", "PKG_CONFIG",
	"CGO_CFLAGS", "CGO_CPPFLAGS", "CGO_CXXFLAGS", "CGO_FFLAGS", "CGO_LDFLAGS",
}

// UserSettings returns the user's Go settings as the go command reads them: the file of
// "go env -w", overridden by the environment. Other variables are included, too.
func UserSettings() map[string]string {
	s := settingsFile(goEnvFile())
	for _, kv := range os.Environ() {
		k, v, ok := strings.Cut(kv, "=")
		// On Windows names such as "=C:" begin with the sign. An empty variable does
		// not take the place of what the file says.
		if ok && k != "" && (v != "" || s[k] == "") {
			s[k] = v
		}
	}
	return s
}

func goEnvFile() string {
	if f := os.Getenv("GOENV"); f != "" {
		return f
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return "off"
	}
	return filepath.Join(dir, "go", "env")
}

func settingsFile(name string) map[string]string {
	s := map[string]string{}
	f, err := os.Open(name)
	if err != nil { // also "off"
		return s
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if k, v, ok := strings.Cut(sc.Text(), "="); ok && !strings.HasPrefix(k, "#") {
			s[k] = v
		}
	}
	return s
}

// isGo reports whether a variable belongs to the go command and is dropped unless it is
// kept. GOOGLE_CREDENTIALS, for example, does not.
func isGo(name string) bool {
	return strings.HasPrefix(name, "GO_") || strings.HasPrefix(name, "GO") && !strings.Contains(name, "_")
}

// commonEnv returns the environment of every go command that assay starts: the user's,
// without Go variables that are not kept, and the rest pinned.
func commonEnv(user map[string]string) map[string]string {
	env := map[string]string{}
	for k, v := range user {
		if !isGo(k) || slices.Contains(kept, k) {
			env[k] = v
		}
	}
	maps.Copy(env, map[string]string{
		"GOENV": "off", "GOFLAGS": "", "GOEXPERIMENT": "", "GO111MODULE": "on", "GOWORK": "off", "GOTOOLCHAIN": "local",
		// A terminal's width and language must not reach compiler messages.
		"LC_ALL": "C", "TERM": "dumb",
	})
	return env
}

// Env returns the environment, sorted, of a go command that builds nothing of a variant:
// the caller's without what could change the result, then the variables in more.
func Env(more map[string]string) []string {
	env := commonEnv(UserSettings())
	maps.Copy(env, more)
	return sorted(env)
}

// BuildEnv returns the environment, sorted, of the go commands that build a variant. work
// is the go.work in effect, or "off".
func (t Toolchain) BuildEnv(work string, v assay.Variant) []string {
	more := map[string]string{"GOROOT": t.GOROOT, "GOWORK": work, "GOEXPERIMENT": strings.Join(v.Experiment, ",")}
	maps.Copy(more, v.Build)
	return Env(more)
}

func sorted(env map[string]string) []string {
	out := make([]string, 0, len(env))
	for _, k := range slices.Sorted(maps.Keys(env)) {
		out = append(out, k+"="+env[k])
	}
	return out
}

// Significant returns the part of a build's environment that can change what is built.
func Significant(env []string) []string {
	var out []string
	for _, kv := range env {
		k, _, _ := strings.Cut(kv, "=")
		place := slices.Index(kept, k)
		if isGo(k) && place < 0 || place >= slices.Index(kept, "CGO_ENABLED") {
			out = append(out, kv)
		}
	}
	return out
}

// ModCache is the user's module cache.
func ModCache() string {
	user := UserSettings()
	if dir := user["GOMODCACHE"]; dir != "" {
		return dir
	}
	list := filepath.SplitList(cmp.Or(user["GOPATH"], build.Default.GOPATH))
	if len(list) == 0 {
		return ""
	}
	return filepath.Join(list[0], "pkg", "mod")
}
