// Command golang is a server with one of everything that the official SDK for
// Go offers: the features of the SDK's example, and paginated lists, progress,
// subscriptions, changes, and the older transport.
//
//	golang [stdio | sse | streamable-http]
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	address  = "127.0.0.1:3001"
	pageSize = 4
)

func main() {
	how := "stdio"
	if len(os.Args) > 1 {
		how = os.Args[1]
	}
	if err := run(context.Background(), how); err != nil {
		fmt.Fprintln(os.Stderr, "golang:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, how string) error {
	every := func(*http.Request) *mcp.Server { return newServer() }
	var handler http.Handler
	switch how {
	case "stdio":
		return newServer().Run(ctx, &mcp.StdioTransport{})
	case "sse":
		handler = mcp.NewSSEHandler(every, nil)
	case "streamable-http":
		handler = mcp.NewStreamableHTTPHandler(every, nil)
	default:
		return errors.New("usage: golang [stdio | sse | streamable-http]")
	}
	server := &http.Server{Addr: address, Handler: handler, ReadHeaderTimeout: time.Minute}
	return server.ListenAndServe()
}

func newServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "everything-go", Version: "1.0.0"}, &mcp.ServerOptions{
		Instructions: "Has one of everything.", PageSize: pageSize,
		CompletionHandler: func(_ context.Context, r *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{r.Params.Argument.Value + "nna"}}}, nil
		},
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	addTools(s)
	for i := range 6 {
		s.AddResource(&mcp.Resource{URI: fmt.Sprintf("notes://%d", i+1), Name: fmt.Sprintf("note %d", i+1), MIMEType: "text/plain"}, note)
	}
	s.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "notes://{number}", Name: "note"}, note)
	s.AddPrompt(&mcp.Prompt{Name: "greet", Description: "Greet somebody.", Arguments: []*mcp.PromptArgument{
		{Name: "name", Description: "Who is greeted", Required: true},
	}}, greet)
	return s
}

type (
	nothing struct{}
	message struct {
		Message string `json:"message" jsonschema:"any text"`
	}
)

func addTools(s *mcp.Server) {
	add(s, "echo", "Return the message.", func(_ context.Context, _ *mcp.CallToolRequest, in message) (string, error) { return in.Message, nil })
	add(s, "count", "Count to three and tell how far it is.", count)
	add(s, "log", "Write a line into the log.", func(ctx context.Context, r *mcp.CallToolRequest, _ nothing) (string, error) {
		return "Written.", r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: "something was done"}) //nolint:staticcheck // servers use it
	})
	add(s, "slow", "Take two seconds.", func(ctx context.Context, _ *mcp.CallToolRequest, _ nothing) (string, error) {
		select {
		case <-time.After(2 * time.Second):
			return "Done.", nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	})
	add(s, "sample", "Ask the model something.", sample)
	add(s, "elicit", "Ask the user for a name.", elicit)
	add(s, "roots", "Tell which folders there are.", func(ctx context.Context, r *mcp.CallToolRequest, _ nothing) (string, error) {
		list, err := r.Session.ListRoots(ctx, nil) //nolint:staticcheck // servers use it
		if err != nil {
			return "", err
		}
		return fmt.Sprint(len(list.Roots)), nil
	})
	add(s, "change", "Change what is offered.", func(ctx context.Context, _ *mcp.CallToolRequest, _ nothing) (string, error) {
		s.AddResource(&mcp.Resource{URI: "notes://extra", Name: "extra note"}, note)
		s.RemoveResources("notes://extra")
		return "Changed.", s.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: "notes://1"})
	})
}

// add adds a tool that answers with a text.
func add[In any](s *mcp.Server, name, description string, call func(context.Context, *mcp.CallToolRequest, In) (string, error)) {
	mcp.AddTool(s, &mcp.Tool{Name: name, Description: description}, func(ctx context.Context, r *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		text, err := call(ctx, r, in)
		if err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
	})
}

func count(ctx context.Context, r *mcp.CallToolRequest, _ nothing) (string, error) {
	token := r.Params.GetProgressToken()
	for i := 1; token != nil && i <= 3; i++ {
		if err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(i), Total: 3}); err != nil {
			return "", err
		}
	}
	return "1, 2, 3", nil
}

func sample(ctx context.Context, r *mcp.CallToolRequest, in message) (string, error) {
	answer, err := r.Session.CreateMessage(ctx, &mcp.CreateMessageParams{ //nolint:staticcheck // servers use it
		MaxTokens: 100, Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: in.Message}}}, //nolint:staticcheck // servers use it
	})
	if err != nil {
		return "", err
	}
	return fmt.Sprint(answer.Content), nil
}

func elicit(ctx context.Context, r *mcp.CallToolRequest, _ nothing) (string, error) {
	answer, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: "What is your name?", RequestedSchema: &jsonschema.Schema{
		Type: "object", Properties: map[string]*jsonschema.Schema{"name": {Type: "string"}},
	}})
	if err != nil {
		return "", err
	}
	return answer.Action, nil
}

func note(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: "text/plain", Text: "A note."}}}, nil
}

func greet(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: "Greet " + r.Params.Arguments["name"] + "."}}}}, nil
}
