package hub

import (
	"context"
	"fmt"
	"strings"
)

// ServerConfig returns the members of a hub, and the hub itself, as the section of a
// nats-server's configuration, for an operator who has NATS already.
func (f *Folder) ServerConfig() (string, error) {
	members, err := f.Members()
	if err != nil {
		return "", err
	}
	own, _, err := f.own()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("authorization {\n  users: [\n")
	for _, m := range append([]Member{own}, members...) {
		p := PermissionsOf(m.Role, m.Name)
		fmt.Fprintf(&b, "    # %s %s\n    { nkey: %s, permissions: {\n", m.Role, m.Name, m.Key)
		fmt.Fprintf(&b, "        publish: { allow: [%s] }\n", quoted(p.Publish))
		fmt.Fprintf(&b, "        subscribe: { allow: [%s] }\n", quoted(p.Subscribe))
		if p.Responses {
			fmt.Fprintf(&b, "        allow_responses: { max: 1, expires: %q }\n", responseTime)
		}
		b.WriteString("    } }\n")
	}
	b.WriteString("  ]\n}\n")
	return b.String(), nil
}

// quoted returns subjects as a list, each on a line of its own if there are several.
func quoted(subjects []string) string {
	var list []string
	for _, s := range subjects {
		list = append(list, fmt.Sprintf("%q", s))
	}
	if len(list) == 1 {
		return list[0]
	}
	return "\n          " + strings.Join(list, "\n          ") + "\n        "
}

// PrepareAt makes the streams on an operator's own NATS, whose configuration has
// ServerConfig. ca is as in Join.
func (f *Folder) PrepareAt(ctx context.Context, urls []string, ca string, replicas int, keep int64) error {
	members, err := f.Members()
	if err != nil {
		return err
	}
	own, seed, err := f.own()
	if err != nil {
		return err
	}
	c, err := Connect(Join{Name: own.Name, Role: own.Role, URLs: urls, Seed: string(seed), CA: ca}, false, func(string) {})
	if err != nil {
		return fmt.Errorf("connect to %s: %s", strings.Join(urls, ", "), explain(err))
	}
	defer c.Close()
	return Prepare(ctx, c.JS, Streams{Members: members, Replicas: replicas, Keep: keep})
}
