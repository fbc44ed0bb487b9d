package protocols

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
)

// sasl accepts every login and reports its user. challenge sends bytes in the
// protocol's form; the answers are lines of base64. ok is false if the client
// gives up or asks for an unknown mechanism.
func (w *wire) sasl(mechanism, initial string, challenge func(p []byte)) (user string, ok bool, err error) {
	// A nil result means that the client did not answer.
	answer := func(question string) ([]byte, error) {
		line := initial
		initial = ""
		if line == "" {
			challenge([]byte(question))
			var err error
			if line, err = w.line(); err != nil {
				return nil, err
			}
			w.tell("login")
			line = strings.TrimPrefix(line, "AUTHENTICATE ") // the form of IRC
		}
		p := decode(line)
		w.addText("login", p)
		return p, nil
	}
	switch mechanism {
	case "PLAIN":
		p, err := answer("")
		fields := bytes.Split(p, []byte{0})
		if err != nil || len(fields) != 3 {
			return "", false, err
		}
		return name(fields[1]), true, nil
	case "LOGIN":
		user, err := answer("Username:")
		if err != nil || user == nil {
			return "", false, err
		}
		password, err := answer("Password:")
		return name(user), password != nil, err
	case "CRAM-MD5":
		initial = "" // in LOGIN the server asks first
		n := w.nonce()
		p, err := answer(fmt.Sprintf("<%x@%s>", n[:8], w.host))
		who, _, found := bytes.Cut(p, []byte(" "))
		return name(who), found, err
	case "XOAUTH2", "OAUTHBEARER":
		p, err := answer("")
		_, p, found := bytes.Cut(p, []byte("user="))
		p, _, _ = bytes.Cut(p, []byte{1})
		return name(p), found || mechanism == "OAUTHBEARER", err
	}
	return "", false, nil
}

// decode decodes base64, with or without padding. "=" and invalid base64 decode
// to nothing.
func decode(s string) []byte {
	p, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(strings.TrimSpace(s), "="))
	if err != nil {
		return nil
	}
	return p
}

// name is a user's name, made safe to print.
func name(p []byte) string {
	return strings.ToValidUTF8(string(p[:min(len(p), addressMax)]), "\uFFFD")
}
