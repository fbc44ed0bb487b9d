package report

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/mcpsf/mcpsf/internal/report/ocsf"
)

func TestOCSFIsValid(t *testing.T) {
	s := schemaOf(t, "ocsf.schema.json")
	for name, r := range everything() {
		t.Run(name, func(t *testing.T) {
			lines := bytes.Split(bytes.TrimSuffix(render(t, FormatOCSF, r, Style{}), []byte("\n")), []byte("\n"))
			if want := 1 + len(r.report.Findings) + len(r.report.Waived); len(lines) != want {
				t.Errorf("%d lines, want %d", len(lines), want)
			}
			for i, line := range lines {
				if len(line) > 256<<10 {
					t.Errorf("a line of %d bytes", len(line))
				}
				if i < 20 {
					validate(t, s, line)
				}
			}
		})
	}
}

// A run without a verdict is reported too.
func TestOCSFInconclusive(t *testing.T) {
	var scan ocsf.Scan
	if err := json.Unmarshal(render(t, FormatOCSF, samples()["silent"], Style{}), &scan); err != nil {
		t.Fatal(err)
	}
	if scan.StatusID != 2 || scan.StatusDetail == "" || scan.Unmapped.Verdict != "INCONCLUSIVE" {
		t.Errorf("%+v", scan)
	}
}
