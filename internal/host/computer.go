package host

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	gohost "github.com/shirou/gopsutil/v4/host"

	"github.com/seed-1318a441/assay/internal/host/system"
)

// computer identifies this computer among those of its model, "" if nothing does. What
// systems call the machine's ID is a secret (machine-id(5)), so it is the key of a hash
// here, from which nobody finds it.
func computer(ctx context.Context) string {
	switch runtime.GOOS {
	case "linux":
		return hashedID(linuxID(system.Here))
	case "darwin":
		return hashedID(macID(system.Output(ctx, "ioreg", "-rd1", "-c", "IOPlatformExpertDevice")))
	}
	id, _ := gohost.HostIDWithContext(ctx) // "" if it fails
	return hashedID(id)
}

// hashedID returns 128 bits of the hash of a machine's ID as hex digits, "" for none.
func hashedID(id string) string {
	if id == "" {
		return ""
	}
	h := hmac.New(sha256.New, []byte(id))
	h.Write([]byte("assay host 1"))
	return hex.EncodeToString(h.Sum(nil)[:16])
}

var machineID = regexp.MustCompile(`^[0-9a-f]{32}$`)

// linuxID returns the ID that the system drew at its installation. Where there is none,
// as in minimal images, it is the address that a manufacturer gave to a network card.
func linuxID(s system.Files) string {
	for _, file := range []string{"etc/machine-id", "var/lib/dbus/machine-id"} {
		if id := s.Read(file); machineID.MatchString(id) && strings.Trim(id, "0") != "" {
			return id
		}
	}
	for _, address := range s.Names("sys/class/net/*/address") {
		// A card has a device; bridges, tunnels and the loopback have none.
		if mac := s.Read(address); ofManufacturer(mac) && len(s.Names(path.Join(path.Dir(address), "device"))) > 0 {
			return mac
		}
	}
	return ""
}

// ofManufacturer reports whether an address is the only one of its kind. Hypervisors and
// containers make up theirs, with the bit for that (IEEE 802).
func ofManufacturer(mac string) bool {
	first, _, ok := strings.Cut(mac, ":")
	n, err := strconv.ParseUint(first, 16, 8)
	const group, local = 1, 2
	return ok && err == nil && n&(group|local) == 0 && strings.Trim(mac, "0:") != ""
}

// macID finds the line "IOPlatformUUID" = "..." in the output of ioreg.
func macID(text string) string {
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(line, "="); ok && strings.Contains(name, `"IOPlatformUUID"`) {
			return strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return ""
}
