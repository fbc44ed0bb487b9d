package pypi

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/project"
	"github.com/mcpsf/mcpsf/internal/acquire/source/published"
)

// repository is the package's source repository, nil if it names none. An
// attestation's repository takes precedence, because it is harder to forge than
// a text.
func repository(p *project.Project, by attester) *mcpsf.Repository {
	if url := by.url(); url != "" {
		return &mcpsf.Repository{URL: url, Commit: by.Commit}
	}
	file := "PKG-INFO"
	for _, e := range p.Tree.Entries {
		if e.IsDir() && !strings.Contains(e.Path, "/") && path.Ext(e.Path) == ".dist-info" {
			file = path.Join(e.Path, "METADATA")
		}
	}
	if url := sourceURL(p.Manifest(file)); url != "" {
		return &mcpsf.Repository{URL: url}
	}
	return nil
}

// sourceURL finds the source repository among the URLs in the header of a
// METADATA file.
func sourceURL(data []byte) string {
	var labelled, other []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimRight(line, "\r\n"); line == "" {
			break
		}
		key, value, _ := strings.Cut(line, ":")
		switch strings.ToLower(key) {
		case "home-page":
			other = append(other, value)
		case "project-url":
			label, address, _ := strings.Cut(value, ",")
			if isSourceLabel(label) {
				labelled = append(labelled, address)
			} else {
				other = append(other, address)
			}
		}
	}
	for _, address := range slices.Concat(labelled, other) {
		if url := published.RepositoryURL(address); isRepository(url) {
			return url
		}
	}
	return ""
}

func isSourceLabel(label string) bool {
	label = strings.ToLower(strings.TrimSpace(label))
	for _, word := range []string{"source", "repository", "code", "github"} {
		if strings.Contains(label, word) {
			return true
		}
	}
	return false
}

// isRepository distinguishes the URL of a repository from those of pages about
// one, such as its list of issues.
func isRepository(url string) bool {
	_, rest, ok := strings.Cut(strings.ToLower(url), "://")
	host, path, _ := strings.Cut(strings.TrimPrefix(rest, "www."), "/")
	path, _, _ = strings.Cut(path, "#")
	known := []string{"github.com", "gitlab.com", "codeberg.org", "bitbucket.org"}
	return ok && slices.Contains(known, host) && (strings.Count(strings.Trim(path, "/"), "/") == 1 || strings.Contains(path, "/tree/"))
}
