//go:build linux

package install

import (
	"slices"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/assesstest"
)

// installedIsLoaded checks that advisories about loaded packages are told from those
// about packages that are only installed, and that each names its dependency path.
func installedIsLoaded(t *testing.T, h *assesstest.HostCheck) {
	result := install(t, h, assesstest.TwoDependencies(t), "npm:case-server", assesstest.NewCache(t), assesstest.ReadsSource(t, "in-use", "left-alone", "far-away"))
	worked(t, result)
	in := result.Report.Inspection
	if in == nil || in.Lookup.Missing != "" || len(in.Advisories) != 3 {
		t.Fatalf("inspection %+v", in)
	}
	loaded, via := map[string]mcpsf.Loaded{}, map[string]int{}
	for _, p := range in.Packages {
		loaded[p.Name], via[p.Name] = p.Loaded, len(p.Via)
	}
	if loaded["in-use"] != mcpsf.LoadedYes || loaded["left-alone"] != mcpsf.LoadedNo || loaded["far-away"] != mcpsf.LoadedNo || loaded["case-server"] != mcpsf.LoadedYes {
		t.Errorf("loaded: %v", loaded)
	}
	if via["in-use"] != 0 || via["far-away"] != 1 {
		t.Errorf("ways: %v", via)
	}
	all, _ := told(result)
	if !slices.Contains(all, "known-vulnerable-dependency-critical inspect") || !slices.Contains(all, "known-vulnerable-dependency-unused inspect") {
		t.Errorf("findings %q", all)
	}
}

// TestScanInstalls checks that a scan reads the dependencies too, and starts
// nothing.
func TestScanInstalls(t *testing.T) {
	t.Parallel()
	r := assesstest.TwoDependencies(t)
	client := r.Client(t)
	defer client.Close()
	opts := assesstest.Options(t, "npm:case-server", assesstest.ReadsSource(t, "left-alone"), func(o *assess.Options) { o.Sources.Registry, o.Sources.Cache = client, assesstest.NewCache(t) })
	result, err := assess.Scan(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	in := result.Report.Inspection
	if len(in.Packages) != 4 || len(in.Advisories) != 1 || in.Advisories[0].Loaded != "" {
		t.Errorf("%d packages, advisories %+v", len(in.Packages), in.Advisories)
	}
	exec := slices.IndexFunc(in.Capabilities, func(a mcpsf.Capability) bool { return a.Kind == mcpsf.CapabilityExec })
	if exec < 0 || !slices.Equal(in.Capabilities[exec].Packages, []string{"pkg:npm/left-alone@1.0.0"}) {
		t.Errorf("abilities %+v", in.Capabilities)
	}
	for i := range result.Events {
		if p := result.Events[i].Phase; p != mcpsf.PhaseInstall && p != mcpsf.PhaseInspect {
			t.Fatalf("event %+v", result.Events[i])
		}
	}
}
