package main

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/pflag"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/httpload"
)

// serve starts a server for a script, whose address is $SERVER. It answers /ok
// and, with a status of 503, /busy.
func serve(ts *testscript.TestScript, neg bool, args []string) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/busy":
			w.WriteHeader(http.StatusServiceUnavailable)
		case r.URL.Path == "/post" && (r.Method != http.MethodPost || r.Header.Get("X-Level") != "3" || r.ContentLength != 2):
			w.WriteHeader(http.StatusBadRequest)
		}
	}))
	ts.Defer(s.Close)
	ts.Setenv("SERVER", s.URL)
}

// TestLoadArguments: what lab runs as a process is the load that it means.
func TestLoadArguments(t *testing.T) {
	for name, want := range map[string]assay.HTTPLoad{
		"short": {URL: "http://127.0.0.1:8080/", Rate: 500, Duration: 10 * time.Second},
		"all": {
			URL: "https://[::1]:80/a?b=c&d=e f", Method: "PUT", Body: "--json {\"a\": 'b'}\nc\x00", Rate: 1.0 / 3, Duration: 90 * time.Second,
			Warmup: 1500 * time.Microsecond, Connections: 7, Timeout: time.Minute,
			Headers: map[string]string{"Accept": "text/html, */*;q=0.8", "X-Colon": "a:b", "X-Empty": "", "Cookie": "a=b"},
		},
		"fast":     {URL: "http://x", Rate: 123456.75, Duration: time.Second},
		"dash":     {URL: "http://x", Method: "-X", Body: "-", Rate: 1, Duration: time.Second, Headers: map[string]string{"-X": "-y"}},
		"slow one": {URL: "http://x/", Rate: 0.001, Duration: time.Hour},
	} {
		args := httpload.Args(want)
		var got loadFlags
		f := pflag.NewFlagSet(args[0], pflag.ContinueOnError)
		got.register(f)
		if err := f.Parse(args[1:]); err != nil {
			t.Errorf("%s: %q: %v", name, args, err)
			continue
		}
		if err := got.read(f.Args()); err != nil {
			t.Errorf("%s: %q: %v", name, args, err)
		}
		if args[0] != "load" || !got.json || !reflect.DeepEqual(got.HTTPLoad, want) {
			t.Errorf("%s: %q\ngot  %+v\nwant %+v", name, args, got.HTTPLoad, want)
		}
	}
}
