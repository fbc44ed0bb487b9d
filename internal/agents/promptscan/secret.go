package promptscan

import (
	"slices"
	"strings"
)

// secretPath says whether secrets are stored at a path.
func secretPath(p string) bool {
	p = strings.ReplaceAll(p, `\`, "/")
	base := p[strings.LastIndexByte(p, '/')+1:]
	if strings.HasSuffix(base, ".pub") {
		return false
	}
	if strings.HasPrefix(base, ".env") {
		return base == ".env" || strings.HasPrefix(base, ".env.") && !sample(base)
	}
	if tables().SecretFiles.Has(base) {
		return base != "config.json" || strings.Contains(p, ".docker/")
	}
	if containsAny(p, tables().SecretFolders) {
		return true
	}
	if strings.HasSuffix(base, ".json") || strings.HasSuffix(base, ".txt") {
		return strings.Contains(base, "token") || strings.Contains(base, "credential") || strings.Contains(base, "password")
	}
	return strings.HasSuffix(base, ".pem") || strings.HasSuffix(base, ".p12") || strings.HasSuffix(base, ".kdbx")
}

// sample reports whether the file is only a template of the real one.
func sample(base string) bool {
	return containsAny(base, tables().SampleFiles)
}

// private reports whether no tool needs the path unless the user says so.
func private(p string) bool {
	return containsAny(p, tables().PrivatePaths)
}

// secretName reports whether a parameter's name says that it takes a secret.
func secretName(name string) bool {
	return containsAny(name, tables().SecretParameters)
}

func containsAny(s string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(s, part) })
}
