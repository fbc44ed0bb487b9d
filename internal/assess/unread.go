package assess

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/protocols"
)

// unreadGaps says what the events were cut of. A statement to a database is not
// among it: its event shows the beginning, and all of it was searched.
func unreadGaps(events []mcpsf.Event) []mcpsf.Gap {
	var traffic, mails, arguments int64
	for i := range events {
		e := &events[i]
		if isUnread(e) {
			traffic++
		}
		if e.HTTP != nil && e.HTTP.MailCut {
			mails++
		}
		if e.Process != nil && e.Process.ArgsCut {
			arguments++
		}
	}
	var list []mcpsf.Gap
	add := func(code mcpsf.GapCode, count int64) {
		if count > 0 {
			list = append(list, gap.New(code, 0, count))
		}
	}
	add(gap.TrafficUnread, traffic)
	add(gap.MailsCut, mails)
	add(gap.ArgumentsCut, arguments)
	return list
}

// isUnread tells whether more was sent than was read. A mail is also cut where
// its sender hung up; that is no bound of ours.
func isUnread(e *mcpsf.Event) bool {
	return e.HTTP != nil && e.HTTP.Cut || e.Flow != nil && e.Flow.Unread ||
		e.SMTP != nil && e.SMTP.Cut && len(e.SMTP.To) >= protocols.MaxRecipients
}
