// Package install plans how a package manager installs a server inside the
// sandbox. In: an [mcpsf.Artifact] that is not installed yet. Out: the command,
// its environment, the files it needs and the cache key of its result.
//
// Nothing runs here. The commands, and the package's scripts that they run, run
// in the sandbox.
package install

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"time"

	"github.com/mcpsf/mcpsf"
)

// GatewayHost is the name under which the sandbox reaches the registries.
const GatewayHost = "packages.lan"

// packageDir is where the published file is during the installation.
const packageDir = "/tmp/package"

// Tools are what an installation needs, with their paths in the sandbox.
type Tools struct {
	// Interpreter is the program and Version its version.
	Interpreter, Version string
	// Manager is the command of the package manager: for npm the complete
	// command, for pip what follows the Python program.
	Manager        []string
	ManagerVersion string
	// Image names the image that contains all of them, "" for the host.
	Image string
	// Headers is the directory above include/node, for packages that compile
	// native code; "" if the host has none.
	Headers string
	Arch    string
	// Before is the day up to which versions of packages are considered.
	Before time.Time
	// Registries are where the gateway gets packages from. They are only used
	// in the key.
	Registries []string
}

// Plan is an installation.
type Plan struct {
	// Command is run in the work directory with Env.
	Command []string
	Env     []string
	// File is the published file's path inside the sandbox, "" if there is
	// none.
	File string
	// Texts are files of ours that the command needs, by their path.
	Texts map[string]string
	// Key names the result: the same key means the same installation, except
	// for what the registries offered on that day.
	Key string
}

// New plans the installation of a.
func New(a *mcpsf.Artifact, tools *Tools) (*Plan, error) {
	p := &Plan{Key: key(a, tools)}
	if file := a.Install.Package; file != "" {
		p.File = path.Join(packageDir, filepath.Base(file))
	}
	switch a.Install.Manager {
	case mcpsf.ManagerNPM:
		p.npm(a.Install, tools)
	case mcpsf.ManagerPip:
		p.pip(a.Install, tools)
	default:
		return nil, fmt.Errorf("no way to install with %q", a.Install.Manager)
	}
	return p, nil
}

// recipe is part of every key. Change it when the same artifact would be
// installed in another way.
const recipe = "6"

func key(a *mcpsf.Artifact, tools *Tools) string {
	pin := ""
	if a.Origin != nil {
		pin = a.Origin.Pin
	}
	identity, _ := json.Marshal([]any{ //nolint:errchkjson // strings and a date
		recipe, a.Kind, a.Digest, pin, a.Install, filepath.Base(a.Install.Package),
		tools.Interpreter, tools.Version, tools.ManagerVersion, tools.Image, tools.Arch, tools.Registries, tools.Before,
	})
	sum := sha256.Sum256(identity)
	return fmt.Sprintf("installed/%s/%s/%s/%s", a.Kind, a.Name, a.Version, hex.EncodeToString(sum[:]))
}
