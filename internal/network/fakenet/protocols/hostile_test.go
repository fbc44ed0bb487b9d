package protocols

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpsf/mcpsf"
)

// flood is a client that sends a beginning and then repeats one text forever.
type flood struct {
	fixture

	again []byte
	at    int
}

func (f *flood) Read(p []byte) (int, error) {
	if f.in.Len() > 0 {
		return f.in.Read(p)
	}
	n := copy(p, f.again[f.at:])
	f.at = (f.at + n) % len(f.again)
	return n, nil
}

// repeated makes the repeated text longer, so that fewer reads are needed.
func repeated(s string) []byte { return []byte(strings.Repeat(s, 1+(8<<10)/len(s))) }

func (f *flood) Write(p []byte) (int, error) { return len(p), nil }

// TestFloods has clients that never stop sending. All bytes read are reported,
// and few are kept in memory at a time.
func TestFloods(t *testing.T) {
	for _, tt := range []struct{ name, protocol, first, again string }{
		{"raw", "", "", "x"},
		{"a line without end", "ftp", "", "a"},
		{"lines without end", "ftp", "", "\n"},
		{"commands", "pop3", "", "USER joe\r\n"},
		{"a literal", "imap", "a LOGIN {999999999999999999}\r\n", "x"},
		{"literals", "imap", "a LOGIN ", "{1}\r\na"},
		{"tags", "imap", "", "a NOOP\r\n"},
		{"a banner", "ssh", "SSH-", "x"},
		{"a packet", "ssh", "SSH-2.0-x\r\n\xff\xff\xff\xff", "x"},
		{"a string", "redis", "*2\r\n$33554432\r\n", "x"},
		{"strings", "redis", "*2147483647\r\n", "$1\r\na\r\n"},
		{"too long a string", "redis", "*1\r\n$99999999999999999999\r\n", "x"},
		{"a transaction", "redis", "MULTI\r\n", "PING\r\n"},
		{"a list in a list", "bolt", "\x60\x60\xb0\x17\x00\x00\x00\x05\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", "\xff\xff" + strings.Repeat("\xd6\xff\xff\xff\xff", 13107)},
		{"inline", "redis", "PING\r\n", "a b c\r\n"},
		{"a message", "postgresql", samples()["postgresql"][:34] + "Q\xff\xff\xff\xff", "x"},
		{"statements", "postgresql", samples()["postgresql"][:34], "P\x00\x00\x00\x0ca\x00\xff$9999\x00"},
		{"requests for TLS", "postgresql", "", "\x00\x00\x00\x08\x04\xd2\x16\x2f"},
		{"packets", "mysql", samples()["mysql"][:62], "\xff\xff\xff\x00"},
		{"parameters", "mysql", samples()["mysql"][:62], "\x0a\x00\x00\x00\x16?????????"},
		{"a document", "mongodb", "\x00\x00\xdc\x02\x01\x00\x00\x00\x00\x00\x00\x00\xdd\x07\x00\x00", "\x00"},
		{"documents", "mongodb", "", message(opMsg, "\x00\x00\x00\x00\x00"+string(newBSON().int("ping", 1).bytes()))},
		{"behind a proxy", "socks", samples()["socks"], "x"},
		{"a name", "socks", "\x04\x01\x00\x50\xc0\x00\x02\x01", "x"},
		{"a publication", "mqtt", "\x10\x00\x32\xff\xff\xff\x7f", "x"},
		{"pings", "mqtt", "\x10\x00", "\xc0\x00"},
		{"a frame", "amqp", "AMQP\x00\x00\x09\x01\x03\x00\x01\xff\xff\xff\xff", "x"},
		{"frames", "amqp", "AMQP\x00\x00\x09\x01", "\x03\x00\x01\x00\x00\x00\x00\xce"},
		{"a search", "ldap", "\x30\x84\xff\xff\xff\xff", "x"},
		{"searches", "ldap", "", "\x30\x05\x02\x01\x02\x63\x00"},
		{"channels", "irc", "", "JOIN a,b,c,d,e,f,g,h,i,j,k,l,m,n\r\n"},
		{"a value", "memcached", "set a 0 0 33554432\r\n", "x"},
		{"keys", "memcached", "", "get a\r\n"},
		{"binary", "memcached", "", "\x80\x0b" + strings.Repeat("\x00", 22)},
	} {
		t.Run(tt.protocol+" "+tt.name, func(t *testing.T) {
			total, widest := 0, 0
			conv := &Conversation{
				Conn: &flood{fixture: fixture{in: bytes.NewReader([]byte(tt.first))}, again: repeated(tt.again)},
				Sent: func(part string, p []byte) {
					if part != "url" {
						total += len(p)
					}
					widest = max(widest, len(p))
				},
			}
			const limit = 512 << 10
			before := heap()
			if err := within(t, tt.protocol, conv, limit); !errors.Is(err, ErrLimit) {
				t.Errorf("error %v, want ErrLimit", err)
			}
			if total != limit {
				t.Errorf("%d bytes told, want %d", total, limit)
			}
			if widest > 2*takeMax {
				t.Errorf("%d bytes told at once", widest)
			}
			if kept := heap() - before; kept > 512<<10 {
				t.Errorf("%d bytes kept", kept)
			}
			runtime.KeepAlive(conv)
		})
	}
}

// within runs a client under a smaller limit, which takes less time.
func within(t *testing.T, name string, conv *Conversation, limit int64) error {
	t.Helper()
	for _, s := range append(all(), unknown()) {
		if s.name == name {
			w := newWire(conv)
			w.left, w.room = limit, limit
			return w.end(s.serve(t.Context(), w))
		}
	}
	t.Fatalf("no protocol %q", name)
	return nil
}

func heap() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

func TestMailFloods(t *testing.T) {
	for _, tt := range []struct{ name, first, again string }{
		{"text", envelope + "DATA\r\n\r\n", "never ending "},
		{"lines", envelope + "DATA\r\n\r\n", "line\r\n"},
		{"header", envelope + "DATA\r\n", "Subject: =?a?q?"},
		{"headers", envelope + "DATA\r\n", "Subject: =?a?q?\r\n"},
		{"folded", envelope + "DATA\r\nSubject: a\r\n", " =?utf-8?q?a?=\r\n"},
		{"parts in parts", envelope + "DATA\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n", "--a\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n"},
		{"mails in mails", envelope + "DATA\r\n", "Content-Type: message/rfc822\r\n\r\n"},
		{"base64", envelope + "DATA\r\nContent-Transfer-Encoding: base64\r\n\r\n", "QUtJQQ"},
		{"padding", envelope + "DATA\r\nContent-Transfer-Encoding: base64\r\n\r\n", "="},
		{"quoted", envelope + "DATA\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n", "="},
		{"chunk", envelope + "BDAT 999999999999999999\r\n\r\n", "x"},
		{"chunks", envelope, "BDAT 1\r\n."},
		{"mails", "", "MAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\n\r\n.\r\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			mails := 0
			conv := &Conversation{
				Conn: &flood{fixture: fixture{in: bytes.NewReader([]byte(tt.first))}, again: repeated(tt.again)},
				Mail: func(m *mcpsf.SMTPDetail) {
					mails++
					if len(m.Body) > textMax || len(m.Subject) > textMax {
						t.Errorf("%d bytes of subject, %d of body", len(m.Subject), len(m.Body))
					}
				},
				Sent: func(string, []byte) {},
			}
			if err := within(t, "smtp", conv, 512<<10); !errors.Is(err, ErrLimit) {
				t.Errorf("error %v, want ErrLimit", err)
			}
			if mails == 0 || mails > mailsMax {
				t.Errorf("%d mails", mails)
			}
		})
	}
}

// TestAnswersEnd has a client whose short commands ask for long answers.
func TestAnswersEnd(t *testing.T) {
	c := &counting{flood: flood{fixture: fixture{in: nothing()}, again: repeated("JOIN a,b,c,d,e,f,g,h,i,j,k,l,m,n\r\n")}}
	if err := within(t, "irc", &Conversation{Conn: c}, 64<<10); !errors.Is(err, ErrLimit) {
		t.Errorf("error %v, want ErrLimit", err)
	}
	if c.written > 64<<10+lineMax {
		t.Errorf("answered with %d bytes", c.written)
	}
}

type counting struct {
	flood

	written int
}

func (c *counting) Write(p []byte) (int, error) {
	c.written += len(p)
	return len(p), nil
}

// TestMailWithoutEnd checks that a mail is reported although it never ends.
func TestMailWithoutEnd(t *testing.T) {
	o := newWorld()
	conv := o.conversation(&flood{fixture: fixture{in: bytes.NewReader([]byte(envelope + "DATA\r\nSubject: big\r\n\r\n"))}, again: repeated(strings.Repeat("ab", 400) + "\r\n")})
	if err := SMTP().Speak(t.Context(), conv); !errors.Is(err, ErrLimit) {
		t.Errorf("error %v, want ErrLimit", err)
	}
	if len(o.mails) != 1 || !o.mails[0].Cut || o.mails[0].Subject != "big" || o.mails[0].Size < budget-1000 || len(o.mails[0].Body) != textMax {
		t.Errorf("mails: %+v", o.mails)
	}
}

// TestPipelined sends thousands of commands at once. They are reported in a few
// pieces, and all are answered.
func TestPipelined(t *testing.T) {
	const n = 10000
	o, out, _ := script(t, speaks(t, "redis"), []byte(strings.Repeat("*2\r\n$4\r\nECHO\r\n$2\r\nhi\r\n", n)))
	if got := strings.Count(out, "$2\r\nhi\r\n"); got != n {
		t.Errorf("%d answers", got)
	}
	if o.calls > n/100 {
		t.Errorf("told in %d pieces", o.calls)
	}
}

// TestSilence checks that a conversation ends when the client stays silent.
func TestSilence(t *testing.T) {
	for _, s := range append(all(), unknown()) {
		synctest.Test(t, func(t *testing.T) {
			ours, theirs := net.Pipe()
			go func() { _, _ = io.Copy(io.Discard, theirs) }()
			began := time.Now()
			if err := speaks(t, s.name).Speak(t.Context(), newWorld().conversation(ours)); err != nil {
				t.Errorf("%s: %v", s.name, err)
			}
			if waited := time.Since(began); waited != idleWait {
				t.Errorf("%s: waited %v", s.name, waited)
			}
			_ = ours.Close()
			_ = theirs.Close()
			synctest.Wait()
		})
	}
}

// TestCancelled checks that a conversation ends with its context.
func TestCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		ours, theirs := net.Pipe()
		defer func() { _ = theirs.Close() }()
		err := SMTP().Speak(ctx, newWorld().conversation(ours)) // the client never reads
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
	})
}

// TestDeaf has a client that never reads; what it sends is reported anyway.
func TestDeaf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		o := newWorld()
		done := make(chan error)
		go func() { done <- SMTP().Speak(t.Context(), o.conversation(ours)) }()
		for _, line := range strings.SplitAfter(envelope+"DATA\r\nSubject: deaf\r\n\r\nx\r\n.\r\n", "\n") {
			if _, err := theirs.Write([]byte(line)); err != nil {
				t.Error(err)
			}
		}
		_ = theirs.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if len(o.mails) != 1 || o.mails[0].Subject != "deaf" {
			t.Errorf("mails: %+v", o.mails)
		}
	})
}

// TestAheadOfTLS sends commands in clear behind STARTTLS. They must not count
// as sent inside TLS.
func TestAheadOfTLS(t *testing.T) {
	o := newWorld()
	c := &fixture{in: bytes.NewReader([]byte("STARTTLS\r\nMAIL FROM:<injected@b.example>\r\n"))}
	conv := o.conversation(c)
	within := &fixture{in: bytes.NewReader([]byte("RCPT TO:<c@d.example>\r\nSTARTTLS\r\nQUIT\r\n"))}
	calls := 0
	conv.Upgrade = func() (net.Conn, error) { calls++; return within, nil }
	if err := SMTP().Speak(t.Context(), conv); err != nil {
		t.Fatal(err)
	}
	o.wants(t, "", "injected@b.example")
	if out := within.out.String(); !strings.HasPrefix(out, "503") || !strings.Contains(out, "\r\n502 ") || calls != 1 {
		t.Errorf("answers within TLS: %q, begun %d times", out, calls)
	}
}

func TestUpgradeFails(t *testing.T) {
	for name, input := range map[string]string{
		"smtp": "STARTTLS\r\n", "ftp": "AUTH TLS\r\n", "pop3": "STLS\r\n", "imap": "a STARTTLS\r\n", "postgresql": "\x00\x00\x00\x08\x04\xd2\x16\x2f",
		"mysql": "\x20\x00\x00\x01\x05\xaa\x08\x00" + strings.Repeat("\x00", 28), "ldap": "\x30\x1d\x02\x01\x01\x77\x18\x80\x16" + startTLS,
	} {
		conv := newWorld().conversation(&fixture{in: bytes.NewReader([]byte(input))})
		calls := 0
		conv.Upgrade = func() (net.Conn, error) { calls++; return nil, errors.New("no certificate is good enough") }
		if err := speaks(t, name).Speak(t.Context(), conv); err != nil || calls != 1 {
			t.Errorf("%s: error %v, TLS begun %d times", name, err, calls)
		}
	}
}

// TestThrough checks that all bytes sent through a proxy are handed over,
// including the first.
func TestThrough(t *testing.T) {
	for input, want := range map[string]string{
		"\x05\x01\x00\x05\x01\x00\x03\x0ac2.example\x01\xbbhello":                    "c2.example 443 hello",
		"\x05\x01\x00\x05\x01\x00\x01\xc0\x00\x02\x01\x00\x50hello":                  "192.0.2.1 80 hello",
		"\x04\x01\x00\x50\x00\x00\x00\x01joe\x00c2.example\x00hello":                 "c2.example 80 hello",
		"\x05\x01\x00\x05\x01\x00\x04" + strings.Repeat("\x00", 15) + "\x01\x00\x50": "::1 80 ",
	} {
		o := newWorld()
		conv := o.conversation(&fixture{in: bytes.NewReader([]byte(input))})
		var got string
		conv.Through = func(_ context.Context, name string, port uint16, c net.Conn) error {
			p, err := io.ReadAll(io.LimitReader(c, 100))
			got = strings.Join([]string{name, map[uint16]string{80: "80", 443: "443"}[port], string(p)}, " ")
			return err
		}
		if err := speaks(t, "socks").Speak(t.Context(), conv); err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", input, got, err, want)
		}
		if told := o.stream.String(); told != strings.TrimSuffix(input, "hello") {
			t.Errorf("%q: told %q, too", input, told)
		}
	}
}
