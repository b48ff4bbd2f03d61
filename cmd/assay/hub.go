package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/hub"
	"github.com/seed-1318a441/assay/internal/terminal"
	"github.com/seed-1318a441/assay/internal/usage"
)

func newHub(c *console) *cobra.Command {
	var dir string
	keep := usage.Size(20e9)
	var opt hub.Options
	cmd := &cobra.Command{
		Use:   "hub [flags]",
		Short: "Serve a hub, through which many users share machines",
		Long: "Serve a hub until Ctrl-C. Agents of machines (assay agent --join FILE) and users\n(assay run --on=agent:NAME) meet there. It carries work and results, and keeps no\nrecord: what it loses is sent again.\n\n" +
			"A hub listens on this computer only, unless --listen says otherwise; then everything\nis encrypted. Who has a user's key can run code on every machine: docs/fleet.md.",
		Example: "  assay hub\n  assay hub --listen=:4222 --name=hub.example.com\n  assay hub add agent m4\n  assay hub add user ci",
		Args:    atMost(0),
	}
	fs := cmd.Flags()
	cmd.PersistentFlags().StringVar(&dir, "dir", "", "`DIR` of the hub's keys and members (default: in ~/.local/state/assay)")
	fs.StringVar(&opt.Listen, "listen", "", "listen at `[HOST]:PORT` (default 127.0.0.1:4222)")
	fs.StringArrayVar(&opt.Names, "name", nil, "`HOST` that members reach this computer by; may be repeated (default: its host name)")
	fs.Var(&keep, "keep", "largest `SIZE` on disk")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		opt.Keep = int64(keep)
		h, err := hub.Open(dir)
		if err != nil {
			return err
		}
		ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		return h.Serve(ctx, opt, c.say())
	}
	cmd.AddCommand(newHubAdd(c, &dir), newHubRemove(&dir), newHubList(c, &dir), newHubPermissions(c, &dir), newHubPrepare(&dir))
	return cmd
}

// say returns what prints a line to stderr, in the characters of the locale.
func (c *console) say() func(string) {
	return func(text string) { fmt.Fprintln(c.stderr, c.err().Text(text)) }
}

// registerURL adds the flags that say where a hub is.
func registerURL(fs *pflag.FlagSet, urls *[]string, ca *string) {
	fs.StringArrayVar(urls, "url", nil, "`URL` of the hub, such as tls://hub.example.com:4222; may be repeated")
	fs.StringVar(ca, "ca", "", "`FILE` with the certificate that your own NATS is signed with (default: assay's, or those that the system trusts)")
}

func newHubAdd(c *console, dir *string) *cobra.Command {
	var urls []string
	var ca, out string
	cmd := &cobra.Command{
		Use:   "add agent|user NAME [flags]",
		Short: "Add a member to the hub, and write the file that it joins with",
		Long: "Add the agent of a machine, or a user, and write NAME.join, which only they may have.\n" +
			"A user can run code on every machine of the hub. An agent has the work of its own\nmachine, and makes its results.",
		Example: "  assay hub add agent m4\n  assay hub add user ci -o ci.join",
		Args:    exactly("agent|user", "NAME"),
	}
	registerURL(cmd.Flags(), &urls, &ca)
	cmd.Flags().StringVarP(&out, "output", "o", "", "write `FILE` (default NAME.join)")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if args[0] != "agent" && args[0] != "user" {
			return assay.UsageError(assay.CodeFlags, fmt.Sprintf("%q is neither agent nor user", args[0]), "assay hub add agent "+args[1])
		}
		h, err := hub.Open(*dir)
		if err != nil {
			return err
		}
		lines, err := h.Add(args[0], args[1], urls, ca, out)
		c.printAll(lines)
		return err
	}
	return cmd
}

func newHubRemove(dir *string) *cobra.Command {
	cmd := &cobra.Command{Use: "remove NAME", Short: "Remove a member; its connections end", Args: exactly("NAME")}
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		h, err := hub.Open(*dir)
		if err != nil {
			return err
		}
		return h.Remove(args[0])
	}
	return cmd
}

func newHubList(c *console, dir *string) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "list", Short: "List the members of the hub", Args: atMost(0)}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print them as JSON")
	cmd.RunE = func(*cobra.Command, []string) error {
		h, err := hub.Open(*dir)
		if err != nil {
			return err
		}
		members, err := h.Members()
		switch {
		case err != nil:
			return err
		case asJSON:
			e := json.NewEncoder(c.stdout)
			e.SetIndent("", "\t")
			return e.Encode(members)
		case len(members) == 0:
			c.print("the hub has no members: assay hub add agent NAME, assay hub add user NAME")
			return nil
		}
		rows := [][]string{{"name", "role", "added", "key"}}
		for _, m := range members {
			rows = append(rows, []string{m.Name, string(m.Role), m.Added.Local().Format(time.DateTime), m.Key[:12]})
		}
		c.printAll(terminal.Table(rows))
		return nil
	}
	return cmd
}

func newHubPermissions(c *console, dir *string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "permissions",
		Short: "Print the configuration for a NATS server of your own",
		Long: "Print the section \"authorization\" of a nats-server's configuration: each member with\nthe subjects that it may use. With it, your own NATS with JetStream takes the place of\n" +
			"assay hub. Set sync_interval: always there, and make the streams by\nassay hub prepare.",
		Args: atMost(0),
	}
	cmd.RunE = func(*cobra.Command, []string) error {
		h, err := hub.Open(*dir)
		if err != nil {
			return err
		}
		text, err := h.Permissions()
		for line := range strings.Lines(text) {
			c.print(strings.TrimSuffix(line, "\n"))
		}
		return err
	}
	return cmd
}

func newHubPrepare(dir *string) *cobra.Command {
	var urls []string
	var ca string
	keep := usage.Size(20e9)
	var replicas int
	cmd := &cobra.Command{
		Use:     "prepare --url URL",
		Short:   "Make the streams of the hub on a NATS server of your own",
		Long:    "Make the streams of the hub, one for each agent, on a NATS server whose\nconfiguration has what assay hub permissions prints. Do it again after each assay hub add.",
		Example: "  assay hub prepare --url=tls://nats.example.com:4222 --replicas=3",
		Args:    atMost(0),
	}
	registerURL(cmd.Flags(), &urls, &ca)
	cmd.Flags().IntVar(&replicas, "replicas", 1, "`N` copies of each stream")
	cmd.Flags().Var(&keep, "keep", "largest `SIZE` of all streams")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if len(urls) == 0 {
			return assay.UsageError(assay.CodeFlags, "prepare needs --url", "--url=tls://HOST:4222")
		}
		h, err := hub.Open(*dir)
		if err != nil {
			return err
		}
		return h.Prepare(cmd.Context(), urls, ca, replicas, int64(keep))
	}
	return cmd
}
