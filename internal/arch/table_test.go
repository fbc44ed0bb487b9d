package arch

// module is the import path of the repository.
const module = "github.com/mcpsf/mcpsf"

// room is one part of the data flow, with all folders below it. Inside a room
// packages import each other as they need; between rooms only as written here.
type room struct {
	// imports are folders of other rooms, each with all that is below it.
	imports []string
	// tests are those that its tests may import beside them.
	tests []string
	// everything lifts both lists: the place where things are wired together.
	everything bool
	// gvisor lists the folders, with what is below, that may know the engine.
	gvisor []string
}

// base is what every room may import: the vocabulary, and what knows nothing
// of servers.
func base() []string {
	return []string{".", "internal/safetext", "internal/wording", "internal/document", "internal/atomicfile", "internal/pause", "internal/wordlist", "internal/lazyregexp", "internal/gap"}
}

// rooms says who may import whom. They stand in the order of the data flow.
func rooms() map[string]room {
	return map[string]room{
		"internal/acquire": {},
		"internal/static":  {},
		"internal/sandbox": {tests: []string{"internal/acquire/interpreter"}, gvisor: []string{"internal/sandbox"}},
		"internal/network": {tests: []string{"internal/sandbox", "internal/static/code"}, gvisor: []string{"internal/network/fakenet"}},
		"internal/drive":   {imports: []string{"internal/network/netclass"}, tests: []string{"internal/judge/query"}},
		"internal/observe": {imports: []string{"internal/sandbox/wire"}},
		"internal/judge":   {},
		"internal/agents": {
			imports: []string{"internal/drive/attack", "internal/drive/meaning", "internal/drive/schema", "internal/drive/sse", "internal/network/netclass", "internal/observe/canary"},
			tests:   []string{"internal/drive/attackplan"},
		},
		"internal/report": {
			imports: []string{"internal/judge", "internal/observe/trace", "internal/static/sbom"},
			tests:   []string{"schema"},
		},
		"internal/assess": {imports: []string{
			"internal/acquire", "internal/static", "internal/sandbox", "internal/network", "internal/drive", "internal/observe",
			"internal/agents", "internal/judge",
		}},
		// What answers users does not run what they submit: only cmd knows both.
		"internal/service": {imports: []string{
			"internal/drive/sse", "internal/judge", "internal/network/netclass", "internal/observe/trace", "internal/report",
		}},

		"internal/safetext":   {},
		"internal/wording":    {},
		"internal/document":   {},
		"internal/atomicfile": {},
		"internal/pause":      {},
		"internal/wordlist":   {},
		"internal/lazyregexp": {},
		"internal/gap":        {},
		"internal/arch":       {},

		".":        {},
		"cmd":      {everything: true, gvisor: []string{"cmd"}},
		"bench":    {everything: true, gvisor: []string{"bench"}},
		"docs":     {tests: []string{"internal/judge/rules"}},
		"deploy":   {tests: []string{"internal/service/secretbox"}},
		"examples": {},
		"schema":   {},
	}
}

// stdlibOnly are folders that import the standard library and nothing else:
// what everything rests on, and what reads hostile bytes by itself.
func stdlibOnly() []string {
	return []string{
		".", "internal/atomicfile", "internal/pause", "internal/lazyregexp", "internal/judge/query", "internal/network/netclass", "internal/network/capture",
		"internal/acquire/tarfs", "internal/drive/sse", "internal/drive/httpprobe", "internal/sandbox/envhook",
		"internal/static/code/syntax", "internal/static/code/ir", "internal/static/code/python",
		"internal/agents/llm/llmtest",
	}
}

// fence keeps one folder from reaching another, however many steps lie
// between. It holds from the day the folder exists.
type fence struct{ from, never, why string }

func fences() []fence {
	return []fence{
		{"internal/service/server", "internal/sandbox", "the process that answers users does not run malware"},
		{"internal/service/server", "internal/assess", "the process that answers users does not run malware"},
		{"cmd/mcpsf", "internal/assess/assesstest", "what only tests need is in no program"},
		{"internal/judge/rules", "internal/report", "what is found does not depend on how it is shown"},
		{"internal/judge/flows", "internal/report", "flows are computed there and drawn in report/flowchart"},
		{"internal/report/digest", "internal/report/terminal", "what is shown does not depend on the format"},
		{"internal/report/digest", "internal/report/html", "what is shown does not depend on the format"},
		{"internal/report/sarif", "internal/report/markdown", "formats do not know each other"},
		{"internal/sandbox/sentry", "internal/sandbox/box", "the kernel does not know who started it"},
		{"internal/static/code/analysis", "internal/static/code/child", "analysis is pure: it reads no files"},
	}
}

// exempt lists the files outside cmd and bench that may end the process or read
// its environment, with the reason.
func exempt() map[string]string {
	return map[string]string{
		"internal/sandbox/box/dispatch_linux.go":        "the binary started again as a part of the sandbox: it never returns to cmd",
		"internal/static/code/child/read.go":            "the reading child ends itself when it has used too much memory",
		"internal/sandbox/sandboxtest/require.go":       "reads MCPSF_REQUIRE_SANDBOX, which only tests know",
		"schema/schematest/python.go":                   "reads MCPSF_REQUIRE_JUDGES, which only tests know",
		"internal/service/store/storetest/storetest.go": "databases that tests may, or must, have",
		"internal/assess/assesstest/main.go":            "ends a test binary and reads MCPSF_NIGHTLY, for tests alone",
	}
}

// crowded lists what is larger than the conventions allow, with the reason why it
// stays. An entry that nothing needs any more fails: the list only gets shorter.
func crowded() map[string]string {
	return map[string]string{
		"..Event":                      "one field for each kind of event, all but one of them empty: the wire format of events.jsonl",
		"..Finding":                    "the wire format of report.json",
		"internal/sandbox/wire.Record": "the record of the kernel, one field for each thing that an action can have",
	}
}
