package disk

import "strings"

// Dir returns the directory of a path, "" for the top.
func Dir(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

// Below joins a directory, which may be the top, and a path.
func Below(dir, p string) string {
	if dir == "" {
		return p
	}
	return dir + "/" + p
}
