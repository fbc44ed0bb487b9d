package protocols

import (
	"strings"
	"testing"
)

// openings are the first bytes of clients, by protocol.
func openings() map[string][]string {
	return map[string][]string{
		"smtp":  {"EHLO me\r\n", "helo me\r\n", "MAIL FROM:<a@b.example>\r\n"},
		"ftp":   {"USER anonymous\r\n"},
		"imap":  {"a1 LOGIN joe pw\r\n", "A001 CAPABILITY\r\n"},
		"ssh":   {"SSH-2.0-OpenSSH_9.2\r\n", "SSH-2.0-Go\r\n"},
		"redis": {"*1\r\n$4\r\nPING\r\n", "PING\r\n", "AUTH secret\r\n", "hello 3\r\n", "INFO\r\n"},
		"postgresql": {
			"\x00\x00\x00\x08\x04\xd2\x16\x2f", "\x00\x00\x00\x08\x04\xd2\x16\x30",
			"\x00\x00\x00\x12\x00\x03\x00\x00user\x00joe\x00\x00", "\x00\x00\x00\x12\x00\x03\x00\x02user\x00joe\x00\x00",
		},
		"mongodb":   {"\x3a\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\xd4\x07\x00\x00", "\x92\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00\xdd\x07\x00\x00"},
		"socks":     {"\x05\x01\x00", "\x05\x03\x00\x01\x02", "\x04\x01\x00\x50\xc0\x00\x02\x01joe\x00"},
		"mqtt":      {"\x10\x13\x00\x04MQTT\x04\x02\x00\x3c\x00\x07client1", "\x10\x95\x01\x00\x06MQIsdp\x03"},
		"amqp":      {"AMQP\x00\x00\x09\x01", "AMQP\x03\x01\x00\x00"},
		"ldap":      {"\x30\x0c\x02\x01\x01\x60\x07\x02\x01\x03\x04\x00\x80\x00", "\x30\x84\x00\x00\x00\x0c\x02\x01\x01\x60\x07\x02\x01\x03\x04\x00\x80\x00"},
		"irc":       {"NICK bot\r\n", "CAP LS 302\r\n", "PASS secret\r\nNICK bot\r\n", "USER bot 0 * :bot\r\n"},
		"memcached": {"get loot\r\n", "set loot 0 0 4\r\nAKIA\r\n", "version\r\n", "\x80\x0b" + strings.Repeat("\x00", 22)},
		"syslog":    {"<34>1 2024-01-01T00:00:00Z host app - - - x\n", "44 <34>1 x"},
		"statsd":    {"app.logins:1|c\n", "t:3.5|ms"},
	}
}

func TestByBytes(t *testing.T) {
	for want, firsts := range openings() {
		for _, first := range firsts {
			d, undecided := ByBytes([]byte(first))
			if d == nil || d.Name != want || undecided {
				t.Errorf("ByBytes(%q) = %+v, %t, want %s", first, d, undecided, want)
			}
			for n := range first {
				// A shorter beginning may be recognised or not, but never as
				// another protocol.
				if d, _ := ByBytes([]byte(first[:n])); d != nil && d.Name != want {
					t.Errorf("ByBytes(%q) = %s, want %s or none", first[:n], d.Name, want)
				}
			}
		}
	}
}

// TestByBytesUndecided checks that clients are recognised however their bytes
// are split.
func TestByBytesUndecided(t *testing.T) {
	for _, name := range []string{"smtp", "ssh", "redis", "postgresql", "socks", "mqtt", "amqp", "ldap"} {
		for _, first := range openings()[name] {
			for n := 1; n < len(first); n++ {
				if d, undecided := ByBytes([]byte(first[:n])); d == nil && !undecided {
					t.Errorf("ByBytes(%q) gave up on %s", first[:n], name)
				}
			}
		}
	}
}

func TestByBytesForeign(t *testing.T) {
	for _, first := range []string{
		"GET / HTTP/1.1\r\nHost: a.example\r\n", "POST /x HTTP/1.1\r\n", "PUT / HTTP/1.0\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "CONNECT a.example:443 HTTP/1.1\r\n",
		"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + strings.Repeat("x", 30),
		"hello world\n", "bash-5.2$ ", "{\"a\":1}\n", "*** a log ***\n", "INFO: started\n", "\xff\xfd\x18\xff\xfd\x20", strings.Repeat("\x00", 64), "\x00\x1e\xab\xcd\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x01a\x07example\x00\x00\x01\x00\x01",
	} {
		if d, undecided := ByBytes([]byte(first)); d != nil || undecided {
			t.Errorf("ByBytes(%q) = %+v, %t, want none", first, d, undecided)
		}
	}
}

func TestByPort(t *testing.T) {
	for port, want := range map[uint16]string{
		25: "smtp", 465: "smtp", 587: "smtp", 2525: "smtp", 21: "ftp", 22: "ssh", 110: "pop3", 995: "pop3", 143: "imap", 993: "imap", 3306: "mysql",
	} {
		if d := ByPort(port); d == nil || d.Name != want || !d.Greets {
			t.Errorf("ByPort(%d) = %+v, want %s", port, d, want)
		}
	}
	for _, port := range []uint16{0, 80, 443, 5432, 6379, 6667, 27017, 65535} {
		if d := ByPort(port); d != nil {
			t.Errorf("ByPort(%d) = %s, want none", port, d.Name)
		}
	}
}

func FuzzByBytes(f *testing.F) {
	for _, firsts := range openings() {
		for _, first := range firsts {
			f.Add([]byte(first))
		}
	}
	f.Fuzz(func(t *testing.T, first []byte) {
		d, undecided := ByBytes(first)
		if d != nil && undecided {
			t.Errorf("%s and undecided", d.Name)
		}
		if len(first) > 4<<10 && undecided {
			t.Errorf("undecided after %d bytes", len(first))
		}
	})
}
