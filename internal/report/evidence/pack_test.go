package evidence

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func TestPackIsTheSameAnywhere(t *testing.T) {
	dir := sampleRun(t, nil)
	one := packed(t, dir, nil)
	first := get(t, one.Path)

	other := t.TempDir()
	for _, name := range []string{trafficName, eventsName, reportName} {
		put(t, other, name, get(t, dir, name))
		if err := os.Chmod(filepath.Join(other, name), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(filepath.Join(other, name), time.Time{}, time.Unix(99, 0)); err != nil {
			t.Fatal(err)
		}
	}
	two := packed(t, other, &Options{Out: filepath.Join(t.TempDir(), "x.tar.zst")})
	if !bytes.Equal(first, get(t, two.Path)) || one.SHA256 != two.SHA256 {
		t.Error("the same run was packed into different bytes")
	}
	if left, err := os.ReadDir(filepath.Dir(two.Path)); err != nil || len(left) != 1 {
		t.Errorf("beside the bundle there is %v, %v", left, err)
	}
}

func TestManifest(t *testing.T) {
	dir := sampleRun(t, nil)
	put(t, dir, "report.html", []byte("<html>"))
	put(t, dir, "notes.txt", []byte("the user's"))
	put(t, dir, "report.Odd Name", []byte("the user's"))
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "report.link")); err != nil {
		t.Fatal(err)
	}
	m := packed(t, dir, nil).Manifest
	var names []string
	for _, f := range m.Files {
		names = append(names, f.Name)
	}
	if diff := cmp.Diff([]string{reportName, eventsName, "report.html", trafficName, transcriptName}, names); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Missing{{sbomPattern, "no SBOM was made"}}, m.Missing); diff != "" {
		t.Error(diff)
	}
	want := Artifact{Kind: "npm", Name: "@notes/server", Version: "1.0.0+b", Digest: "sha256:" + strings.Repeat("ab", 32), Pin: "sha512-" + strings.Repeat("A", 86) + "=="}
	if diff := cmp.Diff(want, m.Artifact); diff != "" {
		t.Error(diff)
	}
}

func TestMissingTraffic(t *testing.T) {
	dir := sampleRun(t, nil)
	if err := os.Remove(filepath.Join(dir, trafficName)); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "sbom.cdx.json", []byte("{}"))
	b := packed(t, dir, nil)
	if diff := cmp.Diff([]Missing{{trafficName, "no packets were captured"}}, b.Manifest.Missing); diff != "" {
		t.Error(diff)
	}
	want := []string{"files: traffic.pcapng is missing, and the report was made with one"} // it was removed
	if diff := cmp.Diff(want, lines(verified(t, b.Path, nil), StatusFailed)); diff != "" {
		t.Error(diff)
	}
}

func TestTranscript(t *testing.T) {
	entries := unpacked(t, packed(t, sampleRun(t, nil), nil).Path)
	last := entries[len(entries)-1]
	want := `{"event":3,"t":0.25,"phase":"drive","call":"c1","from":"client","what":"request","method":"tools/call","tool":"add_note","id":2,"body":{"name":"add_note","arguments":{"text":"<b>\u202e"}},"size":90}
{"event":6,"t":0.625,"phase":"drive","call":"c1","from":"server","what":"response","method":"tools/call","tool":"add_note","id":2,"body":{"content":[]},"size":30,"seconds":0.25}
`
	if diff := cmp.Diff(want, string(last.content)); diff != "" || last.header.Name != transcriptName {
		t.Error(last.header.Name, diff)
	}
}

// TestPackRefuses: after an error no partial file is left.
func TestPackRefuses(t *testing.T) {
	tests := map[string]struct {
		spoil func(t *testing.T, dir string)
		want  string
	}{
		"no report":     {func(_ *testing.T, dir string) { _ = os.Remove(filepath.Join(dir, reportName)) }, "there is no run"},
		"no events":     {func(_ *testing.T, dir string) { _ = os.Remove(filepath.Join(dir, eventsName)) }, "there is no run"},
		"no directory":  {func(_ *testing.T, dir string) { _ = os.RemoveAll(dir) }, "there is no run"},
		"other JSON":    {func(t *testing.T, dir string) { put(t, dir, reportName, []byte(`{"a":1}`)) }, "schema version"},
		"broken events": {func(t *testing.T, dir string) { put(t, dir, eventsName, []byte(`{"seq":2}`+"\n")) }, "trace is damaged"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := sampleRun(t, nil)
			tt.spoil(t, dir)
			_, err := Pack(t.Context(), dir, nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			for _, pattern := range []string{BundleName, ".*"} {
				if left, _ := filepath.Glob(filepath.Join(dir, pattern)); len(left) > 0 {
					t.Errorf("left %v", left)
				}
			}
		})
	}
}

// TestPackOverAnother: the signature of an older bundle is removed.
func TestPackOverAnother(t *testing.T) {
	dir := sampleRun(t, nil)
	_, key := testKey(t)
	if b := packed(t, dir, &Options{Key: key}); b.Statement != filepath.Join(dir, StatementName) {
		t.Errorf("the statement is %q", b.Statement)
	}
	packed(t, dir, nil)
	if _, err := os.Stat(filepath.Join(dir, StatementName)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the statement about the bundle before is still there: %v", err)
	}
}

// TestPlainTools: the commands in docs/evidence.md work without mcpsf.
func TestPlainTools(t *testing.T) {
	for _, tool := range []string{"tar", "zstd", "sha256sum"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	b := packed(t, sampleRun(t, func(_ *mcpsf.Report, e []mcpsf.Event) []mcpsf.Event { return e }), nil)
	dir := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "tar", "-xf", b.Path, "-C", dir).CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("tar says %s, %v", out, err)
	}
	var list strings.Builder
	for _, f := range b.Manifest.Files {
		list.WriteString(f.SHA256 + "  " + f.Name + "\n")
	}
	cmd := exec.CommandContext(t.Context(), "sha256sum", "--check", "--strict")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(list.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("sha256sum says %s", out)
	}
}
