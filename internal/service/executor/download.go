package executor

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// fileName matches the names of report files.
var fileName = lazyregexp.New(`^[a-zA-Z0-9][a-zA-Z0-9._-]{0,100}$`)

// no gap: bounds requests to the service and what its pages show, not what a run sees
const (
	// maxFiles and maxFile bound the files of a run.
	maxFiles = 64
	maxFile  = 2 << 30
)

// Download downloads the files of a job into a directory, which is created.
func (c *Cloud) Download(ctx context.Context, id, dir string) error {
	var list struct {
		Artifacts []struct {
			Name string `json:"name"`
			Size int64  `json:"size"`
		} `json:"artifacts"`
	}
	at := "/api/v1/jobs/" + url.PathEscape(id) + "/artifacts"
	err := c.retrying(ctx, func() error {
		req, err := c.request(ctx, http.MethodGet, at, nil)
		if err != nil {
			return err
		}
		return c.answer(req, &list)
	})
	if err != nil {
		return err
	}
	if len(list.Artifacts) > maxFiles {
		return fmt.Errorf("the service lists %d files for one job", len(list.Artifacts))
	}
	root, err := outputRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, f := range list.Artifacts {
		if !fileName.MatchString(f.Name) || f.Size < 0 || f.Size > maxFile {
			return fmt.Errorf("the service has a file %q of %d bytes, which is no file of a report", f.Name, f.Size)
		}
		if err := c.retrying(ctx, func() error { return c.file(ctx, root, at+"/"+f.Name, f.Name, f.Size) }); err != nil {
			return err
		}
	}
	return nil
}

// file downloads one file, completely or not at all.
func (c *Cloud) file(ctx context.Context, root *os.Root, from, name string, size int64) error {
	req, err := c.request(ctx, http.MethodGet, from, nil)
	if err != nil {
		return err
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if err := c.checkStatus(resp); err != nil {
		return err
	}
	return writeFile(root, name, size, resp.Body)
}
