package project

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestPins(t *testing.T) {
	for _, tt := range []struct {
		name    string
		install mcpsf.Install
		file    string
		content string
		want    string
	}{
		{"requirements", mcpsf.Install{Manager: mcpsf.ManagerPip, Requirements: "requirements.txt"}, "requirements.txt",
			"mcp[cli]==1.12.4\nJinja2 == 3.1.6 ; python_version > '3'\nhttpx>=0.27\n# old==1.0\npydantic==2.*\n", "[{jinja2 3.1.6} {mcp 1.12.4}]"},
		{"a project", mcpsf.Install{Manager: mcpsf.ManagerPip}, "pyproject.toml",
			"[project]\ndependencies = [\"mcp==1.12.4\", 'psycopg[binary]==3.2.9', \"httpx>=0.27,<1\"]\n", "[{mcp 1.12.4} {psycopg 3.2.9}]"},
		{"npm", mcpsf.Install{Manager: mcpsf.ManagerNPM}, "package.json",
			`{"dependencies":{"@modelcontextprotocol/sdk":"1.17.4","zod":"^3.25.76","x":"latest"},"devDependencies":{"y":"1.0.0"}}`, "[{@modelcontextprotocol/sdk 1.17.4}]"},
		{"no manifest", mcpsf.Install{Manager: mcpsf.ManagerNPM}, "README.md", "", "[]"},
		{"outside", mcpsf.Install{Manager: mcpsf.ManagerPip, Requirements: "../../etc/passwd"}, "README.md", "", "[]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, tt.file), []byte(tt.content), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(Pins(dir, &tt.install)); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
