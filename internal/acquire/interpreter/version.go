package interpreter

import (
	"bytes"
	"path/filepath"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// maxHeader bounds what is read of a header.
// no gap: bounds the toolchain that we fetch, not the server
const maxHeader = 64 << 10

// versionOf is the version of a program file with links followed.
func versionOf(rt mcpsf.Runtime, file string) string {
	if rt == mcpsf.RuntimePython {
		return pythonVersion(file)
	}
	return nodeVersion(file)
}

var (
	nodeMajor = lazyregexp.New(`(?m)^#define NODE_MAJOR_VERSION (\d{1,4})\s*$`)
	nodeMinor = lazyregexp.New(`(?m)^#define NODE_MINOR_VERSION (\d{1,4})\s*$`)
	nodePatch = lazyregexp.New(`(?m)^#define NODE_PATCH_VERSION (\d{1,4})\s*$`)
)

// nodeVersion looks in the headers beside the program, which a distribution of
// Node.js has; then in the program; then in the library that contains
// everything on some systems.
func nodeVersion(file string) string {
	prefix := filepath.Dir(filepath.Dir(file))
	if filepath.Base(file) == "node" { // node-18 may be a second one, without headers
		if v := nodeHeader(readHead(filepath.Join(prefix, "include/node/node_version.h"), maxHeader)); v != "" {
			return v
		}
	}
	if v := scanNode(file); v != "" {
		return v
	}
	for _, pattern := range []string{"lib/libnode.so.*", "lib64/libnode.so.*", "lib/*/libnode.so.*"} {
		for _, library := range newestFirst(prefix, pattern) {
			if v := scanNode(library); v != "" {
				return v
			}
		}
	}
	return ""
}

func nodeHeader(text []byte) string {
	version := ""
	for _, part := range []*lazyregexp.Regexp{nodeMajor, nodeMinor, nodePatch} {
		found := part.FindSubmatch(text)
		if found == nil {
			return ""
		}
		version += "." + string(found[1])
	}
	return version[1:]
}

// scanNode searches for the name that Node.js reports to debuggers, and for its
// release URL.
func scanNode(path string) string {
	for _, mark := range []string{"node.js/v", "/download/release/v"} {
		if v := scanFile(path, mark, nodeAt); v != "" {
			return v
		}
	}
	return ""
}

var nodeText = lazyregexp.New(`^\d{1,3}\.\d{1,3}\.\d{1,3}`)

func nodeAt(_ byte, tail []byte) string { return string(nodeText.Find(tail)) }

var pythonHeader = lazyregexp.New(`(?m)^#define\s+PY_VERSION\s+"(3\.\d{1,3}\.\d{1,3})[^"\n]{0,16}"`)

// pythonVersion takes the minor version from the program's name or library, and
// the rest from the header, the program, or the shared library.
func pythonVersion(file string) string {
	prefix := filepath.Dir(filepath.Dir(file))
	minors := pythonMinors(file, prefix)
	for _, minor := range minors {
		for _, header := range []string{"include/python" + minor, "include/python" + minor + "m"} {
			text := readHead(filepath.Join(prefix, header, "patchlevel.h"), maxHeader)
			if found := pythonHeader.FindSubmatch(text); found != nil && bytes.HasPrefix(found[1], []byte(minor+".")) {
				return string(found[1])
			}
		}
		if v := scanPython(file, prefix, minor); v != "" {
			return v
		}
	}
	if len(minors) == 1 {
		return minors[0]
	}
	return ""
}

var pythonMinor = lazyregexp.New(`^python(3\.\d{1,3})$`)

// pythonMinors lists the possible minor versions of a program.
func pythonMinors(file, prefix string) []string {
	if found := pythonMinor.FindStringSubmatch(filepath.Base(file)); found != nil {
		return found[1:]
	}
	var list []string
	for _, library := range newestFirst(prefix, "lib/python3.*/os.py") {
		if found := pythonMinor.FindStringSubmatch(filepath.Base(filepath.Dir(library))); found != nil {
			list = append(list, found[1])
		}
	}
	return list
}

func scanPython(file, prefix, minor string) string {
	places := []string{file}
	for _, pattern := range []string{"lib/libpython" + minor + ".so.*", "lib64/libpython" + minor + ".so.*", "lib/*/libpython" + minor + ".so.*"} {
		places = append(places, newestFirst(prefix, pattern)...)
	}
	for _, place := range places {
		if v := scanFile(place, minor+".", pythonAt(minor)); v != "" {
			return v
		}
	}
	return ""
}

var pythonText = lazyregexp.New(`^(\d{1,3})((a|b|rc)\d{1,3})?\+?\x00`)

// pythonAt recognises the version at the end of a string. The string may be
// longer, such as a path, because linkers store common endings once.
func pythonAt(minor string) func(byte, []byte) string {
	return func(before byte, tail []byte) string {
		found := pythonText.FindSubmatch(tail)
		if found == nil || before == '.' || '0' <= before && before <= '9' {
			return ""
		}
		return minor + "." + string(found[1])
	}
}
