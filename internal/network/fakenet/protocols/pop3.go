package protocols

import (
	"context"
	"encoding/base64"
)

func pop3() speaker {
	return speaker{
		name:  "pop3",
		ports: []uint16{110, 995},
		match: never,
		serve: func(_ context.Context, w *wire) error { return fetchMail(w) },
	}
}

// fetchMail is a session with an empty mailbox.
func fetchMail(w *wire) error {
	n := w.nonce()
	w.printf("+OK Dovecot (Debian) ready. <%x@%s>\r\n", n[:8], w.host)
	for {
		line, err := w.line()
		if err != nil {
			return err
		}
		verb, rest := word(line)
		switch verb {
		case "USER", "PASS", "APOP", "AUTH":
			w.tell("login")
		default:
			w.tell("")
		}
		switch verb {
		case "QUIT":
			w.printf("+OK Logging out.\r\n")
			return nil
		case "STLS":
			if !w.canSecure() {
				w.printf("-ERR TLS support isn't enabled.\r\n")
				continue
			}
			w.printf("+OK Begin TLS negotiation now.\r\n")
			if err := w.upgrade(); err != nil {
				return err
			}
		case "AUTH":
			if err := fetchAuth(w, rest); err != nil {
				return err
			}
		default:
			fetchAnswer(w, verb)
		}
	}
}

func fetchAuth(w *wire, rest string) error {
	if rest == "" {
		w.printf("+OK\r\nPLAIN\r\nLOGIN\r\n.\r\n")
		return nil
	}
	mechanism, initial := word(rest)
	_, ok, err := w.sasl(mechanism, initial, func(challenge []byte) {
		w.printf("+ %s\r\n", base64.StdEncoding.EncodeToString(challenge))
	})
	if err != nil {
		return err
	}
	if !ok {
		w.printf("-ERR [AUTH] Authentication failed.\r\n")
		return nil
	}
	w.printf("+OK Logged in.\r\n")
	return nil
}

func fetchAnswer(w *wire, verb string) {
	switch verb {
	case "CAPA":
		w.printf("+OK\r\nCAPA\r\nTOP\r\nUIDL\r\nRESP-CODES\r\nPIPELINING\r\nAUTH-RESP-CODE\r\n")
		if w.canSecure() {
			w.printf("STLS\r\n")
		}
		w.printf("USER\r\nSASL PLAIN LOGIN\r\n.\r\n")
	case "USER", "NOOP", "RSET", "UTF8":
		w.printf("+OK\r\n")
	case "PASS", "APOP":
		w.printf("+OK Logged in.\r\n")
	case "STAT":
		w.printf("+OK 0 0\r\n")
	case "LIST", "UIDL":
		w.printf("+OK 0 messages:\r\n.\r\n")
	case "RETR", "TOP", "DELE":
		w.printf("-ERR There's no message.\r\n")
	default:
		w.printf("-ERR Unknown command.\r\n")
	}
}
