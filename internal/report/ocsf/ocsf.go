package ocsf

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
	"github.com/mcpsf/mcpsf/internal/report/digest"
	"github.com/mcpsf/mcpsf/internal/report/encode"
	"github.com/mcpsf/mcpsf/internal/report/phrase"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// Bounds of one line: events, and characters of a request.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const (
	maxEvents    = 100
	maxReproduce = 4096
)

// Write writes the format of security data lakes: first a Scan Activity for the
// run, so that a run without findings or verdict is visible too; then a
// Detection Finding for each finding. Waived ones are suppressed.
func Write(buf *bytes.Buffer, data digest.Data) error {
	r, events := data.Report, digest.Index(data.Events)
	if err := encode.Line(buf, scanOf(r)); err != nil {
		return err
	}
	for i := range r.Findings {
		if err := encode.Line(buf, of(r, &r.Findings[i], events, i)); err != nil {
			return err
		}
	}
	for i := range r.Waived {
		line := of(r, &r.Waived[i].Finding, events, len(r.Findings)+i)
		line.StatusID, line.Status = 3, "Suppressed"
		line.StatusDetail = phrase.Brief(r.Waived[i].Reason, phrase.MaxSentence)
		if err := encode.Line(buf, line); err != nil {
			return err
		}
	}
	return nil
}

func scanOf(r *mcpsf.Report) Scan {
	scan := Scan{
		base: base{
			ActivityID: 2, ActivityName: "Completed", CategoryUID: 6, CategoryName: "Application Activity",
			ClassUID: 6007, ClassName: "Scan Activity", TypeUID: 600702, TypeName: "Scan Activity: Completed",
			Time: millis(encode.Moment(r.Run, r.Run.Duration)), StartTime: millis(r.Run.Started), EndTime: millis(encode.Moment(r.Run, r.Run.Duration)),
			SeverityID: 1, Severity: "Informational", StatusID: 1, Status: "Success",
			StatusDetail: phrase.Brief(strings.Join(r.Verdict.Reasons, "; "), phrase.MaxSentence),
			Message:      phrase.Brief(cmp.Or(r.Summary, summary.Of(r)), phrase.MaxSentence), Metadata: meta(r, "run"),
		},
		Duration:      int64(1000 * min(max(r.Run.Duration, 0), encode.Longest)),
		Scan:          scanInfo{UID: phrase.Brief(r.Run.ID, phrase.MaxName), Name: phrase.Brief(r.Target.Source, phrase.MaxSentence), TypeID: 99, Type: "detonation"},
		NumDetections: len(r.Findings), NumFiles: r.Artifact.Files,
		Unmapped: runFacts{
			Verdict: phrase.Brief(string(r.Verdict.Band), phrase.MaxName), Behaviour: phrase.Brief(string(r.Verdict.Behaviour.Band), phrase.MaxName),
			Weakness: phrase.Brief(string(r.Verdict.Weakness.Band), phrase.MaxName), Confidence: phrase.Brief(string(r.Verdict.Confidence.Level), phrase.MaxName), Score: min(max(r.Verdict.Score, 0), 100), Action: phrase.Brief(r.Verdict.Action, phrase.MaxSentence),
			Digest: phrase.Brief(r.Artifact.Digest, phrase.MaxName), Seed: fmt.Sprint(r.Run.Seed), Coverage: summary.Extent(r.Coverage),
		},
	}
	if r.Verdict.Incomplete() {
		scan.StatusID, scan.Status = 2, "Failure"
	}
	return scan
}

// of returns the line of the n-th finding.
func of(r *mcpsf.Report, f *mcpsf.Finding, events map[int64]*mcpsf.Event, n int) finding {
	created := millis(encode.Moment(r.Run, r.Run.Duration))
	line := finding{
		base: base{
			ActivityID: 1, ActivityName: "Create", CategoryUID: 2, CategoryName: "Findings",
			ClassUID: 2004, ClassName: "Detection Finding", TypeUID: 200401, TypeName: "Detection Finding: Create",
			Time: created, StatusID: 1, Status: "New",
			Message: phrase.Brief(cmp.Or(f.Message, f.Title), phrase.MaxSentence), Metadata: meta(r, fmt.Sprint(n+1)),
		},
		Count: max(f.Occurrences, 1),
		FindingInfo: findingInfo{
			UID: uid(r, f, n), Title: phrase.Brief(cmp.Or(f.Title, f.ID), phrase.MaxSentence), Desc: phrase.Brief(f.Message, phrase.MaxSentence),
			Types: phrase.Briefs(f.Maps.OWASPMCP), CreatedTime: created,
			Analytic: analytic{UID: phrase.Brief(f.ID, phrase.MaxName), Name: phrase.Brief(cmp.Or(f.Title, f.ID), phrase.MaxSentence), TypeID: 1, Type: "Rule"},
			Attacks:  attacks(f.Maps),
		},
		RiskScore: min(max(f.Weight, 0), 100),
		Resources: []resource{server(r)},
		Unmapped: findingFacts{
			Category: phrase.Brief(string(f.Category), phrase.MaxName), Grade: phrase.Brief(string(f.Grade), phrase.MaxName), Phase: phrase.Brief(string(f.Phase), phrase.MaxName), Call: phrase.Brief(f.Call, phrase.MaxName),
			Tool: phrase.Brief(f.Tool, phrase.MaxSentence), Evidence: phrase.NonNil(f.Evidence[:min(len(f.Evidence), maxEvents)]), Reproduce: phrase.Brief(f.Reproduce, maxReproduce),
			CWE: phrase.Briefs(f.Maps.CWE), OWASPMCP: phrase.Briefs(f.Maps.OWASPMCP), SAFEMCP: phrase.Briefs(f.Maps.SAFEMCP),
		},
	}
	line.SeverityID, line.Severity = severity(f.Severity)
	line.RiskLevelID, line.RiskLevel = risk(f)
	line.ConfidenceID, line.Confidence = confidence(f.Grade)
	if f.Remediation != "" {
		line.Remediation = &remediation{Desc: phrase.Brief(wording.OneLine(f.Remediation), phrase.MaxSentence)}
	}
	line.prove(r.Run, f, events)
	if digest.Static(f) {
		line.Evidences = append(line.Evidences, place(f))
	}
	line.Vulnerabilities = vulnerabilities(r, f)
	return line
}

// uid is the same for the same finding in the same package.
func uid(r *mcpsf.Report, f *mcpsf.Finding, n int) string {
	if f.Fingerprint == "" {
		return phrase.Brief(fmt.Sprintf("%s/%d", r.Run.ID, n+1), phrase.MaxSentence)
	}
	return phrase.Brief(fmt.Sprintf("%s:%s/%s", r.Artifact.Kind, r.Artifact.Name, f.Fingerprint), phrase.MaxSentence)
}

func meta(r *mcpsf.Report, line string) metadata {
	run := phrase.Brief(r.Run.ID, phrase.MaxName)
	return metadata{
		Version: version, UID: run + "/" + line, CorrelationUID: run,
		Product: product{Name: "mcpsf", VendorName: "mcpsf", Version: phrase.Brief(r.Tool.Version, phrase.MaxName)},
	}
}

func server(r *mcpsf.Report) resource {
	return resource{
		UID: phrase.Brief(r.Artifact.Digest, phrase.MaxName), Name: phrase.Brief(cmp.Or(r.Artifact.Name, r.Target.Source), phrase.MaxSentence),
		Type: "MCP server", Version: phrase.Brief(r.Artifact.Version, phrase.MaxName), Labels: phrase.Briefs([]string{r.Artifact.Kind}),
	}
}

func severity(s mcpsf.Severity) (int, string) {
	rank := summary.SeverityRank(s)
	return rank + 1, []string{"Unknown", "Informational", "Low", "Medium", "High", "Critical"}[rank+1]
}

// risk follows from the weight of the finding in the verdict.
func risk(f *mcpsf.Finding) (int, string) {
	rank := max(digest.RankOf(f), 0)
	return rank, []string{"Info", "Low", "Medium", "High", "Critical"}[rank]
}

func confidence(g mcpsf.Grade) (int, string) {
	switch g {
	case mcpsf.GradeProved:
		return 3, "High"
	case mcpsf.GradeAttempted:
		return 2, "Medium"
	case mcpsf.GradeSuspected:
		return 1, "Low"
	}
	return 0, "Unknown"
}

// attacks names techniques of ATT&CK and ATLAS: T1552.001 is a part of T1552.
func attacks(m mcpsf.Maps) []Attack {
	var all []Attack
	for _, id := range phrase.Briefs(append(append([]string{}, m.ATTACK...), m.ATLAS...)) {
		whole, rest := id, strings.TrimPrefix(id, "AML.")
		if i := strings.LastIndex(id, "."); strings.Contains(rest, ".") {
			whole = id[:i]
		}
		attack := Attack{Technique: &ID{UID: whole}}
		if whole != id {
			attack.SubTechnique = &ID{UID: id}
		}
		all = append(all, attack)
	}
	return all
}

// millis returns a time in milliseconds, 0 if unknown.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
