package declared

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestDeclaresExecution(t *testing.T) {
	tests := []struct {
		tool, description string
		want              bool
	}{
		{"run_command", "", true},
		{"runCommand", "", true},
		{"SHELL", "", true},
		{"do", "Executes a command in the workspace", true},
		{"do", "Run arbitrary Python code", true},
		{"do", "opens a terminal session", true},
		{"run_query", "Runs a query", false},
		{"commander", "Names the commander of a ship", false},
		{"search", "Search the shell of a walnut", false},
		{"", "", false},
		{"do", strings.Repeat("x", maxDescription) + " runs a shell command", false},
	}
	for _, tt := range tests {
		d := New(Scope{Tools: map[string]mcpsf.Tool{tt.tool: {Description: tt.description}}})
		if got := d.Executes(tt.tool, ""); got != tt.want {
			t.Errorf("%q, %.40q: %v", tt.tool, tt.description, got)
		}
	}
}
