package report

import (
	"time"

	"github.com/mcpsf/mcpsf"
)

// inspected is a run of a server whose package was read: with findings that have
// a line, a file, or a package, and with advisories about its packages.
func inspected() *mcpsf.Report {
	r := high()
	r.Inspection = inspection()
	r.Findings = append(r.Findings,
		mcpsf.Finding{
			ID: "source-secret-exfiltration", Title: "Source code sends a credential out", Category: mcpsf.CategoryBehaviour, Severity: mcpsf.SeverityHigh, Grade: mcpsf.GradeSuspected, Weight: 30,
			Message: "server.js sends a credential that was read from its place.", Occurrences: 1, Phase: mcpsf.PhaseInspect, Tool: "add_note",
			File: "server.js", Line: 17, Fingerprint: "00000000000000a1", Remediation: "Read the place that is named.",
		},
		mcpsf.Finding{
			ID: "known-vulnerable-dependency-high", Title: "Known vulnerable dependency (high)", Category: mcpsf.CategoryWeakness, Severity: mcpsf.SeverityMedium, Grade: mcpsf.GradeSuspected, Weight: 8,
			Message:     "pkg:npm/qs@6.5.2 has a published weakness (high): GHSA-hrpp-h998-j3pp (CVE-2022-24999): qs vulnerable to Prototype Pollution; mended in 6.5.3; loaded: yes.",
			Occurrences: 1, Phase: mcpsf.PhaseInspect, File: "package-lock.json", Package: "pkg:npm/qs@6.5.2", Advisories: []string{"GHSA-hrpp-h998-j3pp"}, Fingerprint: "00000000000000a2",
			Remediation: "The author should take a version in which it is mended.",
		},
		mcpsf.Finding{
			ID: "source-obfuscation-in-dependency", Title: "Dependency has obfuscated code", Category: mcpsf.CategoryBehaviour, Severity: mcpsf.SeverityMedium, Grade: mcpsf.GradeSuspected, Weight: 8,
			Message: "The dependency node_modules/odd/i.js hides what it does: score 90.", Occurrences: 1, Phase: mcpsf.PhaseInspect,
			File: ".installed/code/server/node_modules/odd/i.js", Line: 1, Package: "pkg:npm/odd@1.0.0", Fingerprint: "00000000000000a3", Remediation: "Look into it.",
		},
	)
	r.Coverage.Phases = append([]mcpsf.Phase{mcpsf.PhaseInspect}, r.Coverage.Phases...)
	return finish(r)
}

func inspection() *mcpsf.Inspection {
	fetched := time.Date(2025, 12, 30, 3, 0, 0, 0, time.UTC)
	npm := func(name, version string, loaded mcpsf.Loaded, via ...string) mcpsf.Package {
		return mcpsf.Package{
			Ecosystem: mcpsf.EcosystemNPM, Name: name, Version: version, PURL: "pkg:npm/" + name + "@" + version, Licences: []string{"MIT"},
			Found: []string{"package-lock.json"}, Installed: true, Via: append([]string{}, via...), Loaded: loaded,
		}
	}
	own := npm("notes", "1.2.0", mcpsf.LoadedYes)
	own.Via = nil
	return &mcpsf.Inspection{
		Packages: []mcpsf.Package{
			own, npm("express", "4.18.2", mcpsf.LoadedYes), npm("qs", "6.5.2", mcpsf.LoadedYes, "pkg:npm/express@4.18.2"),
			npm("ws", "8.16.0", mcpsf.LoadedNo), npm("odd", "1.0.0", mcpsf.LoadedNo, "pkg:npm/ws@8.16.0"),
			{Ecosystem: mcpsf.EcosystemNPM, Name: "jest", Wanted: "^29", PURL: "pkg:npm/jest", Found: []string{"package.json"}, Via: []string{}, Dev: true},
		},
		Advisories: []mcpsf.Advisory{
			{ID: "GHSA-3h5v-q93c-6h6q", Aliases: []string{"CVE-2024-37890"}, Package: "pkg:npm/ws@8.16.0", Summary: "ws affected by a DoS when handling a request with many HTTP headers", Severity: mcpsf.SeverityHigh, Score: 7.5, Fixed: []string{"8.17.1"}, Loaded: mcpsf.LoadedNo},
			{ID: "GHSA-hrpp-h998-j3pp", Aliases: []string{"CVE-2022-24999"}, Package: "pkg:npm/qs@6.5.2", Summary: "qs vulnerable to Prototype Pollution", Severity: mcpsf.SeverityHigh, Score: 7.5, Fixed: []string{"6.5.3"}, Loaded: mcpsf.LoadedYes},
		},
		Lookup: mcpsf.Lookup{
			Sources:  []mcpsf.AdvisorySource{{Name: "database on this machine", Ecosystem: "npm", Records: 214_331, Exported: fetched.Add(-time.Hour), Fetched: fetched}},
			Packages: 5, Unknown: 1,
		},
		Capabilities: []mcpsf.Capability{
			{Kind: mcpsf.CapabilityExec, Count: 1, Places: []mcpsf.CodePlace{{Path: "server.js", Line: 30, Name: "child_process.exec", Tools: []string{"add_note"}}}, Used: mcpsf.LoadedYes, Evidence: []int64{9}},
			{Kind: mcpsf.CapabilityFiles, Count: 2, Declared: "Keeps notes in files.", Places: []mcpsf.CodePlace{{Path: "server.js", Line: 12, Name: "fs.readFile"}, {Path: "store.js", Line: 3, Name: "fs.writeFile"}}, Used: mcpsf.LoadedYes, Evidence: []int64{7, 8}},
			{Kind: mcpsf.CapabilityNetwork, Packages: []string{"pkg:npm/ws@8.16.0", "pkg:npm/express@4.18.2"}, Used: mcpsf.LoadedNo},
		},
		Tools: []mcpsf.SourceTool{
			{Tool: mcpsf.Tool{Name: "add_note"}, Path: "server.js", Line: 20}, {Tool: mcpsf.Tool{Name: "list_notes"}, Path: "server.js", Line: 40},
			{Tool: mcpsf.Tool{Name: "debug", Description: "For the maintainer."}, Path: "server.js", Line: 60},
		},
		Files: mcpsf.FileTotals{Seen: 4, Source: 3, Parsed: 2, Bytes: 12_000},
		Gaps:  []string{"vendor.min.js: only its words were read"},
	}
}
