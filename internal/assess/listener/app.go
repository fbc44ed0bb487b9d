package listener

import (
	"encoding/json"
	"mime"

	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
)

// maxAppContents is how many contents of a resource may be pages of an app.
// no gap: with more it is none
const maxAppContents = 64

// isApp tells whether a resource is the page of an MCP app, and nothing else. A
// client shows it in a frame and does not give it to a model. Such pages are bundles
// of several megabytes.
func isApp(result json.RawMessage) bool {
	pages := 0
	array, all := jsonrpc.Elements(jsonrpc.Fields(result, "contents")["contents"], maxAppContents, func(e json.RawMessage, _ int64) {
		kind, _ := jsonrpc.String(jsonrpc.Fields(e, "mimeType")["mimeType"]) // "" if it has none
		if base, with, err := mime.ParseMediaType(kind); err == nil && base == "text/html" && with["profile"] == "mcp-app" && pages >= 0 {
			pages++
		} else {
			pages = -1
		}
	})
	return array && all && pages > 0
}
