package protocols

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/document"
)

// answer is the reply to a command: what concerns the connection is answered here,
// what concerns documents by the store.
func (d *documents) answer(c mongoRequest) []byte {
	b := newBSON()
	switch c.name {
	case "hello", "isMaster", "ismaster":
		return hello()
	case "buildInfo", "buildinfo":
		b.text("version", document.Version).text("gitVersion", "ce59cfc6a3c5e5c067dca0d30697edd68d4f5188").
			list("modules").int("bits", 64).int("maxBsonObjectSize", 16<<20)
		b.value("versionArray", document.List{int32(7), int32(0), int32(14), int32(0)})
		return b.ok(1).bytes()
	case "saslStart":
		return d.saslStart(c)
	case "saslContinue":
		return b.ok(0).text("errmsg", "Authentication failed.").int("code", 18).text("codeName", "AuthenticationFailed").bytes()
	case "ping", "endSessions", "startSession", "refreshSessions", "killSessions", "commitTransaction", "abortTransaction", "logout", "authenticate", "whatsmyuri", "":
		return b.ok(1).bytes()
	}
	if d.mute { // nobody reads the answer
		return b.ok(1).bytes()
	}
	reply, known := d.store.Run(c.body, c.documents)
	if !known {
		name := strings.ToValidUTF8(c.name[:min(len(c.name), nameMax)], "?")
		return b.ok(0).text("errmsg", "no such command: '"+name+"'").int("code", 59).text("codeName", "CommandNotFound").bytes()
	}
	return writeDocument(reply).bytes()
}

func hello() []byte {
	return newBSON().yes("helloOk").yes("ismaster").yes("isWritablePrimary").
		int("maxBsonObjectSize", 16<<20).int("maxMessageSizeBytes", mongoMax).int("maxWriteBatchSize", 100000).
		int("logicalSessionTimeoutMinutes", 30).int("connectionId", 1718).
		int("minWireVersion", 0).int("maxWireVersion", 21).ok(1).bytes()
}

// saslStart accepts a password that is sent in clear. With methods that hide
// the password, the server must prove that it knows it, so the login fails; the
// user's name has been reported by then.
func (d *documents) saslStart(c mongoRequest) []byte {
	b := newBSON().int("conversationId", 1)
	if c.mechanism == "PLAIN" {
		return b.yes("done").binary("payload", nil).ok(1).bytes()
	}
	_, nonce, _ := bytes.Cut(c.payload, []byte("r="))
	n := d.nonce()
	first := fmt.Sprintf("r=%s%x,s=%s,i=15000", nonce, n[:12], base64.StdEncoding.EncodeToString(n[12:28]))
	return b.no("done").binary("payload", []byte(first)).ok(1).bytes()
}
