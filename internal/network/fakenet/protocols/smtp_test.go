package protocols

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func nothing() *bytes.Reader { return bytes.NewReader(nil) }

const envelope = "EHLO me\r\nMAIL FROM:<a@corp.example> SIZE=10 BODY=8BITMIME SMTPUTF8\r\nRCPT TO:<b@corp.example>\r\nRCPT TO: <ü@evil.example> NOTIFY=NEVER\r\n"

func TestSMTPMails(t *testing.T) {
	both := []string{"b@corp.example", "ü@evil.example"}
	for _, tt := range []struct {
		name, input string
		want        []*mcpsf.SMTPDetail
	}{
		{"data", envelope + "DATA\r\nSubject: hi\r\n\r\n..dot\r\nend\r\n.\r\nQUIT\r\n", []*mcpsf.SMTPDetail{
			{From: "a@corp.example", To: both, Subject: "hi", Body: ".dot\r\nend\r\n", Size: 26}}},
		{"bare newlines", strings.ReplaceAll(envelope+"DATA\r\nSubject: hi\r\n\r\nx\r\n.\r\n", "\r\n", "\n"), []*mcpsf.SMTPDetail{
			{From: "a@corp.example", To: both, Subject: "hi", Body: "x\n", Size: 15}}},
		{"chunks", envelope + "BDAT 8\r\nSubject:BDAT 9 LAST\r\n hi\r\n\r\n.\r\nQUIT\r\n", []*mcpsf.SMTPDetail{
			{From: "a@corp.example", To: both, Subject: "hi", Body: ".\r", Size: 17}}},
		{"chunks cut short", envelope + "BDAT 4\r\nSubjRSET\r\nMAIL FROM:<>\r\nRCPT TO:<c@d.example>\r\nDATA\r\n\r\ntwo\r\n.\r\n", []*mcpsf.SMTPDetail{
			{From: "a@corp.example", To: both, Size: 4, Cut: true},
			{To: []string{"c@d.example"}, Body: "two\r\n", Size: 7}}},
		{"hung up", envelope + "DATA\r\nSubject: hi\r\n\r\nhalf", []*mcpsf.SMTPDetail{
			{From: "a@corp.example", To: both, Subject: "hi", Body: "half", Size: 19, Cut: true}}},
		{"hung up in the header", envelope + "DATA\r\nSubject: half", []*mcpsf.SMTPDetail{
			{From: "a@corp.example", To: both, Subject: "half", Size: 13, Cut: true}}},
		{"no recipient", "MAIL FROM:<a@b.example>\r\nDATA\r\nQUIT\r\n", nil},
		{"no sender", "RCPT TO:<a@b.example>\r\nBDAT 3\r\nabcQUIT\r\n", nil},
		{"reset", envelope + "RSET\r\nDATA\r\nQUIT\r\n", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o, _, err := script(t, SMTP(), []byte(tt.input))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, o.mails); diff != "" {
				t.Errorf("mails (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSMTPRecipients sends more and longer recipients than are kept.
func TestSMTPRecipients(t *testing.T) {
	many := strings.Repeat("RCPT TO:<"+strings.Repeat("a", 2*addressMax)+">\r\n", MaxRecipients+1)
	o, out, _ := script(t, SMTP(), []byte("MAIL FROM:<a@b.example>\r\n"+many+"DATA\r\n\r\n.\r\n"))
	if strings.Count(out, "\r\n452 ") != 1 || len(o.mails) != 1 {
		t.Fatalf("%d mails, answers %q", len(o.mails), clip(out))
	}
	if m := o.mails[0]; len(m.To) != MaxRecipients || !m.Cut || len(m.To[0]) != addressMax {
		t.Errorf("%d recipients of %d bytes, cut %t", len(m.To), len(m.To[0]), m.Cut)
	}
}

func TestSMTPLogin(t *testing.T) {
	b := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	const mail = "MAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\n\r\n.\r\n"
	for _, tt := range []struct{ name, input, user, told string }{
		{"plain", "AUTH PLAIN " + b("\x00joe\x00pw") + "\r\n", "joe", "\x00joe\x00pw\n"},
		{"plain in two", "AUTH plain\r\n" + b("\x00joe\x00pw") + "\r\n", "joe", "\x00joe\x00pw\n"},
		{"login", "AUTH LOGIN\r\n" + b("joe") + "\r\n" + b("pw") + "\r\n", "joe", "joe\n" + b("pw") + "\r\npw\n"},
		{"login with a name", "AUTH LOGIN " + b("joe") + "\r\n" + b("pw") + "\r\n", "joe", "pw\n"},
		{"cram", "AUTH CRAM-MD5\r\n" + b("joe 0123456789abcdef") + "\r\n", "joe", "joe 0123456789abcdef\n"},
		{"token", "AUTH XOAUTH2 " + b("user=joe@b.example\x01auth=Bearer ya29.t\x01\x01") + "\r\n", "joe@b.example", "Bearer ya29.t"},
		{"given up", "AUTH LOGIN\r\n*\r\n", "", "*"},
		{"no base64", "AUTH PLAIN %%%\r\n", "", "%%%"},
		{"unknown", "AUTH NTLM abcd\r\n", "", "abcd"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o, out, err := script(t, SMTP(), []byte(tt.input+mail))
			if err != nil || len(o.mails) != 1 {
				t.Fatalf("%d mails, error %v, answers %q", len(o.mails), err, out)
			}
			if o.mails[0].User != tt.user {
				t.Errorf("user %q, want %q", o.mails[0].User, tt.user)
			}
			o.wants(t, "login", tt.told)
		})
	}
}

func TestLetter(t *testing.T) {
	for _, tt := range []struct{ name, mail, subject, body, told string }{
		{"empty", "", "", "", ""},
		{"no header", "\r\nbody\r\n", "", "body\r\n", "\r\nbody\r\n"},
		{"encoded title", "Subject: =?utf-8?B?w6Q=?=\r\n =?ISO-8859-1?Q?=E4_b?=\r\n\r\n", "ää b", "", "ää b"},
		{"title in an unknown charset", "Subject: =?koi8-r?q?abc?=\r\n\r\n", "abc", "", "abc"},
		{"base64", "Content-Transfer-Encoding: BASE64\r\n\r\nQUtJ\r\nQVNF\r\nQ1I=\r\n", "", "AKIASECR", "AKIASECR"},
		{"base64 that is none", "Content-Transfer-Encoding: base64\r\n\r\n!hidden! in here\r\nQUtJQQ==\r\n", "", "!hidden!inhere\nAKIA", "!hidden!inhere\nAKIA"},
		{"base64 without end", "Content-Transfer-Encoding: base64\r\n\r\nQUtJQV", "", "AKIA", "AKIA"},
		{"quoted", "Content-Transfer-Encoding: quoted-printable\r\n\r\nAK=\r\nIA=3D=C3=A4=ZZ \r\n", "", "AKIA=ä=ZZ\r\n", "AKIA=ä=ZZ"},
		{"latin", "Content-Type: text/plain; charset=iso-8859-15\r\n\r\n\xe4", "", "ä", "\xe4"},
		{"parts", "Content-Type: multipart/mixed; boundary=\"x y\"\r\n\r\npreamble\r\n--x y\r\nContent-Type: text/html\r\n\r\n<p>\r\n--x y\r\n\r\nplain\r\n" +
			"--x y\r\nContent-Disposition: attachment; filename=a\r\nContent-Transfer-Encoding: base64\r\n\r\nQUtJQQ==\r\n--x y--\r\nepilogue",
			"", "plain\r\n", "AKIA--x y--\r\nepilogue"},
		{"parts in parts", "Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<b>\r\n--a\r\n" +
			"Content-Type: message/rfc822\r\n\r\nSubject: inner\r\n\r\nforwarded\r\n--a--\r\n", "", "forwarded\r\n", "Subject: inner"},
		{"only html", "Content-Type: text/html\r\n\r\n<p>", "", "<p>", "<p>"},
		{"nonsense type", "Content-Type: ;;;\r\n\r\nx", "", "x", "x"},
		{"invalid text", "Subject: \xff\r\n\r\n\xff\x00", "\uFFFD", "\uFFFD\x00", "\xff\x00"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			// The result is the same however the mail is split.
			for _, step := range []int{1, 7, len(tt.mail) + 1} {
				var told strings.Builder
				l := newLetter(func(_ string, p []byte) { told.Write(p) })
				for from := 0; from < len(tt.mail); from += step {
					l.write([]byte(tt.mail[from:min(len(tt.mail), from+step)]))
				}
				l.close()
				got := []string{l.subject(), l.body()}
				if diff := cmp.Diff([]string{tt.subject, tt.body}, got); diff != "" {
					t.Errorf("subject and body (-want +got):\n%s", diff)
				}
				if !strings.Contains(told.String(), tt.told) {
					t.Errorf("told %q, want %q in it", told.String(), tt.told)
				}
				if l.size != int64(len(tt.mail)) {
					t.Errorf("size %d, want %d", l.size, len(tt.mail))
				}
			}
		})
	}
}

func FuzzLetter(f *testing.F) {
	f.Add([]byte("Subject: =?utf-8?B?w6Q=?=\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Transfer-Encoding: base64\r\n\r\nQUtJ\r\n--x--\r\n"), uint8(3))
	f.Add([]byte("Content-Transfer-Encoding: quoted-printable\r\n\r\nAK=\r\nIA=3D"), uint8(1))
	f.Fuzz(func(t *testing.T, mail []byte, step uint8) {
		read := func(step int) (string, string) {
			var told strings.Builder
			l := newLetter(func(_ string, p []byte) { told.Write(p) })
			for from := 0; from < len(mail); from += step {
				l.write(mail[from:min(len(mail), from+step)])
			}
			l.close()
			if len(l.partial) > pieceMax || len(l.rest) > pieceMax+4 || len(l.plain) > 2*textMax+2*pieceMax {
				t.Errorf("kept %d, %d, %d bytes", len(l.partial), len(l.rest), len(l.plain))
			}
			return told.String(), l.subject() + l.body()
		}
		told, shown := read(len(mail) + 1)
		if again, shownAgain := read(int(step) + 1); again != told || shown != shownAgain {
			t.Errorf("in pieces of %d: %q, %q; in one: %q, %q", int(step)+1, again, shownAgain, told, shown)
		}
	})
}
