package phrase

// The files of a run that the formats refer to.
const (
	// ReportFile is the report as JSON.
	ReportFile = "report.json"
	// EventsFile is every event, a line each.
	EventsFile = "events.jsonl"
)
