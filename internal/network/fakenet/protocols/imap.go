package protocols

import (
	"context"
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// early matches the commands of a client that does not wait for the greeting.
var early = lazyregexp.New(`^(?i)[a-z0-9.]{1,16} (?:CAPABILITY|LOGIN|AUTHENTICATE|STARTTLS|ID|NOOP)[ \r\n]`)

func imap() speaker {
	return speaker{
		name:  "imap",
		ports: []uint16{143, 993},
		match: func(first []byte) match {
			if early.Match(first) {
				return yes
			}
			return no
		},
		serve: func(_ context.Context, w *wire) error { return (&mailbox{w}).lead() },
	}
}

// mailbox is a session with an empty inbox.
type mailbox struct{ *wire }

func (m *mailbox) lead() error {
	m.printf("* OK [CAPABILITY %s] Dovecot (Debian) ready.\r\n", m.capabilities())
	for {
		line, err := m.line()
		if err != nil {
			return err
		}
		tag, rest, _ := strings.Cut(line, " ")
		verb, rest := word(rest)
		if verb == "UID" {
			verb, rest = word(rest)
		}
		if err := m.literals(part(verb), line); err != nil {
			return err
		}
		switch verb {
		case "LOGOUT":
			m.printf("* BYE Logging out\r\n%s OK Logout completed.\r\n", tag)
			return nil
		case "STARTTLS":
			if !m.canSecure() {
				m.printf("%s BAD TLS support isn't enabled.\r\n", tag)
				continue
			}
			m.printf("%s OK Begin TLS negotiation now.\r\n", tag)
			err = m.upgrade()
		case "AUTHENTICATE":
			err = m.auth(tag, rest)
		case "IDLE":
			m.printf("+ idling\r\n")
			_, err = m.line()
			m.printf("%s OK Idle completed.\r\n", tag)
		default:
			m.answer(tag, verb, rest)
		}
		if err != nil {
			return err
		}
	}
}

func (m *mailbox) capabilities() string {
	s := "IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE IDLE LITERAL+ AUTH=PLAIN AUTH=LOGIN"
	if m.canSecure() {
		s += " STARTTLS"
	}
	return s
}

func part(verb string) string {
	switch verb {
	case "LOGIN", "AUTHENTICATE":
		return "login"
	case "APPEND":
		return "mail"
	}
	return ""
}

var literal = lazyregexp.New(`\{(\d{1,18})(\+?)\}$`)

// literals reads the rest of a command. A line may end with a byte count; that
// many bytes follow, and then another line.
func (m *mailbox) literals(part, line string) error {
	for {
		m.tell(part)
		found := literal.FindStringSubmatch(line)
		if found == nil {
			return nil
		}
		n, err := strconv.ParseInt(found[1], 10, 64)
		if err != nil {
			return errStray
		}
		if found[2] == "" {
			m.printf("+ OK\r\n")
		}
		if err := m.pour(part, n); err != nil {
			return err
		}
		if line, err = m.line(); err != nil {
			return err
		}
	}
}

func (m *mailbox) auth(tag, rest string) error {
	mechanism, initial := word(rest)
	_, ok, err := m.sasl(mechanism, initial, func(challenge []byte) {
		m.printf("+ %s\r\n", base64.StdEncoding.EncodeToString(challenge))
	})
	if err != nil {
		return err
	}
	if !ok {
		m.printf("%s NO [AUTHENTICATIONFAILED] Authentication failed.\r\n", tag)
		return nil
	}
	m.printf("%s OK [CAPABILITY %s] Logged in\r\n", tag, m.capabilities())
	return nil
}

func (m *mailbox) answer(tag, verb, rest string) {
	switch verb {
	case "CAPABILITY":
		m.printf("* CAPABILITY %s\r\n", m.capabilities())
	case "LIST", "LSUB", "XLIST":
		m.printf("* %s (\\HasNoChildren) \".\" INBOX\r\n", verb)
	case "SELECT", "EXAMINE":
		m.printf("* FLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft)\r\n* 0 EXISTS\r\n* 0 RECENT\r\n" +
			"* OK [UIDVALIDITY 1716200000] UIDs valid\r\n* OK [UIDNEXT 1] Predicted next UID\r\n")
	case "STATUS":
		box, _, _ := strings.Cut(rest, " ")
		m.printf("* STATUS %s (MESSAGES 0 RECENT 0 UIDNEXT 1 UIDVALIDITY 1716200000 UNSEEN 0)\r\n", box)
	case "SEARCH", "SORT":
		m.printf("* %s\r\n", verb)
	case "ID":
		m.printf("* ID (\"name\" \"Dovecot\")\r\n")
	case "NAMESPACE":
		m.printf("* NAMESPACE ((\"\" \".\")) NIL NIL\r\n") //nolint:dupword // the protocol's
	case "":
		m.printf("* BAD Error in IMAP command received by server.\r\n")
		return
	}
	m.printf("%s OK %s completed.\r\n", tag, verb)
}
