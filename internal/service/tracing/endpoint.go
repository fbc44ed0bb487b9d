package tracing

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Endpoint is the URL that spans are sent to, "" for none: the one given, or that
// in the variables of OpenTelemetry. A URL without a path gets the usual one. It
// also checks other variables that the exporter would silently misread; errors do
// not repeat values, which may be secret.
func Endpoint(given string, getenv func(string) string) (string, error) {
	if err := checkHeaders(getenv); err != nil {
		return "", err
	}
	if given != "" {
		return check("--traces", given, "")
	}
	if strings.EqualFold(getenv("OTEL_SDK_DISABLED"), "true") || getenv("OTEL_TRACES_EXPORTER") == "none" {
		return "", nil
	}
	exact, base := getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"), getenv("OTEL_EXPORTER_OTLP_ENDPOINT")
	if exact == "" && base == "" {
		return "", nil
	}
	protocol := getenv("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL")
	if protocol == "" {
		protocol = getenv("OTEL_EXPORTER_OTLP_PROTOCOL")
	}
	if protocol == "grpc" {
		return "", errors.New("OTEL_EXPORTER_OTLP_PROTOCOL is grpc, which is not spoken here; give the address that the collector has for OTLP over HTTP with --traces")
	}
	if exact != "" {
		return check("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", exact, "")
	}
	return check("OTEL_EXPORTER_OTLP_ENDPOINT", base, usualPath)
}

// usualPath is the path of traces in OTLP over HTTP.
const usualPath = "/v1/traces"

// check parses a URL; below is added to its path.
func check(name, text, below string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "" {
		return "", fmt.Errorf("%s must be the URL of a collector for OTLP over HTTP, such as http://127.0.0.1:4318", name)
	}
	if u.User != nil {
		return "", fmt.Errorf("%s has a password in it; put it into OTEL_EXPORTER_OTLP_HEADERS", name)
	}
	switch {
	case below != "":
		u.Path = path.Join("/", u.Path, below)
	case u.Path == "" || u.Path == "/":
		u.Path = usualPath
	}
	return u.String(), nil
}

// headerName is the format of header names.
var headerName = lazyregexp.New("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// checkHeaders refuses headers that the exporter would drop, after printing them
// to the terminal.
func checkHeaders(getenv func(string) string) error {
	for _, name := range []string{"OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"} {
		text := strings.TrimSpace(getenv(name))
		if text == "" {
			continue
		}
		for pair := range strings.SplitSeq(text, ",") {
			key, value, ok := strings.Cut(pair, "=")
			_, err := url.PathUnescape(value)
			if !ok || err != nil || !headerName.MatchString(strings.TrimSpace(key)) {
				return fmt.Errorf("%s is a list such as name=value,other=value, with %%20 for a space", name)
			}
		}
	}
	return nil
}
