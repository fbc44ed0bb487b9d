package kubernetes

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

//go:embed resources.yaml
var resourcesText []byte

// group is one version of a group of the API.
type group struct {
	Name      string     `yaml:"name"`
	Version   string     `yaml:"version"`
	Resources []resource `yaml:"resources"`
}

// resource is a kind of object that the API has.
type resource struct {
	Name       string   `yaml:"name"`
	Kind       string   `yaml:"kind"`
	Namespaced bool     `yaml:"namespaced"`
	Short      []string `yaml:"short"`
	// All says that it is one of the category "all".
	All bool `yaml:"all"`
	// Parts are its subresources, Verbs what can be done with it, if not everything.
	Parts []string `yaml:"parts"`
	Verbs []string `yaml:"verbs"`
}

// groups parses resources.yaml once. A test ensures that it is valid.
//
//nolint:gochecknoglobals // parsed once like a regular expression, and never changed
var groups = sync.OnceValue(func() []group {
	var file struct {
		Groups []group `yaml:"groups"`
	}
	if err := yaml.Unmarshal(resourcesText, &file); err != nil {
		panic("resources.yaml: " + err.Error())
	}
	return file.Groups
})

// path is what the paths of a group begin with.
func (g *group) path() string {
	if g.Name == "" {
		return "api/" + g.Version
	}
	return "apis/" + g.Name + "/" + g.Version
}

// version is how objects of a group say where they are from.
func (g *group) version() string { return strings.TrimPrefix(g.Name+"/"+g.Version, "/") }

func (r *resource) verbs() []string {
	if r.Verbs != nil {
		return r.Verbs
	}
	return []string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}
}

func (r *resource) can(verb string) bool { return slices.Contains(r.verbs(), verb) }

func (r *resource) singular() string { return strings.ToLower(r.Kind) }

func (r *resource) categories() []string {
	if r.All {
		return []string{"all"}
	}
	return nil
}

// target is what a path of the API names.
type target struct {
	group    *group
	resource *resource
	// space and name are as the client wrote them, "" if the path has none.
	space, name string
	// part is the subresource and what follows it.
	part []string
}

// find reads the segments of a path behind its group; nil if there is no such
// resource.
func find(g *group, rest []string) *target {
	t := &target{group: g}
	if len(rest) > 0 && rest[0] == "watch" { // the old form of watch=true
		rest = rest[1:]
	}
	if len(rest) > 2 && rest[0] == "namespaces" && !slices.Contains([]string{"finalize", "status"}, rest[2]) {
		t.space, rest = rest[1], rest[2:]
	}
	if len(rest) == 0 {
		return nil
	}
	at := slices.IndexFunc(g.Resources, func(r resource) bool { return r.Name == rest[0] })
	if at < 0 {
		return nil
	}
	t.resource = &g.Resources[at]
	if len(rest) > 1 {
		t.name, t.part = rest[1], rest[2:]
	}
	return t
}
