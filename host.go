package assay

// A Host is a computer on which a study is measured. Hosts are no part of the question:
// one study on two hosts has one hash.
type Host struct {
	// Label is the host's name in results, unique in a study; "" until the study is
	// complete.
	Label string `json:"label,omitempty"`
	// Address is "" or "local" for the computer that assay runs on, or
	// "ssh:[USER@]HOST[:PORT]" for another one.
	Address string `json:"address,omitempty"`
	// GOARCH is the target of builds for this host, "" for its own.
	GOARCH string `json:"goarch,omitempty"`
	// Require is what the host must be to be measured on.
	Require Require `json:"require,omitzero"`
}

// LocalAddress is the Host.Address of the computer that assay runs on, as is "".
const LocalAddress = "local"

// Local reports whether the host is the computer that assay runs on.
func (h Host) Local() bool { return h.Address == "" || h.Address == LocalAddress }

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
