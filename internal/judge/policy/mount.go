package policy

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// mounts returns the files that must be mounted into a container. kept are the
// program's own files in its home or beside it, which are lost with the container.
func (n *Needs) mounts() (read, write, kept []string) {
	for _, u := range n.Uses {
		name, own := trimmed(u.Name), strings.HasPrefix(u.Name, pack) && u.Kind == mcpsf.AccessWrite
		switch {
		case u.Refused != "" || u.Kind != mcpsf.AccessRead && u.Kind != mcpsf.AccessWrite:
		case inImage(u.Name) && !own:
		case u.By == mcpsf.ByNature || own:
			kept = append(kept, name)
		case u.Kind == mcpsf.AccessWrite:
			write = append(write, name)
		default:
			read = append(read, name)
		}
	}
	write = outermost(write)
	read = without(outermost(read), write)
	return read, write, without(without(outermost(kept), write), read)
}

// folders returns what may be read and written, inside a container or not.
func (n *Needs) folders() (read, write []string) {
	for _, name := range n.granted(mcpsf.AccessWrite) {
		if isPath(name) {
			write = append(write, trimmed(name))
		}
	}
	for _, name := range n.granted(mcpsf.AccessRead) {
		if isPath(name) {
			read = append(read, trimmed(name))
		}
	}
	write = outermost(write)
	return without(outermost(read), write), write
}

// isPath tells paths from pipes and sockets, which have a word instead of a path.
func isPath(name string) bool { return strings.HasPrefix(name, "/") || strings.HasPrefix(name, "$") }

func trimmed(name string) string {
	if t := strings.TrimRight(name, "/"); t != "" {
		return t
	}
	return "/"
}

// outermost removes paths below another path of the list.
func outermost(list []string) []string {
	slices.Sort(list)
	list = slices.Compact(list)
	var out []string
	for _, name := range list {
		if !slices.ContainsFunc(list, func(other string) bool { return other != name && covers(other, name) }) {
			out = append(out, name)
		}
	}
	return out
}

// without removes what others already cover.
func without(list, others []string) []string {
	return slices.DeleteFunc(list, func(name string) bool {
		return slices.ContainsFunc(others, func(other string) bool { return covers(other, name) })
	})
}

func covers(dir, name string) bool {
	_, ok := below(name, dir)
	return ok || dir == "/" && strings.HasPrefix(name, "/")
}

// endpoint is a host that may be contacted; port 0 means any.
type endpoint struct {
	host string
	port int
}

// hosts returns the hosts that may be contacted, except the machine itself.
func (n *Needs) hosts() []endpoint {
	var list []endpoint
	for _, name := range n.granted(mcpsf.AccessHost) {
		host, port := splitPort(name)
		if !isLoopback(host) {
			list = append(list, endpoint{host, port})
		}
	}
	return list
}

func hostNames(list []endpoint) []string {
	var all []string
	for _, e := range list {
		all = append(all, e.host)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// secrets returns the variables that the server must be given.
func (n *Needs) secrets() []string {
	var list []string
	for _, u := range n.Uses {
		if u.Kind == mcpsf.AccessVariable && u.Refused == "" && u.By != mcpsf.ByNature {
			list = append(list, u.Name)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
