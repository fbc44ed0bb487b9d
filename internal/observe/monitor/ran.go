package monitor

// maxRan bounds the reports about code that are kept.
// gap: code-not-run
const maxRan = 400_000

// ran keeps a report of a runtime about the code it runs. It is no event: it says
// what was tried, not what the server did to anybody.
func (l *eventLog) ran(report string) {
	if len(l.totals.Ran) >= maxRan {
		l.totals.Unheard++
		return
	}
	l.totals.Ran = append(l.totals.Ran, report)
}
