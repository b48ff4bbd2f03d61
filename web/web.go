// Package web holds the report page's script and style, built from web/src by
// "make web" and kept in the repository, so that nobody needs node to build assay.
package web

import _ "embed"

// Script is the page's whole script, Style its style sheet.
var (
	//go:embed dist/report.js
	Script string
	//go:embed dist/report.css
	Style string
)
