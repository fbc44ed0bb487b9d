package report

// The parts of the Open Cybersecurity Schema Framework that are written.
const ocsfVersion = "1.5.0"

// ocsfBase is what every event has.
type ocsfBase struct {
	ActivityID   int          `json:"activity_id"`
	ActivityName string       `json:"activity_name"`
	CategoryUID  int          `json:"category_uid"`
	CategoryName string       `json:"category_name"`
	ClassUID     int          `json:"class_uid"`
	ClassName    string       `json:"class_name"`
	TypeUID      int          `json:"type_uid"`
	TypeName     string       `json:"type_name"`
	Time         int64        `json:"time"`
	StartTime    int64        `json:"start_time,omitempty"`
	EndTime      int64        `json:"end_time,omitempty"`
	SeverityID   int          `json:"severity_id"`
	Severity     string       `json:"severity"`
	StatusID     int          `json:"status_id"`
	Status       string       `json:"status"`
	StatusDetail string       `json:"status_detail,omitempty"`
	Message      string       `json:"message"`
	Metadata     ocsfMetadata `json:"metadata"`
}

type ocsfMetadata struct {
	Version        string      `json:"version"`
	Product        ocsfProduct `json:"product"`
	UID            string      `json:"uid,omitempty"`
	CorrelationUID string      `json:"correlation_uid,omitempty"`
}

type ocsfProduct struct {
	Name       string `json:"name"`
	VendorName string `json:"vendor_name"`
	Version    string `json:"version,omitempty"`
}

// ocsfScan is a Scan Activity: that there was a run, and what came of it.
type ocsfScan struct {
	ocsfBase

	Duration      int64        `json:"duration"`
	Scan          ocsfScanInfo `json:"scan"`
	NumDetections int          `json:"num_detections"`
	NumFiles      int          `json:"num_files"`
	Unmapped      ocsfRunFacts `json:"unmapped"`
}

type ocsfScanInfo struct {
	UID    string `json:"uid,omitempty"`
	Name   string `json:"name"`
	TypeID int    `json:"type_id"`
	Type   string `json:"type"`
}

type ocsfRunFacts struct {
	Verdict  string `json:"verdict"`
	Score    int    `json:"score"`
	Action   string `json:"action,omitempty"`
	Digest   string `json:"digest,omitempty"`
	Seed     string `json:"seed"`
	Coverage string `json:"coverage"`
}

// ocsfFinding is a Detection Finding.
type ocsfFinding struct {
	ocsfBase

	Count        int             `json:"count"`
	FindingInfo  ocsfFindingInfo `json:"finding_info"`
	ConfidenceID int             `json:"confidence_id"`
	Confidence   string          `json:"confidence"`
	RiskLevelID  int             `json:"risk_level_id"`
	RiskLevel    string          `json:"risk_level"`
	RiskScore    int             `json:"risk_score"`
	Evidences    []ocsfEvidence  `json:"evidences,omitempty"`

	Vulnerabilities []ocsfVulnerability `json:"vulnerabilities,omitempty"`

	Resources   []ocsfResource   `json:"resources"`
	Remediation *ocsfRemediation `json:"remediation,omitempty"`
	Unmapped    ocsfFindingFacts `json:"unmapped"`
}

type ocsfFindingInfo struct {
	UID         string       `json:"uid"`
	Title       string       `json:"title"`
	Desc        string       `json:"desc"`
	Types       []string     `json:"types,omitempty"`
	CreatedTime int64        `json:"created_time"`
	Analytic    ocsfAnalytic `json:"analytic"`
	Attacks     []ocsfAttack `json:"attacks,omitempty"`
}

type ocsfAnalytic struct {
	UID    string `json:"uid"`
	Name   string `json:"name"`
	TypeID int    `json:"type_id"`
	Type   string `json:"type"`
}

type ocsfAttack struct {
	Technique    *ocsfID `json:"technique,omitempty"`
	SubTechnique *ocsfID `json:"sub_technique,omitempty"`
}

type ocsfID struct {
	UID string `json:"uid"`
}

type ocsfRemediation struct {
	Desc string `json:"desc"`
}

type ocsfResource struct {
	UID     string   `json:"uid,omitempty"`
	Name    string   `json:"name"`
	Type    string   `json:"type"`
	Version string   `json:"version,omitempty"`
	Labels  []string `json:"labels,omitempty"`
}

// ocsfFindingFacts is what a finding has that the framework has no place for.
type ocsfFindingFacts struct {
	Grade     string   `json:"grade"`
	Phase     string   `json:"phase,omitempty"`
	Call      string   `json:"call,omitempty"`
	Tool      string   `json:"tool,omitempty"`
	Evidence  []int64  `json:"evidence"`
	Reproduce string   `json:"reproduce,omitempty"`
	CWE       []string `json:"cwe,omitempty"`
	OWASPMCP  []string `json:"owasp_mcp,omitempty"`
	SAFEMCP   []string `json:"safe_mcp,omitempty"`
}

type ocsfEvidence struct {
	Data        ocsfEventRef  `json:"data"`
	Actor       *ocsfActor    `json:"actor,omitempty"`
	Process     *ocsfProcess  `json:"process,omitempty"`
	File        *ocsfFile     `json:"file,omitempty"`
	DstEndpoint *ocsfEndpoint `json:"dst_endpoint,omitempty"`
	Query       *ocsfQuery    `json:"query,omitempty"`
	URL         *ocsfURL      `json:"url,omitempty"`
	API         *ocsfAPI      `json:"api,omitempty"`
}

// ocsfEventRef points into events.jsonl, or to a line of a file of the package.
type ocsfEventRef struct {
	Seq  int64   `json:"seq,omitempty"`
	T    float64 `json:"t,omitempty"`
	Kind string  `json:"kind,omitempty"`
	Line int     `json:"line,omitempty"`
	Text string  `json:"text,omitempty"`
}

type ocsfActor struct {
	Process ocsfProcess `json:"process"`
}

type ocsfProcess struct {
	PID     int          `json:"pid"`
	Name    string       `json:"name,omitempty"`
	CmdLine string       `json:"cmd_line,omitempty"`
	File    *ocsfFile    `json:"file,omitempty"`
	Parent  *ocsfProcess `json:"parent_process,omitempty"`
}

type ocsfFile struct {
	Name   string `json:"name"`
	Path   string `json:"path"`
	TypeID int    `json:"type_id"`
}

type ocsfEndpoint struct {
	IP       string `json:"ip,omitempty"`
	Hostname string `json:"hostname,omitempty"`
	Port     int    `json:"port,omitempty"`
}

type ocsfQuery struct {
	Hostname string `json:"hostname"`
	Type     string `json:"type,omitempty"`
}

type ocsfURL struct {
	URLString string `json:"url_string"`
	Scheme    string `json:"scheme,omitempty"`
	Hostname  string `json:"hostname,omitempty"`
	Path      string `json:"path,omitempty"`
}

type ocsfAPI struct {
	Operation string       `json:"operation"`
	Service   *ocsfService `json:"service,omitempty"`
	Request   *ocsfID      `json:"request,omitempty"`
}

type ocsfService struct {
	Name string `json:"name"`
}
