package host

import (
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

func mustURL(t testing.TB, s string) *url.URL {
	t.Helper()
	u, err := url.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestHTTP2(t *testing.T) {
	w := start(t, nil, "api.example", 443)
	client := w.client(t, true)
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, "the secret in a body")
	z.Close()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://api.example/v1/items", &b)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Encoding", "gzip")
	req.Header.Set("X-Key", "k")
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil || resp.ProtoMajor != 2 || resp.StatusCode != http.StatusCreated || len(body) == 0 {
		t.Errorf("%v, %s, %q", err, resp.Status, body)
	}
	r := w.requests()[0]
	if r.Version != "2" || r.URL != "https://api.example/v1/items" || r.Body != "the secret in a body" || r.Status != 201 || r.Answer != string(body) {
		t.Errorf("%+v", r)
	}
	if got := w.all("header x-key"); got != "k" {
		t.Errorf("the header is %q", got)
	}
	client.CloseIdleConnections()
	if end := w.end(t, 1)[0]; end.Service != "tls/http" {
		t.Errorf("%+v", end)
	}
}

// TestParallelUploads checks that bodies are reported completely, however their
// frames are interleaved.
func TestParallelUploads(t *testing.T) {
	w := start(t, nil, "api.example", 443)
	client := w.client(t, true)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			text := fmt.Sprintf("begin%02d", i) + strings.Repeat(string(rune('a'+i)), 40<<10) + fmt.Sprintf("end%02d", i)
			resp, err := client.Post("https://api.example/upload", "text/plain", strings.NewReader(text))
			if err != nil {
				t.Error(err)
				return
			}
			io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		})
	}
	wg.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	whole := 0
	for _, s := range w.sent {
		if s.Part == "body" && strings.HasPrefix(s.Text, "begin") && s.Text[5:7] == s.Text[len(s.Text)-2:] {
			whole++
		}
	}
	if whole != 20 {
		t.Errorf("%d of 20 bodies are whole", whole)
	}
}

// TestManyRequests sends more requests than one connection accepts; the client
// does not notice.
func TestManyRequests(t *testing.T) {
	w := start(t, nil, "api.example", 443)
	client := w.client(t, true)
	for i := range maxRequests + 50 {
		resp, err := client.Get(fmt.Sprintf("https://api.example/v1/x/%d", i))
		if err != nil {
			t.Fatal(i, err)
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	client.CloseIdleConnections()
	for _, end := range w.end(t, 2) {
		if end.Cut {
			t.Error("this is no cut")
		}
	}
	if n := len(w.requests()); n != maxRequests+50 {
		t.Errorf("%d requests", n)
	}
}

func TestInterruptedPieces(t *testing.T) {
	var sent []string
	s := &web{session: &session{h: New(nil), v: &Visit{Sent: func(_ string, p []byte) { sent = append(sent, string(p)) }}}}
	a, b := s.newIntake(nil), s.newIntake(nil)
	first := strings.Repeat(".", pieceSize-3) + "SEC"
	a.take([]byte(first))
	b.take([]byte("between"))
	b.end()
	a.take([]byte("RET"))
	a.end()
	if len(sent) != 3 || !strings.HasSuffix(sent[2], "SECRET") {
		t.Errorf("%d pieces, the last ends %q", len(sent), sent[len(sent)-1][max(0, len(sent[len(sent)-1])-10):])
	}
}

// peer writes arbitrary frames.
type peer struct {
	net.Conn
	*http2.Framer
	block bytes.Buffer
	enc   *hpack.Encoder
}

func (w *world) peer(t testing.TB) *peer {
	t.Helper()
	config := w.tlsConfig()
	config.NextProtos = []string{"h2"}
	c, err := tls.Dial("tcp", w.addr, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	io.WriteString(c, preface)
	p := &peer{Conn: c, Framer: http2.NewFramer(c, c)}
	p.AllowIllegalWrites = true
	p.enc = hpack.NewEncoder(&p.block)
	p.WriteSettings()
	return p
}

func (p *peer) headers(id uint32, end bool, fields ...string) error {
	p.block.Reset()
	for i := 0; i < len(fields); i += 2 {
		p.enc.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1]})
	}
	return p.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: p.block.Bytes(), EndHeaders: true, EndStream: end})
}

// last reads until the host closes the connection, and returns the reason.
func (p *peer) last(t testing.TB) http2.ErrCode {
	t.Helper()
	p.SetReadDeadline(time.Now().Add(time.Minute))
	for {
		f, err := p.ReadFrame()
		if err != nil {
			return 0
		}
		if g, ok := f.(*http2.GoAwayFrame); ok && g.ErrCode != http2.ErrCodeNo {
			return g.ErrCode
		}
	}
}

var get = []string{":method", "GET", ":path", "/v1/x", ":authority", "a.example", ":scheme", "https"}

func TestHostileHTTP2(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(p *peer) error
		code http2.ErrCode
		cut  bool
	}{
		{"pings", func(p *peer) (err error) {
			for range maxIdle + 100 {
				err = p.WritePing(false, [8]byte{})
			}
			return err
		}, http2.ErrCodeEnhanceYourCalm, true},
		{"settings", func(p *peer) (err error) {
			for i := range uint32(maxIdle + 100) {
				err = p.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: i})
			}
			return err
		}, http2.ErrCodeEnhanceYourCalm, true},
		{"rapid reset", func(p *peer) (err error) {
			for i := range uint32(2*maxRequests + 100) {
				p.headers(2*i+1, false, get...)
				err = p.WriteRSTStream(2*i+1, http2.ErrCodeCancel)
			}
			return err
		}, http2.ErrCodeEnhanceYourCalm, true},
		{"empty data", func(p *peer) (err error) {
			p.headers(1, false, get...)
			for range maxIdle + 100 {
				err = p.WriteData(1, false, nil)
			}
			return err
		}, http2.ErrCodeEnhanceYourCalm, true},
		{"continuations", func(p *peer) (err error) {
			p.WriteHeaders(http2.HeadersFrameParam{StreamID: 1})
			for range maxIdle + 100 {
				err = p.WriteContinuation(1, false, nil)
			}
			return err
		}, http2.ErrCodeProtocol, false},
		{"table bomb", func(p *peer) error {
			// One long field, then one-byte references to it.
			var b bytes.Buffer
			e := hpack.NewEncoder(&b)
			e.WriteField(hpack.HeaderField{Name: "x", Value: strings.Repeat("a", 3900)})
			b.Write(bytes.Repeat([]byte{0x80 | 62}, 8000))
			return p.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: b.Bytes(), EndHeaders: true})
		}, http2.ErrCodeEnhanceYourCalm, true},
		{"broken block", func(p *peer) error {
			return p.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: []byte{0xff, 0xff, 0xff, 0xff, 0xff}, EndHeaders: true})
		}, http2.ErrCodeCompression, false},
		{"even stream", func(p *peer) error { return p.headers(2, true, get...) }, http2.ErrCodeProtocol, false},
		{"old stream", func(p *peer) error { p.headers(5, true, get...); return p.headers(3, true, get...) }, http2.ErrCodeProtocol, false},
		{"wide window", func(p *peer) error {
			for range 3 {
				p.WriteWindowUpdate(0, 1<<31-1)
			}
			return nil
		}, http2.ErrCodeFlowControl, false},
		{"large frame", func(p *peer) error {
			p.headers(1, false, get...)
			return p.WriteData(1, true, make([]byte, 20<<10))
		}, http2.ErrCodeFrameSize, false},
		{"no method", func(p *peer) error { return p.headers(1, true, "x", "y") }, http2.ErrCodeProtocol, false},
		{"push", func(p *peer) error {
			return p.WritePushPromise(http2.PushPromiseParam{StreamID: 1, PromiseID: 2, EndHeaders: true})
		}, http2.ErrCodeProtocol, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := start(t, nil, "a.example", 443)
			p := w.peer(t)
			go func() { tt.do(p) }()
			if got := p.last(t); got != tt.code {
				t.Errorf("ended with %v", got)
			}
			p.Close()
			if end := w.end(t, 1)[0]; end.Cut != tt.cut {
				t.Errorf("cut is %t", end.Cut)
			}
		})
	}
}

// TestMalformedFieldsAreTold sends fields that a strict server would reject.
func TestMalformedFieldsAreTold(t *testing.T) {
	w := start(t, nil, "a.example", 443)
	p := w.peer(t)
	p.headers(1, true, append(get[:8:8], "Upper-Case", "one", "connection", "two", "a b", "three", "x", "fo\r\nur")...)
	p.headers(3, false, get...)
	p.WriteData(3, false, []byte("half a body"))
	p.WriteRSTStream(3, http2.ErrCodeCancel)
	p.headers(5, false, get...)
	p.WriteData(5, false, []byte("another half"))
	p.WriteGoAway(0, 0, []byte("a farewell"))
	p.Close()
	w.end(t, 1)
	for part, want := range map[string]string{
		"header Upper-Case": "one", "header connection": "two", "header a b": "three", "header x": "fo\r\nur",
		"body": "half a bodyanother half", "": "a farewell",
	} {
		if got := w.all(part); got != want {
			t.Errorf("%q: %q", part, got)
		}
	}
	if n := len(w.requests()); n != 3 {
		t.Errorf("%d requests", n)
	}
}

// TestSmallWindow lets the host send one byte at a time.
func TestSmallWindow(t *testing.T) {
	w := start(t, nil, "a.example", 443)
	p := w.peer(t)
	p.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0})
	p.headers(1, true, get...)
	var body []byte
	for {
		f, err := p.ReadFrame()
		if err != nil {
			t.Fatal(err)
		}
		if d, ok := f.(*http2.DataFrame); ok {
			if body = append(body, d.Data()...); d.StreamEnded() {
				break
			}
		}
		if _, ok := f.(*http2.SettingsFrame); !ok {
			p.WriteWindowUpdate(1, 40)
		}
	}
	if got := w.requests()[0].Answer; got != string(body) {
		t.Errorf("got %q of %q", body, got)
	}
}

func TestHTTP2BodyTooLarge(t *testing.T) {
	w := start(t, nil, "a.example", 443)
	resp, err := w.client(t, true).Post("https://a.example/up", "text/plain", io.LimitReader(zeros{}, maxBody+1<<20))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusRequestEntityTooLarge {
		t.Error(resp.Status)
	}
	if r := w.requests()[0]; !r.Cut || r.Size != maxBody {
		t.Errorf("cut %t, size %d", r.Cut, r.Size)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestCleartextHTTP2(t *testing.T) {
	w := start(t, nil, "a.example", 80)
	var protocols http.Protocols
	protocols.SetUnencryptedHTTP2(true)
	transport := &http.Transport{Protocols: &protocols}
	defer transport.CloseIdleConnections()
	resp, err := (&http.Client{Transport: transport}).Get("http://" + w.addr + "/v1/x")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.ProtoMajor != 2 || w.requests()[0].Version != "2" {
		t.Errorf("%s", resp.Proto)
	}
}

func TestGRPC(t *testing.T) {
	w := start(t, nil, "a.example", 443)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://a.example/pkg.Service/Call", strings.NewReader("\x00\x00\x00\x00\x02hi"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/grpc+proto")
	resp, err := w.client(t, true).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil || len(body) != 5 || resp.Trailer.Get("Grpc-Status") != "0" {
		t.Errorf("%v, %q, %v", err, body, resp.Trailer)
	}
}

func FuzzHTTP2(f *testing.F) {
	h := New(testOptions(f))
	f.Add([]byte("\x00\x00\x00\x04\x00\x00\x00\x00\x00"))
	f.Add([]byte("\x00\x00\x03\x01\x05\x00\x00\x00\x01\x82\x84\x87"))
	f.Fuzz(func(t *testing.T, p []byte) {
		c := &replay{in: append([]byte(preface), p...)}
		h.Serve(t.Context(), &Visit{Conn: c, To: c.to()})
	})
}

// Headers of HTTP/2 beyond what a request may have are searched all the same.
func TestManyFieldsAreTold(t *testing.T) {
	w := start(t, nil, "a.example", 443)
	p := w.peer(t)
	var b bytes.Buffer
	e := hpack.NewEncoder(&b)
	for _, f := range [][2]string{{":method", "GET"}, {":path", "/"}, {":scheme", "https"}, {":authority", "a.example"}} {
		e.WriteField(hpack.HeaderField{Name: f[0], Value: f[1]})
	}
	for range 30 {
		e.WriteField(hpack.HeaderField{Name: "x", Value: strings.Repeat("a", 4000), Sensitive: true})
	}
	e.WriteField(hpack.HeaderField{Name: "y", Value: "behind-it-all-8731"})
	go func() {
		block := b.Bytes()
		p.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: block[:10000], EndStream: true})
		for block = block[10000:]; len(block) > 10000; block = block[10000:] {
			p.WriteContinuation(1, false, block[:10000])
		}
		p.WriteContinuation(1, true, block)
	}()
	if got := p.last(t); got != http2.ErrCodeEnhanceYourCalm {
		t.Errorf("ended with %v", got)
	}
	p.Close()
	if end := w.end(t, 1)[0]; end.Cut {
		t.Error("nothing was left unread")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Contains(w.sent, sentPart{"header y", "behind-it-all-8731"}) {
		t.Error("a header behind many others was not searched")
	}
}
