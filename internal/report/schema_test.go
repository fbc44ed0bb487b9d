package report

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mcpsf/mcpsf"
)

// What is written is what the published schema promises.
func TestJSONMatchesTheSchema(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "schema", "report.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:///report.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mem:///report.json")
	if err != nil {
		t.Fatal(err)
	}
	bare := &mcpsf.Report{
		Verdict:  mcpsf.Verdict{Band: mcpsf.BandInconclusive},
		Artifact: mcpsf.Artifact{Runtime: mcpsf.RuntimeNative},
	}
	asked := passed()
	asked.Payloads = &mcpsf.PayloadRun{Model: "local", Tools: 1, Unanswered: 1, Lost: []string{"x"}}
	for name, r := range map[string]*mcpsf.Report{
		"pass": passed(), "high": high(), "inconclusive": inconclusiveReport(), "bare": bare, "payloads": asked,
	} {
		var buf bytes.Buffer
		if err := Write(&buf, FormatJSON, r, nil, Style{}); err != nil {
			t.Fatal(err)
		}
		instance, err := jsonschema.UnmarshalJSON(&buf)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(instance); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
