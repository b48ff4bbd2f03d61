package assay

import "strings"

// A Host is a computer on which a study is measured. Hosts are no part of the question:
// one study on two hosts has one hash.
type Host struct {
	// Label is the host's name in results, unique in a study; "" until the study is
	// complete.
	Label string `json:"label,omitempty"`
	// Address is "" or "local" for the computer that assay runs on,
	// "ssh:[USER@]HOST[:PORT]" for one that ssh reaches, "agent:NAME" for a machine of a
	// hub, or "pool:" and the labels of Pool for one of several machines of a hub.
	Address string `json:"address,omitempty"`
	// Pool is what a machine of the hub must be to be one of the pool; zero for any other
	// Address. The first that is idle is the one that is measured on.
	Pool Pool `json:"pool,omitzero"`
	// Exclusive keeps the machine from serving other runs of the hub before this one ends.
	Exclusive bool `json:"exclusive,omitempty"`
	// GOARCH is the target of builds for this host, "" for its own.
	GOARCH string `json:"goarch,omitempty"`
	// Require is what the host must be to be measured on.
	Require Require `json:"require,omitzero"`
}

// LocalAddress is the Host.Address of the computer that assay runs on, as is "".
const LocalAddress = "local"

// What begins a Host.Address: of a computer that ssh reaches, and of a hub's machines.
const (
	SSHScheme   = "ssh:"
	AgentScheme = "agent:"
	PoolScheme  = "pool:"
)

// Local reports whether the host is the computer that assay runs on.
func (h Host) Local() bool { return h.Address == "" || h.Address == LocalAddress }

// Named reports whether the address is the name of a machine, to be looked up in the user's
// machines.toml.
func (h Host) Named() bool { return !h.Local() && !strings.Contains(h.Address, ":") }

// Agent returns the name of the machine of a hub that the host is; ok is false for any
// other host.
func (h Host) Agent() (name string, ok bool) { return strings.CutPrefix(h.Address, AgentScheme) }

// OfPool reports whether the host is any machine of a pool.
func (h Host) OfPool() bool { return strings.HasPrefix(h.Address, PoolScheme) }

// OfHub reports whether the host is reached over a hub.
func (h Host) OfHub() bool { return h.OfPool() || strings.HasPrefix(h.Address, AgentScheme) }

// A Pool says which machines of a hub will do: those for which all of it holds. Zero
// fields allow any.
type Pool struct {
	// Labels are words that the machine's agent was started with.
	Labels []string `json:"labels,omitempty"`
	GOOS   string   `json:"goos,omitempty"`
	GOARCH string   `json:"goarch,omitempty"`
	// CPUs is the smallest number that trials may use.
	CPUs int `json:"cpus,omitempty"`
	// Tools are programs that must be found on the machine's PATH.
	Tools []string `json:"tools,omitempty"`
}

// Require says what a host must have. Zero fields require nothing.
type Require struct {
	// Power is the required Platform.Power: "mains" or "battery".
	Power string `json:"power,omitempty"`
	// CPUs is the smallest number that trials may use.
	CPUs int `json:"cpus,omitempty"`
	// Tools are programs that must be found on the host's PATH.
	Tools []string `json:"tools,omitempty"`
	// Noise is the largest noise floor, as a relative change: 0.02 is 2 %.
	Noise float64 `json:"noise,omitempty"`
}
