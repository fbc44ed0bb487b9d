package npm

import (
	"encoding/json"
	"path"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/archive"
	"github.com/mcpsf/mcpsf/internal/acquire/source/published"
	"github.com/mcpsf/mcpsf/internal/document"
)

// repository is the package's source repository with the commit that npm
// recorded at publication, nil if the package names none.
func repository(manifest map[string]json.RawMessage, commit string) *mcpsf.Repository {
	r := &mcpsf.Repository{}
	address := document.Text(manifest["repository"])
	if fields := document.Object(manifest["repository"]); fields != nil {
		address = document.Text(fields["url"])
		if dir := document.Text(fields["directory"]); dir != "" {
			if clean, why := archive.MemberPath(path.Clean(dir)); why == "" && clean != "." {
				r.Dir = clean
			}
		}
	}
	if r.URL = published.RepositoryURL(address); r.URL == "" {
		return nil
	}
	if published.IsCommit(commit) {
		r.Commit = commit
	}
	return r
}
