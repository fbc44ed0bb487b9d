package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
)

// networked matches servers that need a network. Here they have none, and say
// so.
var networked = regexp.MustCompile(`\bfetch\(|node:https?"|node:net"|urllib\.request|http\.client|socket\.`)

// reply is an answer of a server.
type reply struct {
	ID     any `json:"id"`
	Result struct {
		ServerInfo struct {
			Name string `json:"name"`
		} `json:"serverInfo"`
		Tools []struct {
			Name        string `json:"name"`
			InputSchema struct {
				Properties map[string]any `json:"properties"`
			} `json:"inputSchema"`
		} `json:"tools"`
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
		IsError   bool `json:"isError"`
		Resources []struct {
			URI string `json:"uri"`
		} `json:"resources"`
		Templates []struct {
			URI string `json:"uriTemplate"`
		} `json:"resourceTemplates"`
		Prompts []struct {
			Name      string `json:"name"`
			Arguments []struct {
				Name string `json:"name"`
			} `json:"arguments"`
		} `json:"prompts"`
		Contents []struct {
			Text string `json:"text"`
		} `json:"contents"`
		Messages []any `json:"messages"`
	} `json:"result"`
}

// Vulnerable servers and their twins are honest: they are started here without a
// sandbox, and get a harmless call each.
func TestPairsWork(t *testing.T) {
	for _, program := range []string{"node", "python3", "git"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not here", program)
		}
	}
	list, err := load(corpusDir)
	if err != nil {
		t.Fatal(err)
	}
	list = slices.DeleteFunc(list, func(e *example) bool { return e.Try.Tool+e.Try.Prompt+e.Try.Resource == "" })
	for i, e := range list {
		if i%4 != 0 && os.Getenv("MCPSF_NIGHTLY") == "" {
			continue // all of them take minutes
		}
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			tryOut(t, e)
		})
	}
}

func tryOut(t *testing.T, e *example) {
	t.Helper()
	replies := converse(t, e, home(t, slices.ContainsFunc(e.Args, func(arg string) bool { return strings.HasSuffix(arg, "webshop") })))
	if got := replies[0].Result.ServerInfo.Name; got != e.Package {
		t.Errorf("it calls itself %q, not %q", got, e.Package)
	}
	for _, a := range slices.Concat(e.Expect.Attacks, e.refutes) {
		if a.Tool != "" && !offers(replies, a) {
			t.Errorf("it has no %s with %s", a.Tool, a.Place)
		}
	}
	source, err := os.ReadFile(filepath.Join(e.Dir, e.Server))
	if err != nil {
		t.Fatal(err)
	}
	called := replies[2].Result
	if len(called.Contents)+len(called.Messages) > 0 {
		return
	}
	if e.Try.Resource != "" && networked.Match(source) {
		return
	}
	if len(called.Content) == 0 || called.Content[0].Text == "" || called.IsError && !networked.Match(source) {
		t.Errorf("%v gave %+v", e.Try, called)
	}
}

// converse starts a server, sends what a client sends, and then malformed
// messages. It returns the answers to the former.
func converse(t *testing.T, e *example, home string) []reply {
	t.Helper()
	method, params := e.Try.request()
	given, err := json.Marshal(params)
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"try","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":3,"method":"` + method + `","params":` + string(given) + `}`,
		`{"jsonrpc":"2.0","id":7,"method":"resources/list"}`,
		`{"jsonrpc":"2.0","id":8,"method":"resources/templates/list"}`,
		`{"jsonrpc":"2.0","id":9,"method":"prompts/list"}`,
	}
	if e.Expect.Attacks == nil || e.Expect.Attacks[0].Class != mcpsf.ClassProtocol { // those need not survive malformed messages
		lines = append(lines,
			`{"jsonrpc":`, `[]`, `7`, `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":[1]}`, `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"nothing"}}`)
	}
	lines = append(lines, `{"jsonrpc":"2.0","id":6,"method":"ping"}`, "")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	// No host is contacted from here.
	local := strings.NewReplacer(mcpsf.Home, home, "www.example.com", "www.shop.example")
	command := append([]string{interpreter(e), e.Server}, e.Args...)
	for i := range command {
		command[i] = local.Replace(command[i])
	}
	server := exec.CommandContext(ctx, command[0], command[1:]...)
	server.Dir = e.Dir
	server.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "PYTHONDONTWRITEBYTECODE=1"}
	for _, kv := range e.Env {
		server.Env = append(server.Env, local.Replace(kv))
	}
	server.Stdin = strings.NewReader(local.Replace(strings.Join(lines, "\n")))
	var errors bytes.Buffer
	server.Stderr = &errors
	out, err := server.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, errors.String())
	}
	return answers(t, out)
}

// answers returns the answers to the requests from 1 on; there must be one to 6.
func answers(t *testing.T, out []byte) []reply {
	t.Helper()
	list := make([]reply, 10)
	for line := range bytes.Lines(out) {
		var r reply
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if id, ok := r.ID.(float64); ok && id > 0 && int(id) < len(list) {
			list[int(id)] = r
		}
	}
	if list[6].ID == nil {
		t.Error("it does not answer in the end")
	}
	return list[1:]
}

// offers tells whether a server lists the target of an attack.
func offers(replies []reply, a attack) bool {
	if uri, ok := strings.CutPrefix(a.Tool, mcpsf.OfResource); ok {
		for _, r := range replies[6].Result.Resources {
			if r.URI == uri {
				return true
			}
		}
		for _, t := range replies[7].Result.Templates {
			if t.URI == uri {
				return strings.Contains(uri, strings.TrimPrefix(a.Place, "/")+"}")
			}
		}
		return false
	}
	for _, p := range replies[8].Result.Prompts {
		if mcpsf.OfPrompt+p.Name == a.Tool {
			return len(p.Arguments) > 0 && "/"+p.Arguments[0].Name == a.Place
		}
	}
	for _, tool := range replies[1].Result.Tools {
		if tool.Name == a.Tool {
			return a.Place == "" || tool.InputSchema.Properties[strings.TrimPrefix(a.Place, "/")] != nil
		}
	}
	return false
}

// home makes a home with a document in it, and optionally a repository.
func home(t *testing.T, repository bool) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, content string) {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("Documents/projects/notes.txt", "Hall 4 is full.\n")
	if !repository {
		return dir
	}
	write("code/webshop/shop.js", "// The shop.\n")
	shop := filepath.Join(dir, "code/webshop")
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"},
		{"config", "user.name", "Dev"},
		{"config", "user.email", "dev@mail.example"},
		{"add", "."},
		{"commit", "-q", "-m", "The first version"},
	} {
		git := exec.CommandContext(t.Context(), "git", args...)
		git.Dir, git.Env = shop, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}
		if said, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v: %s", args[0], err, said)
		}
	}
	return dir
}
