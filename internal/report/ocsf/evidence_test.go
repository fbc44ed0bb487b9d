package ocsf

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func TestOCSFEvidence(t *testing.T) {
	for name, tt := range map[string]struct {
		event mcpsf.Event
		want  evidence
	}{
		"program": {
			mcpsf.Event{Kind: mcpsf.KindProcessExec, PID: 14, PPID: 1, Proc: "sh", Process: &mcpsf.ProcessDetail{Path: "/bin/sh", Args: []string{"sh", "-c", "id"}}},
			evidence{
				Actor:   &actor{Process: process{PID: 14, Name: "sh"}},
				Process: &process{PID: 14, Name: "sh", CmdLine: "sh -c id", File: &file{Name: "sh", Path: "/bin/sh"}, Parent: &process{PID: 1}},
			},
		},
		"folder": {
			mcpsf.Event{Kind: mcpsf.KindFileOpen, File: &mcpsf.FileDetail{Path: "/home/dev/.ssh", Flags: "rd"}},
			evidence{File: &file{Name: ".ssh", Path: "/home/dev/.ssh", TypeID: 2}},
		},
		"name": {
			mcpsf.Event{Kind: mcpsf.KindNetDNS, Net: &mcpsf.NetDetail{Family: "dns", Name: "x.example", Type: "A"}},
			evidence{Query: &query{Hostname: "x.example", Type: "A"}},
		},
		"connection": {
			mcpsf.Event{Kind: mcpsf.KindNetConnect, Net: &mcpsf.NetDetail{Family: "ip4", Address: "192.0.2.7", Port: 443, Name: "x.example"}},
			evidence{DstEndpoint: &endpoint{IP: "192.0.2.7", Hostname: "x.example", Port: 443}},
		},
		"no address": {
			mcpsf.Event{Kind: mcpsf.KindNetConnect, Net: &mcpsf.NetDetail{Family: "ip4", Address: "not one", Port: 1 << 20}},
			evidence{},
		},
		"socket": {
			mcpsf.Event{Kind: mcpsf.KindNetConnect, Net: &mcpsf.NetDetail{Family: "unix", Address: "/run/x", Name: "x"}},
			evidence{},
		},
		"request": {
			mcpsf.Event{Kind: mcpsf.KindNetHTTP, HTTP: &mcpsf.HTTPDetail{Method: "POST", URL: "https://x.example:8443/a?b=c"}},
			evidence{URL: &URL{URLString: "https://x.example:8443/a?b=c", Scheme: "https", Hostname: "x.example", Path: "/a"}},
		},
		"call": {
			mcpsf.Event{Kind: mcpsf.KindMCPRequest, Call: "c3", MCP: &mcpsf.MCPDetail{Method: "tools/call", Tool: "add"}},
			evidence{API: &api{Operation: "tools/call", Service: &service{Name: "add"}, Request: &ID{UID: "c3"}}},
		},
		"leak": {
			mcpsf.Event{Kind: mcpsf.KindCanaryLeak, Leak: &mcpsf.LeakDetail{Source: "/home/dev/.env", Destination: "x.example"}},
			evidence{File: &file{Name: ".env", Path: "/home/dev/.env"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := evidenceOf(&tt.event)
			got.Data = eventRef{}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
