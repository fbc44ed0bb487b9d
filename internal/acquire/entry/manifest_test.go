package entry

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestServerJSON(t *testing.T) {
	got := ServerJSON([]byte(`{
 "name": "com.example/x", "packages": [
  {"registryType": "npm", "identifier": "@a/x", "transport": {"type": "stdio"},
   "runtimeArguments": [{"type": "named", "name": "--package", "value": "y"}],
   "packageArguments": [
    {"type": "positional", "valueHint": "target_dir", "format": "filepath", "isRequired": true},
    {"type": "named", "name": "--mode", "choices": ["http", "stdio"], "isRequired": true},
    {"type": "named", "name": "--region", "value": "{place}", "variables": {"place": {"default": "eu"}}},
    {"type": "named", "name": "--verbose", "format": "boolean", "isRequired": true},
    {"type": "named", "name": "--rarely"}],
   "environmentVariables": [
    {"name": "X_KEY", "isRequired": true, "isSecret": true},
    {"name": "X_URL", "isRequired": true, "default": "https://x.example"},
    {"name": "X_LEVEL", "value": "info"},
    {"name": "X_TOKEN", "isSecret": true},
    {"name": "X_OTHER", "isSecret": true, "isRequired": false},
    {"name": "X_MORE"}]},
  {"registry_type": "pypi", "identifier": "x", "package_arguments": [{"value": "stdio"}]},
  {"registryType": "oci", "identifier": "reg.example/x:1", "transport": {"type": "streamable-http"}},
  {"registryType": "nuget", "identifier": "x"}]}`))
	want := []Snippet{
		{Command: "npx", Args: []string{"@a/x", "<path target_dir>", "--mode", "stdio", "--region", "eu", "--verbose"}, Env: []Var{
			{Name: "X_KEY", Value: "<X_KEY>", Secret: true}, {Name: "X_URL", Value: "https://x.example"}, {Name: "X_LEVEL", Value: "info"}, {Name: "X_TOKEN", Value: "<X_TOKEN>", Secret: true},
		}, Line: 3},
		{Command: "uvx", Args: []string{"x", "stdio"}, Line: 18},
	}
	if diff := cmp.Diff(want, got, ignoreKind, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("differs (-want +got):\n%s", diff)
	}
	for _, text := range []string{"", "[]", `{"packages": 3}`, `{"packages": [3, {"registryType": "npm"}]}`, `{"packages": {"registryType": "npm"}}`} {
		if got := ServerJSON([]byte(text)); len(got) > 0 {
			t.Errorf("%s gave %+v", text, got)
		}
	}
}

func TestSmithery(t *testing.T) {
	got, ok := Smithery([]byte(`startCommand:
  type: stdio
  configSchema:
    type: object
    properties:
      dbPath:
        type: string
      region:
        type: string
        default: "eu"
  commandFunction:
    |-
    (config) => ({ command: 'node', args: ['dist/index.js', config.dbPath, ` + "`--region=${config.region}`" + `, ...(config.x ? ['--x'] : [])],
      env: { KEY: config.apiKey, LEVEL: 'info' } })
  exampleConfig:
    dbPath: /x
`))
	want := Snippet{Command: "node", Args: []string{"dist/index.js", "${dbPath}", "--region=eu"}, Env: []Var{{Name: "KEY", Value: "${apiKey}"}, {Name: "LEVEL", Value: "info"}}, Line: 13}
	if diff := cmp.Diff(want, got, ignoreKind); !ok || diff != "" {
		t.Errorf("ok %v, differs (-want +got):\n%s", ok, diff)
	}
	for _, text := range []string{"", "commandFunction:", "commandFunction: {args: [1]}", strings.Repeat("commandFunction:[", 1<<16)} {
		if _, ok := Smithery([]byte(text)); ok {
			t.Errorf("%.40s is taken for a command", text)
		}
	}
}

func TestDockerfile(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want Snippet
		ok   bool
	}{
		"entry point and arguments": {
			"FROM a AS b\nENV OLD=1\nCMD [\"old\"]\nFROM c\n# ENTRYPOINT x\nENV A=1 \\\n  B=\"two words\"\nENV C three four\nENTRYPOINT [\"node\", \"dist/index.js\"]\nCMD [\"--stdio\"]\n",
			Snippet{Command: "node", Args: []string{"dist/index.js", "--stdio"}, Env: []Var{{Name: "A", Value: "1"}, {Name: "B", Value: "two words"}, {Name: "C", Value: "three four"}}, Line: 9}, true,
		},
		"for a shell":        {"FROM a\ncmd python -m 'x y' --flag", Snippet{Command: "python", Args: []string{"-m", "x y", "--flag"}, Line: 2}, true},
		"the last one":       {"CMD a\nENTRYPOINT b\nCMD c", Snippet{Command: "b", Args: []string{"c"}, Line: 2}, true},
		"nothing":            {"FROM a\nRUN b", Snippet{}, false},
		"an empty list":      {"CMD []", Snippet{}, false},
		"a line without end": {"CMD " + strings.Repeat("a \\\n", 1<<17), Snippet{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := Dockerfile([]byte(tt.text))
			if diff := cmp.Diff(tt.want, got, ignoreKind, cmpopts.EquateEmpty()); ok != tt.ok || diff != "" {
				t.Errorf("ok %v, differs (-want +got):\n%s", ok, diff)
			}
		})
	}
}
