// Package slow marks the tests that take long and rarely break. "make test" leaves
// them out, "make test-slow" runs them and no others.
//
// Such a test is called TestSlow…, so that go test can choose it, and begins with
// slow.Test(t). It does not stand alone: a quick test of the same package holds
// what breaks more often.
package slow

import (
	"os"
	"strings"
	"testing"
)

// The environment variables that "make test-slow" sets.
const (
	wanted     = "ASSAY_TEST_SLOW"
	toolchains = "ASSAY_TEST_TOOLCHAINS"
)

// Test skips a slow test, unless slow tests are asked for.
func Test(t *testing.T) {
	t.Helper()
	if !strings.HasPrefix(t.Name(), "TestSlow") {
		t.Fatalf("%s is slow: call it TestSlow..., by which make test-slow finds it", t.Name())
	}
	if os.Getenv(wanted) == "" {
		t.Skip("slow: make test-slow runs it")
	}
}

// Toolchains are those that tests build with beside the one in the PATH, such as
// go1.25.7. They have been fetched.
func Toolchains(t *testing.T) []string {
	t.Helper()
	list := strings.Fields(os.Getenv(toolchains))
	if len(list) == 0 {
		t.Fatalf("%s names no toolchains: make test-slow sets it", toolchains)
	}
	return list
}
