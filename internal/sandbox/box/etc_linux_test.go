package box

import (
	"slices"
	"testing"
)

// A runtime that does not find the time zone opens all of them, at every date. An image
// has its own.
func TestTimeZone(t *testing.T) {
	has := func(image bool) bool {
		return slices.ContainsFunc(etcFiles(machineOf(1), nil, false, image), func(f File) bool {
			return f.Path == "/etc/localtime" && f.Link != "" && f.System
		})
	}
	if !has(false) || has(true) {
		t.Errorf("on the host %v, in an image %v", has(false), has(true))
	}
}
