package rules

import (
	"slices"
	"testing"

	"github.com/mcpsf/mcpsf"
)

const testBrowser = "/usr/lib/chromium/chromium"

func startedProgram(pid int, path string, args ...string) mcpsf.Event {
	return mcpsf.Event{PID: pid, Kind: mcpsf.KindProcessExec, Process: &mcpsf.ProcessDetail{Path: path, Args: args}}
}

func forked(pid, child int) mcpsf.Event {
	return mcpsf.Event{PID: pid, Kind: mcpsf.KindProcessFork, Process: &mcpsf.ProcessDetail{Child: child}}
}

func closedUnused(pid int, host string) mcpsf.Event {
	return mcpsf.Event{
		PID: pid, Kind: mcpsf.KindNetTLS, Net: &mcpsf.NetDetail{Name: host},
		TLS: &mcpsf.TLSDetail{Rejected: "closed the connection without a word after the handshake"},
	}
}

// TestWithoutBrowser has for each event whether it stays.
func TestWithoutBrowser(t *testing.T) {
	probe := func(pid int) mcpsf.Event {
		return mcpsf.Event{PID: pid, Kind: mcpsf.KindProbeSandbox, Probe: &mcpsf.ProbeDetail{What: "dmi"}}
	}
	privilege := func(pid int, call string) mcpsf.Event {
		return mcpsf.Event{PID: pid, Kind: mcpsf.KindPrivilegeAttempt, Privilege: &mcpsf.PrivilegeDetail{Syscall: call}}
	}
	reach := func(pid int, file string) mcpsf.Event {
		return mcpsf.Event{PID: pid, Kind: mcpsf.KindPrivilegeAttempt, Privilege: &mcpsf.PrivilegeDetail{Syscall: "open", What: "reach into another process", Detail: file}}
	}
	sent := func(pid int, host string) mcpsf.Event {
		return mcpsf.Event{PID: pid, Kind: mcpsf.KindNetHTTP, Net: &mcpsf.NetDetail{Name: host}, HTTP: &mcpsf.HTTPDetail{}}
	}
	decoy := func(pid int) mcpsf.Event {
		return mcpsf.Event{PID: pid, Kind: mcpsf.KindFileRead, File: &mcpsf.FileDetail{Path: "/home/dev/.ssh/id_rsa", Canary: "ssh"}}
	}
	start := func(browser string) mcpsf.Event {
		return mcpsf.Event{Kind: mcpsf.KindSandboxStart, Sandbox: &mcpsf.SandboxDetail{Browser: browser}}
	}
	type line struct {
		event mcpsf.Event
		stays bool
	}
	for name, lines := range map[string][]line{
		"by our script": {
			{start(testBrowser), true},
			{startedProgram(7, mcpsf.BrowserScript, "chrome", "https://a.example"), true},
			{startedProgram(7, "/usr/bin/dash", "chrome", "https://a.example"), false},
			{startedProgram(7, testBrowser, testBrowser, "--headless", "https://a.example"), false},
			{forked(7, 8), true}, {startedProgram(8, "/usr/lib/chromium/chrome_crashpad_handler", "x"), false},
			{probe(7), false}, {probe(8), false}, {privilege(8, "capset"), false},
			{reach(7, "/proc/8/maps"), false}, {reach(7, "/proc/1/maps"), true}, {reach(7, "/proc/8/mem"), true}, {reach(1, "/proc/8/maps"), true},
			{privilege(8, "mount"), true}, {sent(8, "a.example"), true}, {decoy(8), true},
			{closedUnused(8, "a.example"), false}, {closedUnused(8, "b.example"), true},
			{startedProgram(8, "/usr/bin/dash", "sh", "-c", "id"), true}, {probe(8), true}, // --renderer-cmd-prefix and the like
		},
		"started by the server itself": {
			{start(testBrowser), true}, {startedProgram(7, testBrowser, "chromium"), true}, {probe(7), false},
		},
		"another program of that name": {
			{start(testBrowser), true}, {startedProgram(7, "/home/dev/code/chromium", "chromium"), true}, {probe(7), true},
			{startedProgram(8, "/usr/lib/chromium/../evil", "chromium"), true}, {probe(8), true},
		},
		"a number that is used again": {
			{start(testBrowser), true}, {startedProgram(7, testBrowser, "chromium"), true}, {forked(1, 7), true}, {probe(7), true},
		},
		"the shell again": {
			{start(testBrowser), true}, {startedProgram(7, mcpsf.BrowserScript, "chrome"), true},
			{startedProgram(7, "/usr/bin/dash", "chrome", "-c", "id"), true},
			{startedProgram(7, "/usr/bin/dash", "chrome"), true},
		},
		"where there is no browser": {
			{start(testBrowser), true}, {startedProgram(7, testBrowser, "chromium"), true}, {probe(7), false},
			{start(""), true}, {probe(7), true}, {startedProgram(7, testBrowser, "chromium"), true}, {probe(7), true},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var all []mcpsf.Event
			var want []int64
			for i, l := range lines {
				l.event.Seq = int64(i)
				all = append(all, l.event)
				if l.stays {
					want = append(want, int64(i))
				}
			}
			var got []int64
			for _, e := range withoutBrowser(all) {
				got = append(got, e.Seq)
			}
			if !slices.Equal(got, want) {
				t.Errorf("events %v stay, want %v", got, want)
			}
		})
	}
}
