package evidence

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/mcpsf/mcpsf"
)

// readReport reads a report from an untrusted source.
func readReport(r io.Reader) (*mcpsf.Report, error) {
	dec := json.NewDecoder(&modest{r: r})
	var report mcpsf.Report
	if err := dec.Decode(&report); err != nil {
		return nil, fmt.Errorf("it is not a report of mcpsf: %w", err)
	}
	switch {
	case !ended(dec):
		return nil, errors.New("it goes on after its end")
	case report.SchemaVersion != mcpsf.SchemaVersion || report.Verdict.Band == "":
		return nil, fmt.Errorf("its schema version is %q, and %q is understood", report.SchemaVersion, mcpsf.SchemaVersion)
	}
	return &report, nil
}

// ended reports whether nothing follows the decoded value.
func ended(dec *json.Decoder) bool {
	_, err := dec.Token()
	return errors.Is(err, io.EOF)
}

// modest reads the JSON of a report and limits its size and its number of
// values.
type modest struct {
	r      io.Reader
	size   int64
	values int
	// quoted and escaped are the state within a string.
	quoted, escaped bool
}

func (m *modest) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	for _, c := range p[:n] {
		switch {
		case m.escaped:
			m.escaped = false
		case m.quoted && c == '\\':
			m.escaped = true
		case c == '"':
			m.quoted = !m.quoted
		case !m.quoted && (c == ',' || c == '{' || c == '['):
			m.values++
		}
	}
	m.size += int64(n)
	switch {
	case m.size > maxReport:
		return 0, fmt.Errorf("it is larger than %d MiB", maxReport>>20)
	case m.values > maxValues:
		return 0, fmt.Errorf("it has more than %d values", maxValues)
	}
	return n, err
}
