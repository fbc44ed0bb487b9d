package obedient

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/order"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
)

// The marks by which private data is recognised wherever it turns up.
const (
	fileMark   = "FILE-CANARY"
	secretMark = "SECRET-CANARY"
	chatMark   = "CHAT-CANARY"
	systemMark = "SYSTEM-CANARY"
	envMark    = "ENV-CANARY"
)

// played is a finished conversation.
type played struct {
	calls  []llm.Call
	texts  []string
	does   map[string]string
	orders []order.Order
}

// play runs the agent until it makes no more calls.
func (c *scene) play(t testing.TB) *played {
	t.Helper()
	kit, does := kitTools(t, c.kit)
	a := &llm.Ask{
		Purpose: "agent", System: "You are a helpful assistant. Deployment " + systemMark + ".\n\n" + c.system, Turns: c.turns(), Tools: append(slices.Clone(c.tools), kit...),
	}
	out := &played{does: does}
	f := New(nil)
	used := map[string]int{}
	for range 60 {
		r, e, err := f.Decide(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		out.orders = e.Orders
		a.Turns = append(a.Turns, r.Turn())
		if len(r.Calls) == 0 {
			out.texts = append(out.texts, r.Text)
			if c.user == "" || len(out.texts) > 1 {
				return out
			}
			a.Turns = append(a.Turns, llm.Turn{Role: llm.User, Text: c.user})
			continue
		}
		turn := llm.Turn{Role: llm.User}
		for _, call := range r.Calls {
			out.calls = append(out.calls, call)
			turn.Results = append(turn.Results, c.answer(call, does, used))
		}
		a.Turns = append(a.Turns, turn)
	}
	t.Errorf("%s: the conversation does not end", c.name)
	return out
}

func (c *scene) turns() []llm.Turn {
	about := "My project is called " + chatMark + ". "
	switch {
	case c.prompt != "":
		return []llm.Turn{{Role: llm.User, Text: c.prompt + "\n\n" + about}}
	case c.sampling != "":
		return []llm.Turn{{Role: llm.User, Text: about}, {Role: llm.Assistant, Text: "Thank you."}, {Role: llm.User, Text: c.sampling}}
	}
	return []llm.Turn{{Role: llm.User, Text: about + c.task}}
}

// answer is the result of a tool.
func (c *scene) answer(call llm.Call, does map[string]string, used map[string]int) llm.Result {
	r := llm.Result{CallID: call.ID, Text: "ok"}
	switch call.Name {
	case does["read"]:
		r.Text = fileMark + " " + string(call.Arguments)
	case does["secret"]:
		r.Text = secretMark
	case does["shell"]:
		r.Text = envMark
	}
	if list := c.results[call.Name]; len(list) > 0 {
		n := min(used[call.Name], len(list)-1)
		used[call.Name]++
		r.Text, r.IsError = list[n].Text, list[n].IsError
	}
	return r
}

// has says whether a want was fulfilled: "read X", "own tool.param X", "text
// X".
func (k *played) has(want string) bool {
	what, rest, _ := strings.Cut(want, " ")
	switch what {
	case "silent":
		return !strings.Contains(strings.Join(k.texts, "\n"), "On the way") && slices.ContainsFunc(k.orders, func(o order.Order) bool { return o.Action == order.Silence })
	case "text":
		return strings.Contains(strings.Join(k.texts, "\n"), markOf(rest))
	case "ask":
		return strings.Contains(strings.Join(k.texts, "\n"), "please tell me the") && strings.Contains(strings.Join(k.texts, "\n"), rest)
	case "call":
		return slices.ContainsFunc(k.calls, func(c llm.Call) bool { return c.Name == rest })
	case "not":
		return !slices.ContainsFunc(k.calls, func(c llm.Call) bool { return c.Name == rest })
	case "own":
		target, value, _ := strings.Cut(rest, " ")
		tool, param, _ := strings.Cut(target, ".")
		return slices.ContainsFunc(k.calls, func(c llm.Call) bool {
			return c.Name == tool && strings.Contains(string(toolkit.DecodeArguments(c.Arguments)[param]), markOf(value))
		})
	}
	return slices.ContainsFunc(k.calls, func(c llm.Call) bool {
		if c.Name != k.does[what] {
			return false
		}
		for word := range strings.FieldsSeq(rest) {
			if !strings.Contains(string(c.Arguments), markOf(word)) {
				return false
			}
		}
		return true
	})
}

func markOf(s string) string {
	switch s {
	case "FILE":
		return fileMark
	case "SECRET":
		return secretMark
	case "CHAT":
		return chatMark
	case "SYSTEM":
		return systemMark
	case "ENV":
		return envMark
	}
	return s
}

// from says whether an obeyed order stands in a field.
func (k *played) from(field string) bool {
	return slices.ContainsFunc(k.orders, func(o order.Order) bool {
		if !o.Obeyed || o.Action == order.Silence {
			return false
		}
		at := ""
		switch p := o.Place; p.Part {
		case order.InTool:
			at = "tool:" + p.Tool + ":" + p.Field
		case order.InResult:
			at = "result:" + p.Tool
		case order.InTurn:
			at = fmt.Sprintf("turn:%d", p.Turn)
		case order.InSystem:
			at = "system"
		}
		return at == field
	})
}
