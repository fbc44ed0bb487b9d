package source

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestRemote(t *testing.T) {
	for source, want := range map[string]struct {
		remote bool
		name   string // of the artifact
		fails  string // in the error
	}{
		"https://mcp.example/mcp":                   {true, "mcp.example", ""},
		"HTTPS://mcp.example/sse":                   {true, "mcp.example", ""},
		"http://localhost:9001/mcp":                 {true, "localhost:9001", ""},
		"http://[::1]:9001/mcp":                     {true, "[::1]:9001", ""},
		"https://mcp.example":                       {true, "mcp.example", ""},
		"https://github.com/owner/repo":             {false, "", ""},
		"https://me:secret-one@mcp.example/mcp":     {true, "", "--header"},
		"https://files.example/server.tgz?x=1":      {true, "", "download it"},
		"https://www.npmjs.com/package/@scope/name": {true, "", `"npm:@scope/name"`},
		"https://pypi.org/project/mcp-server-git/":  {true, "", `"pypi:mcp-server-git"`},
		"https://":                    {true, "", "no address of a server"},
		"https://%zz/?key=secret-one": {true, "", "no address of a server"},
		"ftp://mcp.example/mcp":       {false, "", ""},
		"./https":                     {false, "", ""},
		"github:owner/repo":           {false, "", ""},
		"https://mcp.example/mcp?token=abc#secret-one": {true, "mcp.example", ""},
	} {
		target := mcpsf.Target{Source: source}
		if got := IsRemote(target); got != want.remote {
			t.Errorf("%s: remote %v", source, got)
		}
		if !want.remote {
			continue
		}
		a, err := Resolve(t.Context(), target, t.TempDir(), nil)
		switch {
		case want.fails != "" && (err == nil || !strings.Contains(err.Error(), want.fails) || mcpsf.ErrorCode(err) != mcpsf.CodeUsage):
			t.Errorf("%s: error %v, want %q", source, err, want.fails)
		case err != nil && strings.Contains(err.Error(), "secret-one"):
			t.Errorf("%s: the error repeats a secret: %v", source, err)
		case want.fails == "" && (err != nil || a.Name != want.name || a.Kind != KindRemote || a.Dir != ""):
			t.Errorf("%s: %+v, %v", source, a, err)
		}
	}
}

func TestRemoteTakesNoCommand(t *testing.T) {
	for _, target := range []mcpsf.Target{
		{Source: "https://mcp.example/mcp", Command: []string{"node"}}, {Source: "https://mcp.example/mcp", Env: []string{"A=b"}},
	} {
		if _, err := Address(target); mcpsf.ErrorCode(err) != mcpsf.CodeUsage || err == nil {
			t.Errorf("%+v: %v", target, err)
		}
	}
}
