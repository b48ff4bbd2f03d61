package session

import (
	"fmt"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/fleet"
	"github.com/seed-1318a441/assay/internal/spec"
)

// ReadHosts reads the values of --on. The error of a malformed value begins with it.
func ReadHosts(words []string) ([]assay.Host, error) {
	hosts, err := spec.Hosts(words)
	if err != nil {
		return nil, err
	}
	return fleet.Locate(hosts)
}

// CheckHosts returns an error for hosts that this assay cannot measure on: more than one.
func CheckHosts(hosts []assay.Host) error {
	if len(hosts) <= 1 {
		return nil
	}
	h := hosts[len(hosts)-1]
	return assay.UsageError(assay.CodeNoMachine, fmt.Sprintf("cannot measure on %s: this assay measures on one machine at a time", h.Label),
		"assay run on each machine, then assay merge RUN...")
}

// takeHost prepares the study for the host that it names.
func (s *session) takeHost() error {
	if s.Study == nil || len(s.Study.Hosts) == 0 {
		return nil
	}
	if err := CheckHosts(s.Study.Hosts); err != nil {
		return err
	}
	if arch := s.Study.Hosts[0].GOARCH; arch != "" {
		s.Study.Measure.GOARCH = arch
	}
	return nil
}

// label returns the label of the host that is measured, "" if the study names none.
func (s *session) label() string {
	if len(s.Study.Hosts) == 0 {
		return ""
	}
	return s.Study.Hosts[0].Label
}
