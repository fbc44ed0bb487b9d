package digest

import "github.com/mcpsf/mcpsf"

// Data is the input of the formats: a report and the events behind it.
type Data struct {
	Report *mcpsf.Report
	Events []mcpsf.Event
}
