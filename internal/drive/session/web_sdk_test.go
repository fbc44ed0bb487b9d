package session_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
)

// notes is a server of the official SDK that uses every client feature.
func notes() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "3"}, &mcp.ServerOptions{
		Instructions: "be nice",
		CompletionHandler: func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{"apple"}}}, nil
		},
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	type in struct {
		Text string `json:"text"`
	}
	text := func(text string) *mcp.CallToolResult {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
	}
	mcp.AddTool(s, &mcp.Tool{Name: "echo"}, func(_ context.Context, _ *mcp.CallToolRequest, args in) (*mcp.CallToolResult, any, error) {
		return text("heard " + args.Text), nil, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "progress"}, func(ctx context.Context, r *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		if token := r.Params.GetProgressToken(); token != nil {
			_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: 1, Total: 2})
		}
		return text("done"), nil, nil
	})
	s.AddResource(&mcp.Resource{URI: "notes://1", Name: "one"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "notes://1", Text: "x"}}}, nil
	})
	s.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "notes://{id}", Name: "any"}, func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, Text: "x"}}}, nil
	})
	s.AddPrompt(&mcp.Prompt{Name: "ask", Arguments: []*mcp.PromptArgument{{Name: "query"}}}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{}, nil
	})
	return s
}

// curious adds a tool that sends requests to the client.
func curious(s *mcp.Server) *mcp.Server {
	mcp.AddTool(s, &mcp.Tool{Name: "curious"}, func(ctx context.Context, r *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		roots, err := r.Session.ListRoots(ctx, nil) //nolint:staticcheck // servers still use it
		if err != nil {
			return nil, nil, err
		}
		sampled, err := r.Session.CreateMessage(ctx, &mcp.CreateMessageParams{MaxTokens: 5, Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "hi"}}}}) //nolint:staticcheck // likewise
		if err != nil {
			return nil, nil, err
		}
		text := fmt.Sprint(len(roots.Roots), " ", sampled.Content.(*mcp.TextContent).Text)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
	})
	return s
}

// browse drives a server at an address.
func browse(t *testing.T, url string, opts session.Options) (*mcpsf.Session, *recorder) {
	t.Helper()
	own := &http.Transport{}
	defer own.CloseIdleConnections()
	opts.Endpoint.Wire, opts.Endpoint.URL = transport.NewInternetWire(&http.Client{Transport: own}), url
	tap := &recorder{t: t}
	s, err := session.Drive(t.Context(), nil, tap, &opts)
	if err != nil {
		t.Fatalf("Drive: %v", err)
	}
	if n := len(tap.of(mcpsf.Stdin, mcpsf.MessageClose)); n != 1 {
		t.Errorf("the close was told %d times", n)
	}
	return s, tap
}

func TestWebServersOfTheSDK(t *testing.T) {
	streamable := func(s *mcp.Server, opts *mcp.StreamableHTTPOptions) http.Handler {
		return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, opts)
	}
	tests := map[string]struct {
		handler  func() http.Handler
		revision string
		protocol string
		curious  bool
	}{
		"streams":              {handler: func() http.Handler { return streamable(curious(notes()), nil) }, protocol: "2025-11-25", curious: true},
		"JSON":                 {handler: func() http.Handler { return streamable(notes(), &mcp.StreamableHTTPOptions{JSONResponse: true}) }, protocol: "2025-11-25"},
		"no sessions are kept": {handler: func() http.Handler { return streamable(notes(), &mcp.StreamableHTTPOptions{Stateless: true}) }, protocol: "2025-11-25"},
		"an older revision":    {handler: func() http.Handler { return streamable(curious(notes()), nil) }, revision: "2025-03-26", protocol: "2025-03-26", curious: true},
		"the oldest revision":  {handler: func() http.Handler { return streamable(notes(), nil) }, revision: "2024-11-05", protocol: "2024-11-05"},
		"a revision without sessions": {
			handler: func() http.Handler { return streamable(notes(), &mcp.StreamableHTTPOptions{Stateless: true}) }, revision: "2026-07-28", protocol: "2026-07-28",
		},
		"the older transport": {
			handler: func() http.Handler {
				return mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return curious(notes()) }, nil)
			},
			protocol: "2025-11-25", curious: true,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			web := httptest.NewServer(test.handler())
			defer web.Close()
			s, tap := browse(t, web.URL, session.Options{
				Inputs:   session.Inputs{Rounds: 2},
				Revision: test.revision,
				Answers:  session.Answers{Sampling: "spoken", Roots: []string{"/a", "/b"}},
				Timing:   session.Timing{CallTimeout: 10 * time.Second},
			})
			if !s.Initialized || s.Name != "notes" || s.Protocol != test.protocol || s.Instructions != "be nice" {
				t.Errorf("session is %v %q %q %q", s.Initialized, s.Name, s.Protocol, s.Instructions)
			}
			if s.Closed != "orderly" {
				t.Errorf("closed %q (%s)", s.Closed, s.Ending)
			}
			if diff := cmp.Diff([]string(nil), s.Irregularities); diff != "" {
				t.Errorf("irregularities (-want +got):\n%s", diff)
			}
			methods := map[string]bool{}
			for _, c := range s.Calls {
				methods[c.Method] = true
				if c.Status != mcpsf.CallOK {
					t.Errorf("%s %s %s: %s %s", c.ID, c.Method, c.Tool, c.Status, c.Note)
				}
			}
			for _, want := range []string{"tools/call", "resources/read", "prompts/get", "completion/complete", "resources/templates/list"} {
				if !methods[want] {
					t.Errorf("%s was not used", want)
				}
			}
			answers := ""
			for _, m := range tap.of(mcpsf.Served, mcpsf.MessageResponse) {
				answers += string(m.Body)
			}
			if test.curious != strings.Contains(answers, "2 spoken") {
				t.Errorf("what the server asked of us is not in %s", answers)
			}
			told := tap.of(mcpsf.Served, mcpsf.MessageNotification)
			if i := slices.IndexFunc(told, func(m mcpsf.Message) bool { return m.Method == "notifications/progress" }); i < 0 || told[i].Tool != "progress" || told[i].Call == "" {
				t.Errorf("no progress is told of in %+v", told)
			}
		})
	}
}
