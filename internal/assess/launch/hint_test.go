package launch

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
)

// The author's start command is taken from the first file that mentions this
// package.
func TestHintOfTheAuthor(t *testing.T) {
	home, err := decoys.Mint(1, time.Unix(1_700_000_000, 0))
	if err != nil {
		t.Fatal(err)
	}
	const smithery = "startCommand:\n  type: stdio\n  configSchema:\n    type: object\n  commandFunction: |-\n    (config) => ({command: 'npx', args: ['-y', 'weather-server', '--units', 'metric']})\n"
	const docker = "FROM node:22\nENTRYPOINT [\"npx\", \"weather-server\", \"--units\", \"imperial\"]\n"
	for name, tt := range map[string]struct {
		files map[string]string
		why   string
		args  []string
	}{
		"nothing":              {nil, "", nil},
		"smithery":             {map[string]string{"smithery.yaml": smithery}, "as smithery.yaml says", []string{"--units", "metric"}},
		"Dockerfile":           {map[string]string{"Dockerfile": docker}, "as the Dockerfile says", []string{"--units", "imperial"}},
		"smithery comes first": {map[string]string{"smithery.yaml": smithery, "Dockerfile": docker}, "as smithery.yaml says", []string{"--units", "metric"}},
		"of another package":   {map[string]string{"Dockerfile": "FROM node\nENTRYPOINT [\"npx\", \"other\", \"--port\", \"1\"]\n"}, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range tt.files {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			p := &Planner{Seed: 1, Home: &home, Artifact: &mcpsf.Artifact{Name: "weather-server", Dir: dir, Runtime: mcpsf.RuntimeNode}}
			if got := p.hint(); got.why != tt.why || !slices.Equal(got.args, tt.args) {
				t.Errorf("got %+v", got)
			}
		})
	}
}
