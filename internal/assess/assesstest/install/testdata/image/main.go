// Command image is the server that the tests put into a container image: a
// native program and nothing else. Its one tool reads a file.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Arguments struct {
			Path string `json:"path"`
		} `json:"arguments"`
	} `json:"params"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var r request
		if json.Unmarshal(lines.Bytes(), &r) != nil || r.ID == nil {
			continue
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", r.ID, result(&r))
	}
}

func result(r *request) string {
	switch r.Method {
	case "initialize":
		return `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"in-an-image","version":"1"}}`
	case "tools/list":
		return `{"tools":[{"name":"look","description":"Shows where it is","inputSchema":{"type":"object"}}]}`
	case "tools/call":
		dir, _ := os.Getwd()
		message, _ := os.ReadFile("/etc/message")
		_, _ = os.ReadFile("/home/dev/.aws/credentials")
		text, _ := json.Marshal(fmt.Sprintf("%s %s %s uid=%d", dir, os.Getenv("GREETING"), message, os.Getuid()))
		return `{"content":[{"type":"text","text":` + string(text) + `}]}`
	}
	return `{}`
}
