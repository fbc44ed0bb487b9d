package advisory

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcpsf/mcpsf/internal/static/advisory/table"
)

// note is the metadata in a database file.
type note struct {
	Ecosystem string `json:"ecosystem"`
	// Records is the number of usable records, Packages that of the packages
	// they concern.
	Records  int `json:"records"`
	Packages int `json:"packages"`
	// Withdrawn, Broken and Duplicate count the records that were left out.
	Withdrawn int `json:"withdrawn"`
	Broken    int `json:"broken"`
	Duplicate int `json:"duplicate"`
	// Examples are some of the broken ones, with the reason.
	Examples []string `json:"examples,omitempty"`
	// Newest is when the last record was changed, Fetched when the export was
	// downloaded or last found to be up to date.
	Newest  time.Time `json:"newest,omitzero"`
	Fetched time.Time `json:"fetched"`
	// Source is the origin; Local is set if that was a file.
	Source string `json:"source"`
	Local  bool   `json:"local,omitempty"`
	// ETag and LastModified are the server's values for this export.
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`
}

func (n *note) encode() ([]byte, error) {
	data, err := json.Marshal(n)
	if err != nil {
		return nil, fmt.Errorf("describing a database: %w", err)
	}
	return data, nil
}

func decodeNote(data []byte) (*note, error) {
	n := &note{}
	if err := json.Unmarshal(data, n); err != nil || n.Ecosystem == "" {
		return nil, fmt.Errorf("%w: its description cannot be read", table.ErrDamaged)
	}
	return n, nil
}
