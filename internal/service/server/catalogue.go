package server

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

//go:embed openapi.yaml
var openapi []byte

// openAPI is the document that describes the API, of this version.
func openAPI(version string) ([]byte, error) {
	var document map[string]any
	if err := yaml.Unmarshal(openapi, &document); err != nil {
		return nil, fmt.Errorf("reading the description of the API: %w", err)
	}
	delete(document, "x-parts") // what the text is put together from
	if info, ok := document["info"].(map[string]any); ok && version != "" {
		info["version"] = version
	}
	return json.MarshalIndent(document, "", "  ")
}

func (s *Server) showDocument(w http.ResponseWriter, _ *http.Request, _ *job.Key) error {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(s.document)))
	_, err := w.Write(s.document)
	return err
}

// detector is a rule as clients see it.
type detector struct {
	ID          string         `json:"id"`
	Title       string         `json:"title"`
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

func (s *Server) listRules(w http.ResponseWriter, _ *http.Request, _ *job.Key) error {
	answer := struct {
		Digest string     `json:"digest"`
		Rules  []detector `json:"rules"`
	}{Digest: s.o.Rules.Digest(), Rules: []detector{}}
	for _, r := range s.o.Rules.Rules() {
		answer.Rules = append(answer.Rules, detector(r))
	}
	return writeJSON(w, http.StatusOK, answer)
}
