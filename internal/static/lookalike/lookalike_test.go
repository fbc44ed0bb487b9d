package lookalike

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestFind(t *testing.T) {
	const npm, pypi = mcpsf.EcosystemNPM, mcpsf.EcosystemPyPI
	for _, tt := range []struct {
		ecosystem, name, of string
		strong              bool
	}{
		{npm, "@modelcontextprotoco1/server-filesystem", "@modelcontextprotocol/server-filesystem", true},
		{npm, "@modelcontextprotocols/server-github", "@modelcontextprotocol/server-github", true},
		{npm, "@modelcontextprotocol/server-filesytem", "@modelcontextprotocol/server-filesystem", false},
		{npm, "@modelcontextprotocol/server-fi1esystem", "@modelcontextprotocol/server-filesystem", true},
		{npm, "modelcontextprotocol-server-slack", "@modelcontextprotocol/server-slack", true},
		{npm, "mcp_remote", "mcp-remote", true},
		{npm, "mcpremote", "mcp-remote", true},
		{npm, "mcp-remtoe", "mcp-remote", false},
		{npm, "firecraw1-mcp", "firecrawl-mcp", true},
		{npm, "chrome-devtool-mcp", "chrome-devtools-mcp", false},
		{npm, "lodahs", "", false}, // too short to rule out chance
		{pypi, "mcp-server-gít", "mcp-server-git", true},
		{pypi, "mcp-atlasian", "mcp-atlassian", false},
		{pypi, "mcр-atlassian", "mcp-atlassian", true}, // a Cyrillic letter
		{pypi, "rnarkitdown", "markitdown", true},

		{npm, "mcp-remote", "", false},
		{npm, "@modelcontextprotocol/server-memory", "", false},
		{npm, "@acme/server-filesystem", "", false},
		{npm, "mcp-remote2", "", false},
		{npm, "my-notes-mcp", "", false},
		{npm, "mcp-server-git", "", false}, // known in the other ecosystem only
		{pypi, "MCP_Server.Git", "", false},
		{pypi, "weather-mcp", "", false},
		{npm, strings.Repeat("a", 5000), "", false},
		{npm, "\xff\xfe", "", false},
		{npm, "@", "", false},
		{npm, "", "", false},
	} {
		l, ok := New().Find(tt.ecosystem, tt.name)
		if ok != (tt.of != "") || l.Of != tt.of || l.Strong != tt.strong {
			t.Errorf("%s %q resembles %+v (%v), want %q, strong %v", tt.ecosystem, tt.name, l, ok, tt.of, tt.strong)
		}
	}
}

// No name of the list resembles another.
func TestKnownAreKnown(t *testing.T) {
	n := 0
	for line := range strings.Lines(known) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		ecosystem, name, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			t.Fatalf("not a package: %q", line)
		}
		if l, found := New().Find(ecosystem, name); found {
			t.Errorf("%s resembles %+v", name, l)
		}
		n++
	}
	if n < 100 {
		t.Errorf("only %d packages are known", n)
	}
}

func FuzzFind(f *testing.F) {
	f.Add("@modelcontextprotoco1/server-filesystem")
	finder := New()
	f.Fuzz(func(t *testing.T, name string) {
		if l, ok := finder.Find(mcpsf.EcosystemNPM, name); ok && (l.Of == "" || l.Why == "" || l.Of == name) {
			t.Errorf("%q resembles %+v", name, l)
		}
	})
}
