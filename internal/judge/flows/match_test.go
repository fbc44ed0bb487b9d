package flows

import (
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
)

// assessed returns a report of a source.
func assessed(id, source, kind, name, version string) *mcpsf.Report {
	r := server(name)
	r.Run.ID, r.Target.Source = id, source
	r.Artifact.Kind, r.Artifact.Version = kind, version
	return r
}

func TestMatch(t *testing.T) {
	later := assessed("files-2", "npm:@scope/files", "npm", "@scope/files", "1.0.0")
	later.Run.Started = time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)
	read := assessed("files-3", "npm:@scope/files", "npm", "@scope/files", "1.0.0")
	read.Coverage.Static, read.Run.Started = true, later.Run.Started.AddDate(0, 1, 0)
	reports := []*mcpsf.Report{
		assessed("files-1", "npm:@scope/files", "npm", "@scope/files", "1.0.0"), later, read,
		assessed("files-old", "npm:@scope/files@0.9.0", "npm", "@scope/files", "0.9.0"),
		assessed("fetch", "pypi:mcp_server_fetch", "pypi", "mcp-server-fetch", "3.1"),
		assessed("image", "oci:ghcr.example:5000/a/b:2", "oci", "ghcr.example:5000/a/b", "2"),
		assessed("hub", "github:owner/repo@main", "github", "repo", ""),
		assessed("here", "./work/notes", "local", "notes", ""),
		assessed("far", "https://mcp.example/mcp", "remote", "mcp.example", ""),
	}
	for _, tt := range []struct {
		name   string
		wanted Wanted
		run    string // "" for none
		note   string
	}{
		{"the latest that ran", Wanted{Name: "x", Source: "npm:@scope/files"}, "files-2", ""},
		{"npm's own form", Wanted{Name: "x", Source: "@scope/files@latest"}, "files-2", ""},
		{"a range", Wanted{Name: "x", Source: "npm:@scope/files@^1"}, "files-2", ""},
		{"the version", Wanted{Name: "x", Source: "npm:@scope/files@0.9.0"}, "files-old", ""},
		{"another version", Wanted{Name: "x", Source: "npm:@scope/files@2.0.0"}, "files-2", "Its report is of version 1.0.0, and 2.0.0 is configured."},
		{"another package", Wanted{Name: "@scope/files", Source: "npm:files"}, "", ""},
		{"another ecosystem", Wanted{Name: "x", Source: "npm:mcp-server-fetch"}, "", ""},
		{"a name in other letters", Wanted{Name: "x", Source: "pypi:MCP.Server-Fetch[extra]==3.1"}, "fetch", ""},
		{"an image", Wanted{Name: "x", Source: "oci:ghcr.example:5000/a/b"}, "image", ""},
		{"a repository", Wanted{Name: "x", Source: "github:Owner/repo"}, "hub", ""},
		{"another owner's", Wanted{Name: "x", Source: "github:other/repo"}, "", ""},
		{"a folder", Wanted{Name: "x", Source: "/elsewhere/notes"}, "here", "Its report was found by its name only."},
		{"a problem", Wanted{Name: "notes", Problem: "its script does not exist"}, "here", "Its report was found by its name only."},
		{"an address", Wanted{Name: "x", Source: "https://mcp.example/mcp"}, "far", ""},
		{"nothing", Wanted{}, "", ""},
	} {
		got := Match([]Wanted{tt.wanted}, reports)[0]
		run := ""
		if got.Report != nil {
			run = got.Report.Run.ID
		}
		if run != tt.run || got.Note != tt.note || got.Name != tt.wanted.Name || (got.Missing == "") != (run != "") {
			t.Errorf("%s: got %q (%q, %q), want %q (%q)", tt.name, run, got.Note, got.Missing, tt.run, tt.note)
		}
	}
}

func FuzzMatch(f *testing.F) {
	for _, s := range []string{"npm:@a/b@1", "pypi:a[b]==1; x", "oci:h:5000/a@sha256:0", "github:a/b@c", "/a/b", "", ":", "npm:", "@", "pypi:=="} {
		f.Add("name", s, s)
	}
	f.Fuzz(func(t *testing.T, name, wanted, have string) {
		r := assessed("r", have, "npm", name, "1")
		got := Match([]Wanted{{Name: name, Source: wanted}}, []*mcpsf.Report{r})
		if len(got) != 1 || (got[0].Report == nil) != (got[0].Missing != "") {
			t.Errorf("got %+v", got)
		}
		if wanted != "" && wanted == have && got[0].Report == nil {
			t.Errorf("%q does not match itself", wanted)
		}
	})
}
