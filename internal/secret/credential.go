package secret

import (
	"os"
	"path"
	"slices"
	"strings"
)

// NamePatterns match the names of variables that hold secrets, or lead to them, whatever
// the case of their letters; a star stands for any characters. SECURITY.md lists them.
var NamePatterns = []string{
	"*TOKEN", "*SECRET*", "*PASSWORD*", "*PASSWD*", "*PASSPHRASE*", "*CREDENTIALS*",
	"*API_KEY*", "*APIKEY*", "*ACCESS_KEY*", "*PRIVATE_KEY*", "*_AUTH", "*_AUTH_CONFIG",
	"AWS_*", "AZURE_*", "SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_AGENT_INFO",
	"KUBECONFIG", "MYSQL_PWD", "NETRC", "PGPASSFILE",
}

// harmless are the names that match a pattern by chance. A bundle of certificates is no
// secret, and programs behind a proxy cannot connect without it.
var harmless = []string{"AWS_CA_BUNDLE"}

// IsName reports whether a variable of that name holds a secret.
func IsName(name string) bool {
	name = strings.ToUpper(name)
	return !slices.Contains(harmless, name) && slices.ContainsFunc(NamePatterns, func(p string) bool {
		ok, err := path.Match(p, name)
		return ok && err == nil
	})
}

// Withhold takes the variables that hold secrets out of the environment of this process,
// so that nothing it starts has them, but for those in pass: what is measured, and what
// builds it, may be a stranger's. It returns their names,
// sorted, and what puts them back.
func Withhold(pass []string) (names []string, restore func()) {
	old := map[string]string{}
	for _, kv := range os.Environ() {
		name, value, ok := strings.Cut(kv, "=")
		if ok && name != "" && IsName(name) && !slices.Contains(pass, name) && os.Unsetenv(name) == nil {
			old[name] = value
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, func() {
		for name, value := range old {
			os.Setenv(name, value) // it was there, so it can be set
		}
	}
}
