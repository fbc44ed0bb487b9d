package servicecmd

import (
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/blob"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// TestSweep removes only files that belong to no job.
func TestSweep(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	st, err := store.Open(ctx, filepath.Join(dir, "db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	files, err := blob.Open(ctx, filepath.Join(dir, "files"), blob.Credentials{})
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	s := &service{store: st, files: files, logger: slog.New(slog.DiscardHandler)}
	kept, _, err := st.Add(ctx, &store.New{ID: job.NewID(), Project: "p", Request: job.Request{Archive: "needed", ArchiveName: "x.tgz"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := st.Reap(ctx, 10, time.Minute); err != nil { // the first one takes nothing: how long the database was gone is not known
		t.Fatal(err)
	}
	for range 2 { // the first attempt is lost
		if c, err := st.Claim(ctx, "w", -time.Second); err != nil || c == nil {
			t.Fatal(c, err)
		}
		if _, err := st.Reap(ctx, 10, time.Minute); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"jobs/" + kept.ID + "/1/report.json", "jobs/" + kept.ID + "/2/report.json", "jobs/" + job.NewID() + "/1/report.json", "uploads/needed", "uploads/orphan"} {
		if _, err := files.Put(ctx, name, strings.NewReader("x")); err != nil {
			t.Fatal(err)
		}
	}
	names := func() []string {
		t.Helper()
		var all []string
		for _, top := range []string{"jobs", "uploads"} {
			list, err := files.List(ctx, top)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range list {
				all = append(all, f.Name)
			}
		}
		return all
	}
	if err := s.sweep(ctx); err != nil {
		t.Fatal(err)
	}
	unused, err := s.sweepUploads(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"jobs/" + kept.ID + "/2/report.json", "uploads/needed", "uploads/orphan"}
	if got := names(); !slices.Equal(got, want) {
		t.Errorf("first: %v, want %v: the job for an upload may be on its way", got, want)
	}
	if _, err := s.sweepUploads(ctx, unused); err != nil {
		t.Fatal(err)
	}
	if got := names(); !slices.Equal(got, want[:2]) {
		t.Errorf("then: %v, want %v", got, want[:2])
	}
}
