package report

import (
	"encoding/json"
	"fmt"

	"github.com/mcpsf/mcpsf"
)

// run is a report and the events behind it.
type run struct {
	report *mcpsf.Report
	events []mcpsf.Event
}

// samples are the runs that the formats are tested with.
func samples() map[string]run {
	return map[string]run{
		"pass":         {passed(), quietEvents()},
		"high":         {high(), events()},
		"inconclusive": {inconclusiveReport(), events()[:12]},
		"silent":       {silent(), silentEvents()},
		"crowded":      {crowded(), crowdedEvents()},
		"inspected":    {inspected(), events()},
		"opinion":      {opinionated(), events()},
	}
}

// silent is a server that failed because a module is missing.
func silent() *mcpsf.Report {
	r := sample()
	r.Verdict = inconclusive(mcpsf.Verdict{
		Band: mcpsf.BandInconclusive, Action: "no verdict: the run was incomplete; fix what is named and run again",
		Reasons: []string{"The server never answered initialize, so nothing could be called."},
	})
	r.Coverage.Calls = mcpsf.CallTotals{Crashed: 1}
	r.Session = mcpsf.Session{
		Closed: "crashed", Ending: "the server ended by itself before it was asked to",
		Calls: []mcpsf.Call{{ID: "c1", Method: "initialize", Status: mcpsf.CallCrashed, Seconds: 0.1}},
	}
	return finish(r)
}

func silentEvents() []mcpsf.Event {
	var all []mcpsf.Event
	for i, line := range []string{
		"this line is too long ago",
		"Traceback (most recent call last):",
		`  File "/home/dev/code/server/server.py", line 3, in <module>`,
		"    import a_module_with_a_name_that_is_longer_than_most, another_one_beside_it, and_a_third",
		"",
		"ModuleNotFoundError: No module named 'a_module_with_a_name_that_is_longer_than_most'",
		"\x1b[31mgood bye\x1b[0m",
	} {
		body, _ := json.Marshal(line)
		all = append(all, mcpsf.Event{
			Seq: int64(i + 1), T: 0.1, Phase: mcpsf.PhaseStart, PID: 1, Proc: "python3.11", Kind: mcpsf.KindMCPStderr,
			MCP: &mcpsf.MCPDetail{FromServer: true, Body: body},
		})
	}
	return all
}

// crowded is a run in which everything happened often.
func crowded() *mcpsf.Report {
	r := sample()
	r.Target.Source = "./examples/a-server-in-a-directory-with-quite-a-long-name"
	r.Tool.Version = "v0.0.0-20260102030405-0123456789ab+dirty"
	r.Run.Seed = 18408964154626211126
	r.Verdict = verdictOf(mcpsf.BandCritical, 100, "block it")
	r.Coverage.Limits = append(r.Coverage.Limits,
		mcpsf.LimitStatus{Name: mcpsf.LimitDisk, Limit: 512 << 20, Unit: "bytes per file system", HeldBy: "kernel"},
		mcpsf.LimitStatus{Name: mcpsf.LimitMemory, Limit: 1 << 30, Unit: "bytes", HeldBy: "the kernel, which counts what every process of the server holds, and by a watchdog"},
	)
	r.Coverage.Monitors[0].Note = "the kernel's own memory was near its limit for a part of the run, and that was noted by a watchdog"
	for i := range 8 {
		r.Findings = append(r.Findings, mcpsf.Finding{
			ID: "decoy-read", Title: "Decoy secret read",
			Category: mcpsf.CategoryBehaviour, Severity: mcpsf.SeverityHigh, Grade: mcpsf.GradeProved, Occurrences: 1, Phase: mcpsf.PhaseDrive,
			Message:  fmt.Sprintf("The planted secret \"/home/dev/.secret/%d\" was read in a call of \"search\"; nothing names it.", i),
			Evidence: []int64{int64(3*i + 3)}, Call: fmt.Sprintf("c%d", 5+i/4), Tool: "search",
			Remediation: "Do not use this server where real credentials are in reach.",
		})
	}
	for i := range 25 {
		r.Session.Calls = append(r.Session.Calls, mcpsf.Call{ID: fmt.Sprintf("c%d", 12+i), Method: "resources/read", Status: mcpsf.CallOK})
	}
	r.Session.Calls[20].Status = mcpsf.CallRefused
	return finish(r)
}

func crowdedEvents() []mcpsf.Event {
	event := func(call string, kind mcpsf.Kind) mcpsf.Event {
		return mcpsf.Event{Phase: mcpsf.PhaseDrive, Call: call, PID: 1, Proc: "python3.11", Kind: kind}
	}
	var all []mcpsf.Event
	for i := range 20 {
		search := event("c5", mcpsf.KindProcessExec)
		search.Process = &mcpsf.ProcessDetail{Path: fmt.Sprintf("/bin/%d/git", i), Error: "ENOENT"}
		cache := event("c5", mcpsf.KindNetConnect)
		cache.Net = &mcpsf.NetDetail{Family: "unix", Type: "stream", Address: "/var/run/nscd/socket", Error: "ENOENT"}
		look := event("c5", mcpsf.KindFileStat)
		look.File = &mcpsf.FileDetail{Path: fmt.Sprintf("/home/dev/project/%d", i)}
		all = append(all, search, cache, look)
	}
	git := event("c5", mcpsf.KindProcessExec)
	git.Process = &mcpsf.ProcessDetail{Path: "/usr/bin/git", Args: []string{"git", "status"}}
	all = append(all, git)
	for i := range 25 {
		all = append(all, event(fmt.Sprintf("c%d", 12+i), mcpsf.KindMCPRequest))
	}
	for i := range all {
		all[i].Seq, all[i].T = int64(i+1), 1+float64(i)/100
	}
	all[2].Count, all[2].T = 3, 1.19 // seen three times, the last time later
	return all
}
