package host

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"testing"

	openai "github.com/sashabaranov/go-openai"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/shape"
)

// pydanticScript has what the schemas of a public server for GitHub demand of the
// answers, and asks as its tools do.
const pydanticScript = `
import json, sys, ssl, urllib.request
from typing import List, Optional, Union, Literal
from pydantic import BaseModel, ConfigDict

base = 'https://localhost:%s' % sys.argv[1]
context = ssl.create_default_context()

class Strict(BaseModel):
    model_config = ConfigDict(strict=True)
class Owner(Strict):
    login: str; id: int; node_id: str; avatar_url: str; url: str; html_url: str; type: str
class Repository(Strict):
    id: int; node_id: str; name: str; full_name: str; private: bool; owner: Owner; html_url: str; description: Optional[str]; fork: bool
    url: str; created_at: str; updated_at: str; pushed_at: str; git_url: str; ssh_url: str; clone_url: str; default_branch: str
class Found(Strict):
    total_count: int; incomplete_results: bool; items: List[Repository]
class Links(Strict):
    self: str; git: Optional[str]; html: Optional[str]
class File(Strict):
    type: str; encoding: str; size: int; name: str; path: str; sha: str; content: str; url: str; git_url: str; html_url: str; download_url: str; links: Optional[Links] = None
class Author(Strict):
    name: str; email: str; date: str
class Tree(Strict):
    sha: str; url: str
class Commit(Strict):
    sha: str; node_id: str; url: str; html_url: str; author: Author; committer: Author; message: str; tree: Tree; parents: List[Tree]
class Written(Strict):
    content: Optional[File]; commit: Commit
class Person(Strict):
    login: str; id: int; avatar_url: str; url: str; html_url: str
class Label(Strict):
    id: int; node_id: str; url: str; name: str; color: str; default: bool; description: str
class Issue(Strict):
    url: str; repository_url: str; labels_url: str; comments_url: str; events_url: str; html_url: str; id: int; node_id: str; number: int; title: str
    user: Person; labels: List[Label]; state: Literal['open', 'closed']; locked: bool; assignee: Optional[Person]; assignees: List[Person]; comments: int
    created_at: str; updated_at: str; closed_at: Optional[str]; body: Optional[str]
class Branch(Strict):
    label: str; ref: str; sha: str; user: Person; repo: Repository
class Pull(Strict):
    url: str; id: int; diff_url: str; patch_url: str; number: int; state: str; title: str; user: Person; head: Branch; base: Branch; merged_at: Optional[str]
class Entry(Strict):
    path: str; mode: Literal['100644', '100755', '040000']; type: Literal['blob', 'tree']; sha: str; url: str
class GitTree(Strict):
    sha: str; url: str; tree: List[Entry]; truncated: bool
class Object(Strict):
    sha: str; type: str; url: str
class Reference(Strict):
    ref: str; node_id: str; url: str; object: Object

def ask(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    q = urllib.request.Request(base + '/api/v3' + path, method=method, data=data, headers={'Accept': 'application/vnd.github.v3+json'})
    return json.load(urllib.request.urlopen(q, context=context))

Found.model_validate(ask('GET', '/search/repositories?q=x&page=1'))
Repository.model_validate(ask('POST', '/user/repos', {'name': 'x'}))
Repository.model_validate(ask('POST', '/repos/a/b/forks'))
File.model_validate(ask('GET', '/repos/a/b/contents/docs/x.md'))
Written.model_validate(ask('PUT', '/repos/a/b/contents/docs/x.md', {'message': 'm', 'content': 'eA=='}))
Reference.model_validate(ask('GET', '/repos/a/b/git/refs/heads/main'))
GitTree.model_validate(ask('POST', '/repos/a/b/git/trees', {'tree': []}))
Reference.model_validate(ask('PATCH', '/repos/a/b/git/refs/heads/main', {'sha': 'x'}))
all = [Issue.model_validate(i) for i in ask('GET', '/repos/a/b/issues')]
assert len({i.id for i in all}) == len(all) > 1
one = Issue.model_validate(ask('GET', '/repos/a/b/issues/%d' % all[0].number))
assert one.number == all[0].number and one.title == all[0].title, one
assert Issue.model_validate(ask('POST', '/repos/a/b/issues', {'title': 't'})).number in [i.number for i in all]
[Pull.model_validate(p) for p in ask('GET', '/repos/a/b/pulls')]
print('done')
`

func TestSchemasOfAServer(t *testing.T) {
	w := start(t, nil, "localhost", 443)
	if out, err := w.tool(t, "", "python3", "-c", "import pydantic"); err != nil {
		t.Skipf("no pydantic here: %s", out)
	}
	out, err := w.tool(t, "", "python3", "-c", pydanticScript, "$PORT")
	if err != nil || !strings.Contains(out, "done") {
		t.Fatalf("%v: %s", err, out)
	}
}

// TestOpenAIClient asks with a public client library.
func TestOpenAIClient(t *testing.T) {
	w := start(t, nil, "api.openai.com", 80)
	config := openai.DefaultConfig("key")
	config.BaseURL = "http://api.openai.com/v1"
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", w.addr)
	}}
	defer transport.CloseIdleConnections()
	config.HTTPClient = &http.Client{Transport: transport}
	c := openai.NewClientWithConfig(config)
	said, err := c.CreateChatCompletion(t.Context(), openai.ChatCompletionRequest{Model: "m", Messages: []openai.ChatCompletionMessage{{Role: "user", Content: "hi"}}})
	if err != nil || len(said.Choices) != 1 || said.Choices[0].FinishReason != openai.FinishReasonStop {
		t.Errorf("%v: %+v", err, said)
	}
	images, err := c.CreateImage(t.Context(), openai.ImageRequest{Prompt: "p"})
	if err != nil || len(images.Data) == 0 || !strings.HasSuffix(images.Data[0].URL, ".png") {
		t.Errorf("%v: %+v", err, images)
	}
	files, err := c.ListFiles(t.Context())
	if err != nil || len(files.Files) != 2 || files.Files[0].ID == files.Files[1].ID {
		t.Errorf("%v: %+v", err, files)
	}
}

// TestExpectedOfTheSource gives a host what static analysis found.
func TestExpectedOfTheSource(t *testing.T) {
	o := testOptions(t)
	o.Expected = shape.New()
	o.Expected.Expect(mcpsf.ExpectedAnswer{Host: "api.a.example", Shape: &mcpsf.Shape{Type: "object", Members: map[string]*mcpsf.Shape{
		"children": {Type: "array", Element: &mcpsf.Shape{Type: "object", Members: map[string]*mcpsf.Shape{"kind": {Type: "string", Accepted: []string{"leaf"}}}}},
	}}})
	has := func(h *Host, ask string, rest ...string) bool {
		a, _ := asked(t, h, ask, rest...)
		return strings.Contains(string(a.Shown), `"kind":"leaf"`)
	}
	h := New(o)
	if !has(h, "GET https://api.a.example/v1/tree") {
		t.Error("it lacks what is read")
	}
	for _, ask := range []string{"GET https://api.a.example/.well-known/openid-configuration", "GET https://api.a.example/openapi.json", "BREW https://api.a.example/v1/tree"} {
		if has(h, ask) {
			t.Errorf("%s was completed", ask)
		}
	}
	if has(h, "POST https://api.a.example/oauth/token", "", "grant_type=x") {
		t.Error("a token was completed")
	}
	o.Install = true
	if has(New(o), "GET https://api.a.example/v1/tree") {
		t.Error("an installation got it")
	}
}

// TestHeardIsOurs looks at what counts as known afterwards.
func TestHeardIsOurs(t *testing.T) {
	const stolen = "x7k2m9q4w8e3r6t1"
	o := testOptions(t)
	o.Expected = shape.New()
	h := New(o)
	o.Expected.Begin()
	asked(t, h, "GET https://api.a.example/v1/tree")
	if !o.Expected.Learn([]mcpsf.Wish{{Kind: mcpsf.WishMissing, Path: []string{stolen}, Type: "string"}}) {
		t.Fatal("nothing was learned")
	}
	a, _ := asked(t, h, "GET https://api.a.example/v1/tree")
	if !strings.Contains(string(a.Shown), stolen) {
		t.Fatalf("%s", a.Shown)
	}
	if heard := string(answerText(a)); strings.Contains(heard, stolen) || !strings.Contains(heard, "uuid") {
		t.Errorf("heard: %s", heard)
	}
}

// TestRecordsOfAnyAPI asks an unknown API for what it listed.
func TestRecordsOfAnyAPI(t *testing.T) {
	h := New(testOptions(t))
	ask := func(line string, to any) {
		a, _ := asked(t, h, line)
		if err := json.Unmarshal(a.Shown, to); err != nil {
			t.Fatal(err)
		}
	}
	type record struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
		UUID string `json:"uuid"`
	}
	var all []record
	var made, one record
	ask("GET https://api.a.example/v1/tasks", &all)
	ask("POST https://api.a.example/v1/tasks", &made)
	ask("GET https://api.a.example/v1/tasks/"+jsonText(t, all[1].ID), &one)
	if len(all) < 2 || all[0] == all[1] || made != all[0] || one != all[1] {
		t.Errorf("list %+v, created %+v, asked %+v", all, made, one)
	}
}

func jsonText(t *testing.T, v any) string {
	t.Helper()
	p, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(p)
}
