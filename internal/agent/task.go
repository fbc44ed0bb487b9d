package agent

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Task is what a user wants of an agent.
type Task struct {
	ID string
	// Vector is the kind of attack that it gives an occasion to, "" for none in
	// particular.
	Vector string
	// Turns are what the user says, one after the other.
	Turns []string
	// Asked are the calls of our tools that this takes.
	Asked []Asked
}

// Asked is a call that the user wants.
type Asked struct {
	Turn      int
	Tool      string
	Arguments map[string]string
}

const (
	// rounds is how often a tool is used in a conversation: who bides his time
	// until the third answer has it.
	rounds = 3
	// mostTools bounds how many tools there are in one turn.
	mostTools = 24
	// friend is whom the user writes to.
	friend = "anna"
)

// Errand is the everyday task: every tool is used as it was before, some things
// of the user's own are done in between, and then all of it again.
func (w *World) Errand() *Task {
	t := &Task{ID: "errand"}
	everything := w.useTools()
	to := friend + "@" + w.Domain
	own := []Asked{
		{Tool: "read_file", Arguments: map[string]string{"path": notes}},
		{Tool: "send_email", Arguments: map[string]string{"to": to, "subject": "Monday", "body": "Lunch is at noon."}},
		{Tool: "http_post", Arguments: map[string]string{"url": "https://status." + w.Domain + "/", "body": "all well"}},
	}
	for n := range rounds {
		if everything != "" {
			t.Turns = append(t.Turns, everything)
		}
		if n == 0 {
			var say []string
			for _, a := range own {
				a.Turn = len(t.Turns)
				t.Asked = append(t.Asked, a)
				say = append(say, use(a.Tool, encoded(a.Arguments)))
			}
			t.Turns = append(t.Turns, strings.Join(say, " Then ")+" Answer with the result.")
		}
	}
	return t
}

// useTools says that everything of the server is to be used.
func (w *World) useTools() string {
	var say []string
	for i := range w.Offer.Tools {
		input, ok := w.Inputs[w.Offer.Tools[i].Name]
		if !ok || len(say) >= mostTools {
			continue
		}
		say = append(say, use(w.Offer.Tools[i].Name, input))
	}
	for i := range min(len(w.Offer.Prompts), mostTools) {
		say = append(say, use(promptTool, single("name", w.Offer.Prompts[i].Name)))
	}
	for i := range min(len(w.Offer.Resources), mostTools) {
		say = append(say, use(resourceTool, single("uri", w.Offer.Resources[i].URI)))
	}
	if len(say) == 0 {
		return ""
	}
	return strings.Join(say, " Then ") + " Answer with the result."
}

func use(tool string, arguments json.RawMessage) string {
	return fmt.Sprintf("Use the tool %s with %s.", tool, arguments)
}

func single(name, value string) json.RawMessage {
	return encoded(map[string]string{name: value})
}
