// Package web holds the report page's script and style, built from web/src by
// "make web" and kept in the repository, so that nobody needs node to build assay.
package web

import _ "embed"

// Style is the style of a page before its script runs, and without one. The bundles of
// the script bring the rest.
//
//go:embed dist/static.css
var Style string

// The bundles of the page's script. A page carries Core and those that its data need.
var (
	//go:embed dist/core.js
	Core string
	// Many is for more than one variant beside the base.
	//
	//go:embed dist/many.js
	Many string
	// Steps is for a chain of steps.
	//
	//go:embed dist/steps.js
	Steps string
	// Services is for servers under load and for the collector.
	//
	//go:embed dist/services.js
	Services string
	// Why is for explanations.
	//
	//go:embed dist/why.js
	Why string
	// Replay is for the frames of a run.
	//
	//go:embed dist/replay.js
	Replay string
)
