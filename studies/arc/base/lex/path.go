package lex

import (
	"fmt"
	"strconv"
	"strings"
)

// QueuePath returns the path of a tenant's queue: the component that the queue
// belongs to, then the tenant. The caller may keep and change it.
func QueuePath(component, tenant string) []string {
	return append([]string{component}, tenant)
}

// JoinPath writes a path as text: each element after a slash, its slashes, percent
// signs and control characters as %XX. SplitPath is its inverse.
func JoinPath(path []string) string {
	var parts []string
	for _, element := range path {
		parts = append(parts, "/"+escapeElement(element))
	}
	return strings.Join(parts, "")
}

// SplitPath returns the elements of a path that JoinPath wrote.
func SplitPath(s string) ([]string, error) {
	if s == "" {
		return nil, nil
	}
	if !strings.HasPrefix(s, "/") {
		return nil, fmt.Errorf("path %q: no slash at its beginning", s)
	}
	var path []string
	for _, part := range strings.Split(s[1:], "/") {
		element, err := unescapeElement(part)
		if err != nil {
			return nil, fmt.Errorf("path %q: %v", s, err)
		}
		path = append(path, element)
	}
	return path, nil
}

func escapeElement(element string) string {
	var b strings.Builder
	for _, c := range []byte(element) {
		if isReserved(c) {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func unescapeElement(part string) (string, error) {
	var b strings.Builder
	for part != "" {
		if part[0] != '%' {
			b.WriteByte(part[0])
			part = part[1:]
			continue
		}
		if len(part) < 3 {
			return "", fmt.Errorf("%q is cut off", part)
		}
		c, err := strconv.ParseUint(part[1:3], 16, 8)
		if err != nil {
			return "", fmt.Errorf("%q is not hexadecimal", part[:3])
		}
		b.WriteByte(byte(c))
		part = part[3:]
	}
	return b.String(), nil
}

// isReserved reports whether a byte cannot stand in an element as it is.
func isReserved(c byte) bool {
	return strings.IndexByte("/%\x7f", c) >= 0 || c < ' '
}
