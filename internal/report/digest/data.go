package digest

import "github.com/mcpsf/mcpsf"

// Data is what the formats are made from: a report and the events behind it.
type Data struct {
	Report *mcpsf.Report
	Events []mcpsf.Event
}
