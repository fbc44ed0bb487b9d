package protocols

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// samples are the client's side of conversations. All bytes are reported
// unchanged, whatever is appended or cut off.
func samples() map[string]string {
	return map[string]string{
		"":     "anything \x00\xff at all",
		"ftp":  "USER joe\r\nPASS pw\r\nPASV\r\nEPSV\r\nSTOR loot\r\nMKD x\r\nBOGUS\r\nQUIT\r\nmore",
		"pop3": "CAPA\r\nUSER joe\r\nPASS pw\r\nSTAT\r\nRETR 1\r\nQUIT\r\n",
		"imap": "a LOGIN {3}\r\njoe {2+}\r\npw\r\nb APPEND Drafts {5}\r\nstole\r\nc IDLE\r\nDONE\r\nd UID SEARCH ALL\r\ne LOGOUT\r\n",
		"ssh":  "SSH-2.0-x\r\n\x00\x00\x00\x0c\x04\x14kexinit...",
		"redis": "*2\r\n$4\r\nAUTH\r\n$2\r\npw\r\n*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$4\r\nAKIA\r\nPING\r\n*1\r\n$5\r\nMULTI\r\n" +
			"*2\r\n$4\r\nINCR\r\n$1\r\nx\r\n*1\r\n$4\r\nEXEC\r\n",
		"postgresql": "\x00\x00\x00\x08\x04\xd2\x16\x2f\x00\x00\x00\x12\x00\x03\x00\x00user\x00joe\x00\x00p\x00\x00\x00\x07pw\x00" +
			"Q\x00\x00\x00\x0dselect 1\x00P\x00\x00\x00\x0f\x00insert $2\x00B\x00\x00\x00\x0a\x00\x00\x00\x00\x00\x00D\x00\x00\x00\x06S\x00E\x00\x00\x00\x09\x00\x00\x00\x00\x00S\x00\x00\x00\x04X\x00\x00\x00\x04",
		"mysql": "\x3a\x00\x00\x01\x05\xa2\x08\x00\x00\x00\x00\x01\xff" + strings.Repeat("\x00", 23) + "joe\x00\x04hashmysql_native_pass\x00" +
			"\x11\x00\x00\x00\x03select @@version\x0a\x00\x00\x00\x16insert(?)\x01\x00\x00\x00\x01",
		"mongodb": message(opMsg, "\x00\x00\x00\x00\x00"+string(newBSON().text("insert", "loot").bytes())) +
			message(opQuery, "\x00\x00\x00\x00admin.$cmd\x00\x00\x00\x00\x00\xff\xff\xff\xff"+string(newBSON().int("isMaster", 1).bytes())),
		"bolt":      boltSample(),
		"socks":     "\x05\x02\x00\x02\x01\x03joe\x02pw\x05\x01\x00\x03\x0ac2.example\x01\xbbhello",
		"mqtt":      "\x10\x1b\x00\x04MQTT\x04\xc2\x00\x3c\x00\x03bot\x00\x03joe\x00\x05mqttp\x32\x0c\x00\x04loot\x00\x01AKIA\x82\x09\x00\x02\x00\x04cmds\x00\xe0\x00",
		"amqp":      "AMQP\x00\x00\x09\x01\x01\x00\x00\x00\x00\x00\x0a\x00\x0a\x00\x0b\x00joe pw\xce\x01\x00\x00\x00\x00\x00\x04\x00\x0a\x00\x32\xce",
		"ldap":      "\x30\x12\x02\x01\x01\x60\x0d\x02\x01\x03\x04\x03joe\x80\x03pw!\x30\x08\x02\x01\x02\x63\x03abc\x30\x05\x02\x01\x03\x42\x00",
		"irc":       "PASS pw\r\nNICK bot\r\nUSER bot 0 * :b\r\nJOIN #c2\r\nPRIVMSG #c2 :AKIA\r\nPING :x\r\nQUIT\r\n",
		"memcached": "set loot 0 0 4\r\nAKIA\r\nget loot\r\nversion\r\nms a 2\r\nhi\r\nquit\r\n",
		"syslog":    "<34>x\n",
		"statsd":    "a:1|c\n",
	}
}

func message(op uint32, body string) string {
	return string(le32(len(body)+16)) + "\x07\x00\x00\x00\x00\x00\x00\x00" + string(le32(int(op))) + body
}

func speaks(t testing.TB, name string) *Protocol {
	t.Helper()
	for _, s := range append(all(), unknown()) {
		if s.name == name {
			return s.protocol()
		}
	}
	t.Fatalf("no protocol %q", name)
	return nil
}

func TestSamplesComplete(t *testing.T) {
	for _, s := range all() {
		if _, found := samples()[s.name]; !found && s.name != "smtp" {
			t.Errorf("no sample of %s", s.name)
		}
	}
}

// TestEverythingIsTold cuts the samples at every byte and appends other bytes.
func TestEverythingIsTold(t *testing.T) {
	for name, sample := range samples() {
		t.Run(name, func(t *testing.T) {
			for n := range len(sample) + 1 {
				for _, tail := range []string{"", "\r\n\x00\xff\x7f junk \r\n SECRET", strings.Repeat("\xff", 40), strings.Repeat("\x00", 40)} {
					input := sample[:n] + tail
					o, _, err := script(t, speaks(t, name), []byte(input))
					if err != nil {
						t.Fatalf("%q: %v", input, err)
					}
					if diff := cmp.Diff(input, o.stream.String()); diff != "" {
						t.Fatalf("cut at %d, tail %q, told (-want +got):\n%s", n, tail, diff)
					}
				}
			}
		})
	}
}

// TestParts checks the part under which bytes are reported.
func TestParts(t *testing.T) {
	for name, want := range map[string]map[string]string{
		"ftp":        {"login": "USER joe\r\nPASS pw\r\n"},
		"pop3":       {"login": "USER joe\r\nPASS pw\r\n"},
		"imap":       {"login": "a LOGIN {3}\r\njoe {2+}\r\npw\r\n", "mail": "b APPEND Drafts {5}\r\nstole\r\n"},
		"redis":      {"login": "*2\r\n$4\r\nAUTH\r\n$2\r\npw\r\n"},
		"postgresql": {"login": samples()["postgresql"][:34]},
		"mysql":      {"login": samples()["mysql"][:62]},
		"socks":      {"login": "\x05\x02\x00\x02\x01\x03joe\x02pw", "url": "socks5://c2.example:443\n"},
		"mqtt":       {"login": samples()["mqtt"][:29]},
		"amqp":       {"login": samples()["amqp"][:26]},
		"ldap":       {"login": samples()["ldap"][:20], "query": samples()["ldap"][20:]},
		"irc":        {"login": "PASS pw\r\n"},
		"memcached":  {"query": samples()["memcached"]},
	} {
		o, _, _ := script(t, speaks(t, name), []byte(samples()[name]))
		for part, text := range want {
			if diff := cmp.Diff(text, o.said(part)); diff != "" {
				t.Errorf("%s, part %q (-want +got):\n%s", name, part, diff)
			}
		}
	}
}

// TestAnswers checks what clients are answered.
func TestAnswers(t *testing.T) {
	for name, want := range map[string]string{
		"":          "",
		"ftp":       "220 (vsFTPd 3.0.5)\r\n331 Please specify the password.\r\n230 Login successful.\r\n227 Entering Passive Mode (192,0,2,7,195,181).\r\n229 Entering Extended Passive Mode (|||50102|)\r\n150 Ok to send data.\r\n226 Transfer complete.\r\n257 \"x\" created\r\n500 Unknown command.\r\n221 Goodbye.\r\n",
		"imap":      "* OK [CAPABILITY IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE IDLE LITERAL+ AUTH=PLAIN AUTH=LOGIN] Dovecot (Debian) ready.\r\n+ OK\r\na OK LOGIN completed.\r\n+ OK\r\nb OK APPEND completed.\r\n+ idling\r\nc OK Idle completed.\r\n* SEARCH\r\nd OK SEARCH completed.\r\n* BYE Logging out\r\ne OK Logout completed.\r\n",
		"ssh":       "SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n",
		"redis":     "+OK\r\n+OK\r\n+PONG\r\n+OK\r\n+QUEUED\r\n*1\r\n:1\r\n",
		"socks":     "\x05\x02\x01\x00\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00",
		"mqtt":      "\x20\x02\x00\x00\x40\x02\x00\x01\x90\x03\x00\x02\x00",
		"ldap":      "\x30\x0c\x02\x01\x01\x61\x07\x0a\x01\x00\x04\x00\x04\x00\x30\x0c\x02\x01\x02\x65\x07\x0a\x01\x00\x04\x00\x04\x00",
		"memcached": "STORED\r\nVALUE loot 0 4\r\nAKIA\r\nEND\r\nVERSION 1.6.18\r\nHD\r\n",
		"syslog":    "",
	} {
		_, out, _ := script(t, speaks(t, name), []byte(samples()[name]))
		if diff := cmp.Diff(want, out); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestPostgresAnswers(t *testing.T) {
	_, out, _ := script(t, speaks(t, "postgresql"), []byte(samples()["postgresql"]))
	var kinds strings.Builder
	out = out[1:] // no TLS
	for len(out) >= 5 {
		kinds.WriteByte(out[0])
		out = out[1+int(out[3])<<8+int(out[4]):]
	}
	if want := "RRSSSSSSSSSSKZ" + "TDCZ" + "EZ"; kinds.String() != want || out != "" {
		t.Errorf("answers of kinds %s and %q, want %s", kinds.String(), out, want)
	}
}

func TestMongoAnswers(t *testing.T) {
	_, out, _ := script(t, speaks(t, "mongodb"), []byte(samples()["mongodb"]))
	first := out[:16+5+int(out[21])]
	if doc := parseDocument([]byte(first[21:])); doc.name != "n" {
		t.Errorf("insert: %+v", doc)
	}
	rest := out[len(first):]
	if doc := parseDocument([]byte(rest[36:])); doc.name != "helloOk" || rest[12] != opReply || rest[8] != 7 {
		t.Errorf("isMaster: %+v in %q", doc, rest)
	}
}

// TestGreetingName has a host name that would forge lines of the server.
func TestGreetingName(t *testing.T) {
	c := &fixture{in: nothing()}
	o := newWorld()
	conv := o.conversation(c)
	conv.Name = "a\r\n550 go away\x00.example"
	if err := SMTP().Speak(t.Context(), conv); err != nil {
		t.Fatal(err)
	}
	if want := "220 a550goaway.example ESMTP Postfix (Debian/GNU)\r\n"; c.out.String() != want {
		t.Errorf("greeting %q, want %q", c.out.String(), want)
	}
}
