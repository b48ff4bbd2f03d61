package load

import "path"

// packages are the packages of Debian 12 and of Homebrew with a program.
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

// Package returns the packages of Debian 12 and Homebrew that contain a load generator;
// "" if none is known. program may be a path.
func Package(program string) (debian, homebrew string) {
	p := packages[path.Base(program)]
	return p[0], p[1]
}
