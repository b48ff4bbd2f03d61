package spec

import (
	"maps"
	"strings"
	"testing"
)

// Secrets stand in env, beside plain values and wherever env stands.
func TestSecrets(t *testing.T) {
	const text = `[source]
package = "./cmd/server"

[[variant]]
name = "a"
env  = { A = "1", PGPASSWORD = { secret = "pg" } }

[[variant]]
name = "b"

[[workload]]
kind  = "service"
name  = "srv"
start = ["{bin}", "{port}"]
env   = { API = { secret = "api 2" }, HOME = "{tmp}" }
http  = { url = "http://127.0.0.1:{port}/", rate = 500, duration = "10s" }

[[workload]]
kind  = "service"
name  = "other"
start = ["{bin}", "{port}"]
env   = { API = { secret = "api" } }
http  = { url = "http://127.0.0.1:{port}/", rate = 500, duration = "10s" }
`
	s, err := Parse("s.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	v, w := s.Variants[0], s.Workloads[0]
	if !maps.Equal(v.Env, map[string]string{"A": "1"}) || !maps.Equal(v.Secrets, map[string]string{"PGPASSWORD": "pg"}) {
		t.Errorf("variant: %v, %v", v.Env, v.Secrets)
	}
	if !maps.Equal(w.Env, map[string]string{"HOME": "{tmp}"}) || !maps.Equal(w.Secrets, map[string]string{"API": "api 2"}) {
		t.Errorf("workload: %v, %v", w.Env, w.Secrets)
	}
	if got := strings.Join(v.Words(), " "); got != "A=1 PGPASSWORD=[secret pg]" {
		t.Errorf("words: %s", got)
	}
	roundTrip(t, s)
}

// A factor may have secrets as levels, and they are no plain values of a variable.
func TestSecretLevels(t *testing.T) {
	s, err := Parse("s.toml", []byte(`[[factor]]
name   = "database"
levels = [
  { name = "one", env = { DSN = { secret = "one" } } },
  { name = "two", env = { DSN = { secret = "two" } } },
]
`))
	if err != nil {
		t.Fatal(err)
	}
	roundTrip(t, s)
	_, err = Parse("s.toml", []byte(`[[factor]]
name   = "database"
levels = [{ name = "one", env = { DSN = { secret = "one" } } }, { name = "two", env = { DSN = { secret = "one" } } }]
`))
	if want := `s.toml:3:65: level "two" sets the same as "one"   [study-value]`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
