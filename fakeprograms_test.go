package mcpsf

import "testing"

func TestIsFakeProgram(t *testing.T) {
	for name, want := range map[string]bool{
		"/snap/bin/kubectl": true, "/snap/./bin/gh": true, "/snap/bin": false, "/snap/bin/../../usr/bin/gh": false,
		"/usr/local/bin/kubectl": false, "/snap/binary": false, "": false,
	} {
		if IsFakeProgram(name) != want {
			t.Errorf("IsFakeProgram(%q) = %v", name, !want)
		}
	}
}
