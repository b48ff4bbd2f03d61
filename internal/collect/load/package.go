package load

import "path"

// packages are those of Debian 12 and of Homebrew that have a program.
var packages = map[string][2]string{
	"ab":              {"apache2-utils", "httpd"},
	"ghz":             {"", "ghz"},
	"hey":             {"hey", "hey"},
	"k6":              {"", "k6"},
	"oha":             {"", "oha"},
	"pgbench":         {"postgresql", "libpq"},
	"redis-benchmark": {"redis-tools", "redis"},
	"sysbench":        {"sysbench", "sysbench"},
	"vegeta":          {"", "vegeta"},
	"wrk":             {"wrk", "wrk"},
}

// Package names the packages of Debian 12 and Homebrew that have a load
// generator; "" where there is none or none is known. program may be a path.
func Package(program string) (debian, homebrew string) {
	p := packages[path.Base(program)]
	return p[0], p[1]
}
