package remote

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestTLS(t *testing.T) {
	tests := []struct {
		name    string
		version uint16 // the oldest accepted version
		trusted bool
		later   time.Duration
		want    string // the weakness, "" for none
	}{
		{name: "good", version: tls.VersionTLS12, trusted: true},
		{name: "signed by itself", version: tls.VersionTLS12, want: "the certificate is not valid"},
		{name: "old version", version: tls.VersionTLS10, trusted: true, want: "TLS 1.1 is accepted"},
		{name: "expired", version: tls.VersionTLS12, trusted: true, later: 200 * 365 * 24 * time.Hour, want: "the certificate is not valid"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := httptest.NewUnstartedServer(http.NotFoundHandler())
			server.TLS = &tls.Config{MinVersion: tt.version}
			server.Config.ErrorLog = log.New(io.Discard, "", 0)
			server.StartTLS()
			defer server.Close()
			u, _ := url.Parse(server.URL)
			roots := x509.NewCertPool()
			if tt.trusted {
				roots.AddCert(server.Certificate())
			}
			told := CheckTLS(t.Context(), &net.Dialer{}, u, roots, time.Now().Add(tt.later))
			var weak []string
			for _, d := range told {
				if d.Weak {
					weak = append(weak, d.Got)
				}
			}
			if got := strings.Join(weak, "; "); tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("weak: %q, want %q in %+v", got, tt.want, told)
			}
			if len(told) == 0 {
				t.Error("nothing was told")
			}
		})
	}
}

func TestGuess(t *testing.T) {
	for name, tt := range map[string]struct {
		ids  []string
		weak bool
	}{
		"uuid 4":      {[]string{"8a6e0804-2bd0-4672-b79d-d97027f9071a", "f1e2c3b4-0a1b-4c3d-9e8f-7a6b5c4d3e2f", "0b9c8d7e-6f5a-4b3c-8d1e-0f9a8b7c6d5e", "c0ffee00-1111-4222-a333-44445555beef", "5d4c3b2a-9e8f-4a7b-b6c5-d4e3f2a1b0c9"}, false},
		"uuid 1":      {[]string{"8a6e0804-2bd0-11ef-b79d-d97027f9071a", "8a6e0a05-2bd0-11ef-b79d-d97027f9071a", "8a6e0c22-2bd0-11ef-b79d-d97027f9071a", "8a6e0f91-2bd0-11ef-b79d-d97027f9071a", "8a6e11aa-2bd0-11ef-b79d-d97027f9071a"}, true},
		"random 36":   {[]string{"k3j9x0q2m1", "zz81hd72ka", "0pqm3n4b5v", "a8s7d6f5g4", "q1w2e3r4t5"}, true},
		"one for all": {[]string{"x", "x", "x", "x", "x"}, true},
		"empty tail":  {[]string{"s", "s1", "s2", "s3", "s4"}, true},
	} {
		if text, weak := guess(tt.ids); weak != tt.weak {
			t.Errorf("%s: %s, weak %v", name, text, weak)
		}
	}
}

func FuzzStream(f *testing.F) {
	f.Add([]byte("event: endpoint\ndata: /messages\n\n"), "1")
	f.Add([]byte("data: {\"id\":\"1\",\"result\":{}}\n\n"), "1")
	f.Add([]byte("[{\"id\":\"1\",\"error\":7}]"), "1")
	f.Add([]byte("["), "")
	f.Fuzz(func(t *testing.T, data []byte, id string) {
		var a answer
		a.read(newStream(strings.NewReader(string(data))), id)
		a.recognise(data, id)
		if a.body != nil && a.result == nil && a.failure == "" {
			t.Errorf("an answer without content: %q", a.body)
		}
		guess([]string{string(data), id})
	})
}
