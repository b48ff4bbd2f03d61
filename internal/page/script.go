package page

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/memo"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/web"
)

// policy is the page's Content-Security-Policy: it allows the page's two scripts, and
// nothing from elsewhere, since strangers wrote the names and stories of a page.
const policy = "default-src 'none'; script-src %s; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'"

// loader unpacks the page's script and runs it. The script and the data are in the page as
// base64 of gzip, as they would be most of the file otherwise. The policy has the hashes
// of both scripts. assayText is for this one and for main.tsx.
//
// Unpacking takes a few turns, and the browser would call the page loaded, and print it,
// before anything is drawn. An open document in a hidden frame keeps it waiting; the
// script removes the frame when it has drawn the page (web/src/main.tsx).
const loader = `(async d=>{const bytes=t=>Uint8Array.from(atob(t),c=>c.charCodeAt(0)),f=d.createElement("iframe"),s=d.createElement("script");` +
	`globalThis.assayText=id=>new Response(new Blob([bytes(d.getElementById(id).textContent.trim())]).stream().pipeThrough(new DecompressionStream("gzip"))).text();` +
	`f.id="assay-wait";f.hidden=true;d.body.append(f);f.contentDocument?.open();` +
	`try{s.textContent=await assayText("assay-script");d.body.append(s)}catch(e){f.remove();throw e}})(document)`

// script returns the bundles of the script that the data of the page need.
func (p *Page) script() string {
	var many, steps, services, why bool
	for i := range p.Machines {
		r := &p.Machines[i].Result
		many = many || len(r.Variants) > 2 || r.Tradeoff != nil || r.Race != nil
		steps = steps || r.Arc != nil
		services = services || len(r.Latencies) > 0 || len(r.GCs) > 0 || hasTable(r, isService) || hasTable(r, sheet.IsGC)
		why = why || len(r.Explanations) > 0
	}
	bundles := []string{web.Core}
	for _, b := range []struct {
		needed bool
		script string
	}{{many, web.Many}, {steps, web.Steps}, {services, web.Services}, {why, web.Why}, {len(p.Replays) > 0, web.Replay}} {
		if b.needed {
			bundles = append(bundles, b.script)
		}
	}
	return strings.Join(bundles, "\n")
}

func isService(metric string) bool { return assay.IsLatency(metric) || metric == assay.MetricRequests }

func hasTable(r *assay.Result, is func(string) bool) bool {
	return slices.ContainsFunc(r.Tables, func(t assay.Table) bool { return is(t.Metric.Name) })
}

// packedScripts are those packed so far: there are few, and many pages of a gallery have
// the same one.
var packedScripts memo.Map[string]

// scripts returns the elements with a script and its loader, and the policy that lets a
// browser run only these two.
func scripts(script string) (elements, csp string, err error) {
	packed, err := packedScripts.Do(script, func() (string, error) { return packedText([]byte(script)) })
	if err != nil {
		return "", "", err
	}
	elements = "<script type=\"text/plain\" id=\"assay-script\">" + packed + "</script>\n<script>" + loader + "</script>\n"
	return elements, fmt.Sprintf(policy, hashOf(loader)+" "+hashOf(script)), nil
}

func hashOf(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// packedText returns base64 of gzip, which has neither time nor name, so that the same
// bytes give the same text.
func packedText(data []byte) (string, error) {
	var b strings.Builder
	text := base64.NewEncoder(base64.StdEncoding, &b)
	z, err := gzip.NewWriterLevel(text, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := z.Write(data); err != nil {
		return "", err
	}
	err = errors.Join(z.Close(), text.Close())
	return b.String(), err
}
