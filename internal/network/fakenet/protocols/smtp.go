package protocols

import (
	"context"
	"encoding/base64"
	"strings"

	"github.com/mcpsf/mcpsf"
)

const (
	mailsMax   = 1000 // per connection
	addressMax = 1 << 10
)

// MaxRecipients is how many recipients of a mail are kept; further ones are
// refused.
// gap: traffic-unread
const MaxRecipients = 1000

func smtp() speaker {
	return speaker{
		name:  "smtp",
		ports: []uint16{25, 465, 587, 2525},
		match: func(first []byte) match { return opensAny(first, "EHLO ", "HELO ", "MAIL FROM:") },
		serve: func(_ context.Context, w *wire) error { return (&mailer{wire: w}).lead() },
	}
}

// mailer is a session with a client that sends mail.
type mailer struct {
	*wire

	user   string
	mail   *mcpsf.SMTPDetail // the mail being addressed; nil before MAIL
	mails  int
	queued *string // a command that came where a chunk was expected
}

func (m *mailer) lead() error {
	m.printf("220 %s ESMTP Postfix (Debian/GNU)\r\n", m.host)
	for m.mails < mailsMax {
		line, err := m.command()
		if err != nil {
			return err
		}
		verb, rest := word(line)
		if verb == "AUTH" {
			m.tell("login")
		}
		m.tell("mail")
		if verb == "QUIT" {
			m.printf("221 2.0.0 Bye\r\n")
			return nil
		}
		if err := m.obey(verb, rest); err != nil {
			return err
		}
	}
	m.printf("421 4.7.0 %s Error: too many messages\r\n", m.host)
	return nil
}

func (m *mailer) command() (string, error) {
	if m.queued != nil {
		line := *m.queued
		m.queued = nil
		return line, nil
	}
	return m.line()
}

func (m *mailer) obey(verb, rest string) error {
	switch verb {
	case "EHLO":
		m.mail = nil
		m.extensions()
	case "HELO":
		m.mail = nil
		m.printf("250 %s\r\n", m.host)
	case "STARTTLS":
		return m.startTLS()
	case "AUTH":
		return m.auth(rest)
	case "MAIL":
		m.mail = &mcpsf.SMTPDetail{From: address(rest), To: []string{}, User: m.user}
		m.printf("250 2.1.0 Ok\r\n")
	case "RCPT":
		m.recipient(rest)
	case "DATA":
		return m.data()
	case "BDAT":
		return m.chunks(rest)
	case "RSET":
		m.mail = nil
		m.printf("250 2.0.0 Ok\r\n")
	case "NOOP":
		m.printf("250 2.0.0 Ok\r\n")
	case "VRFY", "EXPN":
		m.printf("252 2.0.0 %s\r\n", address(":"+rest))
	default:
		m.printf("502 5.5.2 Error: command not recognized\r\n")
	}
	return nil
}

// extensions lists the extensions. It does not offer CRAM-MD5, because that
// hides the password; a client may use it anyway.
func (m *mailer) extensions() {
	m.printf("250-%s\r\n250-PIPELINING\r\n250-SIZE 35882577\r\n", m.host)
	if m.canSecure() {
		m.printf("250-STARTTLS\r\n")
	}
	m.printf("250-AUTH PLAIN LOGIN XOAUTH2\r\n250-ENHANCEDSTATUSCODES\r\n250-8BITMIME\r\n250-DSN\r\n250-SMTPUTF8\r\n250 CHUNKING\r\n")
}

func (m *mailer) startTLS() error {
	if !m.canSecure() {
		m.printf("502 5.5.1 Error: command not implemented\r\n")
		return nil
	}
	m.printf("220 2.0.0 Ready to start TLS\r\n")
	m.mail = nil
	return m.upgrade()
}

func (m *mailer) auth(rest string) error {
	mechanism, initial := word(rest)
	user, ok, err := m.sasl(mechanism, initial, func(challenge []byte) {
		m.printf("334 %s\r\n", base64.StdEncoding.EncodeToString(challenge))
	})
	switch {
	case err != nil:
		return err
	case !ok:
		m.printf("535 5.7.8 Error: authentication failed\r\n")
	default:
		m.user = user
		m.printf("235 2.7.0 Authentication successful\r\n")
	}
	return nil
}

func (m *mailer) recipient(rest string) {
	switch {
	case m.mail == nil:
		m.printf("503 5.5.1 Error: need MAIL command\r\n")
	case len(m.mail.To) >= MaxRecipients:
		m.mail.Cut = true
		m.printf("452 4.5.3 Error: too many recipients\r\n")
	default:
		m.mail.To = append(m.mail.To, address(rest))
		m.printf("250 2.1.5 Ok\r\n")
	}
}

// ready says whether the client may send a mail now.
func (m *mailer) ready() bool {
	if m.mail == nil || len(m.mail.To) == 0 {
		m.printf("503 5.5.1 Error: need RCPT command\r\n")
		return false
	}
	return true
}

// address returns the text between the brackets of "FROM:<a@b> SIZE=9".
func address(s string) string {
	_, s, _ = strings.Cut(s, ":")
	s = strings.TrimSpace(s)
	if from := strings.IndexByte(s, '<'); from >= 0 {
		s, _, _ = strings.Cut(s[from+1:], ">")
	} else {
		s, _, _ = strings.Cut(s, " ")
	}
	return strings.ToValidUTF8(s[:min(len(s), addressMax)], "\uFFFD")
}
