package main

import (
	"encoding/json"
	"fmt"

	"github.com/mcpsf/mcpsf"
)

// A hostile server chooses the names in its events. storms returns n events each
// in which every name is a new one, all in one sandbox: where judging a name
// costs more the more names there were before, it shows here.
func storms() map[string]func(n int) []mcpsf.Event {
	all := map[string]func(n int) []mcpsf.Event{}
	for name, one := range map[string]func(i int) mcpsf.Event{
		"files":     fileEvent,
		"hosts":     hostEvent,
		"lookups":   lookupEvent,
		"calls":     callEvent,
		"programs":  programEvent,
		"variables": variableEvent,
		"secrets":   secretEvent,
	} {
		all[name] = func(n int) []mcpsf.Event { return storm(n, one) }
	}
	return all
}

func fileEvent(i int) mcpsf.Event {
	kinds := []mcpsf.Kind{mcpsf.KindFileOpen, mcpsf.KindFileStat, mcpsf.KindFileWrite, mcpsf.KindFileCreate, mcpsf.KindFileDelete}
	return mcpsf.Event{Kind: kinds[i%len(kinds)], File: &mcpsf.FileDetail{
		Path: fmt.Sprintf("/home/dev/Documents/d%05x/n%06x.txt", i/50, i), Flags: []string{"r", "wct"}[i%2],
	}}
}

func hostEvent(i int) mcpsf.Event {
	host := fmt.Sprintf("h%06x.collector%06x.example", i, i/3)
	net := &mcpsf.NetDetail{Family: "ip4", Name: host, Type: "stream", Address: fmt.Sprintf("198.18.%d.%d", i/256%256, i%256), Port: 443}
	switch i % 3 {
	case 0:
		return mcpsf.Event{Kind: mcpsf.KindNetDNS, Net: &mcpsf.NetDetail{Family: "dns", Name: host, Type: "A", Address: mcpsf.NetRouter4, Port: 53}}
	case 1:
		return mcpsf.Event{Kind: mcpsf.KindNetConnect, Net: net}
	}
	return mcpsf.Event{Kind: mcpsf.KindNetHTTP, Net: net, HTTP: &mcpsf.HTTPDetail{
		Method: "POST", URL: "https://" + host + "/", Version: "1.1", Body: fmt.Sprintf("value %06x", i), Size: 12, Status: 200,
	}}
}

func lookupEvent(i int) mcpsf.Event {
	return mcpsf.Event{Kind: mcpsf.KindNetDNS, Net: &mcpsf.NetDetail{
		Family: "dns", Name: fmt.Sprintf("h%06xq8w7zk3x5v9jt2m.collector.example", i), Type: "A", Address: mcpsf.NetRouter4, Port: 53,
	}}
}

func callEvent(i int) mcpsf.Event {
	tool := fmt.Sprintf("tool_%06x", i/2)
	if i%2 == 1 {
		return mcpsf.Event{Call: fmt.Sprintf("c%d", i), Kind: mcpsf.KindMCPResponse, PID: 1, MCP: &mcpsf.MCPDetail{
			FromServer: true, Method: "tools/call", Tool: tool, Body: body(fmt.Sprintf("answer %06x of the tool", i)), Size: 60,
		}}
	}
	return mcpsf.Event{Call: fmt.Sprintf("c%d", i+1), Kind: mcpsf.KindMCPRequest, MCP: &mcpsf.MCPDetail{
		Method: "tools/call", Tool: tool, Size: 80, ID: json.RawMessage("3"),
		Body: json.RawMessage(fmt.Sprintf(`{"name":%q,"arguments":{"a%06x":"value %06x in /home/dev/x%06x at https://v%06x.example/"}}`, tool, i, i, i, i)),
	}}
}

func programEvent(i int) mcpsf.Event {
	pid := 2 + i/3
	switch i % 3 {
	case 0:
		return mcpsf.Event{PID: 1, Kind: mcpsf.KindProcessFork, Process: &mcpsf.ProcessDetail{Child: pid}}
	case 1:
		program := fmt.Sprintf("/home/dev/bin/p%06x", i)
		return mcpsf.Event{PID: pid, PPID: 1, Kind: mcpsf.KindProcessExec, Process: &mcpsf.ProcessDetail{Path: program, Args: []string{program, fmt.Sprintf("--n%06x", i)}}}
	}
	return mcpsf.Event{PID: pid, PPID: 1, Kind: mcpsf.KindProcessExit, Process: &mcpsf.ProcessDetail{}}
}

func variableEvent(i int) mcpsf.Event {
	return mcpsf.Event{Kind: mcpsf.KindEnvRead, PID: 1, Env: &mcpsf.EnvDetail{Name: fmt.Sprintf("NAME_%06X", i)}}
}

func secretEvent(i int) mcpsf.Event {
	source := fmt.Sprintf("/home/dev/.aws/k%06x", i)
	if i%2 == 0 {
		return mcpsf.Event{Kind: mcpsf.KindCanaryRead, PID: 1, Canary: &mcpsf.CanaryDetail{ID: fmt.Sprintf("aws-%06x", i), Kind: "aws-credentials", Source: source, How: "open"}}
	}
	host := fmt.Sprintf("c%06x.example", i)
	return mcpsf.Event{Kind: mcpsf.KindCanaryLeak, PID: 1, Net: &mcpsf.NetDetail{Family: "ip4", Name: host, Address: "192.0.2.7", Port: 443}, Leak: &mcpsf.LeakDetail{
		ID: fmt.Sprintf("aws-%06x", i-1), Kind: "aws-credentials", Source: source, Channel: mcpsf.ChannelHTTP, Destination: host + ":443", Part: "body", Share: 1,
	}}
}

// claims is how many paths the arguments of the call name.
const claims = 256

// storm is one sandbox, one call with many arguments, and events that one makes,
// together n.
func storm(n int, one func(i int) mcpsf.Event) []mcpsf.Event {
	m := &mixture{events: make([]mcpsf.Event, 0, n+20), unique: true}
	m.start()
	m.call, m.phase = 1, mcpsf.PhaseDrive
	m.request("get_weather", "city", "Berlin")
	m.events[len(m.events)-1].MCP.Body = manyArguments()
	for i := range n {
		e := one(i)
		call, pid := e.Call, e.PID
		added := m.add(e)
		if call != "" {
			added.Call = call
		}
		if pid == 0 && e.MCP == nil {
			added.PID = 1
		}
	}
	return m.events[:n]
}

func manyArguments() json.RawMessage {
	given := map[string]string{}
	for i := range claims {
		given[fmt.Sprintf("a%03d", i)] = fmt.Sprintf("notes/of the day %04x", i)
	}
	params, err := json.Marshal(map[string]any{"name": "get_weather", "arguments": given})
	if err != nil {
		panic(err) // cannot fail for strings
	}
	return params
}

func body(text string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"content":[{"type":"text","text":%q}]}`, text))
}
