package monitor

import (
	"slices"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// What is written to git's files is told setting by setting, whoever writes it
// and wherever the file is before it is moved there.
func TestGitSettings(t *testing.T) {
	tests := []struct {
		name, path, data string
		want             []string
	}{
		{"a program of every status", "/r/.git/config", "[core]\n\tbare = false\n\tfsmonitor = python3 x\n", []string{"core.bare=false", "core.fsmonitor=python3 x"}},
		{"a section with a name", "/r/.git/config", "[Filter \"X\"]\n Clean = sh\n", []string{"filter.X.clean=sh"}},
		{"in one line", "/r/.git/config", "[core] hooksPath = /x\n", []string{"core.hookspath=/x"}},
		{"a part of the file", "/r/.git/config", "monitor = x\n", []string{".monitor=x", unreadableSettings}},
		{"no end of line", "/r/.git/config.lock", "[core]\n\tfsmon", []string{"core.fsmon=", unreadableSettings}},
		{"a file that is moved later", "/tmp/x", "[core]\n\tpager = sh\n", []string{"core.pager=sh"}},
		{"a manifest", "/w/pyproject.toml", "[project]\nname = \"x\"\n", nil},
		{"other data", "/w/config", "[x]\ny = 1\n", nil},
		{"a line that goes on", "/r/.git/config", "[core]\nfsmonitor = \\\nsh\n", []string{"core.fsmonitor=sh"}},
	}
	for _, tt := range tests {
		if got := gitSettings(tt.path, []byte(tt.data)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// What is written to git's file becomes an event of its own.
func TestGitSettingsAreReported(t *testing.T) {
	s := newScript(t, &Options{})
	s.m.files.table.put(7, openFile{path: "/home/dev/code/shop/.git/config"})
	s.m.files.table.put(8, openFile{path: "/home/dev/notes.txt"})
	for _, file := range []uint32{7, 8} {
		data := map[uint32]string{7: "[core]\n\tfsmonitor = x\n", 8: "a note [core] of mine\n"}[file]
		s.m.files.written(s.m.files.log.present(), &wire.Record{Op: wire.OpWritten, PID: 1, TID: 1, File: file, Data: []byte(data)})
	}
	s.m.Close()
	if len(s.emit) != 1 || s.emit[0].Kind != mcpsf.KindFileWrite || !slices.Equal(s.emit[0].File.Sets, []string{"core.fsmonitor=x"}) {
		t.Errorf("%+v", s.emit)
	}
}
