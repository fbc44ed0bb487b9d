package ocsf

// The parts of the Open Cybersecurity Schema Framework that are written.
const version = "1.5.0"

// base is what every event has.
type base struct {
	ActivityID   int      `json:"activity_id"`
	ActivityName string   `json:"activity_name"`
	CategoryUID  int      `json:"category_uid"`
	CategoryName string   `json:"category_name"`
	ClassUID     int      `json:"class_uid"`
	ClassName    string   `json:"class_name"`
	TypeUID      int      `json:"type_uid"`
	TypeName     string   `json:"type_name"`
	Time         int64    `json:"time"`
	StartTime    int64    `json:"start_time,omitempty"`
	EndTime      int64    `json:"end_time,omitempty"`
	SeverityID   int      `json:"severity_id"`
	Severity     string   `json:"severity"`
	StatusID     int      `json:"status_id"`
	Status       string   `json:"status"`
	StatusDetail string   `json:"status_detail,omitempty"`
	Message      string   `json:"message"`
	Metadata     metadata `json:"metadata"`
}

type metadata struct {
	Version        string  `json:"version"`
	Product        product `json:"product"`
	UID            string  `json:"uid,omitempty"`
	CorrelationUID string  `json:"correlation_uid,omitempty"`
}

type product struct {
	Name       string `json:"name"`
	VendorName string `json:"vendor_name"`
	Version    string `json:"version,omitempty"`
}

// Scan is a Scan Activity: that there was a run, and its result.
type Scan struct {
	base

	Duration      int64    `json:"duration"`
	Scan          scanInfo `json:"scan"`
	NumDetections int      `json:"num_detections"`
	NumFiles      int      `json:"num_files"`
	Unmapped      runFacts `json:"unmapped"`
}

type scanInfo struct {
	UID    string `json:"uid,omitempty"`
	Name   string `json:"name"`
	TypeID int    `json:"type_id"`
	Type   string `json:"type"`
}

type runFacts struct {
	Verdict    string `json:"verdict"`
	Behaviour  string `json:"behaviour,omitempty"`
	Weakness   string `json:"weakness,omitempty"`
	Confidence string `json:"confidence,omitempty"`
	Score      int    `json:"score"`
	Action     string `json:"action,omitempty"`
	Digest     string `json:"digest,omitempty"`
	Seed       string `json:"seed"`
	Coverage   string `json:"coverage"`
}

// finding is a Detection Finding.
type finding struct {
	base

	Count        int         `json:"count"`
	FindingInfo  findingInfo `json:"finding_info"`
	ConfidenceID int         `json:"confidence_id"`
	Confidence   string      `json:"confidence"`
	RiskLevelID  int         `json:"risk_level_id"`
	RiskLevel    string      `json:"risk_level"`
	RiskScore    int         `json:"risk_score"`
	Evidences    []evidence  `json:"evidences,omitempty"`

	Vulnerabilities []vulnerability `json:"vulnerabilities,omitempty"`

	Resources   []resource   `json:"resources"`
	Remediation *remediation `json:"remediation,omitempty"`
	Unmapped    findingFacts `json:"unmapped"`
}

type findingInfo struct {
	UID         string   `json:"uid"`
	Title       string   `json:"title"`
	Desc        string   `json:"desc"`
	Types       []string `json:"types,omitempty"`
	CreatedTime int64    `json:"created_time"`
	Analytic    analytic `json:"analytic"`
	Attacks     []Attack `json:"attacks,omitempty"`
}

type analytic struct {
	UID    string `json:"uid"`
	Name   string `json:"name"`
	TypeID int    `json:"type_id"`
	Type   string `json:"type"`
}

// Attack is the OCSF object attack.
type Attack struct {
	Technique    *ID `json:"technique,omitempty"`
	SubTechnique *ID `json:"sub_technique,omitempty"`
}

// ID is an OCSF object of which only the uid is written.
type ID struct {
	UID string `json:"uid"`
}

type remediation struct {
	Desc string `json:"desc"`
}

type resource struct {
	UID     string   `json:"uid,omitempty"`
	Name    string   `json:"name"`
	Type    string   `json:"type"`
	Version string   `json:"version,omitempty"`
	Labels  []string `json:"labels,omitempty"`
}

// findingFacts are the fields of a finding that OCSF does not have.
type findingFacts struct {
	Category  string   `json:"category,omitempty"`
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

type evidence struct {
	Data        eventRef  `json:"data"`
	Actor       *actor    `json:"actor,omitempty"`
	Process     *process  `json:"process,omitempty"`
	File        *file     `json:"file,omitempty"`
	DstEndpoint *endpoint `json:"dst_endpoint,omitempty"`
	Query       *query    `json:"query,omitempty"`
	URL         *URL      `json:"url,omitempty"`
	API         *api      `json:"api,omitempty"`
}

// eventRef points into events.jsonl, or to a line of a file of the package.
type eventRef struct {
	Seq  int64   `json:"seq,omitempty"`
	T    float64 `json:"t,omitempty"`
	Kind string  `json:"kind,omitempty"`
	Line int     `json:"line,omitempty"`
	Text string  `json:"text,omitempty"`
}

type actor struct {
	Process process `json:"process"`
}

type process struct {
	PID     int      `json:"pid"`
	Name    string   `json:"name,omitempty"`
	CmdLine string   `json:"cmd_line,omitempty"`
	File    *file    `json:"file,omitempty"`
	Parent  *process `json:"parent_process,omitempty"`
}

type file struct {
	Name   string `json:"name"`
	Path   string `json:"path"`
	TypeID int    `json:"type_id"`
}

type endpoint struct {
	IP       string `json:"ip,omitempty"`
	Hostname string `json:"hostname,omitempty"`
	Port     int    `json:"port,omitempty"`
}

type query struct {
	Hostname string `json:"hostname"`
	Type     string `json:"type,omitempty"`
}

// URL is the OCSF object url.
type URL struct {
	URLString string `json:"url_string"`
	Scheme    string `json:"scheme,omitempty"`
	Hostname  string `json:"hostname,omitempty"`
	Path      string `json:"path,omitempty"`
}

type api struct {
	Operation string   `json:"operation"`
	Service   *service `json:"service,omitempty"`
	Request   *ID      `json:"request,omitempty"`
}

type service struct {
	Name string `json:"name"`
}
