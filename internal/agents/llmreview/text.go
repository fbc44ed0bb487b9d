package llmreview

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// How many bytes of a text are shown: the beginning, and the end, where hidden
// instructions often stand.
// gap: model-review
const (
	maxHead, maxTail     = 1100, 500
	maxSchema, maxEnding = 800, 300
	maxResult            = 700
	maxListed            = 40 // lines of a list
	maxLine              = 200
	maxResults           = 16
)

// isParameters labels the second part of a tool.
const isParameters = "its parameters"

// What a block is from, as in [mcpsf.TextDetail].
const (
	ofServer   = "server"
	ofTool     = "tool"
	ofPrompt   = "prompt"
	ofResource = "resource"
	ofResult   = "result"
	ofAccess   = "access"
)

// collectTexts takes what the server says and accesses, the most important
// first.
func (m *material) collectTexts(r *mcpsf.Report, events []mcpsf.Event, h *redactor) {
	s := &r.Session
	if s.Instructions != "" {
		b := clipped("the server's instructions to a model", s.Instructions, maxHead, maxTail, h)
		b.of = ofServer
		m.show(b)
	}
	m.listed("what the server was seen to use", ofAccess, accessLines(r.Accesses), h)
	for i := range s.Tools {
		if m.full() {
			m.unshown++
			continue
		}
		m.show(toolBlock(&s.Tools[i], h))
	}
	m.results(events, h)
	for i := range s.Prompts {
		p := &s.Prompts[i]
		b := clipped("a prompt of the server", p.Name+"\n"+p.Description, maxHead, maxTail, h)
		b.of, b.name = ofPrompt, p.Name
		m.show(b)
	}
	var lines []string
	for i := range s.Resources {
		lines = append(lines, s.Resources[i].URI+" "+s.Resources[i].Name)
	}
	for i := range s.Templates {
		lines = append(lines, s.Templates[i].URI+" "+s.Templates[i].Description)
	}
	m.listed("resources of the server", ofResource, lines, h)
}

func toolBlock(t *mcpsf.Tool, h *redactor) block {
	b := clipped("a tool of the server", t.Name+"\n"+t.Description, maxHead, maxTail, h)
	b.of, b.name = ofTool, t.Name
	if len(t.InputSchema) > 0 {
		b.add(isParameters, string(t.InputSchema), maxSchema, maxEnding, h)
	}
	if len(t.Annotations) > 0 {
		b.add("its annotations", string(t.Annotations), maxSchema, maxEnding, h)
	}
	return b
}

// listed puts short lines into one block.
func (m *material) listed(label, of string, lines []string, h *redactor) {
	if len(lines) == 0 {
		return
	}
	for i := range lines {
		lines[i] = cut(h.redact(oneLine(cut(lines[i], maxLine+margin))), maxLine)
	}
	m.unshown += max(0, len(lines)-maxListed)
	text := strings.Join(lines[:min(len(lines), maxListed)], "\n")
	m.show(block{label: label, of: of, parts: []part{{text: text}}})
}

// show adds a block if there is room for another ask.
func (m *material) show(b block) {
	if m.full() {
		m.unshown++
		return
	}
	m.texts = append(m.texts, b)
}

func (m *material) full() bool { return len(m.texts) == maxAsks*maxBlocks }

// accessLines lists hosts, and all accesses that nothing explains.
func accessLines(all []mcpsf.Access) []string {
	var lines []string
	for i := range all {
		a := &all[i]
		if a.Explanation.By != mcpsf.ByNobody && a.Kind != mcpsf.AccessHost && a.Planted == "" {
			continue
		}
		line := fmt.Sprintf("%s %s", a.Kind, a.Name)
		if a.Tool != "" {
			line += " in a call of " + a.Tool
		} else {
			line += " in phase " + string(a.Phase)
		}
		if a.Planted != "" {
			line += ", which is a planted secret"
		}
		lines = append(lines, line+"; explained by "+string(a.Explanation.By))
	}
	return lines
}

// results takes one ordinary result of each tool.
func (m *material) results(events []mcpsf.Event, h *redactor) {
	seen := make(map[string]bool)
	for i := range events {
		e := &events[i]
		d := e.MCP
		if e.Kind != mcpsf.KindMCPResponse || d == nil || d.Tool == "" || d.Failed || d.Attack != nil || seen[d.Tool] || len(d.Body) == 0 {
			continue
		}
		seen[d.Tool] = true
		if len(seen) > maxResults {
			m.unshown++
			continue
		}
		b := clipped("what a tool of the server answered", resultText(d.Body), maxResult, maxEnding, h)
		b.of, b.name, b.event, b.call = ofResult, d.Tool, e.Seq, e.Call
		m.show(b)
	}
}

// resultText is the texts of a result, or all of it if it has none.
func resultText(body json.RawMessage) string {
	var result struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
	}
	var texts []string
	if json.Unmarshal(body, &result) == nil {
		for i := range result.Content {
			if s := result.Content[i].Text; s != "" {
				texts = append(texts, s)
			}
		}
	}
	if len(texts) == 0 {
		return string(body)
	}
	return strings.Join(texts, "\n")
}

// collectKnown takes the words that findings rest on.
func (m *material) collectKnown(r *mcpsf.Report, named map[int64]*mcpsf.Event) {
	room := 256 << 10
	add := func(s string) {
		s = bare(cut(s, maxLeaf))
		if room -= len(s); room > 0 {
			m.known = append(m.known, s)
		}
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		add(f.Message)
		for _, seq := range f.Evidence {
			if e := named[seq]; e != nil && room > 0 {
				for _, s := range leaves(e) {
					add(s)
				}
			}
		}
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
