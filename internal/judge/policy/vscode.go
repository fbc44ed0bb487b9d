package policy

import (
	"bytes"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// mcpJSON is VS Code's file of MCP servers. One sandbox block applies to all
// sandboxed servers of the file.
type mcpJSON struct {
	Sandbox struct {
		Network struct {
			AllowedDomains []string `json:"allowedDomains"`
		} `json:"network"`
		Filesystem struct {
			AllowWrite []string `json:"allowWrite"`
			DenyRead   []string `json:"denyRead"`
		} `json:"filesystem"`
	} `json:"sandbox"`
	Servers map[string]mcpServer `json:"servers"`
}

type mcpServer struct {
	Type           string            `json:"type"`
	Command        string            `json:"command"`
	Env            map[string]string `json:"env,omitempty"`
	SandboxEnabled bool              `json:"sandboxEnabled"`
}

func vscode(buf *bytes.Buffer, n *Needs) error {
	var doc mcpJSON
	doc.Sandbox.Network.AllowedDomains = append([]string{}, hostNames(n.hosts())...)
	_, write := n.folders()
	doc.Sandbox.Filesystem.AllowWrite = []string{}
	for _, name := range write {
		doc.Sandbox.Filesystem.AllowWrite = append(doc.Sandbox.Filesystem.AllowWrite, inVSCode(name))
	}
	doc.Sandbox.Filesystem.DenyRead = n.denyRead()
	server := mcpServer{Type: "stdio", Command: "${COMMAND}", SandboxEnabled: true}
	for _, name := range n.secrets() {
		if server.Env == nil {
			server.Env = map[string]string{}
		}
		server.Env[name] = "${input:" + strings.ToLower(name) + "}"
	}
	doc.Servers = map[string]mcpServer{n.Server: server}
	writeComments(buf, "//", n.comments(
		"For .vscode/mcp.json: put \"sandboxEnabled\" beside the command that starts the server (${COMMAND}), and the sandbox block at the top level. It holds for all servers of the file that have it, on macOS and Linux.",
		"VS Code lets a sandboxed server read every file that is not in denyRead: that list is what was left out and where secrets usually are.",
		"Below, ${HOME} is written ~ and ${WORKSPACE} is the folder that is open, ${workspaceFolder}.",
	))
	return writeJSON(buf, doc)
}

// inVSCode replaces placeholders by VS Code's variables.
func inVSCode(name string) string {
	name = strings.Replace(name, home, "~", 1)
	return strings.Replace(name, workspace, "${workspaceFolder}", 1)
}

// denyRead returns the paths of secrets, and what the server read unexplained.
func (n *Needs) denyRead() []string {
	list := []string{
		"~/.ssh", "~/.aws", "~/.azure", "~/.config/gcloud", "~/.config/gh", "~/.docker", "~/.git-credentials",
		"~/.gnupg", "~/.kube", "~/.netrc", "~/.npmrc", "~/.pgpass", "~/.pypirc", "~/.terraform.d", "~/.vault-token",
	}
	for _, u := range n.Uses {
		name := trimmed(u.Name)
		if u.Kind != mcpsf.AccessRead || u.Refused == "" || !harmlessPath(strings.TrimPrefix(name, home)) || strings.Contains(name, "#") {
			continue
		}
		if rest, ok := strings.CutPrefix(name, home+"/"); ok { // never the whole home, which may contain the server
			list = append(list, "~/"+rest)
		}
	}
	list = outermost(list)
	slices.Sort(list)
	return list
}
