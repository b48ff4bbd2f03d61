// Package manual writes the manual of a program for man(1) from its commands' help texts.
package manual

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed-1318a441/assay"
)

// A page is in roff. Texts of --help keep their lines: their tables are made for columns,
// and other page generators, which read them as Markdown, would run them into paragraphs.
type page struct{ strings.Builder }

// commands returns the commands that the manual lists.
func commands(root *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(root.Commands()), func(c *cobra.Command) bool { return !c.IsAvailableCommand() && c.Name() != "help" })
}

// Write writes all commands into one page.
func Write(w io.Writer, root *cobra.Command) error {
	var p page
	p.overview(root)
	for _, c := range commands(root) {
		fmt.Fprintf(&p, ".SS %s\n", Escape(c.CommandPath()))
		p.command(c)
	}
	p.end(root)
	_, err := io.WriteString(w, p.String())
	return err
}

// WriteFiles writes a page for every command, and one that lists them.
func WriteFiles(dir string, root *cobra.Command) error {
	var all page
	all.overview(root)
	errs := []error{}
	for _, c := range commands(root) {
		fmt.Fprintf(&all, ".TP\n\\fBassay\\-%s\\fR(1)\n%s\n", Escape(c.Name()), Escape(c.Short))
		var p page
		p.top(c)
		p.section("DESCRIPTION")
		p.command(c)
		p.end(root)
		errs = append(errs, os.WriteFile(filepath.Join(dir, "assay-"+c.Name()+".1"), []byte(p.String()), 0o666))
	}
	all.end(root)
	return errors.Join(append(errs, os.WriteFile(filepath.Join(dir, "assay.1"), []byte(all.String()), 0o666))...)
}

// overview begins the page of all commands, up to their list.
func (p *page) overview(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	p.top(root)
	p.section("SYNOPSIS")
	p.text("assay COMMAND [flags] [arguments]")
	p.section("DESCRIPTION")
	p.text(root.Long)
	p.section("COMMANDS")
}

// top begins the page of a command. It has no date, so that the same program writes the
// same page on any day.
func (p *page) top(c *cobra.Command) {
	name := strings.ReplaceAll(c.CommandPath(), " ", "-")
	fmt.Fprintf(p, ".TH %s 1 \"\" \"assay %s\" \"User Commands\"\n", strings.ToUpper(Escape(name)), Escape(assay.Version()))
	p.section("NAME")
	fmt.Fprintf(p, "%s \\- %s\n", Escape(name), Escape(c.Short))
}

func (p *page) section(title string) { fmt.Fprintf(p, ".SH %s\n", title) }

// command writes the help of a command.
func (p *page) command(c *cobra.Command) {
	use := c.UseLine()
	if c.DisableFlagsInUseLine {
		use = strings.TrimSuffix(use, " [flags]")
	}
	p.text(use)
	p.text(cmp.Or(c.Long, c.Short+"."))
	if c.HasAvailableLocalFlags() {
		c.LocalNonPersistentFlags().VisitAll(p.flag)
	}
	if c.Example != "" {
		p.text(c.Example)
	}
}

func (p *page) flag(f *pflag.Flag) {
	if f.Hidden {
		return
	}
	value, usage := pflag.UnquoteUsage(f)
	name := "\\fB\\-\\-" + Escape(f.Name) + "\\fR"
	if f.Shorthand != "" {
		name = "\\fB\\-" + f.Shorthand + "\\fR, " + name
	}
	if value != "" {
		name += "=\\fI" + Escape(value) + "\\fR"
	}
	if d := f.DefValue; d != "" && d != "false" && d != "0" && d != "0s" && d != "[]" {
		usage += " (default " + d + ")"
	}
	fmt.Fprintf(p, ".TP\n%s\n%s\n", name, Escape(usage))
}

// end writes the sections that end every page.
func (p *page) end(root *cobra.Command) {
	p.section("OPTIONS OF ALL COMMANDS")
	root.PersistentFlags().VisitAll(p.flag)
	p.section("EXIT STATUS")
	for _, s := range exitStatuses {
		fmt.Fprintf(p, ".TP\n%d\n%s\n", s.code, Escape(s.meaning))
	}
	p.section("FILES")
	fmt.Fprintf(p, ".TP\n\\&.assay\nThe runs that are kept, unless \\-\\-store says otherwise.\n")
	p.section("SEE ALSO")
	p.text("assay help CODE explains the code in brackets behind a message.")
}

// exitStatuses summarises docs/cli.md.
var exitStatuses = []struct {
	code    int
	meaning string
}{
	{0, "measured; if there is a gate, it held"},
	{1, "a gate failed: a change for the worse beyond it is proved"},
	{2, "wrong use: flags, study file, unknown variant, missing files"},
	{3, "the gate could not be decided"},
	{4, "a variant did not build, no benchmark matched, or one failed"},
	{5, "refused: this machine cannot measure this, or a file cannot be read or written"},
	{130, "interrupted; finished blocks are kept, and the same command resumes"},
}

// text writes lines as they are.
func (p *page) text(text string) {
	p.WriteString(".PP\n.nf\n")
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		p.WriteString(Escape(line) + "\n")
	}
	p.WriteString(".fi\n")
}

// Escape escapes a text so that roff prints it unchanged.
func Escape(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
