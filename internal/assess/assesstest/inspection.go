//go:build linux

package assesstest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/inspection"
	"github.com/mcpsf/mcpsf/internal/static/advisory"
)

// ReadsSource enables static analysis, with an advisory database that has an
// entry for each of the packages named.
func ReadsSource(t *testing.T, packages ...string) Setting {
	t.Helper()
	dir := t.TempDir()
	export := filepath.Join(dir, "npm", "all.zip")
	if err := os.MkdirAll(filepath.Dir(export), 0o755); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i, name := range packages {
		w, err := z.Create(fmt.Sprintf("TEST-%d.json", i))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(w, `{"id":"TEST-%d","modified":"2026-01-01T00:00:00Z","summary":"it goes wrong","severity":[{"type":"CVSS_V3","score":"CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"}],`+
			`"affected":[{"package":{"ecosystem":"npm","name":%q},"ranges":[{"type":"SEMVER","events":[{"introduced":"0"},{"fixed":"2.0.0"}]}]}]}`, i, name)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(export, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	kept := filepath.Join(dir, "kept")
	if _, err := advisory.Update(t.Context(), kept, &advisory.UpdateOptions{Ecosystems: []string{"npm"}, From: dir}); err != nil {
		t.Fatal(err)
	}
	db, err := advisory.Open(kept, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	self := SourceReader(t)
	return func(o *assess.Options) { o.Inspect = &inspection.Options{Self: self, Advisories: db} }
}
