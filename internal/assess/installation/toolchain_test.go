package installation

import (
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/install"
	"github.com/mcpsf/mcpsf/internal/acquire/registry"
)

// Results of one registry are not reused for another, also on an image.
func TestRegistriesArePartOfTheKey(t *testing.T) {
	for name, e := range map[string]*Toolchain{"host": {}, "image": {image: "/x/0123/rootfs"}} {
		keys := map[string]bool{}
		for _, url := range []string{"https://one.example/", "https://two.example/"} {
			client, err := registry.New(&registry.Options{Getenv: func(name string) string {
				return map[string]string{"npm_config_registry": url}[name]
			}})
			if err != nil {
				t.Fatal(err)
			}
			plan, err := install.New(
				&mcpsf.Artifact{Kind: "npm", Name: "x", Install: &mcpsf.Install{Manager: mcpsf.ManagerNPM}},
				e.tools(&Fetcher{Sources: Sources{Registry: client}}))
			if err != nil {
				t.Fatal(err)
			}
			keys[plan.Key] = true
		}
		if len(keys) != 2 {
			t.Errorf("%s: two registries have the same key %v", name, keys)
		}
	}
}
