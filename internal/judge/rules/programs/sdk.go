package programs

import "strings"

// SDKOf returns the MCP SDK that a source file belongs to, "" if to none.
func SDKOf(file string) string {
	if lib := libraryOf(file); known().SDKs[lib] {
		return lib
	}
	return ""
}

// ServesSDK tells whether a source file is part of the language's runtime, or of
// a library by which an SDK reads messages and runs its loop.
func ServesSDK(file string) bool {
	lib := libraryOf(file)
	if lib == "" {
		return strings.HasPrefix(file, "/usr/") || strings.HasPrefix(file, "node:") || strings.HasPrefix(file, "<frozen ")
	}
	return known().SDKLibraries[lib]
}

// libraryOf returns the installed package that a file is in, "" if in none.
func libraryOf(file string) string {
	for _, folder := range []string{"/node_modules/", "/site-packages/", "/dist-packages/"} {
		i := strings.LastIndex(file, folder)
		if i < 0 {
			continue
		}
		name, rest, _ := strings.Cut(file[i+len(folder):], "/")
		if strings.HasPrefix(name, "@") {
			second, _, _ := strings.Cut(rest, "/")
			name += "/" + second
		}
		return strings.TrimSuffix(name, ".py")
	}
	return ""
}
