//go:build linux

package main

import (
	"context"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestRemote runs the real program against remote servers. $SERVER accepts
// everybody, $GUARDED only clients with the token, $SECURE is $GUARDED over
// TLS, with the certificate in $CERTIFICATE.
func TestRemote(t *testing.T) {
	handler := notes()
	guarded := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret-7Hq2kZ93Lw" {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r)
	})
	open, closed, secure := httptest.NewServer(handler), httptest.NewServer(guarded), httptest.NewTLSServer(guarded)
	for _, s := range []*httptest.Server{open, closed, secure} {
		t.Cleanup(s.Close) // the scripts run at the end
	}
	certificate := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/remote",
		Setup: func(env *testscript.Env) error {
			env.Setenv("SERVER", open.URL)
			env.Setenv("GUARDED", closed.URL)
			env.Setenv("SECURE", secure.URL)
			env.Setenv("CERTIFICATE", certificate)
			env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
			return setupScript(env)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"code": exits, "nosecret": nosecret},
	})
}

// notes is a server with a tool that reads.
func notes() http.Handler {
	s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "get_note", Description: "Gets a note."},
		func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "milk"}}}, nil, nil
		})
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
}

// nosecret DIR fails if a file below it, or the program's output, contains the
// token.
func nosecret(ts *testscript.TestScript, _ bool, args []string) {
	texts := map[string]string{"stdout": ts.ReadFile("stdout"), "stderr": ts.ReadFile("stderr")}
	err := filepath.WalkDir(ts.MkAbs(args[0]), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			texts[path] = ts.ReadFile(path)
		}
		return err
	})
	ts.Check(err)
	if len(texts) < 4 {
		ts.Fatalf("there is nothing to look into")
	}
	for name, text := range texts {
		if strings.Contains(text, "7Hq2kZ93Lw") {
			ts.Fatalf("%s holds the token", name)
		}
	}
}
