//go:build linux

package observe

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/assesstest"
)

// Widely used clients accept the fake Internet with certificate verification on.

// asked checks that each tool got its answer, and that its request was recorded
// in clear text.
func asked(t *testing.T, r *assess.Result, tools ...string) {
	t.Helper()
	assesstest.Complete(t, r)
	for _, tool := range tools {
		call := assesstest.CallOf(t, r, tool)
		requests := assesstest.EventsOf(r, func(e *mcpsf.Event) bool {
			return e.Call == call && e.HTTP != nil && strings.Contains(e.HTTP.URL, "https://api.example/")
		})
		if len(requests) == 0 {
			t.Errorf("%s: no request was seen", tool)
		}
		for _, e := range assesstest.EventsOf(r, func(e *mcpsf.Event) bool { return e.Call == call && e.TLS != nil && e.TLS.Rejected != "" }) {
			t.Errorf("%s: the certificate was rejected: %s", tool, e.TLS.Rejected)
		}
		i := slices.IndexFunc(r.Report.Session.Calls, func(c mcpsf.Call) bool { return c.ID == call })
		if c := r.Report.Session.Calls[i]; c.Status != mcpsf.CallOK {
			t.Errorf("%s: %+v", tool, c)
		}
	}
}

func TestClientsOfTheSystem(t *testing.T) {
	t.Parallel()
	r := assesstest.Python(t, `
import urllib.request, shutil

def run(*command):
    p = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if p.returncode: raise Exception(p.stdout + p.stderr)
    return p.stdout

@tool
def urllib_():
    return str(urllib.request.urlopen("https://api.example/urllib", timeout=30).status)

@tool
def curl(): return run("curl", "-fsS", "--http2", "https://api.example/curl")

@tool
def git(): return run("git", "clone", "https://api.example/team/project.git", "/tmp/project")

@tool
def node_fetch():
    return run("node", "-e", "fetch('https://api.example/fetch').then(r => r.text()).then(console.log)")

@tool
def node_https():
    return run("node", "-e", "require('https').get('https://api.example/https', r => r.on('data', d => console.log(String(d))))")
`)
	tools := []string{"urllib_"}
	for _, program := range []string{"curl", "git", "node"} {
		switch _, err := exec.LookPath(program); {
		case err != nil:
			t.Logf("there is no %s here", program)
		case program == "node":
			tools = append(tools, "node_fetch", "node_https")
		default:
			tools = append(tools, program)
		}
	}
	asked(t, r, tools...)
}

func TestClientsFromPyPI(t *testing.T) {
	t.Parallel()
	assesstest.Sometimes(t, "PyPI") // installs three packages from the real registry
	registry := assesstest.NewRegistry(t)
	registry.NeedsReal(t, "aiohttp")
	dir := pythonProject(t, `
import asyncio, requests, httpx, aiohttp

@tool
def requests_():
    return str(requests.get("https://api.example/requests", timeout=30).status_code)

@tool
def httpx_():
    return str(httpx.get("https://api.example/httpx", timeout=30).status_code)

@tool
def aiohttp_():
    async def get():
        async with aiohttp.ClientSession(trust_env=True) as s:
            async with s.get("https://api.example/aiohttp") as r: return str(r.status)
    return asyncio.run(get())
`, "requests", "httpx", "aiohttp")
	r := assesstest.Assess(t, dir, func(o *assess.Options) {
		o.Sources.Registry, o.Sources.Cache = registry.Client(t), assesstest.NewCache(t)
	})
	asked(t, r, "requests_", "httpx_", "aiohttp_")
}

func TestClientsFromNPM(t *testing.T) {
	t.Parallel()
	registry := assesstest.NewRegistry(t)
	registry.NeedsReal(t, "pip")
	dir := t.TempDir()
	for name, content := range map[string]string{
		"package.json": `{"name":"clients","version":"1.0.0","type":"module","bin":"server.mjs","dependencies":{"axios":"*"}}`,
		"server.mjs": `#!/usr/bin/env node
import readline from "node:readline";
import axios from "axios";
const answer = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
readline.createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") answer(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "clients", version: "1" } });
  else if (method === "tools/list") answer(id, { tools: [{ name: "axios", description: "ask", inputSchema: { type: "object" } }] });
  else if (method === "tools/call") {
    try {
      const r = await axios.get("https://api.example/axios");
      answer(id, { content: [{ type: "text", text: String(r.status) }] });
    } catch (e) { answer(id, { isError: true, content: [{ type: "text", text: String(e) }] }); }
  }
});
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	r := assesstest.Assess(t, dir, func(o *assess.Options) {
		o.Sources.Registry, o.Sources.Cache = registry.Client(t), assesstest.NewCache(t)
	})
	asked(t, r, "axios")
}

func TestClientsInGo(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command to build the client with")
	}
	dir := pythonProject(t, `
@tool
def go():
    p = subprocess.run([os.path.join(os.path.dirname(__file__), "client"), "https://api.example/go"], capture_output=True, text=True, timeout=60)
    if p.returncode: raise Exception(p.stdout + p.stderr)
    return p.stdout
`)
	source := filepath.Join(t.TempDir(), "client.go")
	if err := os.WriteFile(source, []byte(`package main

import ("fmt"; "net/http"; "os")

func main() {
	r, err := http.Get(os.Args[1])
	if err != nil { fmt.Println(err); os.Exit(1) }
	fmt.Println(r.Status)
}
`), 0o644); err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(dir, "client"), source)
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the client: %v\n%s", err, out)
	}
	asked(t, assesstest.Assess(t, dir, func(o *assess.Options) { o.Target.Command = []string{"python3", "server.py"} }), "go")
}

// pythonProject writes a server of the test prelude and body with dependencies.
func pythonProject(t *testing.T, body string, dependencies ...string) string {
	t.Helper()
	content := assesstest.Files{
		"mcp_case.py": assesstest.Script(t, "mcp.py"),
		"server.py":   "from mcp_case import *\nimport os, subprocess\n" + body + "\nserve()\n",
	}
	if len(dependencies) > 0 {
		content["requirements.txt"] = strings.Join(dependencies, "\n") + "\n"
	}
	return assesstest.Directory(t, content)
}
