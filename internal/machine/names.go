package machine

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/spec"
)

// machinesFile is the name of the file of machines in disk.ConfigDir.
const machinesFile = "machines.toml"

// Named returns the machines of the user's file, in its order, and the file's path. A
// file that does not exist has none. Errors are *assay.Error with the code machines-file.
func Named() (machines []assay.Host, file string, err error) {
	dir, err := disk.ConfigDir()
	if err != nil {
		return nil, "", unreadable(err)
	}
	file = filepath.Join(dir, machinesFile)
	data, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, file, nil
	case err != nil:
		return nil, file, unreadable(err)
	}
	machines, err = spec.Machines(file, data)
	return machines, file, err
}

func unreadable(err error) error {
	return assay.UsageError(assay.CodeMachinesFile, "cannot read the file of machines: "+printable.OneLine(err), "")
}

// Find returns the machine of a name. The error of an unknown name has the code
// no-machine.
func Find(name string) (assay.Host, error) {
	machines, file, err := Named()
	if err != nil {
		return assay.Host{}, err
	}
	if i := slices.IndexFunc(machines, func(h assay.Host) bool { return h.Label == name }); i >= 0 {
		return machines[i], nil
	}
	return assay.Host{}, unknown(name, machines, file)
}

func unknown(name string, machines []assay.Host, file string) error {
	var names []string
	for _, h := range machines {
		names = append(names, h.Label)
	}
	text := fmt.Sprintf("no machine is called %q in %s", name, printable.Clean(file))
	if right := printable.NearestNames(name, names); len(right) > 0 {
		return assay.UsageError(assay.CodeNoMachine, fmt.Sprintf("%s; did you mean %q?", text, right[0]), "--on="+right[0])
	}
	address := assay.SSHScheme + name
	return assay.NewError(assay.ExitUsage, assay.CodeNoMachine, text,
		[]string{fmt.Sprintf("a machine has two lines there: [%s] and host = %q", name, address)}, "--on="+address+", which needs no file; or --on="+assay.AgentScheme+name+", for a machine of a hub")
}

// Locate replaces names of machines by their addresses, and adds what the user's file
// says of them. The stricter requirement holds. Errors are those of Find; a machine given
// twice has the same code.
func Locate(hosts []assay.Host) ([]assay.Host, error) {
	hosts = slices.Clone(hosts)
	for i, h := range hosts {
		if h.Named() {
			known, err := Find(h.Address)
			if err != nil {
				return nil, err
			}
			hosts[i].Address, hosts[i].Pool, hosts[i].GOARCH = known.Address, known.Pool, cmp.Or(h.GOARCH, known.GOARCH)
			hosts[i].Exclusive = h.Exclusive || known.Exclusive
			hosts[i].Require = stricter(h.Require, known.Require)
		}
		same := func(o assay.Host) bool {
			return o.Address == hosts[i].Address && o.GOARCH == hosts[i].GOARCH && reflect.DeepEqual(o.Pool, hosts[i].Pool)
		}
		if j := slices.IndexFunc(hosts[:i], same); j >= 0 {
			return nil, assay.UsageError(assay.CodeNoMachine, fmt.Sprintf("%s and %s are one machine, %s", hosts[j].Label, h.Label, hosts[i].Address), "name one of them")
		}
	}
	return hosts, nil
}

// stricter returns what satisfies both, but for the power, where a's counts.
func stricter(a, b assay.Require) assay.Require {
	a.Power, a.CPUs = cmp.Or(a.Power, b.Power), max(a.CPUs, b.CPUs)
	for _, tool := range b.Tools {
		if !slices.Contains(a.Tools, tool) {
			a.Tools = append(slices.Clip(a.Tools), tool)
		}
	}
	if a.Noise == 0 || b.Noise != 0 && b.Noise < a.Noise {
		a.Noise = b.Noise
	}
	return a
}

// NameOf returns what to type after --on for a host: its name in the user's file, else its
// address.
func NameOf(h assay.Host) string {
	if h.Local() {
		return assay.LocalAddress
	}
	if known, err := Find(h.Label); err == nil && known.Address == h.Address {
		return h.Label
	}
	return h.Address
}
