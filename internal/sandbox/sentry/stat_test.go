//go:build linux

package sentry

import (
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestUninteresting(t *testing.T) {
	for name, want := range map[string]bool{
		"/usr/lib/python3.11/os.py":            true,
		"/usr/lib":                             true,
		"/lib/x86_64-linux-gnu/libc.so.6":      true,
		mcpsf.WorkDir + "/node_modules/x/i.js": true,
		mcpsf.WorkDir + "/.env":                false,
		"/usr/lib/../../home/dev/.aws":         false, // hidden, wherever it leads
		"/usr/library":                         false,
		"/usr/bin/VBoxControl":                 false,
		"/home/dev/.aws/credentials":           false,
		"/home/dev/Documents":                  false,
		"/.dockerenv":                          false,
		"/proc/1/cgroup":                       false,
		"/etc/passwd":                          false,
		"/sys/class/dmi/id/product_name":       false,
		"":                                     false,
	} {
		if got := uninteresting(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}
