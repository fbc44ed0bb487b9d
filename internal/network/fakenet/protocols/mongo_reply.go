package protocols

import (
	"bytes"
	"encoding/base64"
	"fmt"
)

// answer is the reply to a command that succeeded and found nothing.
func (d *documents) answer(c document) []byte {
	b := newBSON()
	switch c.name {
	case "hello", "isMaster", "ismaster":
		return hello()
	case "buildInfo", "buildinfo":
		b.text("version", "7.0.14").text("gitVersion", "ce59cfc6a3c5e5c067dca0d30697edd68d4f5188").
			list("modules").int("bits", 64).int("maxBsonObjectSize", 16<<20)
	case "find", "aggregate", "listCollections", "listIndexes":
		b.document("cursor", newBSON().long("id", 0).text("ns", "test."+c.value).list("firstBatch"))
	case "getMore":
		b.document("cursor", newBSON().long("id", 0).text("ns", "test").list("nextBatch"))
	case "insert", "delete", "count":
		b.int("n", 1)
	case "update":
		b.int("n", 1).int("nModified", 1)
	case "distinct":
		b.list("values")
	case "listDatabases":
		b.list("databases").int("totalSize", 0)
	case "findAndModify", "findandmodify":
		b.null("value")
	case "saslStart":
		return d.saslStart(c)
	case "saslContinue":
		return b.ok(0).text("errmsg", "Authentication failed.").int("code", 18).text("codeName", "AuthenticationFailed").bytes()
	}
	return b.ok(1).bytes()
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
func (d *documents) saslStart(c document) []byte {
	b := newBSON().int("conversationId", 1)
	if c.mechanism == "PLAIN" {
		return b.yes("done").binary("payload", nil).ok(1).bytes()
	}
	_, nonce, _ := bytes.Cut(c.payload, []byte("r="))
	n := d.nonce()
	first := fmt.Sprintf("r=%s%x,s=%s,i=15000", nonce, n[:12], base64.StdEncoding.EncodeToString(n[12:28]))
	return b.no("done").binary("payload", []byte(first)).ok(1).bytes()
}
