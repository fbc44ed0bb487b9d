package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/job"
)

// part is a part of a form.
type part struct{ name, file, text string }

func formOf(t testing.TB, parts ...part) (kind, body string) {
	t.Helper()
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	for _, p := range parts {
		var to io.Writer
		var err error
		if p.file != "" {
			to, err = m.CreateFormFile(p.name, p.file)
		} else {
			to, err = m.CreateFormField(p.name)
		}
		if err == nil {
			_, err = io.WriteString(to, p.text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	m.Close()
	return m.FormDataContentType(), b.String()
}

func (w *world) upload(who string, parts ...part) *reply {
	w.Helper()
	kind, body := formOf(w, parts...)
	return w.ask(who, "POST", "/api/v1/assess", body, header{"Content-Type", kind})
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

func TestUpload(t *testing.T) {
	each(t, func(w *world) {
		dir := t.TempDir()
		t.Setenv("TMPDIR", dir)
		request := part{name: "request", text: `{"profile":"safe"}`}
		for i, parts := range [][]part{
			{request, {"archive", `C:\x\..\we/ird name;.tgz`, "one"}},
			{{"archive", "two.ZIP", "two"}, request},
			{{"archive", "three.mcpb", "three"}},
		} {
			res := w.upload("alpha submitter", parts...)
			if res.StatusCode != http.StatusAccepted {
				t.Fatalf("%d: %s: %s", i, res.Status, res.text)
			}
		}
		want := map[string]string{"one": "ird_name_.tgz", "two": "two.ZIP", "three": "three.mcpb"}
		for range 3 {
			c := w.claim()
			archive, err := w.files.Open(t.Context(), "uploads/"+c.Job.Request.Archive)
			if err != nil {
				t.Fatal(err)
			}
			text, _ := io.ReadAll(archive)
			if digest(string(text)) != c.Job.Request.Archive || want[string(text)] != c.Job.Request.ArchiveName {
				t.Errorf("%q: %+v", text, c.Job.Request)
			}
		}
		var s submission
		w.upload("alpha submitter", part{"archive", "three.mcpb", "three"}).into(t, &s)
		if !s.Shared {
			t.Error("the same archive again is another job")
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 || len(w.files.names()) != 3 {
			t.Errorf("left are %v, %v", left, w.files.names())
		}
	})
}

func TestUploadRefuses(t *testing.T) {
	tweak := func(_ *Server, o *Options) { o.Limits.Upload, o.Limits.Body = 1000, 200 }
	eachWith(t, tweak, func(w *world) {
		archive := part{"archive", "a.zip", "x"}
		for name, tt := range map[string]struct {
			parts  []part
			status int
		}{
			"no archive":         {[]part{{name: "request", text: `{}`}}, 400},
			"nothing":            {nil, 400},
			"no file":            {[]part{{name: "archive", text: "x"}}, 400},
			"empty":              {[]part{{"archive", "a.zip", ""}}, 400},
			"name":               {[]part{{"archive", "a.exe", "x"}}, 400},
			"only an end":        {[]part{{"archive", ".zip", "x"}}, 400},
			"two":                {[]part{archive, archive}, 400},
			"two requests":       {[]part{{name: "request", text: `{}`}, {name: "request", text: `{}`}, archive}, 400},
			"something else":     {[]part{archive, {name: "x", text: "x"}}, 400},
			"source and archive": {[]part{{name: "request", text: `{"source":"npm:a"}`}, archive}, 400},
			"archive by digest":  {[]part{{name: "request", text: `{"archive":"` + digest("x") + `"}`}, archive}, 400},
			"wrong request":      {[]part{archive, {name: "request", text: `{"profile":"x"}`}}, 400},
			"unknown field":      {[]part{archive, {name: "request", text: `{"x":1}`}}, 400},
			"too large":          {[]part{{"archive", "a.zip", strings.Repeat("x", 1001)}}, 413},
			"much too large":     {[]part{{"archive", "a.zip", strings.Repeat("x", 1<<20)}}, 413},
			"large request":      {[]part{{name: "request", text: `{"args":["` + strings.Repeat("x", 200) + `"]}`}, archive}, 413},
		} {
			if res := w.upload("alpha submitter", tt.parts...); res.StatusCode != tt.status {
				t.Errorf("%s: %s: %s", name, res.Status, res.text)
			}
		}
		kind, body := formOf(t, archive)
		for _, cut := range []int{0, 10, len(body) / 2, len(body) - 10} {
			if res := w.ask("alpha submitter", "POST", "/api/v1/assess", body[:cut], header{"Content-Type", kind}); res.StatusCode != http.StatusBadRequest {
				t.Errorf("%d bytes of a form: %s: %s", cut, res.Status, res.text)
			}
		}
		if res := w.upload("alpha submitter", part{"archive", "a.zip", strings.Repeat("x", 1000)}); res.StatusCode != http.StatusAccepted {
			t.Errorf("as large as may be: %s: %s", res.Status, res.text)
		}
		if names := w.files.names(); len(names) != 1 {
			t.Errorf("kept are %v", names)
		}
		w.files.fail(errors.New("the disk is full"))
		if res := w.upload("alpha submitter", part{"archive", "b.zip", "y"}); res.StatusCode != http.StatusInternalServerError || strings.Contains(string(res.text), "disk") {
			t.Errorf("the files are broken: %s: %s", res.Status, res.text)
		}
		if counts, err := w.store.Counts(t.Context()); err != nil || counts[job.Queued] != 1 {
			t.Errorf("%v, %v", counts, err)
		}
	})
}

// A client that disconnects or stalls in the middle of an archive leaves no file
// and holds no slot.
func TestUploadCutOff(t *testing.T) {
	tweak := func(s *Server, _ *Options) {
		if s != nil {
			s.timeouts.read = 50 * time.Millisecond
		}
	}
	eachWith(t, tweak, func(w *world) {
		dir := t.TempDir()
		t.Setenv("TMPDIR", dir)
		kind, body := formOf(t, part{"archive", "a.zip", strings.Repeat("x", 1<<20)})
		for name, vanish := range map[string]bool{"vanishes": true, "stalls": false} {
			conn, err := net.Dial("tcp", w.at.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(conn, "POST /api/v1/assess HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s",
				w.keys["alpha submitter"], kind, len(body), body[:len(body)/2])
			if vanish {
				conn.Close()
			} else {
				conn.SetReadDeadline(time.Now().Add(30 * time.Second))
				answer, _ := io.ReadAll(conn)
				if !strings.HasPrefix(string(answer), "HTTP/1.1 408 ") || !strings.Contains(string(answer), "urn:mcpsf:problem:too-slow") {
					t.Errorf("%s: %q", name, answer)
				}
				conn.Close()
			}
			eventually(t, name+": an upload is still under way", func() bool { return len(w.server.Submissions.uploads.running) == 0 })
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 || len(w.files.names()) > 0 {
			t.Errorf("left are %v and %v", left, w.files.names())
		}
	})
}

// A client that sends very slowly is cut off too.
func TestUploadTrickles(t *testing.T) {
	tweak := func(s *Server, _ *Options) {
		if s != nil {
			s.timeouts.upload = 100 * time.Millisecond
		}
	}
	eachWith(t, tweak, func(w *world) {
		conn, err := net.Dial("tcp", w.at.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		kind, body := formOf(t, part{"archive", "a.zip", strings.Repeat("x", 1<<20)})
		fmt.Fprintf(conn, "POST /api/v1/assess HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s",
			w.keys["alpha submitter"], kind, len(body), body[:300])
		eventually(t, "it is still waited for", func() bool {
			_, err := io.WriteString(conn, "x")
			return err != nil
		})
		if names := w.files.names(); len(names) > 0 {
			t.Errorf("kept are %v", names)
		}
	})
}

// eventually waits until a condition is true.
func eventually(t testing.TB, what string, f func() bool) {
	t.Helper()
	for range 3000 {
		if f() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error(what)
}

func FuzzArchiveName(f *testing.F) {
	for _, s := range []string{"a.zip", "../../x.tgz", `..\x.tar`, ".zip", "\x00.zip", "ü.whl", strings.Repeat("x", 500) + ".dxt"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		name, err := archiveName(s)
		if err != nil {
			return
		}
		if len(name) > 256 || name[0] == '.' || name[0] == '-' || strings.ContainsFunc(name, func(c rune) bool { return c <= ' ' || c > '~' || strings.ContainsRune(`/\"'<>&;%`, c) }) {
			t.Errorf("%q became %q", s, name)
		}
	})
}
