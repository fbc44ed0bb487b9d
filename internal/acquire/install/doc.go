// Package install knows how package managers are told to install a server
// inside the sandbox: an [mcpsf.Artifact] whose installation is still to be
// done goes in, and the command that does it, its environment, the file it
// needs and the name its result is kept under come out.
//
// Nothing runs here. What the commands run, scripts of the package included,
// runs in the sandbox.
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

// packageDir is where the published file lies while it is installed.
const packageDir = "/tmp/package"

// Tools are what an installation needs, as the sandbox shows it.
type Tools struct {
	// Interpreter is the program and Version its version.
	Interpreter, Version string
	// Manager is how the package manager is called: of npm the whole
	// beginning of the command, of pip what follows the Python program.
	Manager        []string
	ManagerVersion string
	// Image names the image that all of them are in, "" for the host.
	Image string
	// Headers is the directory above include/node, for packages that compile
	// something; "" if the host has none.
	Headers string
	Arch    string
	// Before is the day up to which versions of packages are considered.
	Before time.Time
	// Registries are where the gateway gets packages from. They are only part
	// of the name of the result.
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
	// Key names the result: the same key means the same installation, but
	// for what the registries had to offer on that day.
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

// recipe is part of every key. It changes when the same artifact would be
// installed in another way.
const recipe = "4"

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
