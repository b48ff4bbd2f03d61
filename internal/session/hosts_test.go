package session

import (
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

func TestTakeHost(t *testing.T) {
	for _, test := range []struct {
		name        string
		hosts       []assay.Host
		arch, label string
		refused     string
	}{
		{name: "none", arch: "amd64"},
		{name: "here", hosts: []assay.Host{{Label: "local", Address: "local"}}, arch: "amd64", label: "local"},
		{name: "here, of 32 bits", hosts: []assay.Host{{Label: "small", GOARCH: "386"}}, arch: "386", label: "small"},
		{name: "elsewhere", hosts: []assay.Host{{Label: "bench1", Address: "ssh:bench1"}}, arch: "amd64", label: "bench1"},
		{name: "two", hosts: []assay.Host{{Label: "local"}, {Label: "small", GOARCH: "386"}}, refused: "cannot measure on small, too: "},
	} {
		s := &Session{Config: Config{Study: &assay.Study{Hosts: test.hosts, Measure: assay.Measure{GOARCH: "amd64"}}}}
		err := s.Config.takeHost()
		if test.refused != "" {
			if err == nil || !strings.HasPrefix(err.Error(), test.refused) {
				t.Errorf("%s: got %v, want %s", test.name, err, test.refused)
			}
			continue
		}
		if err != nil || s.Config.Study.Measure.GOARCH != test.arch || s.Config.label() != test.label {
			t.Errorf("%s: got %v, %s, %q, want %s, %q", test.name, err, s.Config.Study.Measure.GOARCH, s.Config.label(), test.arch, test.label)
		}
	}
}
