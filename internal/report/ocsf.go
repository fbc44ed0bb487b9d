package report

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// ocsf is the format of security data lakes: a line for the run, a Scan Activity,
// so that a run without findings, or without a verdict, is not taken for none;
// then a line for each finding, a Detection Finding. Waived ones are suppressed.
type ocsf struct{}

var _ format = ocsf{}

func (ocsf) name() Format { return FormatOCSF }

func (ocsf) write(buf *bytes.Buffer, doc document) error {
	r, events := doc.report, index(doc.events)
	if err := jsonLine(buf, ocsfRun(r)); err != nil {
		return err
	}
	for i := range r.Findings {
		if err := jsonLine(buf, ocsfOf(r, &r.Findings[i], events, i)); err != nil {
			return err
		}
	}
	for i := range r.Waived {
		line := ocsfOf(r, &r.Waived[i].Finding, events, len(r.Findings)+i)
		line.StatusID, line.Status = 3, "Suppressed"
		line.StatusDetail = brief(r.Waived[i].Reason, maxSentence)
		if err := jsonLine(buf, line); err != nil {
			return err
		}
	}
	return nil
}

func ocsfRun(r *mcpsf.Report) ocsfScan {
	scan := ocsfScan{
		ocsfBase: ocsfBase{
			ActivityID: 2, ActivityName: "Completed", CategoryUID: 6, CategoryName: "Application Activity",
			ClassUID: 6007, ClassName: "Scan Activity", TypeUID: 600702, TypeName: "Scan Activity: Completed",
			Time: millis(moment(r.Run, r.Run.Duration)), StartTime: millis(r.Run.Started), EndTime: millis(moment(r.Run, r.Run.Duration)),
			SeverityID: 1, Severity: "Informational", StatusID: 1, Status: "Success",
			StatusDetail: brief(strings.Join(r.Verdict.Reasons, "; "), maxSentence),
			Message:      brief(cmp.Or(r.Summary, summary.Of(r)), maxSentence), Metadata: ocsfMeta(r, "run"),
		},
		Duration:      int64(1000 * min(max(r.Run.Duration, 0), longest)),
		Scan:          ocsfScanInfo{UID: brief(r.Run.ID, maxName), Name: brief(r.Target.Source, maxSentence), TypeID: 99, Type: "detonation"},
		NumDetections: len(r.Findings), NumFiles: r.Artifact.Files,
		Unmapped: ocsfRunFacts{
			Verdict: brief(string(r.Verdict.Band), maxName), Score: min(max(r.Verdict.Score, 0), 100), Action: brief(r.Verdict.Action, maxSentence),
			Digest: brief(r.Artifact.Digest, maxName), Seed: fmt.Sprint(r.Run.Seed), Coverage: summary.Extent(r.Coverage),
		},
	}
	if r.Verdict.Band == mcpsf.BandInconclusive {
		scan.StatusID, scan.Status = 2, "Failure"
	}
	return scan
}

// ocsfOf is the line of a finding, the n-th of the run.
func ocsfOf(r *mcpsf.Report, f *mcpsf.Finding, events map[int64]*mcpsf.Event, n int) ocsfFinding {
	created := millis(moment(r.Run, r.Run.Duration))
	line := ocsfFinding{
		ocsfBase: ocsfBase{
			ActivityID: 1, ActivityName: "Create", CategoryUID: 2, CategoryName: "Findings",
			ClassUID: 2004, ClassName: "Detection Finding", TypeUID: 200401, TypeName: "Detection Finding: Create",
			Time: created, StatusID: 1, Status: "New",
			Message: brief(cmp.Or(f.Message, f.Title), maxSentence), Metadata: ocsfMeta(r, fmt.Sprint(n+1)),
		},
		Count: max(f.Occurrences, 1),
		FindingInfo: ocsfFindingInfo{
			UID: ocsfUID(r, f, n), Title: brief(cmp.Or(f.Title, f.ID), maxSentence), Desc: brief(f.Message, maxSentence),
			Types: briefs(f.Maps.OWASPMCP), CreatedTime: created,
			Analytic: ocsfAnalytic{UID: brief(f.ID, maxName), Name: brief(cmp.Or(f.Title, f.ID), maxSentence), TypeID: 1, Type: "Rule"},
			Attacks:  ocsfAttacks(f.Maps),
		},
		RiskScore: min(max(f.Weight, 0), 100),
		Resources: []ocsfResource{ocsfServer(r)},
		Unmapped: ocsfFindingFacts{
			Grade: brief(string(f.Grade), maxName), Phase: brief(string(f.Phase), maxName), Call: brief(f.Call, maxName),
			Tool: brief(f.Tool, maxSentence), Evidence: list(f.Evidence[:min(len(f.Evidence), sarifNotes)]), Reproduce: brief(f.Reproduce, sarifLong),
			CWE: briefs(f.Maps.CWE), OWASPMCP: briefs(f.Maps.OWASPMCP), SAFEMCP: briefs(f.Maps.SAFEMCP),
		},
	}
	line.SeverityID, line.Severity = ocsfSeverity(f.Severity)
	line.RiskLevelID, line.RiskLevel = ocsfRisk(f)
	line.ConfidenceID, line.Confidence = ocsfConfidence(f.Grade)
	if f.Remediation != "" {
		line.Remediation = &ocsfRemediation{Desc: brief(wording.OneLine(f.Remediation), maxSentence)}
	}
	line.prove(r.Run, f, events)
	if static(f) {
		line.Evidences = append(line.Evidences, ocsfPlace(f))
	}
	line.Vulnerabilities = ocsfVulnerabilities(r, f)
	return line
}

// ocsfUID is the same whenever the same is found in the same package.
func ocsfUID(r *mcpsf.Report, f *mcpsf.Finding, n int) string {
	if f.Fingerprint == "" {
		return brief(fmt.Sprintf("%s/%d", r.Run.ID, n+1), maxSentence)
	}
	return brief(fmt.Sprintf("%s:%s/%s", r.Artifact.Kind, r.Artifact.Name, f.Fingerprint), maxSentence)
}

func ocsfMeta(r *mcpsf.Report, line string) ocsfMetadata {
	run := brief(r.Run.ID, maxName)
	return ocsfMetadata{
		Version: ocsfVersion, UID: run + "/" + line, CorrelationUID: run,
		Product: ocsfProduct{Name: "mcpsf", VendorName: "mcpsf", Version: brief(r.Tool.Version, maxName)},
	}
}

func ocsfServer(r *mcpsf.Report) ocsfResource {
	return ocsfResource{
		UID: brief(r.Artifact.Digest, maxName), Name: brief(cmp.Or(r.Artifact.Name, r.Target.Source), maxSentence),
		Type: "MCP server", Version: brief(r.Artifact.Version, maxName), Labels: briefs([]string{r.Artifact.Kind}),
	}
}

func ocsfSeverity(s mcpsf.Severity) (int, string) {
	rank := summary.SeverityRank(s)
	return rank + 1, []string{"Unknown", "Informational", "Low", "Medium", "High", "Critical"}[rank+1]
}

// ocsfRisk is by what the finding counts for in the verdict.
func ocsfRisk(f *mcpsf.Finding) (int, string) {
	rank := max(rankOf(f), 0)
	return rank, []string{"Info", "Low", "Medium", "High", "Critical"}[rank]
}

func ocsfConfidence(g mcpsf.Grade) (int, string) {
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

// ocsfAttacks names techniques of ATT&CK and ATLAS: T1552.001 is a part of T1552.
func ocsfAttacks(m mcpsf.Maps) []ocsfAttack {
	var all []ocsfAttack
	for _, id := range briefs(append(append([]string{}, m.ATTACK...), m.ATLAS...)) {
		whole, rest := id, strings.TrimPrefix(id, "AML.")
		if i := strings.LastIndex(id, "."); strings.Contains(rest, ".") {
			whole = id[:i]
		}
		attack := ocsfAttack{Technique: &ocsfID{UID: whole}}
		if whole != id {
			attack.SubTechnique = &ocsfID{UID: id}
		}
		all = append(all, attack)
	}
	return all
}

// maxIDs bounds a list of names.
const maxIDs = 50

func briefs(all []string) []string {
	var out []string
	for _, s := range all[:min(len(all), maxIDs)] {
		if s = brief(s, maxName); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// millis is a time as the framework has it, 0 if it is not known.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
