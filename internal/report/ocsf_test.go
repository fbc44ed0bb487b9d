package report

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func TestOCSFIsValid(t *testing.T) {
	s := schemaOf(t, "ocsf.schema.json")
	for name, r := range everything() {
		t.Run(name, func(t *testing.T) {
			lines := bytes.Split(bytes.TrimSuffix(render(t, FormatOCSF, r, Style{}), []byte("\n")), []byte("\n"))
			if want := 1 + len(r.report.Findings) + len(r.report.Waived); len(lines) != want {
				t.Errorf("%d lines, want %d", len(lines), want)
			}
			for i, line := range lines {
				if len(line) > 256<<10 {
					t.Errorf("a line of %d bytes", len(line))
				}
				if i < 20 {
					validate(t, s, line)
				}
			}
		})
	}
}

// A run that allows no verdict is not silent.
func TestOCSFInconclusive(t *testing.T) {
	var scan ocsfScan
	if err := json.Unmarshal(render(t, FormatOCSF, samples()["silent"], Style{}), &scan); err != nil {
		t.Fatal(err)
	}
	if scan.StatusID != 2 || scan.StatusDetail == "" || scan.Unmapped.Verdict != "INCONCLUSIVE" {
		t.Errorf("%+v", scan)
	}
}

func TestOCSFEvidence(t *testing.T) {
	for name, tt := range map[string]struct {
		event mcpsf.Event
		want  ocsfEvidence
	}{
		"program": {
			mcpsf.Event{Kind: mcpsf.KindProcessExec, PID: 14, PPID: 1, Proc: "sh", Process: &mcpsf.ProcessDetail{Path: "/bin/sh", Args: []string{"sh", "-c", "id"}}},
			ocsfEvidence{
				Actor:   &ocsfActor{Process: ocsfProcess{PID: 14, Name: "sh"}},
				Process: &ocsfProcess{PID: 14, Name: "sh", CmdLine: "sh -c id", File: &ocsfFile{Name: "sh", Path: "/bin/sh"}, Parent: &ocsfProcess{PID: 1}},
			},
		},
		"folder": {
			mcpsf.Event{Kind: mcpsf.KindFileOpen, File: &mcpsf.FileDetail{Path: "/home/dev/.ssh", Flags: "rd"}},
			ocsfEvidence{File: &ocsfFile{Name: ".ssh", Path: "/home/dev/.ssh", TypeID: 2}},
		},
		"name": {
			mcpsf.Event{Kind: mcpsf.KindNetDNS, Net: &mcpsf.NetDetail{Family: "dns", Name: "x.example", Type: "A"}},
			ocsfEvidence{Query: &ocsfQuery{Hostname: "x.example", Type: "A"}},
		},
		"connection": {
			mcpsf.Event{Kind: mcpsf.KindNetConnect, Net: &mcpsf.NetDetail{Family: "ip4", Address: "192.0.2.7", Port: 443, Name: "x.example"}},
			ocsfEvidence{DstEndpoint: &ocsfEndpoint{IP: "192.0.2.7", Hostname: "x.example", Port: 443}},
		},
		"no address": {
			mcpsf.Event{Kind: mcpsf.KindNetConnect, Net: &mcpsf.NetDetail{Family: "ip4", Address: "not one", Port: 1 << 20}},
			ocsfEvidence{},
		},
		"socket": {
			mcpsf.Event{Kind: mcpsf.KindNetConnect, Net: &mcpsf.NetDetail{Family: "unix", Address: "/run/x", Name: "x"}},
			ocsfEvidence{},
		},
		"request": {
			mcpsf.Event{Kind: mcpsf.KindNetHTTP, HTTP: &mcpsf.HTTPDetail{Method: "POST", URL: "https://x.example:8443/a?b=c"}},
			ocsfEvidence{URL: &ocsfURL{URLString: "https://x.example:8443/a?b=c", Scheme: "https", Hostname: "x.example", Path: "/a"}},
		},
		"call": {
			mcpsf.Event{Kind: mcpsf.KindMCPRequest, Call: "c3", MCP: &mcpsf.MCPDetail{Method: "tools/call", Tool: "add"}},
			ocsfEvidence{API: &ocsfAPI{Operation: "tools/call", Service: &ocsfService{Name: "add"}, Request: &ocsfID{UID: "c3"}}},
		},
		"leak": {
			mcpsf.Event{Kind: mcpsf.KindCanaryLeak, Leak: &mcpsf.LeakDetail{Source: "/home/dev/.env", Destination: "x.example"}},
			ocsfEvidence{File: &ocsfFile{Name: ".env", Path: "/home/dev/.env"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := ocsfProof(&tt.event)
			got.Data = ocsfEventRef{}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
