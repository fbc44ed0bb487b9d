package project

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/document"
)

func TestSettings(t *testing.T) {
	for _, test := range []struct {
		setting string
		want    []string
	}{
		{`{"type": "string", "default": "x"}`, []string{"x"}},
		{`{"type": "number", "default": 1.5}`, []string{"1.5"}},
		{`{"type": "number", "min": 3}`, []string{"3"}},
		{`{"type": "number"}`, []string{"1"}},
		{`{"type": "boolean", "default": true}`, []string{"true"}},
		{`{"type": "boolean"}`, []string{"false"}},
		{`{"type": "directory"}`, []string{mcpsf.Home + "/Documents/projects"}},
		{`{"type": "directory", "default": ["${HOME}/a", "/b"]}`, []string{mcpsf.Home + "/a", "/b"}},
		{`{"type": "file"}`, []string{mcpsf.Home + "/Documents/projects/notes.txt"}},
		{`{"type": "string", "sensitive": true, "required": true}`, []string{placeholder("k")}},
		{`{"type": "string", "required": true}`, []string{"example"}},
		{`{"type": "string"}`, []string{""}},
		{`{"type": "string", "default": {"a": 1}}`, []string{""}},
		{`7`, []string{""}},
	} {
		v := newVariables(map[string]json.RawMessage{"k": json.RawMessage(test.setting)})
		if diff := cmp.Diff(test.want, v["user_config.k"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.setting, diff)
		}
	}
}

// TestBundleIsBounded: variables in a manifest cannot multiply its size.
func TestBundleIsBounded(t *testing.T) {
	large := strings.Repeat("x", 100_000)
	many := strings.Repeat(`"${user_config.many}",`, 10_000)
	var env []string
	for i := range 1000 {
		env = append(env, fmt.Sprintf(`"E%d": "v"`, i))
	}
	for name, manifest := range map[string]string{
		"long value":    `{"server": {"mcp_config": {"command": "node", "args": ["` + strings.Repeat("${user_config.a}", 10_000) + `"]}}, "user_config": {"a": {"default": "` + large + `"}}}`,
		"many values":   `{"server": {"mcp_config": {"command": "node", "args": [` + many + `""]}}, "user_config": {"many": {"default": [` + strings.Repeat(`"x",`, 10_000) + `"y"]}}}`,
		"many names":    `{"server": {"mcp_config": {"command": "node", "env": {` + strings.Join(env, ",") + `}}}}`,
		"never closed":  `{"server": {"mcp_config": {"command": "` + strings.Repeat("${", 400_000) + `"}}}`,
		"deeply nested": `{"server": {"mcp_config": {"command": "node", "args": ` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			b := parseBundle(document.Object(json.RawMessage(manifest)))
			if b == nil {
				t.Fatal("not taken for a bundle")
			}
			checkBundle(t, b)
		})
	}
}

func checkBundle(t *testing.T, b *bundle) {
	t.Helper()
	checkAbout(t, b.about)
	if len(b.command) > document.MaxWords || len(b.env) > document.MaxWords {
		t.Errorf("%d words, %d variables", len(b.command), len(b.env))
	}
	for _, w := range b.command {
		if len(w) > document.MaxWord {
			t.Errorf("a word has %d bytes", len(w))
		}
	}
	for name, value := range b.env {
		if name == "" || strings.ContainsAny(name, "=\x00\n") || strings.ContainsRune(value, 0) || len(value) > document.MaxWord {
			t.Errorf("variable %.100q cannot be", name)
		}
	}
}

func FuzzBundle(f *testing.F) {
	f.Add([]byte(`{"name": "a", "server": {"type": "node", "entry_point": "a.js", "mcp_config": {"command": "node", "args": ["${__dirname}/a.js", "${user_config.d}"], "env": {"K": "${user_config.k}"}}}, "user_config": {"d": {"default": ["x", 1]}, "k": {"sensitive": true}}}`))
	f.Add([]byte(`{"server": {"mcp_config": {"command": "${", "platform_overrides": {"linux": {"args": [null]}}}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if b := parseBundle(document.Object(data)); b != nil {
			checkBundle(t, b)
		}
	})
}

func FuzzWheel(f *testing.F) {
	f.Add([]byte("[console_scripts]\na = b.c:d.e [x]\n"), []byte("Name: a\nVersion: 1\n\nName: b"))
	f.Add([]byte("[console_scripts\na = b:c\n[ console_scripts ]\n= b:c"), []byte("Name"))
	f.Fuzz(func(t *testing.T, scripts, metadata []byte) {
		checkAbout(t, parseMetadata(metadata))
		got := parseEntryPoints(scripts).scripts
		if len(got) > maxScripts {
			t.Errorf("%d scripts", len(got))
		}
		for _, s := range got {
			if !isIdentifier(strings.ReplaceAll(s.module+s.function, ".", "_")) {
				t.Errorf("script %+v is more than names", s)
			}
		}
	})
}
