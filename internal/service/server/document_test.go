package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// described is the OpenAPI document of the service, to check answers against.
var described = sync.OnceValue(func() *description {
	text, err := openAPI("v0")
	if err != nil {
		panic(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		panic(err)
	}
	d := &description{document: doc.(map[string]any), compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{}}
	d.compiler.AssertFormat()
	if err := d.compiler.AddResource("openapi.json", doc); err != nil {
		panic(err)
	}
	return d
})

type description struct {
	document map[string]any
	compiler *jsonschema.Compiler
	mu       sync.Mutex
	schemas  map[string]*jsonschema.Schema
}

// operations are those of the document: "GET /path".
func (d *description) operations() []string {
	var all []string
	for path, item := range d.document["paths"].(map[string]any) {
		for method := range item.(map[string]any) {
			if method != "parameters" {
				all = append(all, strings.ToUpper(method)+" "+path)
			}
		}
	}
	slices.Sort(all)
	return all
}

// find returns the operation of a request, "" for none.
func (d *description) find(method, path string) string {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	best := ""
	for _, op := range d.operations() {
		m, template, _ := strings.Cut(op, " ")
		pattern := "(?s)^" + strings.NewReplacer(`\{id\}`, "[^/]+", `\{name\}`, ".+").Replace(regexp.QuoteMeta(template)) + "$"
		if m == method && regexp.MustCompile(pattern).MatchString(path) && len(template) > len(best) {
			best = op
		}
	}
	return best
}

// at follows names and references in the document. It also returns the path of
// the result.
func (d *description) at(names ...string) (any, string) {
	var node any = d.document
	pointer := ""
	for _, name := range names {
		m, ok := node.(map[string]any)
		if !ok {
			return nil, ""
		}
		node, pointer = m[name], pointer+"/"+url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
		if m, ok := node.(map[string]any); ok && m["$ref"] != nil {
			pointer = strings.TrimPrefix(m["$ref"].(string), "#")
			node, _ = d.at(strings.Split(pointer[1:], "/")...)
		}
	}
	return node, pointer
}

func (d *description) check(pointer string, text []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	schema := d.schemas[pointer]
	if schema == nil {
		var err error
		if schema, err = d.compiler.Compile("openapi.json#" + pointer); err != nil {
			return err
		}
		d.schemas[pointer] = schema
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(v)
}

// exercised are the operations that were answered successfully.
var exercised = &operations{seen: map[string]bool{}}

type operations struct {
	mu   sync.Mutex
	seen map[string]bool
}

func (a *operations) add(op string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.seen[op] = true
}

func (a *operations) missing() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.DeleteFunc(described().operations(), func(op string) bool { return a.seen[op] })
}

// checker compares every request and answer with the document.
type checker struct {
	t  *testing.T
	to http.RoundTripper
}

func (c *checker) RoundTrip(r *http.Request) (*http.Response, error) {
	var sent []byte
	if r.Body != nil && r.Header.Get("Content-Type") == "application/json" && r.ContentLength > 0 {
		var err error
		if sent, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		r = r.Clone(r.Context())
		r.Body = io.NopCloser(bytes.NewReader(sent))
	}
	res, err := c.to.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	var text []byte
	if kind != "text/event-stream" {
		if text, err = io.ReadAll(res.Body); err == nil {
			res.Body.Close()
			res.Body = io.NopCloser(bytes.NewReader(text))
		} else {
			res.Body = io.NopCloser(io.MultiReader(bytes.NewReader(text), failing{err}))
		}
	}
	if res.StatusCode < http.StatusBadRequest {
		exercised.add(described().find(r.Method, r.URL.Path))
	}
	for _, problem := range compared(r, res, sent, text) {
		c.t.Errorf("%s %s: %s: %s", r.Method, r.URL.Path, res.Status, problem)
	}
	return res, nil
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// compared returns what of an answer is not in the document.
func compared(r *http.Request, res *http.Response, sent, text []byte) (problems []string) {
	problems = hardened(res)
	d := described()
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	problem := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	op := d.find(r.Method, r.URL.Path)
	method, path, _ := strings.Cut(op, " ")
	at := []string{"paths", path, strings.ToLower(method), "responses", strconv.Itoa(res.StatusCode)}
	answer, _ := d.at(at...)
	if op == "" || answer == nil {
		// An unknown operation or method must be refused.
		if op != "" || res.StatusCode != http.StatusNotFound && res.StatusCode != http.StatusMethodNotAllowed && res.StatusCode != http.StatusMisdirectedRequest && r.Method != http.MethodOptions {
			problem("is not in the document")
		}
		if res.StatusCode >= http.StatusBadRequest && kind != "application/problem+json" {
			problem("is no problem but %q", kind)
		}
		return problems
	}
	if res.StatusCode < http.StatusBadRequest {
		if _, pointer := d.at("paths", path, strings.ToLower(method), "requestBody", "content", "application/json", "schema"); sent != nil {
			if err := d.check(pointer, sent); err != nil {
				problem("was asked with %s: %v", sent, err)
			}
		}
	}
	content, _ := answer.(map[string]any)["content"].(map[string]any)
	if content == nil {
		if len(text) > 0 {
			problem("has a body: %s", text)
		}
		return problems
	}
	if content[kind] == nil {
		problem("has the type %q, and documented are %v", kind, slices.Sorted(maps.Keys(content)))
		return problems
	}
	schema, pointer := d.at(append(at, "content", kind, "schema")...)
	if schema != nil && r.Method != http.MethodHead && strings.HasSuffix(kind, "json") {
		if err := d.check(pointer, text); err != nil {
			problem("%v: %s", err, text)
		}
	}
	return problems
}

// hardened returns the security headers that an answer lacks.
func hardened(res *http.Response) (problems []string) {
	frame, ancestors := "DENY", "frame-ancestors 'none'"
	if strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") { // our own pages frame reports
		frame, ancestors = "SAMEORIGIN", "frame-ancestors 'self'; sandbox allow-scripts"
	}
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "X-Frame-Options": frame,
		"Content-Security-Policy": "default-src 'none'",
	} {
		if got := res.Header.Get(name); !strings.Contains(got, want) {
			problems = append(problems, fmt.Sprintf("%s is %q", name, got))
		}
	}
	if !strings.Contains(res.Header.Get("Content-Security-Policy"), ancestors) {
		problems = append(problems, "can be framed")
	}
	return problems
}

// The routes and the document list the same operations.
func TestDocument(t *testing.T) {
	var routes []string
	for _, r := range (&Server{}).routes() {
		path := strings.NewReplacer("/packages/{rest...}", "/packages/{name}/trend", "{name...}", "{name}").Replace(r.path)
		routes = append(routes, r.method+" "+path)
	}
	slices.Sort(routes)
	if got := described().operations(); !slices.Equal(got, routes) {
		t.Errorf("routes are %q,\nand documented are %q", routes, got)
	}
	ids := map[string]bool{}
	for _, op := range described().operations() {
		method, path, _ := strings.Cut(op, " ")
		node, _ := described().at("paths", path, strings.ToLower(method))
		id, _ := node.(map[string]any)["operationId"].(string)
		if id == "" || ids[id] {
			t.Errorf("%s: the operationId %q is missing or there twice", op, id)
		}
		ids[id] = true
	}
	each(t, func(w *world) {
		var doc struct {
			OpenAPI string `json:"openapi"`
			Info    struct{ Version string }
		}
		res := w.ask("", "GET", "/api/v1/openapi.json", nil)
		res.into(t, &doc)
		if doc.OpenAPI != "3.1.0" || doc.Info.Version != "v1.2.3" || bytes.Contains(res.text, []byte("x-parts")) {
			t.Errorf("%+v", doc)
		}
	})
}

// The checker itself detects errors.
func TestChecker(t *testing.T) {
	good := http.Header{"Content-Type": {"application/json"}}
	setSecurityHeaders(good)
	answer := func(status int, kind string) *http.Response {
		h := good.Clone()
		h.Set("Content-Type", kind)
		return &http.Response{StatusCode: status, Header: h}
	}
	ask := func(method, path string) *http.Request {
		return &http.Request{Method: method, URL: &url.URL{Path: path}}
	}
	problem, _ := json.Marshal(map[string]any{"type": "urn:mcpsf:problem:x", "title": "x", "status": 404, "detail": "x"})
	for name, tt := range map[string]struct {
		req        *http.Request
		res        *http.Response
		sent, text string
		want       string
	}{
		"fine":              {ask("GET", "/healthz"), answer(200, "application/json"), "", `{"status":"ok"}`, ""},
		"fine problem":      {ask("GET", "/api/v1/jobs/x"), answer(404, "application/problem+json"), "", string(problem), ""},
		"more":              {ask("GET", "/healthz"), answer(200, "application/json"), "", `{"status":"ok","x":1}`, "additional"},
		"less":              {ask("GET", "/healthz"), answer(200, "application/json"), "", `{}`, "status"},
		"status":            {ask("GET", "/healthz"), answer(201, "application/json"), "", `{"status":"ok"}`, "not in the document"},
		"type":              {ask("GET", "/healthz"), answer(200, "text/plain"), "", `ok`, "has the type"},
		"unknown":           {ask("GET", "/nothing"), answer(200, "application/json"), "", `{}`, "not in the document"},
		"text for an error": {ask("GET", "/nothing"), answer(404, "text/plain"), "", `no`, "is no problem"},
		"request":           {ask("POST", "/api/v1/keys"), answer(201, "application/json"), `{"name":1}`, `{}`, "was asked with"},
		"headers":           {ask("GET", "/healthz"), &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}}, "", `{"status":"ok"}`, "can be framed"},
	} {
		var sent []byte
		if tt.sent != "" {
			sent = []byte(tt.sent)
		}
		got := strings.Join(compared(tt.req, tt.res, sent, []byte(tt.text)), "\n")
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
