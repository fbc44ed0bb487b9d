package blob

import (
	"bytes"
	"io"
	"io/fs"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// subject is a store under test, and what is behind it.
type subject struct {
	Opened
	// leftovers are remains of files that were not put completely.
	leftovers func(t *testing.T) []string
}

// each runs a test on every kind of store.
func each(t *testing.T, f func(t *testing.T, s subject)) {
	t.Helper()
	t.Run("dir", func(t *testing.T) {
		place := filepath.Join(t.TempDir(), "made", "for us")
		d := open(t, place).(*Dir)
		f(t, subject{d, func(t *testing.T) []string {
			entries, err := fs.ReadDir(os.DirFS(place), incoming)
			if err != nil {
				t.Fatal(err)
			}
			return names(entries)
		}})
	})
	for name, prefix := range map[string]string{"s3": "", "s3 with a prefix": "/some/where"} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, nil)
			s := open(t, "s3://files"+prefix+"?endpoint="+server.URL).(*S3)
			f(t, subject{s, func(t *testing.T) []string {
				var keys []string
				for u := range s.core.ListIncompleteUploads(t.Context(), "files", "", true) {
					if u.Err != nil && !strings.Contains(u.Err.Error(), "NoSuchUpload") { // the error if there are none
						t.Fatal(u.Err)
					}
					if u.Err == nil {
						keys = append(keys, u.Key)
					}
				}
				return keys
			}})
		})
	}
}

// serve starts an S3 server with one bucket. Requests pass through between.
func serve(t *testing.T, between func(next http.Handler) http.Handler) *httptest.Server {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("files"); err != nil {
		t.Fatal(err)
	}
	handler := gofakes3.New(backend, gofakes3.WithoutVersioning(), gofakes3.WithLogger(gofakes3.DiscardLog())).Server()
	if between != nil {
		handler = between(handler)
	}
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	t.Cleanup(server.Close)
	return server
}

func open(t *testing.T, place string) Opened {
	t.Helper()
	s, err := Open(t.Context(), place, Credentials{ID: "id", Secret: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func put(t *testing.T, s Store, name, text string) {
	t.Helper()
	if n, err := s.Put(t.Context(), name, strings.NewReader(text)); err != nil || n != int64(len(text)) {
		t.Fatalf("putting %s: %d, %v", name, n, err)
	}
}

func get(t *testing.T, s Store, name string) string {
	t.Helper()
	f, err := s.Open(t.Context(), name)
	if err != nil {
		t.Fatalf("opening %s: %v", name, err)
	}
	defer f.Close()
	var b bytes.Buffer
	if _, err := io.Copy(&b, f); err != nil {
		t.Fatalf("reading %s: %v", name, err)
	}
	if f.Size() != int64(b.Len()) {
		t.Errorf("%s: its size is %d, but %d bytes came", name, f.Size(), b.Len())
	}
	return b.String()
}

func list(t *testing.T, s Store, dir string) []string {
	t.Helper()
	found, err := s.List(t.Context(), dir)
	if err != nil {
		t.Fatalf("listing %s: %v", dir, err)
	}
	var all []string
	for _, i := range found {
		all = append(all, i.Name)
	}
	return all
}

func names(entries []fs.DirEntry) []string {
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// breaker answers some requests itself.
type breaker struct {
	mu   sync.Mutex
	left map[string]int // number of requests left, by method
	seen int
}

func (b *breaker) between(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		broken := b.left[r.Method] > 0
		if broken {
			b.left[r.Method]--
			b.seen++
		}
		b.mu.Unlock()
		if broken {
			http.Error(w, "<html>\nlater", http.StatusServiceUnavailable)
			return
		}
		next.ServeHTTP(w, r)
	})
}
