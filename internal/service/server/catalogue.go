package server

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

//go:embed openapi.yaml
var openapi []byte

// openAPI is the OpenAPI document of this version.
func openAPI(version string) ([]byte, error) {
	var document map[string]any
	if err := yaml.Unmarshal(openapi, &document); err != nil {
		return nil, fmt.Errorf("reading the OpenAPI document: %w", err)
	}
	delete(document, "x-parts") // YAML anchors that the document is made of
	if info, ok := document["info"].(map[string]any); ok && version != "" {
		info["version"] = version
	}
	return json.MarshalIndent(document, "", "  ")
}

// catalogue describes the API and the rules.
type catalogue struct {
	document []byte
	rules    *rules.Set
}

func newCatalogue(version string, set *rules.Set) (*catalogue, error) {
	document, err := openAPI(version)
	if err != nil {
		return nil, err
	}
	return &catalogue{document: document, rules: set}, nil
}

func (c *catalogue) showDocument(w http.ResponseWriter, _ *http.Request, _ *job.Key) error {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(c.document)))
	_, err := w.Write(c.document)
	return err
}

// detector is a rule as clients see it.
type detector struct {
	ID          string         `json:"id"`
	Title       string         `json:"title"`
	Category    mcpsf.Category `json:"category"`
	Severity    mcpsf.Severity `json:"severity"`
	Grade       mcpsf.Grade    `json:"grade"`
	Weight      int            `json:"weight"`
	Kinds       []mcpsf.Kind   `json:"kinds,omitempty"`
	Facts       []string       `json:"facts,omitempty"`
	Rationale   string         `json:"rationale"`
	Remediation string         `json:"remediation"`
	Maps        mcpsf.Maps     `json:"maps"`
	Builtin     bool           `json:"builtin"`
}

func (c *catalogue) listRules(w http.ResponseWriter, _ *http.Request, _ *job.Key) error {
	answer := struct {
		Digest string     `json:"digest"`
		Rules  []detector `json:"rules"`
	}{Digest: c.rules.Digest(), Rules: []detector{}}
	for _, r := range c.rules.Rules() {
		answer.Rules = append(answer.Rules, detector(r))
	}
	return writeJSON(w, http.StatusOK, answer)
}
