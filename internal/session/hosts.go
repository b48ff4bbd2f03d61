package session

import (
	"fmt"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/machine"
	"github.com/seed-1318a441/assay/internal/spec"
)

// ReadHosts reads the values of --on. The error of a malformed value begins with it.
func ReadHosts(words []string) ([]assay.Host, error) {
	hosts, err := spec.Hosts(words)
	if err != nil {
		return nil, err
	}
	return machine.Locate(hosts)
}

// CheckHosts returns an error for more hosts than one.
func CheckHosts(hosts []assay.Host) error {
	if len(hosts) <= 1 {
		return nil
	}
	h := hosts[len(hosts)-1]
	return assay.UsageError(assay.CodeNoMachine, fmt.Sprintf("cannot measure on %s, too: this command measures on one machine", h.Label), "--on once; compare, run and tune take several")
}

// takeHost prepares the study for the host that it names.
func (c *Config) takeHost() error {
	if c.Study == nil || len(c.Study.Hosts) == 0 {
		return nil
	}
	if err := CheckHosts(c.Study.Hosts); err != nil {
		return err
	}
	if arch := c.Study.Hosts[0].GOARCH; arch != "" {
		c.Study.Measure.GOARCH = arch
	}
	return nil
}

// label returns the label of the host that is measured, "" if the study names none.
func (c *Config) label() string {
	if len(c.Study.Hosts) == 0 {
		return ""
	}
	return c.Study.Hosts[0].Label
}
