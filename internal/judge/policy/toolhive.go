package policy

import (
	"bytes"
	"slices"
	"strings"
)

// profile is ToolHive's permission profile. JSON has no comments, so they are in
// a key that ToolHive ignores.
type profile struct {
	Comment []string `json:"//"`
	Name    string   `json:"name"`
	Read    []string `json:"read"`
	Write   []string `json:"write"`
	Network struct {
		Outbound struct {
			InsecureAllowAll bool     `json:"insecure_allow_all"`
			AllowHost        []string `json:"allow_host"`
			AllowPort        []int    `json:"allow_port"`
		} `json:"outbound"`
	} `json:"network"`
}

func toolHive(buf *bytes.Buffer, n *Needs) error {
	p := profile{Name: n.Server, Read: []string{}, Write: []string{}}
	read, write, kept := n.mounts()
	p.Read, p.Write = append(p.Read, read...), append(p.Write, write...)
	out := &p.Network.Outbound
	out.AllowHost, out.AllowPort = []string{}, []int{}
	out.AllowHost = append(out.AllowHost, hostNames(n.hosts())...)
	for _, e := range n.hosts() {
		if e.port > 0 {
			out.AllowPort = append(out.AllowPort, e.port)
		}
	}
	slices.Sort(out.AllowPort)
	out.AllowPort = slices.Compact(out.AllowPort)
	how := []string{
		"ToolHive permission profile. Replace what begins with $ (ToolHive refuses it), then: thv run --isolate-network --permission-profile FILE SERVER. Without --isolate-network the hosts are not held.",
	}
	if s := n.secrets(); len(s) > 0 {
		how = append(how, "It needs these variables, with --secret or --env: "+strings.Join(s, ", ")+".")
	}
	p.Comment = n.comments(append(how, keptNote(kept)...)...)
	return writeJSON(buf, p)
}

// keptNote says which files are lost with the container.
func keptNote(kept []string) []string {
	if len(kept) == 0 {
		return nil
	}
	return []string{"Stays in the container and ends with it: " + strings.Join(kept, ", ") + ". Mount it if it has to last."}
}
