// The frozen suite: these benchmarks are laid over every step, and no step may
// change them. They use the exported API only, and check nothing but errors: the
// package's own tests say what is right.
package lex_test

import (
	"strings"
	"testing"

	"example.com/arc/lex"
)

// The results stay alive here, so that no benchmark is optimised away.
var (
	tokens []lex.Token
	text   string
	path   []string
)

// A form that someone fills in: 6 lines, as at the start of most programs.
const smallText = `# limits of one tenant
queue ingest {
    limit = 2_000 * (tenants + 1)
    name = "acme"
    enabled = true
}
`

// A section of a real configuration, a little of everything.
const section = `
# Section of the batch workers. Weights are relative to each other; what is
# left out is taken from the defaults at the end.
queue reports when region == "eu-west" && !paused {
    limit   = base_limit * 1.5e3 + 200   # requests a second
    weight  = (tenants[0].weight + tenants[1].weight) / 2
    timeout = 30 * seconds
    title   = "Reports of \"Grüne Wiese\" & partners\n"
    path    = ["reports", "daily", "v2"]
    retries = 3; backoff = 0x1f
}
`

const numbersText = `table = [
    0, 1, 2, 3, 10, 42, 100, 255, 1_000, 65_536,
    0x0, 0xff, 0xdead_beef, 0.5, 3.14159, 2.5e3, 6.02e23, 1e-9,
    12.75, 99.9, 1_000_000, 7, 8, 9, 1.0, 1.25e-2, 86400, 3600
]
`

const stringsText = `names = [
    "plain", "two words", "a longer piece of text without anything special in it",
    "Zürich", "naïve café", "日本語の文字列", "tab\there", "line\nend\n", "say \"hello\"",
    "C:\\queues\\ingest", "\u00e9\u20ac", "", "x", "another plain one, somewhat longer"
]
`

const commentsText = `# ----------------------------------------------------------------------------
# This file is kept by hand. Each section says who asked for it, and why; the
# history of the numbers is in the tracker, the reasons for their size in the
# capacity plan. Größen in Byte, Zeiten in Sekunden.

# A section that is switched off:
#   queue reports {
#       limit = 200
#   }
x = 1   # what is left of the old format; see the note at the end of this file
`

const badText = `queue ingest $ {
    limit = 12ab + 1__0 @ 0x
    name = "not closed
    title = "bad \q escape" ? "\u12" ~ 3
    weight = 1.2.3 & 4 | "\ud800"
}
`

func benchmarkTokens(b *testing.B, src string) {
	b.ReportAllocs()
	for range b.N {
		t, err := lex.Tokens(src)
		if err != nil {
			b.Fatal(err)
		}
		tokens = t
	}
}

func BenchmarkTokens(b *testing.B) {
	for _, input := range []struct{ name, src string }{
		{"small", smallText},
		{"large", strings.Repeat(section, 5)},
		{"numbers", strings.Repeat(numbersText, 4)},
		{"strings", strings.Repeat(stringsText, 4)},
		{"comments", strings.Repeat(commentsText, 4)},
	} {
		b.Run(input.name, func(b *testing.B) { benchmarkTokens(b, input.src) })
	}
}

// BenchmarkErrors reads a text that is full of mistakes, and prints them.
func BenchmarkErrors(b *testing.B) {
	src := strings.Repeat(badText, 4)
	b.ReportAllocs()
	for range b.N {
		_, err := lex.Tokens(src)
		if err == nil {
			b.Fatal("got no error")
		}
		text = err.Error()
	}
}

func BenchmarkFormat(b *testing.B) {
	src := strings.Repeat(section, 4)
	b.ReportAllocs()
	for range b.N {
		s, err := lex.Format(src)
		if err != nil {
			b.Fatal(err)
		}
		text = s
	}
}

// BenchmarkPath makes the path of each queue, writes it and reads it again.
func BenchmarkPath(b *testing.B) {
	components := []string{"ingest", "reports", "batch-workers", "mail"}
	tenants := []string{"acme", "grüne wiese", "a/b testing", "100% organic", "tenant-0000017"}
	b.ReportAllocs()
	for range b.N {
		for _, component := range components {
			for _, tenant := range tenants {
				path = lex.QueuePath(component, tenant)
				text = lex.JoinPath(path)
				p, err := lex.SplitPath(text)
				if err != nil {
					b.Fatal(err)
				}
				path = p
			}
		}
	}
}
