package remote

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A mute is an agent that never answers.
type mute struct{ Link }

func (mute) Call(ctx context.Context, _ Operation, _, _ any, _ func(json.RawMessage) error) error {
	<-ctx.Done()
	return ctx.Err()
}

func (mute) Close() error { return nil }

// Who waits for an agent that does not answer hears so, once.
func TestMuteAgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said []string
		m := &Machine{opt: Options{Name: "box", Say: func(text string) { said = append(said, text) }, Link: func(context.Context) (Link, error) { return mute{}, nil }}}
		ctx, cancel := context.WithTimeout(t.Context(), mostSilence)
		defer cancel()
		began := time.Now()
		if err := m.connect(ctx); err == nil {
			t.Fatal("it is connected")
		}
		if len(said) != 1 || !strings.HasPrefix(said[0], "assay: box: the agent there does not answer yet") || time.Since(began) != mostSilence {
			t.Errorf("said %q in %v", said, time.Since(began))
		}
	})
}
