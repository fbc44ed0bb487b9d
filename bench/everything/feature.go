package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// The features that not all servers have.
const (
	tasks         = "tasks"
	pagination    = "pagination"
	progress      = "progress"
	cancellation  = "cancellation"
	changes       = "lists that change"
	subscriptions = "subscriptions"
)

// messageKind is a kind of message that was no attack.
type messageKind struct {
	kind       mcpsf.Kind
	method     string
	fromServer bool
}

// feature is one row, with the messages that show its use.
type feature struct {
	name string
	used func(c *column) bool
}

func features() []feature {
	return []feature{
		{"tools", answered("tools/list", "tools/call")},
		{"resources", answered("resources/list", "resources/read")},
		{"resource templates", answered("resources/templates/list")},
		{subscriptions, answered("resources/subscribe", "resources/unsubscribe")},
		{"prompts", answered("prompts/list", "prompts/get")},
		{"completions", answered("completion/complete")},
		{"logging", func(c *column) bool {
			return answered("logging/setLevel")(c) && told("notifications/message")(c)
		}},
		{progress, told("notifications/progress")},
		{cancellation, func(c *column) bool {
			return c.messages[messageKind{mcpsf.KindMCPNotification, "notifications/cancelled", false}] > 0
		}},
		{changes, func(c *column) bool {
			return told("notifications/tools/list_changed")(c) || told("notifications/resources/list_changed")(c)
		}},
		{"sampling", asked("sampling/createMessage")},
		{"elicitation", asked("elicitation/create")},
		{"roots", asked("roots/list")},
		{pagination, func(c *column) bool { return c.pages > 0 }},
		{tasks, answered("tasks/get", "tasks/result")},
	}
}

// answered: we sent each of these requests, and got an answer.
func answered(methods ...string) func(*column) bool {
	return func(c *column) bool {
		return !slices.ContainsFunc(methods, func(m string) bool { return c.messages[messageKind{mcpsf.KindMCPResponse, m, true}] == 0 })
	}
}

// told: the server sent us a notification.
func told(method string) func(*column) bool {
	return func(c *column) bool { return c.messages[messageKind{mcpsf.KindMCPNotification, method, true}] > 0 }
}

// asked: the server sent us a request, and got an answer.
func asked(method string) func(*column) bool {
	return func(c *column) bool {
		return c.messages[messageKind{mcpsf.KindMCPRequest, method, true}] > 0 && c.messages[messageKind{mcpsf.KindMCPResponse, method, false}] > 0
	}
}

// missed returns the features that the server has and that were not used.
func (c *column) missed() []string {
	var list []string
	for _, f := range features() {
		if !slices.Contains(c.server.lacks, f.name) && !f.used(c) {
			list = append(list, f.name)
		}
	}
	return list
}

// told describes the result.
func (c *column) told() string {
	if m := c.missed(); len(m) > 0 {
		return "NOT USED: " + strings.Join(m, ", ")
	}
	return "all of it, in " + c.revision
}

// maxLine bounds one event.
const maxLine = 16 << 20

// read counts the messages of a run. Failed requests do not count.
func (c *column) read(dir string) error {
	raw, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil {
		return fmt.Errorf("reading the report: %w", err)
	}
	var r mcpsf.Report
	if err := json.Unmarshal(raw, &r); err != nil {
		return fmt.Errorf("reading the report: %w", err)
	}
	c.revision, c.messages = r.Session.Protocol, map[messageKind]int{}
	file, err := os.Open(filepath.Join(dir, "events.jsonl"))
	if err != nil {
		return fmt.Errorf("reading the events: %w", err)
	}
	defer file.Close()
	return c.count(file)
}

func (c *column) count(events io.Reader) error {
	lines := bufio.NewScanner(events)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var e mcpsf.Event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return fmt.Errorf("reading an event: %w", err)
		}
		if e.MCP == nil || e.MCP.Failed || e.Phase == mcpsf.PhaseAttack {
			continue
		}
		c.messages[messageKind{e.Kind, e.MCP.Method, e.MCP.FromServer}]++
		if e.Kind == mcpsf.KindMCPRequest && !e.MCP.FromServer && hasCursor(e.MCP.Body) {
			c.pages++
		}
	}
	return lines.Err()
}

func hasCursor(params json.RawMessage) bool {
	var p struct {
		Cursor string `json:"cursor"`
	}
	return json.Unmarshal(params, &p) == nil && p.Cursor != ""
}
