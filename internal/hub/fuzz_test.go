package hub

import (
	"reflect"
	"testing"

	"github.com/nats-io/nkeys"
)

// FuzzJoin reads join files: what can be read is written as it was read.
func FuzzJoin(f *testing.F) {
	kp, err := nkeys.FromRawSeed(nkeys.PrefixByteUser, make([]byte, 32))
	if err != nil {
		f.Fatal(err)
	}
	seed, err := kp.Seed()
	if err != nil {
		f.Fatal(err)
	}
	public, err := kp.PublicKey()
	if err != nil {
		f.Fatal(err)
	}
	badge, err := kp.Sign(badgeText("m4", public))
	if err != nil {
		f.Fatal(err)
	}
	data, err := Join{Name: "m4", Role: RoleAgent, URLs: []string{"tls://hub.lan:4222", "nats://localhost"}, Seed: string(seed), Hub: public, Badge: badge}.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(data))
	f.Add("name = 'x'\nrole = 'user'\nurls = ['nats://[::1]:0']\nseed = ''\n")
	f.Fuzz(func(t *testing.T, text string) {
		j, err := parseJoin([]byte(text))
		if err != nil {
			return
		}
		data, err := j.encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := parseJoin(data)
		if err != nil || !reflect.DeepEqual(again, j) {
			t.Errorf("got %+v, %v, want %+v", again, err, j)
		}
	})
}
