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

func TestSaysOffline(t *testing.T) {
	tests := []struct {
		description string
		want        bool
	}{
		{"Rates a password. It is never sent.", true},
		{"Your messages are not sent anywhere.", true},
		{"Counts words, fully offline.", true},
		{"Creates a draft. It is not sent.", false},
		{"The invitation is not sent until it is confirmed.", false},
		{"Drafts a reply; nothing leaves your machine.", true},
		{"Sends a mail.", false},
	}
	for _, tt := range tests {
		d := New(Scope{Tools: map[string]mcpsf.Tool{"do": {Description: tt.description}}})
		if got := d.Tools.SaysOffline("do"); got != tt.want {
			t.Errorf("%q: %v", tt.description, got)
		}
	}
}
