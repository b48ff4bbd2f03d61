package hub

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nkeys"
)

// Whoever may read a message of a NATS server can have it delivered on any subject. So the
// subject of a message does not say who has written it: agents sign what others rely on,
// their results and what they say of themselves, and the hub signs the keys of agents.

// What an agent signs.
const (
	AboutState  = "state"
	AboutResult = "result"
)

// sealed is something that an agent has said and signed.
type sealed struct {
	Said json.RawMessage `json:"said"`
	// Key is the agent's public key, Badge the hub's signature of it.
	Key       string `json:"key"`
	Badge     []byte `json:"badge"`
	Signature []byte `json:"signature"`
}

// ErrForged means that something is not by the agent whose it is said to be.
var ErrForged = errors.New("it is not signed by that agent")

// badgeText is what a hub signs of an agent, signedText what an agent signs of what it says.
func badgeText(agent, key string) []byte { return signedText(agent, "key", []byte(key)) }

func signedText(agent, about string, said []byte) []byte {
	return bytes.Join([][]byte{[]byte("assay"), []byte(about), []byte(agent), said}, []byte{0})
}

// Seal returns what an agent says, signed by it.
func (j Join) Seal(about string, said any) ([]byte, error) {
	data, err := json.Marshal(said)
	if err != nil {
		return nil, fmt.Errorf("sign: %w", err)
	}
	key, err := publicKey([]byte(j.Seed))
	if err != nil {
		return nil, err
	}
	signature, err := sign([]byte(j.Seed), signedText(j.Name, about, data))
	if err != nil {
		return nil, fmt.Errorf("sign: %w", err)
	}
	return json.Marshal(sealed{Said: data, Key: key, Badge: j.Badge, Signature: signature})
}

// Open reads what an agent of the member's hub has said. ErrForged means that another one
// has written it.
func (j Join) Open(agent, about string, message []byte, said any) error {
	var s sealed
	if err := json.Unmarshal(message, &s); err != nil {
		return err
	}
	if !signed(j.Hub, badgeText(agent, s.Key), s.Badge) || !signed(s.Key, signedText(agent, about, s.Said), s.Signature) {
		return ErrForged
	}
	return json.Unmarshal(s.Said, said)
}

// signed reports whether a signature is by the owner of a public key.
func signed(key string, text, signature []byte) bool {
	kp, err := nkeys.FromPublicKey(key)
	return err == nil && kp.Verify(text, signature) == nil
}

// publicKey returns the public key of a seed.
func publicKey(seed []byte) (string, error) {
	kp, err := nkeys.FromSeed(seed)
	if err != nil {
		return "", fmt.Errorf("read key: %w", err)
	}
	defer kp.Wipe()
	return kp.PublicKey()
}
