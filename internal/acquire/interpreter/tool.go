package interpreter

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Tool is a package manager as the sandbox sees it.
type Tool struct {
	// Args is the tool's command inside the sandbox, before its own arguments.
	// For npm it begins with node; for pip it is what follows the python
	// program, which may be that of an environment.
	Args []string
	// Source is the host's path that is mounted read-only at Mount, beside what
	// the interpreter needs; "" if that already contains the tool.
	Source, Mount string
	Version       string
	// From says where it comes from: "this machine", "npm package npm".
	From string
}

// maxManifest bounds what is read of a tool's manifest.
// no gap: bounds the toolchain that we fetch, not the server
const maxManifest = 256 << 10

// NPM finds the npm of this machine that runs on node.
func NPM(node Interpreter) (Tool, bool) { return thisMachine().npm(node) }

func (m *machine) npm(node Interpreter) (Tool, bool) {
	for _, dir := range m.npmPlaces(node) {
		manifest := filepath.Join(dir, "package.json")
		cli := filepath.Join(dir, "bin", "npm-cli.js")
		version, needs := npmManifest(readHead(manifest, maxManifest))
		if version == "" || !Satisfies(mcpsf.RuntimeNode, node.Version, needs) || !m.readable(manifest, cli) {
			continue
		}
		t := Tool{Version: version, From: machineFrom}
		inside, ok := m.inside(node, dir)
		if !ok {
			inside, t.Source, t.Mount = npmMount, dir, npmMount
		}
		t.Args = npmArgs(node, inside)
		return t, true
	}
	return Tool{}, false
}

// npmMount is where npm appears in the sandbox if it is mounted separately.
const npmMount = "/opt/npm"

func npmArgs(node Interpreter, dir string) []string {
	return []string{node.Program, dir + "/bin/npm-cli.js"}
}

// npmPlaces lists where npm may be, beginning with node's own.
func (m *machine) npmPlaces(node Interpreter) []string {
	var dirs []string
	if node.From == machineFrom {
		prefix := hostPrefix(node)
		dirs = append(dirs, filepath.Join(prefix, "lib/node_modules/npm"))
		// The parts of Debian's npm are beside it, where only Debian's node
		// looks for them.
		if node.Source == "" {
			dirs = append(dirs, filepath.Join(prefix, "share/nodejs/npm"))
		}
	}
	for _, bin := range m.common {
		if m.underSystem(bin + "/node") {
			dirs = append(dirs, filepath.Join(filepath.Dir(bin), "lib/node_modules/npm"))
		}
	}
	var there []string
	for _, dir := range dirs {
		if resolved, err := filepath.EvalSymlinks(dir); err == nil {
			there = append(there, resolved)
		}
	}
	return there
}

var toolVersion = lazyregexp.New(`^\d{1,6}(\.\d{1,6}){1,2}[0-9A-Za-z.+-]{0,32}$`)

func npmManifest(text []byte) (version, needs string) {
	var m struct {
		Name    string          `json:"name"`
		Version string          `json:"version"`
		Engines json.RawMessage `json:"engines"`
	}
	if json.Unmarshal(text, &m) != nil || m.Name != "npm" || !toolVersion.MatchString(m.Version) {
		return "", ""
	}
	return m.Version, enginesNode(m.Engines)
}

// hostPrefix is the directory on the host that an interpreter was installed to.
func hostPrefix(i Interpreter) string {
	file, err := filepath.EvalSymlinks(i.Host)
	if err != nil {
		file = i.Host
	}
	return filepath.Dir(filepath.Dir(file))
}

// inside is the sandbox's path of a host path, if the interpreter's mount
// includes it.
func (m *machine) inside(i Interpreter, path string) (string, bool) {
	if m.underSystem(path) {
		return path, true
	}
	rest, ok := strings.CutPrefix(path, i.Source+"/")
	return i.Mount + "/" + rest, ok && i.Source != ""
}

// readable reports whether the sandbox's user can read the files.
func (m *machine) readable(files ...string) bool {
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil || !info.Mode().IsRegular() || m.superuser && !everybodyReaches(file, 0o004) {
			return false
		}
	}
	return true
}
