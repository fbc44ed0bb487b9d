package protocols

import (
	"bytes"
	"strconv"
	"strings"
)

// data reads a mail that ends with a line of a single dot.
func (m *mailer) data() error {
	if !m.ready() {
		return nil
	}
	m.printf("354 End data with <CR><LF>.<CR><LF>\r\n")
	letter := newLetter(m.add)
	fresh := true // at the beginning of a line
	for {
		p, whole, err := m.piece()
		if err != nil {
			letter.write(m.heard)
			m.heard = m.heard[:0]
			m.done(letter, true)
			return err
		}
		if fresh && whole && isDot(p) {
			break
		}
		if fresh && p[0] == '.' {
			p = p[1:]
		}
		letter.write(p)
		fresh = whole
	}
	m.done(letter, false)
	m.printf("250 2.0.0 Ok: queued as %X\r\n", m.ticket())
	return nil
}

func isDot(p []byte) bool { return p[0] == '.' && len(bytes.TrimRight(p[1:], "\r\n")) == 0 }

// chunks reads a mail that comes in chunks (BDAT), each with its length in a
// command.
func (m *mailer) chunks(rest string) error {
	if !m.ready() {
		// The client sends the bytes although the command is refused.
		if n, _, ok := chunk(rest); ok {
			return m.pour("mail", n)
		}
		return nil
	}
	letter := newLetter(m.add)
	for {
		n, last, ok := chunk(rest)
		if !ok {
			m.printf("501 5.5.4 Syntax: BDAT count [LAST]\r\n")
			return nil
		}
		if err := m.chunk(letter, n); err != nil {
			m.done(letter, true)
			return err
		}
		if last {
			m.done(letter, false)
			m.printf("250 2.0.0 Ok: queued as %X\r\n", m.ticket())
			return nil
		}
		m.printf("250 2.0.0 Ok: %d octets\r\n", n)
		line, err := m.line()
		if err != nil {
			m.done(letter, true)
			return err
		}
		verb, more := word(line)
		if verb != "BDAT" {
			m.done(letter, true)
			m.queued = &line
			return nil
		}
		m.tell("mail")
		rest = more
	}
}

func (m *mailer) chunk(letter *letter, n int64) error {
	for n > 0 {
		p, err := m.take(int(min(n, tellAt)))
		if err != nil {
			letter.write(m.heard)
			m.heard = m.heard[:0]
			return err
		}
		m.heard = m.heard[:0]
		letter.write(p)
		n -= int64(len(p))
	}
	return nil
}

// chunk parses "123 LAST".
func chunk(s string) (n int64, last, ok bool) {
	size, flag := word(s)
	n, err := strconv.ParseInt(size, 10, 64)
	return n, strings.EqualFold(flag, "LAST"), err == nil && n >= 0
}

// done reports a mail; the next one needs new addresses.
func (m *mailer) done(letter *letter, cut bool) {
	letter.close()
	mail := m.mail
	m.mail = nil
	m.mails++
	mail.Size, mail.Cut = letter.size, mail.Cut || cut
	mail.Subject, mail.Body = letter.subject(), letter.body()
	m.deliver()
	if m.wire.conversation.Mail != nil {
		m.wire.conversation.Mail(mail)
	}
}

// ticket looks like a queue id.
func (m *mailer) ticket() []byte {
	n := m.nonce()
	n[0] ^= byte(m.mails)
	n[4] ^= byte(m.mails >> 8)
	return n[:5]
}
