package host

import (
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/seed-1318a441/assay/internal/host/system"
)

func TestLinuxID(t *testing.T) {
	const id = "0123456789abcdef0123456789abcdef"
	for _, test := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"machine-id", map[string]string{"etc/machine-id": id + "\n", "var/lib/dbus/machine-id": strings.Repeat("a", 32)}, id},
		{"of D-Bus", map[string]string{"etc/machine-id": "", "var/lib/dbus/machine-id": id}, id},
		{"not drawn yet", map[string]string{"etc/machine-id": "uninitialized\n"}, ""},
		{"zeros", map[string]string{"etc/machine-id": strings.Repeat("0", 32)}, ""},
		{"the first card", map[string]string{
			"sys/class/net/enp3s0/address": "00:1b:21:aa:bb:cc\n", "sys/class/net/enp3s0/device": "",
			"sys/class/net/enp4s0/address": "00:1b:21:aa:bb:cd\n", "sys/class/net/enp4s0/device": "",
			"sys/class/net/br0/address": "00:1b:21:aa:bb:cb\n",
		}, "00:1b:21:aa:bb:cc"},
		{"a made up card", map[string]string{"sys/class/net/eth0/address": "02:fc:00:00:00:01", "sys/class/net/eth0/device": ""}, ""},
		{"no card", map[string]string{"sys/class/net/lo/address": "00:00:00:00:00:00", "sys/class/net/lo/device": ""}, ""},
		{"nothing", nil, ""},
	} {
		files := fstest.MapFS{}
		for name, text := range test.files {
			files[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := linuxID(system.Files{FS: files}); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestMacID(t *testing.T) {
	const text = `+-o J314sAP  <class IOPlatformExpertDevice, id 0x100000227>
    {
      "IOPlatformSerialNumber" = "XXXXXXXXXX"
      "IOPlatformUUID" = "A1B2C3D4-0000-1111-2222-333344445555"
    }
`
	if got, want := macID(text), "A1B2C3D4-0000-1111-2222-333344445555"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := macID("command not found"); got != "" {
		t.Errorf("got %q of nothing", got)
	}
}

// The hash must stay: with another one every machine would look new.
func TestHashedID(t *testing.T) {
	const id = "0123456789abcdef0123456789abcdef"
	got := hashedID(id)
	if !regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(got) || strings.Contains(got, id[:8]) {
		t.Errorf("got %q", got)
	}
	// printf 'assay host 1' | openssl dgst -sha256 -hmac 0123456789abcdef0123456789abcdef
	if want := "58e2e312b5a3843a15408eb8aca8caee"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if hashedID("") != "" {
		t.Error("no ID has a hash")
	}
}
