package flows

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// textSchema is the schema of a tool with one free text argument.
const textSchema = `{"type":"object","properties":{"query":{"type":"string"}}}`

// server returns a report of a run in which every tool with an access was
// answered.
func server(name string, accesses ...mcpsf.Access) *mcpsf.Report {
	r := &mcpsf.Report{
		SchemaVersion: mcpsf.SchemaVersion, Run: mcpsf.Run{ID: "run-" + name},
		Artifact: mcpsf.Artifact{Kind: "local", Name: name, Digest: "sha256:" + name},
		Verdict:  mcpsf.Verdict{Band: mcpsf.BandPass},
		Session:  mcpsf.Session{Initialized: true},
		Coverage: mcpsf.Coverage{Events: mcpsf.EventTotals{Complete: true}},
		Accesses: append([]mcpsf.Access{}, accesses...),
	}
	known := map[string]bool{"": true}
	for _, a := range accesses {
		if !known[a.Tool] {
			known[a.Tool] = true
			offer(r, a.Tool, textSchema, mcpsf.CallOK)
		}
	}
	return r
}

// offer adds a tool, and a call of it unless status is "".
func offer(r *mcpsf.Report, name, schema string, status mcpsf.CallStatus) {
	r.Session.Tools = append(r.Session.Tools, mcpsf.Tool{Name: name, InputSchema: json.RawMessage(schema)})
	if status != "" {
		r.Session.Calls = append(r.Session.Calls, mcpsf.Call{ID: fmt.Sprintf("c%d", len(r.Session.Calls)+1), Method: "tools/call", Tool: name, Status: status})
	}
}

func used(tool string, kind mcpsf.AccessKind, name string, by mcpsf.Explainer) mcpsf.Access {
	return mcpsf.Access{Kind: kind, Tool: tool, Phase: mcpsf.PhaseDrive, Name: name, Count: 1, Event: 7, Explanation: mcpsf.Explanation{By: by, Reason: "of a reason"}}
}

func planted(kind string, a mcpsf.Access) mcpsf.Access { a.Planted = kind; return a }

// The servers that most tests combine: one that contacts any host, one that
// reads documents, one that sends mail, one that contacts its own service.
func fetch() *mcpsf.Report {
	return server("fetch", used("get", mcpsf.AccessHost, "www.seven.example:443", mcpsf.ByArgument))
}

func files() *mcpsf.Report {
	return server("files", planted(mcpsf.DecoyDocument, used("read", mcpsf.AccessRead, mcpsf.Home+"/Documents/a.txt", mcpsf.ByArgument)))
}

func mail() *mcpsf.Report {
	return server("mail", used("send", mcpsf.AccessHost, "smtp.seven.example:587", mcpsf.ByConfiguration))
}

func tracker() *mcpsf.Report {
	return server("tracker",
		used("", mcpsf.AccessVariable, "TRACKER_TOKEN", mcpsf.ByConfiguration),
		used("list", mcpsf.AccessHost, "api.tracker.example:443", mcpsf.ByPurpose),
		used("comment", mcpsf.AccessHost, "api.tracker.example:443", mcpsf.ByPurpose))
}

func notes() *mcpsf.Report {
	dir := mcpsf.Home + "/.local/share/notes/"
	return server("notes", used("add", mcpsf.AccessWrite, dir, mcpsf.ByNature), used("list", mcpsf.AccessRead, dir, mcpsf.ByNature))
}

// corpus returns a run of a corpus server, without the parts that flows do not need.
func corpus(t testing.TB, name string) *mcpsf.Report {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "real", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var r mcpsf.Report
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return &r
}
