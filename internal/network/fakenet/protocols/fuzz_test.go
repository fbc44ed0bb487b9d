package protocols

import (
	"bytes"
	"testing"
)

// fuzz sends arbitrary bytes to a protocol and checks that all are reported. A
// protocol that decodes reports more bytes, or other bytes.
func fuzz(f *testing.F, name string, decodes bool) {
	f.Helper()
	f.Add([]byte(samples()[name]))
	f.Add([]byte(envelope + "AUTH PLAIN AGpvZQBwdw==\r\nDATA\r\nSubject: a\r\n\r\nb\r\n.\r\nBDAT 3\r\nabc"))
	f.Fuzz(func(t *testing.T, input []byte) {
		o := newWorld()
		if err := speaks(t, name).Speak(t.Context(), o.conversation(&fixture{in: bytes.NewReader(input)})); err != nil {
			t.Errorf("error %v", err)
		}
		if told := o.stream.String(); !decodes && told != string(input) {
			t.Errorf("told %q of %q", told, input)
		}
	})
}

func FuzzSMTP(f *testing.F)      { fuzz(f, "smtp", true) }
func FuzzFTP(f *testing.F)       { fuzz(f, "ftp", false) }
func FuzzPOP3(f *testing.F)      { fuzz(f, "pop3", true) }
func FuzzIMAP(f *testing.F)      { fuzz(f, "imap", true) }
func FuzzSSH(f *testing.F)       { fuzz(f, "ssh", false) }
func FuzzRedis(f *testing.F)     { fuzz(f, "redis", false) }
func FuzzBolt(f *testing.F)      { fuzz(f, "bolt", false) }
func FuzzPostgres(f *testing.F)  { fuzz(f, "postgresql", false) }
func FuzzMySQL(f *testing.F)     { fuzz(f, "mysql", false) }
func FuzzMongo(f *testing.F)     { fuzz(f, "mongodb", false) }
func FuzzSOCKS(f *testing.F)     { fuzz(f, "socks", false) }
func FuzzMQTT(f *testing.F)      { fuzz(f, "mqtt", false) }
func FuzzAMQP(f *testing.F)      { fuzz(f, "amqp", false) }
func FuzzLDAP(f *testing.F)      { fuzz(f, "ldap", false) }
func FuzzIRC(f *testing.F)       { fuzz(f, "irc", true) }
func FuzzMemcached(f *testing.F) { fuzz(f, "memcached", false) }
