package policy

import (
	"bytes"
	"fmt"
	"net"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// catalog is a catalog of Docker's MCP gateway with one server.
type catalog struct {
	Name     string                   `yaml:"name"`
	Registry map[string]catalogServer `yaml:"registry"`
}

type catalogServer struct {
	Title          string          `yaml:"title"`
	Type           string          `yaml:"type"`
	Image          string          `yaml:"image"`
	DisableNetwork bool            `yaml:"disableNetwork,omitempty"`
	AllowHosts     []string        `yaml:"allowHosts,omitempty"`
	Volumes        []string        `yaml:"volumes,omitempty"`
	Secrets        []catalogSecret `yaml:"secrets,omitempty"`
}

type catalogSecret struct {
	Name string `yaml:"name"`
	Env  string `yaml:"env"`
}

func docker(buf *bytes.Buffer, n *Needs) error {
	s := catalogServer{Title: n.Server, Type: "server", Image: "${IMAGE}"}
	for _, e := range n.hosts() {
		host := e.host
		if e.port > 0 {
			host = net.JoinHostPort(e.host, strconv.Itoa(e.port))
		}
		s.AllowHosts = append(s.AllowHosts, host)
	}
	s.DisableNetwork = !n.usesNetwork()
	read, write, kept := n.mounts()
	for _, name := range read {
		s.Volumes = append(s.Volumes, name+":"+name+":ro")
	}
	for _, name := range write {
		s.Volumes = append(s.Volumes, name+":"+name)
	}
	for _, name := range n.secrets() {
		s.Secrets = append(s.Secrets, catalogSecret{Name: n.Server + "." + strings.ToLower(name), Env: name})
	}
	how := []string{
		"Catalog of Docker's MCP gateway. Put it into ~/.docker/mcp/catalogs/, replace what begins with $ (${IMAGE} is the image with the server in it), then:",
		gatewayCommand(n),
		"The hosts are held by --block-network only.",
	}
	writeComments(buf, "#", n.comments(append(how, keptNote(kept)...)...))
	data, err := yaml.Marshal(catalog{Name: "mcpsf", Registry: map[string]catalogServer{n.Server: s}})
	buf.Write(data)
	return err
}

// gatewayCommand returns the command that starts the gateway, with the limits of the run.
func gatewayCommand(n *Needs) string {
	command := fmt.Sprintf("docker mcp gateway run --additional-catalog %s.yaml --servers %s --block-network --block-secrets", n.Server, n.Server)
	if mib := n.Memory >> 20; mib > 0 {
		command += fmt.Sprintf(" --memory %dMb", mib)
	}
	return command + " --cpus 1"
}
