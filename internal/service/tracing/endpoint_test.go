package tracing

import (
	"strings"
	"testing"
)

func TestEndpoint(t *testing.T) {
	type env = map[string]string
	for name, tt := range map[string]struct {
		given string
		env   env
		want  string
	}{
		"nothing":                 {},
		"given":                   {"http://127.0.0.1:4318", nil, "http://127.0.0.1:4318/v1/traces"},
		"given with a slash":      {"https://otel.example/", nil, "https://otel.example/v1/traces"},
		"given with a path":       {"https://otel.example/in", nil, "https://otel.example/in"},
		"a base":                  {"", env{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://otel.example:4318"}, "http://otel.example:4318/v1/traces"},
		"a base with a path":      {"", env{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://otel.example/otlp/"}, "http://otel.example/otlp/v1/traces"},
		"exactly":                 {"", env{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://otel.example/t"}, "http://otel.example/t"},
		"exactly decides":         {"", env{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://a.example/t", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://b.example"}, "http://a.example/t"},
		"the flag decides":        {"http://c.example", env{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://a.example/t"}, "http://c.example/v1/traces"},
		"off":                     {"", env{"OTEL_SDK_DISABLED": "True", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://b.example"}, ""},
		"no traces":               {"", env{"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://b.example"}, ""},
		"the flag, with all off":  {"http://c.example", env{"OTEL_SDK_DISABLED": "true"}, "http://c.example/v1/traces"},
		"headers":                 {"http://c.example", env{"OTEL_EXPORTER_OTLP_HEADERS": "authorization=Bearer%20x, x-y=z=1"}, "http://c.example/v1/traces"},
		"gRPC for something else": {"", env{"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "http/protobuf", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://b.example"}, "http://b.example/v1/traces"},
	} {
		got, err := Endpoint(tt.given, func(name string) string { return tt.env[name] })
		if err != nil || got != tt.want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, tt.want)
		}
	}
	for name, tt := range map[string]struct {
		given string
		env   env
		want  string
	}{
		"no address":       {"secret", nil, "--traces must be the URL"},
		"no host":          {"http://", nil, "--traces must be the URL"},
		"another scheme":   {"grpc://secret:4317", nil, "--traces must be the URL"},
		"only a host":      {"secret:4318", nil, "--traces must be the URL"},
		"a query":          {"http://otel.example/?key=secret", nil, "--traces must be the URL"},
		"a password":       {"http://x:secret@otel.example", nil, "put it into OTEL_EXPORTER_OTLP_HEADERS"},
		"a control":        {"http://secret\x00", nil, "--traces must be the URL"},
		"a variable":       {"", env{"OTEL_EXPORTER_OTLP_ENDPOINT": "secret:4317"}, "OTEL_EXPORTER_OTLP_ENDPOINT must be the URL"},
		"the other":        {"", env{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "secret"}, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be the URL"},
		"gRPC":             {"", env{"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://b.example:4317"}, "not spoken here"},
		"no headers":       {"http://c.example", env{"OTEL_EXPORTER_OTLP_HEADERS": "secret"}, "OTEL_EXPORTER_OTLP_HEADERS is a list"},
		"bad escapes":      {"http://c.example", env{"OTEL_EXPORTER_OTLP_TRACES_HEADERS": "a=secret%zz"}, "OTEL_EXPORTER_OTLP_TRACES_HEADERS is a list"},
		"bad header names": {"http://c.example", env{"OTEL_EXPORTER_OTLP_HEADERS": "secret name=x"}, "is a list"},
	} {
		got, err := Endpoint(tt.given, func(name string) string { return tt.env[name] })
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %q, %v, want an error with %q", name, got, err, tt.want)
		}
	}
}

// An accepted URL is accepted by the exporter, too, with the same destination.
func FuzzEndpoint(f *testing.F) {
	for _, text := range []string{"http://127.0.0.1:4318", "https://[::1]:4318/x", "http://a/%2f", "a=b,c=%20", "http://a b/"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Endpoint(text, func(string) string { return text })
		if err == nil && text != "" && !strings.HasPrefix(got, "http://") && !strings.HasPrefix(got, "https://") {
			t.Errorf("%q becomes %q", text, got)
		}
	})
}
