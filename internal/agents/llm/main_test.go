package llm

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mcpsf/mcpsf/internal/agents/llm/llmtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testKey is the API key of tests.
const testKey = "sk-test-0123456789"

// side is one of the APIs, with a server.
type side struct {
	provider string
	start    func(testing.TB, llmtest.Script) *llmtest.Server
}

func sides() []side {
	return []side{{"openai", llmtest.OpenAI}, {"anthropic", llmtest.Anthropic}}
}

// each runs a test with both APIs.
func each(t *testing.T, f func(t *testing.T, s side)) {
	t.Helper()
	for _, s := range sides() {
		t.Run(s.provider, func(t *testing.T) { f(t, s) })
	}
}

// waits records the pauses that a model asks for; none takes time.
type waits []time.Duration

func (w *waits) sleep(ctx context.Context, d time.Duration) error {
	*w = append(*w, d)
	return ctx.Err()
}

// serve starts a server and makes a model for it.
func (s side) serve(t *testing.T, script llmtest.Script, change ...func(*Options)) (Model, *llmtest.Server) {
	t.Helper()
	server := s.start(t, script)
	o := &Options{Key: testKey, BaseURL: server.URL, Random: func() float64 { return 0 }}
	var w waits
	o.Sleep = w.sleep
	for _, c := range change {
		c(o)
	}
	m, err := New(Spec{Provider: s.provider, Model: "some-model"}, o)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	t.Cleanup(func() {
		for _, message := range server.Refused() {
			if !t.Failed() && !expectsRefusal(t) {
				t.Errorf("the server refused a request: %s", message)
			}
		}
	})
	return m, server
}

// expectsRefusal: tests that expect rejected requests say so in their name.
func expectsRefusal(t *testing.T) bool {
	return strings.Contains(t.Name(), "Refused") || strings.Contains(t.Name(), "Key")
}

// hello is a short ask.
func hello() *Ask {
	return &Ask{Purpose: "test", System: "You are brief.", Turns: []Turn{{Role: User, Text: "Hello"}}}
}

func tool(name string) Tool {
	return Tool{Name: name, Description: "does " + name, Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}}}`)}
}

// failed is the error of an ask that must fail.
func failed(t *testing.T, reply *Reply, err error) *Error {
	t.Helper()
	e, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatalf("Ask = %+v, %v; want an *Error", reply, err)
	}
	return e
}
