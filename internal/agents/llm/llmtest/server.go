package llmtest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Server is a local provider of models.
type Server struct {
	// URL is the base URL for a client.
	URL string

	handler *Handler
}

// Requests are the accepted requests so far.
func (s *Server) Requests() []*Request { return s.handler.Requests() }

// Refused are the error messages of rejected requests.
func (s *Server) Refused() []string { return s.handler.Refused() }

// OpenAI starts a server with OpenAI's API. It ends with the test.
func OpenAI(t testing.TB, script Script) *Server {
	t.Helper()
	return start(t, OpenAIHandler(script), "/v1")
}

// Anthropic starts a server with Anthropic's API. It ends with the test.
func Anthropic(t testing.TB, script Script) *Server {
	t.Helper()
	return start(t, AnthropicHandler(script), "")
}

func start(t testing.TB, h *Handler, path string) *Server {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(func() {
		h.Stop()
		server.CloseClientConnections()
		server.Close()
	})
	return &Server{URL: server.URL + path, handler: h}
}

// format is one of the APIs.
type format interface {
	// paths are the request paths that it answers.
	paths() []string
	// read parses a request, or says what is wrong.
	read(r *http.Request, body []byte) (*Request, *refusal)
	// frames are the events of an answer.
	frames(r *Request, a Answer) []frame
	// whole is the answer without a stream.
	whole(r *Request, a Answer) any
	// refuse is an error in its format, within a stream if status is 0.
	refuse(status int, f failure) any
	// more is an event that can be repeated any number of times.
	more(r *Request) frame
}

// refusal is why a request is rejected.
type refusal struct {
	status int
	failure
}

// frame is one event.
type frame struct {
	name string
	data any // a string is sent as it is
}

// Handler answers requests over HTTP, for programs that have a server.
type Handler struct {
	// Key is required from clients, unless "".
	Key string
	// Models are listed, where the API has that.
	Models []string

	format   format
	script   Script
	stop     chan struct{}
	once     sync.Once
	turn     sync.Mutex // one script call at a time
	mu       sync.Mutex
	requests []*Request
	refused  []string
	n        int
}

func newHandler(d format, script Script) *Handler {
	return &Handler{format: d, script: script, stop: make(chan struct{}), Models: []string{"test-embed", "test-model"}}
}

// Stop ends endless answers.
func (h *Handler) Stop() { h.once.Do(func() { close(h.stop) }) }

// Requests are the accepted requests so far.
func (h *Handler) Requests() []*Request {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.requests)
}

// Refused are the error messages of rejected requests.
func (h *Handler) Refused() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.refused)
}

// maxBody is larger than any request of a test.
// no gap: bounds the conversation with a model; a failed ask is reported
const maxBody = 64 << 20

// ServeHTTP implements [http.Handler].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body bytes.Buffer
	if _, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, maxBody)); err != nil {
		h.refuse(w, &refusal{http.StatusRequestEntityTooLarge, failure{message: "Request too large"}})
		return
	}
	switch {
	case h.Key != "" && r.Header.Get("Authorization") != "Bearer "+h.Key && r.Header.Get("X-Api-Key") != h.Key:
		h.refuse(w, &refusal{http.StatusUnauthorized, failure{kind: "authentication_error", message: "Incorrect API key provided: " + key(r), code: "invalid_api_key"}})
		return
	case r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/models"):
		h.list(w)
		return
	case r.Method != http.MethodPost || !slices.Contains(h.format.paths(), r.URL.Path):
		h.refuse(w, &refusal{http.StatusNotFound, failure{kind: "not_found_error", message: "Not Found: " + r.Method + " " + r.URL.Path}})
		return
	}
	request, bad := h.format.read(r, body.Bytes())
	if bad != nil {
		h.refuse(w, bad)
		return
	}
	request.Header, request.Body, request.Path = r.Header.Clone(), body.Bytes(), r.URL.Path
	h.mu.Lock()
	h.n++
	request.N = h.n
	h.requests = append(h.requests, request)
	h.mu.Unlock()
	h.turn.Lock()
	answer := h.script(request)
	h.turn.Unlock()
	(&sending{h: h, w: w, r: r, request: request, answer: answer}).send()
}

// key is the client's key, which some servers repeat in their message.
func key(r *http.Request) string {
	return r.Header.Get("X-Api-Key") + strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
}

func (h *Handler) refuse(w http.ResponseWriter, bad *refusal) {
	h.mu.Lock()
	h.refused = append(h.refused, bad.message)
	h.mu.Unlock()
	writeJSON(w, bad.status, h.format.refuse(bad.status, bad.failure))
}

func (h *Handler) list(w http.ResponseWriter) {
	list := make([]map[string]any, 0, len(h.Models))
	for _, name := range h.Models {
		list = append(list, map[string]any{"id": name, "object": "model", "created": created, "owned_by": "library"})
	}
	writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": list})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(encode(v)) //nolint:gosec // JSON, for a test
}

func encode(v any) []byte {
	if s, ok := v.(string); ok {
		return []byte(s)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		_, _ = io.WriteString(&b, `{"unencodable":true}`)
	}
	return bytes.TrimSpace(b.Bytes())
}
