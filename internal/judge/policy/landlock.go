package policy

import (
	"bytes"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// landlock writes a script for landrun, which starts a command under the
// kernel's Landlock.
func landlock(buf *bytes.Buffer, n *Needs) error {
	writeComments(buf, "#", n.comments(
		"A sketch of a Landlock sandbox, as a script: sh FILE COMMAND ARG... It needs landrun and Linux 6.7 for the ports. Landlock knows files and TCP ports; it does not know hosts, names or UDP.",
		"The folders of the loader and its libraries are always in it.",
	))
	read, write := n.folders()
	execute := n.executables()
	for _, p := range []struct{ sign, name string }{{pack, "PACKAGE"}, {workspace, "WORKSPACE"}} {
		mentioned := func(s string) bool { return strings.HasPrefix(s, p.sign) }
		if slices.ContainsFunc(slices.Concat(read, write, execute), mentioned) {
			fmt.Fprintf(buf, ": \"${%s:?say where it is}\"\n", p.name)
		}
	}
	buf.WriteString("exec landrun")
	option := func(name, value string) { fmt.Fprintf(buf, " \\\n  --%s \"%s\"", name, value) }
	for _, name := range execute {
		option("rox", name)
	}
	for _, name := range without(read, execute) {
		option("ro", name)
	}
	for _, name := range write {
		option("rw", name)
	}
	for _, port := range ports(n.granted(mcpsf.AccessListen)) {
		option("bind-tcp", fmt.Sprint(port))
	}
	for _, port := range ports(n.granted(mcpsf.AccessHost)) {
		option("connect-tcp", fmt.Sprint(port))
	}
	for _, name := range append([]string{"HOME", "PATH"}, n.secrets()...) {
		option("env", name)
	}
	buf.WriteString(" \\\n  -- \"$@\"\n")
	return nil
}

// executables returns the programs that may run, and their loaders.
func (n *Needs) executables() []string {
	list := []string{"/lib", "/lib64", "/usr/lib"}
	for _, name := range n.granted(mcpsf.AccessProgram) {
		if isPath(name) {
			list = append(list, trimmed(name))
		}
	}
	return outermost(list)
}

func ports(names []string) []int {
	var list []int
	for _, name := range names {
		if _, port := splitPort(name); port > 0 {
			list = append(list, port)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func isLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && addr.IsLoopback()
}
