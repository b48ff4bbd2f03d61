package secret

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func TestIsName(t *testing.T) {
	for name, want := range map[string]bool{
		"GITHUB_TOKEN": true, "token": true, "ACTIONS_RUNTIME_TOKEN": true, "AWS_REGION": true, "aws_secret_access_key": true, "SSH_AUTH_SOCK": true,
		"GOOGLE_APPLICATION_CREDENTIALS": true, "OPENAI_API_KEY": true, "PGPASSWORD": true, "NPM_CONFIG__AUTH": true, "DOCKER_AUTH_CONFIG": true,
		"PATH": false, "PWD": false, "OLDPWD": false, "GOPROXY": false, "GOAUTH": false, "GOMAXPROCS": false, "AUTHOR": false, "TOKENS_PER_SECOND": false, "KEYBOARD": false, "AWS_CA_BUNDLE": false, "": false,
	} {
		if IsName(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

// What is withheld is not in the environment until it is put back; what was asked for and
// what is no secret stay.
func TestWithhold(t *testing.T) {
	for _, name := range []string{"ASSAY_A_TOKEN", "ASSAY_B_SECRET", "ASSAY_C_TOKEN", "ASSAY_D"} {
		t.Setenv(name, name+" value")
	}
	names, restore := Withhold([]string{"ASSAY_C_TOKEN"})
	env := strings.Join(os.Environ(), "\n")
	for _, name := range []string{"ASSAY_A_TOKEN", "ASSAY_B_SECRET"} {
		if strings.Contains(env, name) || !slices.Contains(names, name) {
			t.Errorf("%s was not withheld", name)
		}
	}
	if os.Getenv("ASSAY_C_TOKEN") == "" || os.Getenv("ASSAY_D") == "" {
		t.Error("what was passed, or is no secret, was withheld")
	}
	if restore(); os.Getenv("ASSAY_A_TOKEN") != "ASSAY_A_TOKEN value" {
		t.Error("it was not put back")
	}
}

// SECURITY.md lists every pattern and every exception.
func TestDocumented(t *testing.T) {
	data, err := os.ReadFile("../../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range slices.Concat(NamePatterns, harmless) {
		if !strings.Contains(string(data), "`"+p+"`") {
			t.Errorf("SECURITY.md does not name `%s`", p)
		}
	}
}
