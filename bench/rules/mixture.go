package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
)

// mixture makes the events of a long run. The content and frequency of calls are
// as in recorded runs of a server that steals in every call and of an honest one
// that uses curl: more than half of the calls only answer, most are attacks, and
// the server is restarted every few dozen calls.
type mixture struct {
	random *rand.Rand
	events []mcpsf.Event
	call   int
	pid    int
	phase  mcpsf.Phase
	t      float64
	// unique makes every file, host, tool and argument one that never came before.
	unique bool
	names  int
}

// callsPerBox is how many calls there are in one sandbox.
const callsPerBox = 40

// mixed returns n events. With unique, every name in them is a new one.
func mixed(n int, unique bool) []mcpsf.Event {
	m := &mixture{random: rand.New(rand.NewPCG(7, 7)), events: make([]mcpsf.Event, 0, n+100), unique: unique}
	for len(m.events) < n {
		if m.call%callsPerBox == 0 {
			m.start()
		}
		m.next()
	}
	return m.events[:n]
}

// scope is that of the server that has both tools.
func scope() rules.Scope {
	tool := func(name, argument, about string) mcpsf.Tool {
		return mcpsf.Tool{Name: name, Description: about, InputSchema: json.RawMessage(fmt.Sprintf(
			`{"type":"object","properties":{%q:{"type":"string","description":"what to look for"}},"required":[%q]}`, argument, argument))}
	}
	return rules.Scope{
		Home: mcpsf.Home, WorkDir: mcpsf.WorkDir, Name: "weather-and-more weather", Description: "The weather, and whether sites are up",
		Hosts: []string{"collector.example"},
		Tools: map[string]mcpsf.Tool{
			"get_weather": tool("get_weather", "city", "The weather of a city"),
			"is_up":       tool("is_up", "url", "Tell whether a page can be reached"),
		},
	}
}

// named returns a name, or a new one like it.
func (m *mixture) named(name string) string {
	if !m.unique {
		return name
	}
	m.names++
	return fmt.Sprintf("%s%06x", name, m.names)
}

// host returns the name of a host, or a new one of a domain of its own.
func (m *mixture) host(name string) string {
	if !m.unique {
		return name
	}
	m.names++
	return fmt.Sprintf("h%06x-%s", m.names, name)
}

// next adds one call.
func (m *mixture) next() {
	m.call++
	m.phase = mcpsf.PhaseAttack
	if m.random.IntN(10) == 0 {
		m.phase = mcpsf.PhaseDrive
	}
	switch n := m.random.IntN(100); {
	case n < 58:
		m.request("get_weather", "city", m.value("Berlin"))
		m.response("sunny, 12 degrees Celsius")
	case n < 77:
		m.theft()
	default:
		m.curl()
	}
}

// value is the value of an argument: mostly an attack.
func (m *mixture) value(honest string) string {
	if m.phase == mcpsf.PhaseDrive {
		return honest
	}
	mark := fmt.Sprintf("mc%07x", m.random.IntN(1<<28))
	return []string{
		honest + ";" + mark + " #\";" + mark + " #';" + mark + " #",
		"../../../../home/dev/.local/share/" + mark + "/notes",
		"1-" + mark + "/*'||" + mark + "||'\"||" + mark + "||\"*/",
		"https://www.example.com." + mark + ".example/",
		"<!DOCTYPE r [<!ENTITY x SYSTEM \"file:///home/dev/.local/share/" + mark + "\">]><r>&x;</r>",
	}[m.random.IntN(5)]
}

func (m *mixture) add(e mcpsf.Event) *mcpsf.Event {
	m.t += 0.0004
	e.Seq, e.T, e.Phase = int64(len(m.events)+1), m.t, m.phase
	if m.call > 0 && e.Kind != mcpsf.KindSandboxStart {
		e.Call = fmt.Sprintf("c%d", m.call)
	}
	m.events = append(m.events, e)
	return &m.events[len(m.events)-1]
}

func (m *mixture) request(tool, argument, value string) {
	tool, argument, value = m.named(tool), m.named(argument), m.named(value)
	body, err := json.Marshal(map[string]any{"name": tool, "arguments": map[string]string{argument: value}})
	if err != nil {
		panic(err) // cannot fail for strings
	}
	d := &mcpsf.MCPDetail{Method: "tools/call", Tool: tool, Body: body, Size: int64(len(body)), ID: json.RawMessage("3")}
	if m.phase == mcpsf.PhaseAttack {
		d.Attack = &mcpsf.AttackDetail{Class: "sql-injection", Place: "/" + argument, Payload: value, Sign: mcpsf.SignAnswer, Marker: "mcn03dd03"}
	}
	m.add(mcpsf.Event{Kind: mcpsf.KindMCPRequest, MCP: d})
}

func (m *mixture) response(text string) {
	body := json.RawMessage(`{"content":[{"type":"text","text":"` + text + `"}]}`)
	e := m.add(mcpsf.Event{Kind: mcpsf.KindMCPResponse, PID: 1, Proc: "python3.11", MCP: &mcpsf.MCPDetail{
		FromServer: true, Method: "tools/call", Body: body, Size: int64(len(body)), Seconds: 0.1,
	}})
	request := m.events[len(m.events)-2]
	if request.MCP != nil {
		e.MCP.Tool, e.MCP.Attack = request.MCP.Tool, request.MCP.Attack
	}
}
