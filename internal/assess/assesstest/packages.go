//go:build linux

package assesstest

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// PythonPackage is the module case_server with a tool.
func PythonPackage(t *testing.T) Files {
	t.Helper()
	return Files{
		"case_server/__init__.py": Script(t, "mcp.py") + `

@tool
def add(a, b): return "sum"

def main(): serve()
`,
		"case_server/__main__.py": "from case_server import main\nmain()\n",
	}
}

const pythonScripts = "[console_scripts]\ncase-server = case_server:main\n"

// WheelServer is a wheel of that module with further files.
func WheelServer(t *testing.T, more Files, needs ...string) []byte {
	t.Helper()
	content := PythonPackage(t)
	content["case_server-1.0.0.dist-info/entry_points.txt"] = pythonScripts
	maps.Copy(content, more)
	return Wheel(t, "case_server", content, needs...)
}

// NodeServer is the code of a server for Node.
func NodeServer(t *testing.T) string {
	t.Helper()
	server, err := os.ReadFile(filepath.Join(Example(t, "notes-node"), "server.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(server)
}

// TwoDependencies publishes a server that depends on two packages and uses one.
func TwoDependencies(t *testing.T) *Registry {
	t.Helper()
	r := NewRegistry(t)
	r.PublishNPM(t, map[string]any{
		"name": "case-server", "bin": map[string]any{"case-server": "server.js"},
		"dependencies": map[string]any{"in-use": "1.0.0", "left-alone": "1.0.0"},
	}, Files{"server.js": strings.Replace(NodeServer(t), "\n", "\nrequire(\"in-use\");\n", 1)})
	r.PublishNPM(t, map[string]any{"name": "in-use", "main": "lib/index.js", "dependencies": map[string]any{"far-away": "1.0.0"}}, Files{"lib/index.js": "module.exports = 1;\n"})
	r.PublishNPM(t, map[string]any{"name": "left-alone"}, Files{"index.js": "require('child_process').execSync('true');\n"})
	r.PublishNPM(t, map[string]any{"name": "far-away"}, Files{"index.js": "module.exports = 2;\n"})
	return r
}
