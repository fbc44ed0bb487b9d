package host

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/services"
)

// described parses the answer as an API description; nil if it is none.
func described(t *testing.T, a *services.Answer) map[string]any {
	t.Helper()
	var doc any
	read := json.Unmarshal
	if strings.HasPrefix(a.Kind(), "application/yaml") {
		read = yaml.Unmarshal
	}
	if err := read(a.Shown, &doc); err != nil {
		return nil
	}
	if m, ok := doc.(map[string]any); ok && m["paths"] != nil {
		return m
	}
	return nil
}

func TestOpenAPI(t *testing.T) {
	h := New(testOptions(t))
	for _, tt := range []struct{ address, accept, kind, version string }{
		{"https://a.example/openapi.json", "", "application/json", "openapi 3.0.3"},
		{"https://a.example/api/openapi.yaml", "", "application/yaml", "openapi 3.0.3"},
		{"https://a.example/openapi", "application/yaml", "application/yaml", "openapi 3.0.3"},
		{"https://a.example/openapi.yml", "*/*", "application/yaml", "openapi 3.0.3"},
		{"https://a.example/v3/api-docs", "application/json", "application/json", "openapi 3.0.3"},
		{"https://a.example/swagger.json", "", "application/json", "swagger 2.0"},
		{"https://a.example/v2/swagger.yaml", "", "application/yaml", "swagger 2.0"},
		{"https://a.example/v2/api-docs", "", "application/json", "swagger 2.0"},
		{"https://a.example/swagger", "text/html", "text/html", ""},
		{"https://a.example/openapi.png", "", "image/png", ""},
		{"https://a.example/openings", "", "application/json", ""},
	} {
		a, _ := asked(t, h, "GET "+tt.address, "Accept: "+tt.accept)
		doc, version := described(t, a), ""
		if v, ok := doc["openapi"].(string); ok {
			version = "openapi " + v
		} else if v, ok := doc["swagger"].(string); ok {
			version = "swagger " + v
		}
		if version != tt.version || !strings.HasPrefix(a.Kind(), tt.kind) {
			t.Errorf("%s: %q %s", tt.address, version, a.Kind())
		}
	}
	one, _ := asked(t, h, "GET https://a.example/openapi.json")
	two, _ := asked(t, h, "GET https://a.example/openapi.json", "Accept: text/yaml")
	if diff := cmp.Diff(described(t, one), described(t, two)); diff != "" {
		t.Errorf("JSON and YAML differ: %s", diff)
	}
}

// TestOpenAPIIsValid has a real validator check the description.
func TestOpenAPIIsValid(t *testing.T) {
	needsPython(t, "openapi_spec_validator")
	w := start(t, nil, "localhost", 443)
	out, err := w.tool(t, "", "python3", "-c", `
import json, urllib.request
from openapi_spec_validator import validate
for path in ["openapi.json", "swagger.json"]:
    doc = json.load(urllib.request.urlopen("https://localhost:$PORT/" + path))
    validate(doc)
    base = doc["servers"][0]["url"] if "servers" in doc else doc["schemes"][0] + "://" + doc["host"] + doc["basePath"]
    for p, ops in doc["paths"].items():
        if "get" in ops: json.load(urllib.request.urlopen(base + p.replace("{id}", "7")))
print("fine")
`)
	if err != nil || out != "fine\n" {
		t.Errorf("%v: %s", err, out)
	}
}

// needsPython skips a test whose Python module is missing, unless the module is
// required.
func needsPython(t *testing.T, module string) {
	t.Helper()
	err := exec.Command("python3", "-c", "import "+module).Run()
	switch {
	case err == nil:
	case os.Getenv("MCPSF_REQUIRE_JUDGES") != "":
		t.Fatalf("MCPSF_REQUIRE_JUDGES is set, but there is no %s", module)
	default:
		t.Skipf("no %s here", module)
	}
}
