package inspect

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// powers are the capabilities that words are searched for, in the order of the
// tests' letters.
func powers() []mcpsf.CapabilityKind {
	return []mcpsf.CapabilityKind{
		mcpsf.CapabilityExec, mcpsf.CapabilityNetwork, mcpsf.CapabilityFiles, mcpsf.CapabilityEnviron, mcpsf.CapabilityCredential, mcpsf.CapabilityDynamic, mcpsf.CapabilityNative,
	}
}

func TestPromises(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"Execute shell commands on your machine", "exec"},
		{"Runs the project's test scripts and tells what failed.", "exec"},
		{"Terminal commands are executed in a container.", "exec"},
		{"Gives assistants shell access", "exec"},
		{"Start, stop and inspect long-running processes", "exec"},
		{"Fetches a page and turns it into Markdown", "network"},
		{"A client of the public weather API", "network"},
		{"Search the web", "network"},
		{"Sends a message to a channel", "network"},
		{"Connects to any PostgreSQL database", "network"},
		{"Uploads files to a bucket", "network"},
		{"Read and write files below a directory", "files"},
		{"Secure file operations", "files"},
		{"A filesystem server", "files"},
		{"Saves each note to disk", "files"},
		{"Set the environment variable before you start it", "environment"},
		{"Needs WEATHER_STATION to be set", "environment"},
		{"Get an API key and put it there", "network environment credentials"},
		{"Asks for your password once", "credentials"},
		{"Uses the SSH key of the user", "credentials"},
		{"Create a personal access token first", "credentials"},
		{"Evaluate Python expressions", "dynamic-code"},
		{"A code interpreter", "dynamic-code"},
		{"Uses native bindings for speed", "native-code"},

		{"Counts the tokens in a prompt", ""},
		{"A calculator", ""},
		{"Does not run any commands.", ""},
		{"It never executes scripts", ""},
		{"Command reference for beginners", ""},
		{"Works offline, with a copy of the web", ""},
		{"No API key is needed", ""},
		{"API keys are not required", ""},
		{"Doesn't read files", ""},
		{"Helps you file a ticket about what you read", ""},
		{"Your profile at a glance", ""},
		{"Generates passwords that can be said aloud", ""},
		{"An environment for learning", ""},
		{"Evaluate code quality", ""},
		{"Keys of the piano, and how to play them", ""},
		{"Runs fast", ""},
		{"The official MCP server, easy to connect to a server", ""},
		{"A shell is what a snail lives in", ""},
	} {
		var got []string
		for _, p := range powers() {
			if promises(p, wordsOf(tt.text)) {
				got = append(got, string(p))
			}
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.text, diff)
		}
	}
}

func TestDeclare(t *testing.T) {
	readme := "# Notes\n\n![badge](https://ci.example/run-commands.svg) <!-- runs shell commands -->\n\n" +
		"Notes keeps what you tell it in plain files below a directory of your choice. See [the guide](https://guide.example).\n\n" +
		"## Features\n- Reads and writes `files`\n- Filesystem\n\n```sh\nexport API_KEY=x # fetch it from the web\n```\n"
	files := fstest.MapFS{
		"README.md":    {Data: []byte(readme)},
		"package.json": {Data: []byte(`{"name":"notes","keywords":["mcp","http"]}`)},
	}
	r := &Result{}
	for _, p := range powers() {
		r.Inspection.Capabilities = append(r.Inspection.Capabilities, mcpsf.Capability{Kind: p})
	}
	r.Inspection.Tools = []mcpsf.SourceTool{{Tool: mcpsf.Tool{Description: "Adds a note.\n\nWith an access token it is shared. " + strings.Repeat("x", 1<<20)}}}
	r.declare(&Input{Artifact: &mcpsf.Artifact{Description: "Notes for you"}, Files: files})
	got := map[mcpsf.CapabilityKind]string{}
	for _, a := range r.Inspection.Capabilities {
		if a.Declared != "" {
			got[a.Kind] = a.Declared
		}
	}
	want := map[mcpsf.CapabilityKind]string{
		mcpsf.CapabilityFiles: "Reads and writes files", mcpsf.CapabilityNetwork: "keyword: http", mcpsf.CapabilityCredential: "With an access token it is shared.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("declared (-want +got):\n%s", diff)
	}
}

// A built Python package has its documentation elsewhere, and all of it is
// hostile.
func TestDeclareOfMetadata(t *testing.T) {
	for name, tt := range map[string]struct {
		files fstest.MapFS
		want  string
	}{
		"the body":     {fstest.MapFS{"notes-1.dist-info/METADATA": {Data: []byte("Name: notes\r\n\r\nRuns your scripts in a shell.")}}, "Runs your scripts in a shell."},
		"the header":   {fstest.MapFS{"PKG-INFO": {Data: []byte("Name: notes\nKeywords: notes,shell commands\n\nNotes.")}}, "keyword: shell commands"},
		"a project":    {fstest.MapFS{"pyproject.toml": {Data: []byte("[project]\nkeywords = [\n  \"mcp\", 'run-scripts',\n]\n")}}, "keyword: run-scripts"},
		"one long one": {fstest.MapFS{"README": {Data: []byte("run commands " + strings.Repeat("é", 1<<20))}}, "run commands " + strings.Repeat("é", 113) + "…"},
		"no text":      {fstest.MapFS{"README.md": {Data: []byte("\xff\xfe\x00")}, "package.json": {Data: []byte("{")}, "readme.md": {Mode: 0o755 | 1<<31}}, ""},
	} {
		r := &Result{Inspection: mcpsf.Inspection{Capabilities: []mcpsf.Capability{{Kind: mcpsf.CapabilityExec}}}}
		r.declare(&Input{Artifact: &mcpsf.Artifact{}, Files: tt.files})
		if diff := cmp.Diff(tt.want, r.Inspection.Capabilities[0].Declared); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func FuzzDeclared(f *testing.F) {
	f.Add("# A\n- runs `commands`. [x](y) ```\n~~~\n1. b")
	f.Fuzz(func(t *testing.T, text string) {
		own := statements{sentences: sentences(prose(text)), keywords: append(packageKeywords(text), projectKeywords(text)...)}
		for _, p := range powers() {
			if quote := own.expect(p); len(quote) > maxQuote+len("keyword: …") || strings.Contains(quote, "\n") {
				t.Errorf("quoted: %q", quote)
			}
		}
	})
}
