package inventory

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// command runs an installer in a directory, never what it installs.
func command(t *testing.T, dir, program string, args ...string) ([]byte, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	cmd.WaitDelay = time.Second
	return cmd.Output()
}

// needs skips a test if the installer is missing.
func needs(t *testing.T, program string) {
	t.Helper()
	if os.Getenv("MCPSF_REGISTRY_TREES") == "" {
		t.Skip("takes minutes: set MCPSF_REGISTRY_TREES to compare with npm and pip")
	}
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("%s is not on this machine: %v", program, err)
	}
}

// edges returns the dependencies between installed packages.
func edges(r *Result) []string {
	names := map[string]string{}
	for _, p := range r.Packages {
		if p.Installed {
			names[p.PURL] = p.Name + "@" + p.Version
		}
	}
	var out []string
	for _, p := range append(r.Packages, r.Root) {
		from, installed := names[p.PURL]
		if !installed && p.PURL != r.Root.PURL {
			continue
		}
		for _, n := range p.Needs {
			if to := names[n]; to != "" {
				out = append(out, from+" -> "+to)
			}
		}
	}
	return set(out)
}

func installedNames(r *Result) []string {
	var out []string
	for _, p := range r.Packages {
		if p.Installed {
			out = append(out, p.Name+"@"+p.Version)
		}
	}
	return set(out)
}

// listed is the output of "npm ls".
type listed struct {
	Version      string
	Dependencies map[string]listed
}

func (l listed) collect(from string, nodes, edges *[]string) {
	for name, d := range l.Dependencies {
		if d.Version == "" {
			continue // optional, for another platform
		}
		to := name + "@" + d.Version
		*nodes, *edges = append(*nodes, to), append(*edges, from+" -> "+to)
		d.collect(to, nodes, edges)
	}
}

// The packages read from an npm installation equal those that npm lists.
func TestRegistryNPM(t *testing.T) {
	needs(t, "npm")
	for _, server := range []string{
		"@modelcontextprotocol/server-filesystem", "@modelcontextprotocol/server-everything", "@upstash/context7-mcp", "mcp-remote",
		"@notionhq/notion-mcp-server",
	} {
		t.Run(server, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"name":"x","version":"0.0.0","private":true}`), 0o644); err != nil {
				t.Fatal(err)
			}
			if _, err := command(t, dir, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", server); err != nil {
				t.Skipf("npm cannot install it, perhaps because the registry is out of reach: %v", err)
			}
			out, err := command(t, dir, "npm", "ls", "--all", "--json")
			if err != nil {
				t.Fatal(err)
			}
			var ls listed
			if err := json.Unmarshal(out, &ls); err != nil {
				t.Fatal(err)
			}
			var wantNodes, wantEdges []string
			ls.collect("", &wantNodes, &wantEdges)
			r := readDir(t, dir, nil)
			if diff := cmp.Diff(set(wantNodes), installedNames(r)); diff != "" || len(wantNodes) < 10 {
				t.Errorf("packages (-npm +here):\n%s", diff)
			}
			if diff := cmp.Diff(set(wantEdges), edges(r)); diff != "" {
				t.Errorf("what needs what (-npm +here):\n%s", diff)
			}
			for _, p := range r.Packages {
				if p.Installed && (p.Via == nil || len(p.Digests) == 0) {
					t.Errorf("the way or the digest is missing: %+v", p)
				}
			}
		})
	}
}

func readDir(t *testing.T, dir string, opts *Options) *Result {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	return read(t, root.FS(), opts)
}

// inspected is the output of "pip inspect".
type inspected struct {
	Installed []struct {
		Metadata struct {
			Name, Version string
			RequiresDist  []string `json:"requires_dist"`
		}
	}
}

// The packages read from a pip installation equal those that pip lists.
func TestRegistryPyPI(t *testing.T) {
	needs(t, "pip")
	for _, server := range []string{"mcp-server-fetch", "mcp-server-git", "mcp-server-time", "mcp-server-sqlite", "fastmcp"} {
		t.Run(server, func(t *testing.T) {
			dir := t.TempDir()
			site := filepath.Join(dir, "site")
			if _, err := command(t, dir, "pip", "install", "--quiet", "--only-binary", ":all:", "--target", site, server); err != nil {
				t.Skipf("pip cannot install it, perhaps because the registry is out of reach: %v", err)
			}
			out, err := command(t, dir, "pip", "inspect", "--path", site)
			if err != nil {
				t.Skipf("pip cannot say what is installed: %v", err)
			}
			var pip inspected
			if err := json.Unmarshal(out, &pip); err != nil {
				t.Fatal(err)
			}
			r := readDir(t, dir, &Options{Self: mcpsf.Package{Ecosystem: mcpsf.EcosystemPyPI, Name: server, Version: pip.version(server)}})
			r.Packages = slices.DeleteFunc(r.Packages, func(p mcpsf.Package) bool { return p.Ecosystem != mcpsf.EcosystemPyPI })
			nodes, needs := pip.graph(server)
			if diff := cmp.Diff(nodes, installedNames(r)); diff != "" || len(nodes) < 10 {
				t.Errorf("packages (-pip +here):\n%s", diff)
			}
			have := edges(r)
			for _, e := range needs {
				if !slices.Contains(have, e) {
					t.Errorf("%s is missing", e)
				}
			}
		})
	}
}

// canonical returns a name as the index compares it.
func canonical(name string) string {
	return strings.NewReplacer("_", "-", ".", "-").Replace(strings.ToLower(name))
}

func (p *inspected) version(name string) string {
	for _, d := range p.Installed {
		if canonical(d.Metadata.Name) == name {
			return d.Metadata.Version
		}
	}
	return ""
}

// graph returns the packages beside the server, and their unconditional
// dependencies.
func (p *inspected) graph(server string) (nodes, needs []string) {
	versions := map[string]string{}
	for _, d := range p.Installed {
		versions[canonical(d.Metadata.Name)] = d.Metadata.Version
	}
	for _, d := range p.Installed {
		name := canonical(d.Metadata.Name)
		from := ""
		if name != server {
			from = name + "@" + d.Metadata.Version
			nodes = append(nodes, from)
		}
		for _, text := range d.Metadata.RequiresDist {
			end := strings.IndexFunc(text, func(r rune) bool { return strings.ContainsRune(" [(<>=!~;@", r) })
			if end < 0 {
				end = len(text)
			}
			to := canonical(text[:end])
			if versions[to] != "" && !strings.Contains(text, "extra") && to != name {
				needs = append(needs, from+" -> "+to+"@"+versions[to])
			}
		}
	}
	return set(nodes), needs
}
