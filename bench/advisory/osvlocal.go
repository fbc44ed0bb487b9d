package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	cpb "github.com/google/osv-scalibr/binary/proto/config_go_proto"
	"github.com/google/osv-scalibr/enricher/vulnmatch/osvlocal"
	"github.com/google/osv-scalibr/extractor"
	"github.com/google/osv-scalibr/inventory"
	"github.com/google/osv-scalibr/plugin/config"

	"github.com/mcpsf/mcpsf/bench/advisory/export"
)

// offline keeps the library from using the network.
type offline struct{ *config.DefaultClientFactories }

func (offline) HTTPClient() *http.Client {
	return &http.Client{Transport: http.NewFileTransport(http.Dir("/nonexistent"))}
}

// byLibrary looks the packages up with osv-scalibr's own matcher, which reads
// the exports each time.
func byLibrary(ctx context.Context, exports string, packages []export.Wanted) (found, error) {
	// It expects the exports below a folder of its own name.
	dir, err := os.MkdirTemp("", "bench-osvlocal-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	abs, err := filepath.Abs(exports)
	if err != nil {
		return nil, err
	}
	if err := os.Symlink(abs, filepath.Join(dir, "osv-scalibr")); err != nil {
		return nil, err
	}
	e, err := osvlocal.New(&config.PluginConfig{
		ClientFactories: offline{config.NewDefaultClientFactories("")},
		ProtoConfig: &cpb.PluginConfig{PluginSpecific: []*cpb.PluginSpecificConfig{{
			Config: &cpb.PluginSpecificConfig_Osvlocal{Osvlocal: &cpb.OSVLocalConfig{LocalPath: dir}},
		}}},
	})
	if err != nil {
		return nil, err
	}
	inv := &inventory.Inventory{}
	for _, p := range packages {
		kind := map[string]string{"npm": "npm", "PyPI": "pypi"}[p.Ecosystem]
		inv.Packages = append(inv.Packages, &extractor.Package{Name: p.Name, Version: p.Version, PURLType: kind})
	}
	if err := e.Enrich(ctx, nil, inv); err != nil {
		return nil, fmt.Errorf("osvlocal: %w", err)
	}
	all := found{}
	for _, v := range inv.PackageVulns {
		all.add(v.Package.Name+"@"+v.Package.Version, v.Vulnerability.GetId())
	}
	return all, nil
}
