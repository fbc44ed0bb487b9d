package assess

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/protocols"
)

// Every event of which something was cut is in a gap, one for each kind.
func TestUnreadGaps(t *testing.T) {
	many := make([]string, protocols.MaxRecipients)
	got := unreadGaps([]mcpsf.Event{
		{HTTP: &mcpsf.HTTPDetail{Cut: true}}, {HTTP: &mcpsf.HTTPDetail{}}, {HTTP: &mcpsf.HTTPDetail{MailCut: true}},
		{Flow: &mcpsf.FlowDetail{Cut: true, Unread: true}}, {Flow: &mcpsf.FlowDetail{Cut: true}}, // the second took too long
		{SMTP: &mcpsf.SMTPDetail{Cut: true, To: many}}, {SMTP: &mcpsf.SMTPDetail{Cut: true, To: many[:2]}}, {SMTP: &mcpsf.SMTPDetail{To: many}},
		{Process: &mcpsf.ProcessDetail{ArgsCut: true}}, {Process: &mcpsf.ProcessDetail{}}, {},
	})
	want := []mcpsf.Gap{gap.New(gap.TrafficUnread, 0, 3), gap.New(gap.MailsCut, 0, 1), gap.New(gap.ArgumentsCut, 0, 1)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := unreadGaps([]mcpsf.Event{{Flow: &mcpsf.FlowDetail{Cut: true}}}); got != nil {
		t.Errorf("a connection that was closed in time: %v", got)
	}
}
