package summary

import (
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// maxNamed bounds the files and hosts in one line of advice.
// no gap: bounds what is shown
const maxNamed = 3

// theft returns the advice on a server that stole data: three lines, most urgent
// first. It is nil for any other server.
func theft(r *mcpsf.Report) []string {
	if r.Verdict.Behaviour.Band != mcpsf.BandCritical {
		return nil
	}
	tools := map[string]bool{}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Severity == mcpsf.SeverityCritical && exfiltration(f) {
			tools[f.Tool] = true
		}
	}
	if len(tools) == 0 {
		return nil
	}
	stop := "Stop this server wherever it runs, and do not deploy it."
	rotate := "Revoke and replace every secret that it could read."
	if files := named(r, tools, mcpsf.AccessRead); len(files) > 0 {
		rotate = fmt.Sprintf("Revoke and replace what it read: %s.", strings.Join(files, ", "))
	}
	block := "Search your logs for connections of this server, and block their hosts."
	if hosts := named(r, tools, mcpsf.AccessHost); len(hosts) > 0 {
		block = fmt.Sprintf("Block %s and search your logs for it.", strings.Join(hosts, ", "))
	}
	return []string{stop, rotate, block}
}

// exfiltration tells whether a finding is about data that left, by its ATT&CK
// techniques.
func exfiltration(f *mcpsf.Finding) bool {
	return slices.ContainsFunc(f.Maps.ATTACK, func(id string) bool {
		technique, _, _ := strings.Cut(id, ".")
		return slices.Contains([]string{"T1020", "T1041", "T1048", "T1567"}, technique)
	})
}

// named returns the decoys that the tools read, or the hosts that they contacted.
func named(r *mcpsf.Report, tools map[string]bool, kind mcpsf.AccessKind) []string {
	var names []string
	for i := range r.Accesses {
		a := &r.Accesses[i]
		if a.Kind != kind || !tools[a.Tool] || kind == mcpsf.AccessRead && a.Planted == "" {
			continue
		}
		name := a.Name
		if kind == mcpsf.AccessHost {
			if host, _, err := net.SplitHostPort(name); err == nil {
				name = host
			}
		}
		name = strings.Replace(name, mcpsf.Home+"/", "~/", 1)
		if !slices.Contains(names, name) && len(names) < maxNamed {
			names = append(names, name)
		}
	}
	return names
}
