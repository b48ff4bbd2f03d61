package hub

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Streams says which streams and buckets a hub has.
type Streams struct {
	Members  []Member
	Replicas int
	// Keep is the number of bytes that the hub may keep on disk: half of them are for
	// files, a quarter for results.
	Keep int64
}

// prepareTime is how long a server may take to make a stream. A cluster that has no leader
// yet does not answer.
const prepareTime = 5 * time.Second

// Prepare makes the streams and buckets, or changes them to what they have to be.
func Prepare(ctx context.Context, js jetstream.JetStream, s Streams) error {
	for _, c := range s.configs() {
		err := limited(ctx, func(ctx context.Context) error {
			_, err := js.CreateOrUpdateStream(ctx, c)
			return err
		})
		if err != nil {
			return fmt.Errorf("make stream %s: %w", c.Name, err)
		}
	}
	for bucket, ttl := range map[string]time.Duration{BucketMachines: Kept, BucketQueue: Gone, BucketClaims: Kept} {
		err := limited(ctx, func(ctx context.Context) error {
			_, err := js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: bucket, TTL: ttl, Replicas: s.Replicas, MaxValueSize: MaxInline})
			return err
		})
		if err != nil {
			return fmt.Errorf("make bucket %s: %w", bucket, err)
		}
	}
	return nil
}

// tidy removes what agents that are no members any more have said of themselves.
func tidy(ctx context.Context, js jetstream.JetStream, members []Member) error {
	return limited(ctx, func(ctx context.Context) error {
		kv, err := js.KeyValue(ctx, BucketMachines)
		if err != nil {
			return fmt.Errorf("list machines: %w", err)
		}
		names, err := kv.Keys(ctx)
		if err != nil && !errors.Is(err, jetstream.ErrNoKeysFound) {
			return fmt.Errorf("list machines: %w", err)
		}
		for _, name := range names {
			if slices.ContainsFunc(members, func(m Member) bool { return m.Name == name && m.Role == RoleAgent }) {
				continue
			}
			if err := kv.Delete(ctx, name); err != nil {
				return fmt.Errorf("forget machine %s: %w", name, err)
			}
		}
		return nil
	})
}

func limited(ctx context.Context, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, prepareTime)
	defer cancel()
	return do(ctx)
}

// queued is how long a job waits for its agent. Its submitter publishes it again.
const queued = 24 * time.Hour

func (s Streams) configs() []jetstream.StreamConfig {
	list := []jetstream.StreamConfig{
		{Name: StreamDone, Subjects: []string{"done.>", "part.>"}, MaxAge: Kept, MaxMsgsPerSubject: 1, MaxBytes: s.Keep / 4, AllowDirect: true,
			Discard: jetstream.DiscardOld, DiscardNewPerSubject: false},
		{Name: StreamBlobs, Subjects: []string{"blob.>"}, MaxAge: Kept, MaxMsgsPerSubject: 1, MaxBytes: s.Keep / 2, AllowDirect: true},
	}
	for _, m := range s.Members {
		if m.Role == RoleAgent {
			list = append(list, jetstream.StreamConfig{Name: StreamJobs(m.Name), Subjects: []string{SubjectJob(m.Name, "*")}, Retention: jetstream.WorkQueuePolicy,
				MaxAge: queued, MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, AllowDirect: true})
		}
	}
	for i := range list {
		list[i].Replicas = max(s.Replicas, 1)
	}
	return list
}
