package services

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// mcpMethods are the methods of the Model Context Protocol by which a client knows
// the server that it passes calls on to.
var mcpMethods = []string{"initialize", "ping", "tools/list", "tools/call", "resources/list", "resources/templates/list", "prompts/list"} //nolint:gochecknoglobals // a table

// mcpVersions are the versions of the protocol that are spoken, the usual one first.
var mcpVersions = []string{"2025-03-26", "2025-06-18", "2024-11-05", "2025-11-25"} //nolint:gochecknoglobals // a table

// mcpServer answers as a remote MCP server: some servers pass all calls on to one.
// It has no session and sends no stream.
func mcpServer(s *Services, r *Request) *Answer {
	if r.Method == http.MethodGet && r.Header("Mcp-Protocol-Version") != "" {
		return Page(http.StatusMethodNotAllowed)
	}
	var c struct {
		procedureCall

		Params struct {
			Version string `json:"protocolVersion"` //nolint:tagliatelle // of the protocol
		} `json:"params"`
	}
	if r.Method != http.MethodPost || json.Unmarshal(r.Kept, &c) != nil || c.procedureCall.Version != "2.0" {
		return nil
	}
	if c.ID == nil && strings.HasPrefix(c.Method, "notifications/") {
		return of(http.StatusAccepted, "", nil)
	}
	if !slices.Contains(mcpMethods, c.Method) {
		return nil
	}
	version := mcpVersions[0]
	if slices.Contains(mcpVersions, c.Params.Version) {
		version = c.Params.Version
	}
	return asJSON(http.StatusOK, numbered(c.ID, mcpResult(s, r, c.Method, version)))
}

// madeUpTool is a tool of the made-up MCP server that hardly another one has.
const madeUpTool = "get_record"

// passesOn reports whether a server lists a tool of the made-up MCP server as its own,
// under that name or with something before it.
func passesOn(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return strings.HasSuffix(name, madeUpTool) })
}

// mcpResult is what a method returns.
func mcpResult(s *Services, r *Request, method, version string) any {
	switch method {
	case "initialize":
		return object{"protocolVersion": version, "capabilities": object{"tools": object{}}, "serverInfo": object{"name": "records", "version": "1.0.0"}}
	case "tools/list":
		s.gaveTools.Store(true)
		return object{"tools": []object{
			mcpTool("search", "Search the records.", "query", "What to search for"),
			mcpTool(madeUpTool, "Get a record by its id.", "id", "The id of a record"),
		}}
	case "tools/call":
		text, err := json.Marshal(s.thing(s.dice(r.Domain(), r.Path)))
		if err != nil {
			return object{}
		}
		return object{"content": []object{{"type": "text", "text": string(text)}}}
	case "resources/list":
		return object{"resources": []object{}}
	case "resources/templates/list":
		return object{"resourceTemplates": []object{}}
	case "prompts/list":
		return object{"prompts": []object{}}
	}
	return object{}
}

func mcpTool(name, description, argument, meaning string) object {
	return object{"name": name, "description": description, "inputSchema": object{
		"type": "object", "properties": object{argument: object{"type": "string", "description": meaning}}, "required": []string{argument},
	}}
}
