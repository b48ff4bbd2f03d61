package assay

import "runtime"

// A Platform is what matters about a machine. ID hashes only the stable facts, so that a
// changed clock rate does not make it another machine.
type Platform struct {
	// ID is the short hash of the stable facts below.
	ID     string `json:"id"`
	GOOS   string `json:"goos"`
	GOARCH string `json:"goarch"`
	CPU    string `json:"cpu"`
	// CPUs is the number that this process may use, Cores the physical ones (0: unknown).
	CPUs   int    `json:"cpus"`
	Cores  int    `json:"cores,omitempty"`
	Memory uint64 `json:"memory_bytes,omitempty"`
	Kernel string `json:"kernel,omitempty"`
	// Virtual names the hypervisor, empty on bare metal.
	Virtual string `json:"virtual,omitempty"`
	// Emulated names the emulator that trials run in, such as "qemu-aarch64"; empty if
	// the processor runs them itself. Times in an emulator say nothing about a processor.
	Emulated string `json:"emulated,omitempty"`

	// Host identifies the computer, not its model: a hex hash of the system's machine ID,
	// which it does not reveal. It is no part of ID. "" is unknown.
	Host string `json:"host,omitempty"`

	// Procs is the GOMAXPROCS that trials run with unless a variant has its own.
	Procs int `json:"procs,omitempty"`
	// Governor is the CPU frequency governor, Profile the platform's profile, such as
	// "balanced". Power is "mains", "battery", or "" if unknown. They are part of ID: one
	// laptop in two power modes is two platforms.
	Governor string `json:"governor,omitempty"`
	Profile  string `json:"power_profile,omitempty"`
	Power    string `json:"power,omitempty"`

	// What may change from run to run.
	GoEnv map[string]string `json:"go_env,omitempty"`
	// Load is the share of all CPUs used by others, from 0 to 1.
	Load float64 `json:"load"`
}

// Is reports whether both can be one platform of one computer: the IDs are equal, and the
// hosts are where both are known.
func (p Platform) Is(o Platform) bool {
	return p.ID == o.ID && (p.Host == "" || o.Host == "" || p.Host == o.Host)
}

// String returns "linux/amd64 AMD EPYC", of an emulator "linux/arm64 AMD EPYC, emulated".
func (p Platform) String() string {
	s := p.GOOS + "/" + p.GOARCH
	if p.GOOS == "" {
		s = runtime.GOOS + "/" + runtime.GOARCH
	}
	if p.CPU != "" {
		s += " " + p.CPU
	}
	if p.Emulated != "" {
		s += ", emulated"
	}
	return s
}
