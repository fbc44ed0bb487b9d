package inspect

import (
	"testing"

	"github.com/mcpsf/mcpsf"
)

// A file belongs to the innermost package around it; a package's own
// node_modules does not belong to it.
func TestUsedMarksTheInnermostPackage(t *testing.T) {
	const modules = mcpsf.WorkDir + "/node_modules"
	in := &mcpsf.Inspection{
		Packages: []mcpsf.Package{
			{PURL: "outer", Installed: true, Dirs: []string{modules + "/outer"}},
			{PURL: "inner", Installed: true, Dirs: []string{modules + "/outer/node_modules/inner"}},
			{PURL: "named", Dirs: []string{modules + "/named"}},
			{PURL: "single", Installed: true, Dirs: []string{mcpsf.WorkDir + "/lib/site-packages/single.py"}},
			{PURL: "both", Installed: true, Dirs: []string{modules + "/both", modules + "/outer/node_modules/both"}},
			{PURL: "described", Installed: true, Dirs: []string{modules + "/described"}},
		},
		Advisories: []mcpsf.Advisory{{Package: "outer"}, {Package: "inner"}, {Package: "elsewhere"}},
	}
	open := func(file string, phase mcpsf.Phase) mcpsf.Event {
		return mcpsf.Event{Kind: mcpsf.KindFileOpen, Phase: phase, File: &mcpsf.FileDetail{Path: file}}
	}
	Used(in, []mcpsf.Event{
		open(modules+"/outer/index.js", mcpsf.PhaseInstall),
		open(modules+"/outer/node_modules/unknown/index.js", mcpsf.PhaseStart),
		open(modules+"/described/package.json", mcpsf.PhaseStart),
		open(mcpsf.WorkDir+"/lib/site-packages/single.py", mcpsf.PhaseDrive),
	}, []string{modules + "/outer/node_modules/inner/lib", modules + "/outer/node_modules/both"})
	want := map[string]mcpsf.Loaded{"outer": "no", "inner": "yes", "named": "", "single": "yes", "both": "yes", "described": "no"}
	for _, p := range in.Packages {
		if p.Loaded != want[p.PURL] {
			t.Errorf("%s is loaded: %q, want %q", p.PURL, p.Loaded, want[p.PURL])
		}
	}
	for i, want := range []mcpsf.Loaded{"no", "yes", ""} {
		if got := in.Advisories[i].Loaded; got != want {
			t.Errorf("advisory about %s is loaded: %q, want %q", in.Advisories[i].Package, got, want)
		}
	}
}
