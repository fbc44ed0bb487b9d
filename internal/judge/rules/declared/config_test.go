package declared

import (
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestGivenHome(t *testing.T) {
	tests := []struct {
		name  string
		scope Scope
		want  bool
	}{
		{"the home", Scope{Command: []string{"fs", "/home/dev"}}, true},
		{"with a slash", Scope{Command: []string{"fs", "/home/dev/"}}, true},
		{"with a tilde", Scope{Command: []string{"fs", "--root=~"}}, true},
		{"relative to the work directory", Scope{Command: []string{"fs", "../.."}}, true},
		{"with a wildcard", Scope{Command: []string{"fs", "/home/dev/**"}}, true},
		{"the root", Scope{Command: []string{"fs", "/"}}, true},
		{"in a variable", Scope{Env: []string{"DIRS=/srv:/home"}}, true},
		{"the program", Scope{Command: []string{"/"}}, false},
		{"a folder below", Scope{Command: []string{"fs", "/home/dev/Documents"}}, false},
		{"another home", Scope{Command: []string{"fs", "/home/device"}}, false},
		{"a text", Scope{Command: []string{"fs", "yes / no"}}, false},
		{"a wildcard alone", Scope{Command: []string{"fs", "*"}}, false},
		{"the variable of the home", Scope{Env: []string{"HOME=/home/dev"}}, false},
		{"nothing", Scope{}, false},
	}
	for _, tt := range tests {
		tt.scope.Home, tt.scope.WorkDir = mcpsf.Home, mcpsf.WorkDir
		if got := len(givenHome(tt.scope)) > 0; got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
