package blob

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/minio/minio-go/v7"

	"github.com/mcpsf/mcpsf"
)

func TestPlaces(t *testing.T) {
	for place, want := range map[string]*bucket{
		"s3://files":                       {name: "files", region: "us-east-1"},
		"s3://files/":                      {name: "files", region: "us-east-1"},
		"s3://my.files-1/a/b/?region=eu-1": {name: "my.files-1", prefix: "a/b", region: "eu-1"},
		"s3://files?endpoint=http://host.example:9000/&region=x": {name: "files", region: "x"},
	} {
		got, err := parse(place)
		if err != nil {
			t.Errorf("%s: %v", place, err)
			continue
		}
		if got.name != want.name || got.prefix != want.prefix || got.region != want.region {
			t.Errorf("%s: %+v", place, got)
		}
	}
	for _, place := range []string{
		"", "s3://", "s3:///files", "s3://F", "s3://ab", "s3://../x", "s3://files/../x", "s3://files/.x", "s3://files/a//b", "s3://files/a%00b", "s3://fi\nles",
		"s3://hunter2:hunter2@files", "s3://files?endpoint=hunter2", "s3://files?endpoint=ftp://hunter2", "s3://files?endpoint=https://", "s3://files?endpoint=https://host.example/hunter2",
		"s3://files?endpoint=https://u:hunter2@host.example", "s3://files?endpoint=https://host.example?hunter2", "s3://files?endpoint=", "s3://files?region=", "s3://files?region=a&region=b",
		"s3://files?secret=hunter2", "s3://files?a;b", "s3://files#hunter2", "s3://files/" + strings.Repeat("x", 300), "gs://hunter2", "file:///tmp", "http://host.example",
	} {
		s, err := Open(t.Context(), place, Credentials{ID: "id", Secret: "secret"})
		if mcpsf.ErrorCode(err) != mcpsf.CodeUsage {
			t.Errorf("%q: %v, %v", place, s, err)
		} else if strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: the message tells too much: %v", place, err)
		}
	}
	for _, c := range []Credentials{{}, {ID: "id"}, {Secret: "secret"}} {
		if _, err := Open(t.Context(), "s3://files", c); mcpsf.ErrorCode(err) != mcpsf.CodeUsage {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// A request to a busy server is repeated.
func TestS3Busy(t *testing.T) {
	t.Parallel() // mostly waits
	b := &breaker{left: map[string]int{}}
	server := serve(t, b.between)
	s := open(t, "s3://files/p?endpoint="+server.URL)
	busy := func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, method := range []string{http.MethodPut, http.MethodGet, http.MethodHead, http.MethodPost} {
			b.left[method] = 2
		}
	}
	busy()
	put(t, s, "small", "text")
	large := strings.Repeat("x", partSize+1000)
	busy()
	put(t, s, "large", large)
	busy()
	if get(t, s, "small") != "text" || get(t, s, "large") != large {
		t.Error("what was put is not what was got")
	}
	busy()
	if got := list(t, s, "."); !cmp.Equal(got, []string{"large", "small"}) {
		t.Errorf("there is %v", got)
	}
	busy()
	if err := s.Remove(t.Context(), "large"); err != nil {
		t.Error(err)
	}
	if b.seen < 12 {
		t.Errorf("only %d requests met a busy server", b.seen)
	}
	// It is not repeated for ever.
	b.left[http.MethodPut] = 1000
	_, err := s.Put(t.Context(), "never", strings.NewReader("x"))
	if mcpsf.ErrorCode(err) != mcpsf.CodeUnavailable || !strings.Contains(err.Error(), "503") || strings.Contains(err.Error(), "\n") {
		t.Errorf("busy: %v", err)
	}
	if b.left[http.MethodPut] < 900 {
		t.Errorf("it was asked %d times", 1000-b.left[http.MethodPut])
	}
}

func TestS3Gone(t *testing.T) {
	t.Parallel() // mostly waits
	server := serve(t, nil)
	place := "s3://files?endpoint=" + server.URL
	s := open(t, place)
	put(t, s, "x", "x")
	f, err := s.Open(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	server.CloseClientConnections()
	server.Close()
	var wg sync.WaitGroup // each tries for some seconds
	for what, f := range map[string]func() error{
		"put":     func() error { _, err := s.Put(t.Context(), "y", strings.NewReader("y")); return err },
		"opened":  func() error { _, err := s.Open(t.Context(), "x"); return err },
		"listed":  func() error { _, err := s.List(t.Context(), "."); return err },
		"removed": func() error { return s.Remove(t.Context(), "x") },
		"begun":   func() error { _, err := Open(t.Context(), place, Credentials{ID: "id", Secret: "secret"}); return err },
		"read":    func() error { _, err := f.Read(make([]byte, 1)); return err },
	} {
		wg.Go(func() {
			err := f()
			if mcpsf.ErrorCode(err) != mcpsf.CodeUnavailable || !strings.Contains(err.Error(), "cannot reach the bucket files") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v", what, err)
			}
		})
	}
	wg.Wait()
}

func TestS3Refuses(t *testing.T) {
	refuse := atomic.Bool{}
	server := serve(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if refuse.Load() {
				http.Error(w, `<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>`, http.StatusForbidden)
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	if _, err := Open(t.Context(), "s3://other-files?endpoint="+server.URL, Credentials{ID: "id", Secret: "secret"}); mcpsf.ErrorCode(err) != mcpsf.CodeUnavailable || !strings.Contains(err.Error(), "no bucket other-files") {
		t.Errorf("another bucket: %v", err)
	}
	s := open(t, "s3://files?endpoint="+server.URL)
	refuse.Store(true)
	_, opened := s.Open(t.Context(), "x")
	_, put := s.Put(t.Context(), "x", strings.NewReader("x"))
	_, listed := s.List(t.Context(), ".")
	_, again := Open(t.Context(), "s3://files?endpoint="+server.URL, Credentials{ID: "id", Secret: "secret"})
	for what, err := range map[string]error{"opened": opened, "put": put, "listed": listed, "removed": s.Remove(t.Context(), "x"), "begun": again} {
		if mcpsf.ErrorCode(err) != mcpsf.CodeUnavailable || !strings.Contains(err.Error(), "refuses") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Objects of others in the bucket are neither listed nor changed.
func TestS3Shared(t *testing.T) {
	server := serve(t, nil)
	s := open(t, "s3://files/ours?endpoint="+server.URL).(*S3)
	root := open(t, "s3://files?endpoint="+server.URL)
	put(t, root, "ours-not", "x")
	put(t, root, "theirs", "x")
	put(t, s, "x", "x")
	for _, key := range []string{"ours/", "ours/dir/", "ours/.hidden", "ours/a//b"} {
		if _, err := s.core.PutObject(t.Context(), "files", key, strings.NewReader(""), 0, "", "", minio.PutObjectOptions{DisableContentSha256: true}); err != nil {
			t.Fatal(err)
		}
	}
	if got := list(t, s, "."); !cmp.Equal(got, []string{"x"}) {
		t.Errorf("there is %v", got)
	}
	if err := s.Remove(t.Context(), "x"); err != nil {
		t.Error(err)
	}
	if got := list(t, root, "."); !cmp.Equal(got, []string{"ours-not", "theirs"}) {
		t.Errorf("there is %v", got)
	}
}

// A read that breaks off is resumed at the same offset.
func TestS3BreaksOff(t *testing.T) {
	const size = 300_000
	var broke atomic.Int64
	server := serve(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet || r.URL.Query().Has("list-type") {
				next.ServeHTTP(w, r)
				return
			}
			whole := httptest.NewRecorder()
			next.ServeHTTP(whole, r)
			maps.Copy(w.Header(), whole.Header())
			w.WriteHeader(whole.Code)
			body := whole.Body.Bytes()
			if len(body) > size/4 {
				broke.Add(1)
				_, _ = w.Write(body[:size/4])
				panic(http.ErrAbortHandler)
			}
			_, _ = w.Write(body)
		})
	})
	s := open(t, "s3://files?endpoint="+server.URL)
	text := strings.Repeat("0123456789", size/10)
	put(t, s, "x", text)
	if got := get(t, s, "x"); got != text {
		t.Errorf("%d bytes are not the %d that were put", len(got), len(text))
	}
	if broke.Load() < 2 {
		t.Errorf("it broke off %d times", broke.Load())
	}
	// A new file of the same name is not used to resume.
	f, err := s.Open(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := io.ReadFull(f, make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	put(t, s, "x", strings.Repeat("x", size))
	if got, err := io.ReadAll(f); err == nil || !strings.Contains(err.Error(), "replaced meanwhile") || strings.Contains(string(got), "x") {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}
