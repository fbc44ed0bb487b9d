package servicecmd

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
)

// TestServerOptions checks the trusted proxies, by flag and environment, and
// whether the public URL uses TLS.
func TestServerOptions(t *testing.T) {
	for name, tt := range map[string]struct {
		env     map[string]string
		proxies string
		public  string
		want    int
		https   bool
	}{
		"nothing":          {},
		"a flag":           {proxies: "10.0.0.0/8,::1", want: 2},
		"the environment":  {env: map[string]string{"MCPSF_TRUSTED_PROXIES": "10.0.0.0/8"}, want: 1},
		"the flag decides": {env: map[string]string{"MCPSF_TRUSTED_PROXIES": "10.0.0.0/8"}, proxies: "192.0.2.1,192.0.2.2", want: 2},
		"by TLS":           {public: "HTTPS://mcpsf.example", https: true},
		"without":          {public: "http://mcpsf.example"},
	} {
		p := &program.Program{Getenv: func(n string) string { return tt.env[n] }}
		opts, _, err := serverOptions(p, &serveFlags{proxies: tt.proxies, public: tt.public, maxUpload: "1m"})
		if err != nil || len(opts.Public.Proxies) != tt.want || opts.Public.HTTPS != tt.https {
			t.Errorf("%s: %v, %v, %v, want %d proxies and %v", name, opts.Public.Proxies, opts.Public.HTTPS, err, tt.want, tt.https)
		}
	}
}

// TestJobEnvironment checks that a job's environment has no secret of the
// service or its collector.
func TestJobEnvironment(t *testing.T) {
	got := jobEnvironment([]string{
		"PATH=/bin", "MCPSF_SECRET=x", "MCPSF_DATABASE=x", "AWS_SECRET_ACCESS_KEY=x", "PGPASSWORD=x", "OTEL_EXPORTER_OTLP_HEADERS=authorization=x", "OTEL_EXPORTER_OTLP_ENDPOINT=x", "MCPSF_CACHE=/c",
	})
	if d := cmp.Diff([]string{"PATH=/bin", "MCPSF_CACHE=/c"}, got); d != "" {
		t.Error(d)
	}
}
