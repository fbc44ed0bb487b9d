package executor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/moby/moby/client"

	"github.com/mcpsf/mcpsf"
)

// label marks our containers.
const label = "io.github.mcpsf.run"

// Docker runs assessments in containers of our image. gVisor runs inside them
// without privileges.
type Docker struct {
	engine *client.Client
	image  string
	// settings are environment variables for registries and proxies.
	settings []string
}

// NewDocker connects to the engine named in the environment, or in one of the
// usual places.
func NewDocker(ctx context.Context, getenv func(string) string, image string) (*Docker, error) {
	options := []client.Opt{client.WithUserAgent("mcpsf")}
	if host := engineHost(getenv); host != "" {
		options = append(options, client.WithHost(host))
	}
	if dir := getenv("DOCKER_CERT_PATH"); dir != "" {
		options = append(options, client.WithTLSClientConfig(filepath.Join(dir, "ca.pem"), filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")))
	}
	engine, err := client.New(options...)
	if err != nil {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "DOCKER_HOST or DOCKER_CERT_PATH is invalid", Err: err}
	}
	asked, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if _, err := engine.Ping(asked, client.PingOptions{NegotiateAPIVersion: true}); err != nil {
		return nil, errors.Join(&mcpsf.Error{
			Code: mcpsf.CodeUnavailable, Message: "no Docker engine answers at " + engine.DaemonHost() + "; start Docker, or set DOCKER_HOST", Err: err,
		}, engine.Close())
	}
	return &Docker{engine: engine, image: image, settings: settings(getenv)}, nil
}

// Close ends the connection.
func (d *Docker) Close() error { return d.engine.Close() }

// engineHost is the address of the engine, "" for the default of the library.
func engineHost(getenv func(string) string) string {
	if host := getenv("DOCKER_HOST"); host != "" {
		return host
	}
	places := []string{"/var/run/docker.sock"}
	if dir := getenv("XDG_RUNTIME_DIR"); dir != "" { // the engine without root
		places = append(places, filepath.Join(dir, "docker.sock"))
	}
	if home := getenv("HOME"); home != "" { // Docker Desktop, Colima
		places = append(places, filepath.Join(home, ".docker/run/docker.sock"), filepath.Join(home, ".colima/default/docker.sock"))
	}
	for _, place := range places[1:] {
		if exists(places[0]) {
			return ""
		}
		if exists(place) {
			return "unix://" + place
		}
	}
	return ""
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// settingNames are the variables that containers get, in upper and lower case.
func settingNames() []string {
	return []string{
		"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "NPM_CONFIG_REGISTRY", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "UV_INDEX_URL", "GITHUB_TOKEN",
	}
}

// settings are the variables that say where packages come from. Files such as
// .npmrc are not passed on: they hold more passwords than needed.
func settings(getenv func(string) string) []string {
	var set []string
	for _, name := range settingNames() {
		for _, name := range []string{name, strings.ToLower(name)} {
			if value := getenv(name); value != "" {
				set = append(set, name+"="+value)
			}
		}
	}
	return set
}

// confined tells whether the engine applies an AppArmor profile to containers,
// which forbids the mounts inside our own namespaces.
func (d *Docker) confined(ctx context.Context) (bool, error) {
	info, err := d.engine.Info(ctx, client.InfoOptions{})
	if err != nil {
		return false, fmt.Errorf("asking the Docker engine for its settings: %w", err)
	}
	if info.Info.OSType != "" && info.Info.OSType != "linux" {
		return false, &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: "the Docker engine runs " + info.Info.OSType + " containers; switch it to Linux containers"}
	}
	return slices.ContainsFunc(info.Info.SecurityOptions, func(o string) bool { return strings.Contains(o, "name=apparmor") }), nil
}
