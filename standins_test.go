package mcpsf

import "testing"

func TestIsStandIn(t *testing.T) {
	for name, want := range map[string]bool{
		"/snap/bin/kubectl": true, "/snap/./bin/gh": true, "/snap/bin": false, "/snap/bin/../../usr/bin/gh": false,
		"/usr/local/bin/kubectl": false, "/snap/binary": false, "": false,
	} {
		if IsStandIn(name) != want {
			t.Errorf("IsStandIn(%q) = %v", name, !want)
		}
	}
}
