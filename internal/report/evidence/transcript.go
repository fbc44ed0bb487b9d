package evidence

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// line is one message of the transcript.
type line struct {
	// Event is the number of the message's event.
	Event int64       `json:"event"`
	T     float64     `json:"t"`
	Phase mcpsf.Phase `json:"phase"`
	Call  string      `json:"call,omitempty"`
	// From is "client" or "server".
	From string `json:"from"`
	// What is "request", "response" or "notification".
	What      string          `json:"what"`
	Method    string          `json:"method,omitempty"`
	Tool      string          `json:"tool,omitempty"`
	ID        json.RawMessage `json:"id,omitempty"`
	Body      json.RawMessage `json:"body,omitempty"`
	Failed    bool            `json:"failed,omitempty"`
	Size      int64           `json:"size"`
	Truncated bool            `json:"truncated,omitempty"`
	Seconds   float64         `json:"seconds,omitempty"`
}

// transcript writes only the messages among events.
type transcript struct {
	out      io.Writer
	messages int
}

func newTranscript(w io.Writer) *transcript { return &transcript{out: w} }

func (t *transcript) add(e *mcpsf.Event) error {
	what := map[mcpsf.Kind]string{
		mcpsf.KindMCPRequest: "request", mcpsf.KindMCPResponse: "response", mcpsf.KindMCPNotification: "notification",
	}[e.Kind]
	if what == "" || e.MCP == nil {
		return nil
	}
	from := "client"
	if e.MCP.FromServer {
		from = "server"
	}
	m := e.MCP
	t.messages++
	text, err := safetext.JSONLine(line{
		Event: e.Seq, T: e.T, Phase: e.Phase, Call: e.Call, From: from, What: what,
		Method: m.Method, Tool: m.Tool, ID: m.ID, Body: m.Body,
		Failed: m.Failed, Size: m.Size, Truncated: m.Truncated, Seconds: m.Seconds,
	})
	if err == nil {
		_, err = t.out.Write(text)
	}
	if err != nil {
		return fmt.Errorf("writing the transcript: %w", err)
	}
	return nil
}
