package llm_test

import (
	"context"
	"fmt"
	"net/http/httptest"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/agents/llm/llmtest"
)

// A conversation with a tool and a scripted provider.
func Example() {
	server := httptest.NewServer(llmtest.AnthropicHandler(llmtest.Steps(
		llmtest.Do(llmtest.Call{ID: "c1", Name: "add", Arguments: `{"a":1,"b":2}`}),
		llmtest.Say("It is 3."),
	)))
	defer server.Close()

	spec, err := llm.Parse("anthropic/claude-sonnet-5-5@" + server.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	model, err := llm.New(spec, &llm.Options{Key: "sk-test"})
	if err != nil {
		fmt.Println(err)
		return
	}
	model = llm.WithBudget(model, &llm.Budget{Tokens: 100_000})
	ask := &llm.Ask{
		Purpose: "agent",
		Turns:   []llm.Turn{{Role: llm.User, Text: "What is 1 and 2?"}},
		Tools:   []llm.Tool{{Name: "add", Schema: []byte(`{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}}}`)}},
	}
	for {
		reply, err := model.Ask(context.Background(), ask)
		if err != nil {
			fmt.Println(err)
			return
		}
		if reply.Stop != llm.StopTools {
			fmt.Println(reply.Text)
			return
		}
		results := llm.Turn{Role: llm.User}
		for _, call := range reply.Calls {
			fmt.Println(call.Name, string(call.Arguments))
			results.Results = append(results.Results, llm.Result{CallID: call.ID, Text: "3"})
		}
		ask.Turns = append(ask.Turns, reply.Turn(), results)
	}
	// Output:
	// add {"a":1,"b":2}
	// It is 3.
}
