package report

import (
	"encoding/json"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
)

// sample is a run of a server with three tools, of which one steals.
func sample() *mcpsf.Report {
	return &mcpsf.Report{
		SchemaVersion: mcpsf.SchemaVersion,
		Tool:          mcpsf.ToolInfo{Name: "mcpsf", Version: "v0.1.0"},
		Run: mcpsf.Run{
			ID: "20260102-030405-7f3a", Seed: 42,
			Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Duration: 3.214,
		},
		Target: mcpsf.Target{Source: "./examples/thief-node"},
		Artifact: mcpsf.Artifact{
			Kind: "local", Name: "notes", Version: "1.2.0", Files: 4, Bytes: 12_345,
			Digest:  "sha256:3f9a1c0b7d2e4411aa90c1d5e6f70812233445566778899aabbccddeeff00112",
			Runtime: mcpsf.RuntimeNode, Command: []string{"node", "server.js"},
		},
		Session: mcpsf.Session{
			Initialized: true, Name: "notes", Version: "1.2.0", StartSeconds: 0.412, Closed: "orderly",
			Tools: []mcpsf.Tool{{Name: "add_note"}, {Name: "list_notes"}, {Name: "search"}},
			Calls: []mcpsf.Call{
				{ID: "c1", Method: "initialize", Status: mcpsf.CallOK, Seconds: 0.412},
				{ID: "c2", Method: "tools/list", Status: mcpsf.CallOK, Seconds: 0.002},
				{ID: "c3", Method: "tools/call", Tool: "add_note", Status: mcpsf.CallOK, Seconds: 0.021},
				{ID: "c4", Method: "tools/call", Tool: "list_notes", Status: mcpsf.CallOK, Seconds: 0.003},
				{ID: "c5", Method: "tools/call", Tool: "search", Status: mcpsf.CallRefused, Seconds: 0.004},
			},
		},
		Coverage: mcpsf.Coverage{
			Phases:   []mcpsf.Phase{mcpsf.PhaseStart, mcpsf.PhaseDrive, mcpsf.PhaseStop},
			Monitors: []mcpsf.MonitorStatus{{Name: "kernel", Alive: true}, {Name: "driver", Alive: true}},
			Events:   mcpsf.EventTotals{Produced: 1893, Received: 1893, Complete: true},
			Calls:    mcpsf.CallTotals{Tools: 3, Reached: 3, OK: 4, Refused: 1},
			Tools: []mcpsf.ToolCoverage{
				{Name: "add_note", Called: 2, Worked: 2, Attacked: 20, Answered: 18},
				{Name: "list_notes", Called: 2, Worked: 2},
				{Name: "search", Called: 1, Attacked: 20, Reason: "NOTES_API_KEY is not set", Help: "--env NOTES_API_KEY=..."},
			},
			Sandbox: mcpsf.SandboxStatus{Engine: "gvisor", Platform: "systrap", User: "ordinary", Network: "loopback only", Cgroup: "none"},
			Limits: []mcpsf.LimitStatus{
				{Name: mcpsf.LimitMemory, Limit: 512 << 20, Unit: "bytes", HeldBy: "watchdog"},
				{Name: mcpsf.LimitPIDs, Limit: 256, HeldBy: "kernel"},
				{Name: mcpsf.LimitWall, Limit: 120, Unit: "s", HeldBy: "watchdog"},
			},
			Gaps: []mcpsf.Gap{
				{Code: gap.NoNetwork, Text: "what the server would send to the Internet: there was none to reach"},
				{Code: gap.AttackKinds, Text: "code that only runs for inputs that were not tried"},
			},
		},
	}
}

func passed() *mcpsf.Report {
	r := sample()
	r.Target.Source = "./examples/notes-node"
	r.Verdict = verdictOf(mcpsf.BandPass, 0, "deploy")
	return finish(r)
}

func high() *mcpsf.Report {
	r := sample()
	r.Verdict = verdictOf(mcpsf.BandHigh, 74, "block it")
	r.Findings = []mcpsf.Finding{
		{
			ID: "shell-with-call-data", Title: "Shell started with call data", Category: mcpsf.CategoryWeakness, Severity: mcpsf.SeverityMedium,
			Grade: mcpsf.GradeProved, Weight: 14, Message: "sh -c uname -a was run while add_note was called.",
			Evidence: []int64{9}, Occurrences: 1, Phase: mcpsf.PhaseDrive, Call: "c3", Tool: "add_note",
			Remediation: "Call the program directly, without a shell.",
		},
		{
			ID: "decoy-read", Title: "Decoy secret read", Category: mcpsf.CategoryBehaviour, Severity: mcpsf.SeverityHigh,
			Grade: mcpsf.GradeProved, Weight: 60,
			Message:  "/home/dev/.aws/credentials (aws-credentials) was opened by node while add_note was called, and nothing in the call's arguments asks for it.",
			Evidence: []int64{7, 8}, Occurrences: 2, Phase: mcpsf.PhaseDrive, Call: "c3", Tool: "add_note",
			Reproduce:   `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add_note","arguments":{"text":"hello"}}}`,
			Remediation: "Do not install this server. If it ran before, replace every key it could read.",
		},
	}
	return finish(r)
}

func inconclusiveReport() *mcpsf.Report {
	r := sample()
	r.Verdict = inconclusive(mcpsf.Verdict{
		Band: mcpsf.BandInconclusive, Action: "run again",
		Reasons: []string{
			"12 of 1905 events were lost.",
			"The server went away during the call c3 (add_note), so 2 of 3 tools were never called.",
		},
	})
	r.Coverage.Events = mcpsf.EventTotals{Produced: 1905, Received: 1893, Lost: 12}
	r.Coverage.Monitors[0] = mcpsf.MonitorStatus{Name: "kernel", Note: "the stream ended early"}
	r.Coverage.Calls = mcpsf.CallTotals{Tools: 3, Reached: 1, OK: 2, Crashed: 1}
	r.Coverage.Limits[0].Hit = true
	r.Session.Closed = "crashed"
	r.Session.Calls = r.Session.Calls[:3]
	r.Session.Calls[2].Status = mcpsf.CallCrashed
	return finish(r)
}

func finish(r *mcpsf.Report) *mcpsf.Report {
	r.Summary = summary.Of(r)
	r.Recommendations = summary.Recommendations(r)
	return r
}

// events are the events of that run.
func events() []mcpsf.Event {
	start, drive, stop := mcpsf.PhaseStart, mcpsf.PhaseDrive, mcpsf.PhaseStop
	node := func(t float64, phase mcpsf.Phase, call string, kind mcpsf.Kind) mcpsf.Event {
		return mcpsf.Event{T: t, Phase: phase, Call: call, PID: 1, TID: 1, Proc: "node", Kind: kind}
	}
	open := func(t float64, phase mcpsf.Phase, call, path string, count int64) mcpsf.Event {
		e := node(t, phase, call, mcpsf.KindFileOpen)
		e.Count, e.File = count, &mcpsf.FileDetail{Path: path, Flags: "r"}
		return e
	}
	exec := func(t float64, phase mcpsf.Phase, call string, args ...string) mcpsf.Event {
		e := node(t, phase, call, mcpsf.KindProcessExec)
		e.Process = &mcpsf.ProcessDetail{Path: args[0], Args: args}
		return e
	}
	said := func(t float64, call string, kind mcpsf.Kind, method, tool string) mcpsf.Event {
		e := node(t, drive, call, kind)
		e.MCP = &mcpsf.MCPDetail{Method: method, Tool: tool, Size: 60}
		return e
	}
	canary := open(0.52, drive, "c3", "/home/dev/.aws/credentials", 1)
	canary.File.Canary, canary.File.CanaryKind = "aws-3f", "aws-credentials"
	read := node(0.52, drive, "c3", mcpsf.KindCanaryRead)
	read.Canary = &mcpsf.CanaryDetail{ID: "aws-3f", Kind: "aws-credentials", Source: "/home/dev/.aws/credentials", How: "open"}
	late := node(0.91, mcpsf.PhaseIdle, "c3", mcpsf.KindNetConnect)
	late.Count, late.Net = 3, &mcpsf.NetDetail{Family: "ip4", Type: "tcp", Address: "192.0.2.7", Port: 443, Error: "ENETUNREACH"}
	stderr := node(0.43, start, "", mcpsf.KindMCPStderr)
	stderr.MCP = &mcpsf.MCPDetail{Body: json.RawMessage(`"notes server listening\n"`), Size: 23}
	fork := node(0.531, drive, "c3", mcpsf.KindProcessFork)
	fork.Process = &mcpsf.ProcessDetail{Child: 14}
	shell := exec(0.533, drive, "c3", "sh", "-c", "uname -a")
	shell.PID, shell.PPID, shell.Proc = 14, 1, "sh"
	long := open(0.54, drive, "c3", "/home/dev/.config/some-application/with/a/very/long/path/to/its/state.json", 1)
	long.PID, long.Proc = 14, "sh"

	all := []mcpsf.Event{
		exec(0.001, start, "", "node", "server.js"),
		open(0.02, start, "", "/usr/lib/node_modules/x.js", 84),
		open(0.11, start, "", mcpsf.WorkDir+"/server.js", 3),
		stderr,
		said(0.5, "c2", mcpsf.KindMCPRequest, "tools/list", ""),
		said(0.51, "c3", mcpsf.KindMCPRequest, "tools/call", "add_note"),
		canary, read, shell, fork, long,
		open(0.55, drive, "c3", mcpsf.WorkDir+"/notes.json", 2),
		said(0.56, "c3", mcpsf.KindMCPResponse, "tools/call", "add_note"),
		said(0.57, "c4", mcpsf.KindMCPRequest, "tools/call", "list_notes"),
		said(0.58, "c5", mcpsf.KindMCPRequest, "tools/call", "search"),
		late,
		node(1.2, stop, "", mcpsf.KindProcessExit),
	}
	for i := range all {
		all[i].Seq = int64(i + 1)
	}
	return all
}

// quietEvents leaves out the events of the theft.
func quietEvents() []mcpsf.Event {
	var kept []mcpsf.Event
	for _, e := range events() {
		switch e.Seq {
		case 7, 8, 9, 10, 11, 16:
		default:
			kept = append(kept, e)
		}
	}
	return kept
}

// verdictOf returns a verdict about behaviour, of high confidence.
func verdictOf(band mcpsf.Band, score int, action string) mcpsf.Verdict {
	v := mcpsf.Verdict{
		Band: band, Score: score, Action: action, Behaviour: mcpsf.Answer{Band: band, Score: score}, Weakness: mcpsf.Answer{Band: mcpsf.BandPass},
		Confidence: mcpsf.Confidence{Level: mcpsf.ConfidenceHigh, Tools: 2, ToolsWorked: 2, AttacksPlanned: 40, AttacksMade: 40, TextsRead: 6, Reasons: []string{}},
	}
	if band != mcpsf.BandPass {
		v.Decides = mcpsf.CategoryBehaviour
	}
	return v
}

// inconclusive makes a verdict one of low confidence.
func inconclusive(v mcpsf.Verdict) mcpsf.Verdict {
	v.Behaviour, v.Weakness = mcpsf.Answer{Band: mcpsf.BandInconclusive, Score: v.Score}, mcpsf.Answer{Band: mcpsf.BandInconclusive}
	v.Confidence = mcpsf.Confidence{Level: mcpsf.ConfidenceLow, Reasons: v.Reasons}
	return v
}
