package decoys

import (
	"fmt"
	"strings"
	"time"
)

// mail is the inbox in one file, as mail programs store it.
func mail(k *kit, h *Home) error {
	m := k.mint("mail")
	dir := ".thunderbird/" + m.text(8, lower+digits) + ".default-release/Mail/Local Folders/"
	var b strings.Builder
	for _, letter := range []struct {
		days                int
		from, subject, body string
	}{
		{41, "it@" + k.who.domain, "Your VPN account", "Hello " + k.who.first + ",\n\nyour user name is " + k.who.login +
			" and your first password " + m.password() + ". Please change it.\n\nIT\n"},
		{17, "noreply@accounts." + k.who.domain, "Reset your password", "Follow this link within 24 hours:\n\nhttps://accounts." + k.who.domain +
			"/reset?token=" + m.secret("", 43, urlsafe) + "\n"},
		{9, "payroll@" + k.who.domain, "Your payslip", fmt.Sprintf("Employee %s, net pay %d.%02d EUR, paid to the account you gave us.\n",
			m.ref("EMP-"), 3100+m.rng.IntN(900), m.rng.IntN(100))},
		{1, "ops@" + k.who.domain, "Re: certificate of the shop", "The pass phrase of the new key is\n\n    " + m.secret("", 32, alnum) +
			"\n\nand the key is on the deploy host.\n"},
	} {
		sent := k.ago(m, letter.days)
		fmt.Fprintf(&b, "From - %[1]s\nReturn-Path: <%[2]s>\nDate: %[3]s\nFrom: %[2]s\nTo: %[4]s %s <%s>\nMessage-ID: <%s@mail.%s>\nSubject: %s\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n%s\n",
			sent.Format(time.ANSIC), letter.from, sent.Format(time.RFC1123Z), k.who.first, k.who.last, k.who.email, m.uuid(), k.who.domain,
			letter.subject, letter.body)
	}
	h.decoy(m, KindMail, "mail", dir+"Inbox", b.String())
	return nil
}
