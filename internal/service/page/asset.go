package page

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"

	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/server"
)

//go:embed assets
var embedded embed.FS

// assets are the files that pages load, by name.
type assets map[string]asset

type asset struct {
	contentType, sum string
	text             []byte
}

func loadAssets() (assets, error) {
	all := assets{}
	for name, contentType := range map[string]string{"style.css": "text/css; charset=utf-8", "script.js": "text/javascript; charset=utf-8"} {
		text, err := embedded.ReadFile("assets/" + name)
		if err != nil {
			return nil, fmt.Errorf("reading the assets: %w", err)
		}
		sum := sha256.Sum256(text)
		all[name] = asset{contentType, hex.EncodeToString(sum[:8]), text}
	}
	return all, nil
}

// address is the URL of a file. It changes with the content, so browsers may cache
// the file for ever.
func (a assets) address(name string) string { return "/assets/" + name + "?v=" + a[name].sum }

// mount serves the assets.
func (a assets) mount(api *server.Server) {
	for name, file := range a {
		api.Mount("GET /assets/"+name, func(w http.ResponseWriter, r *http.Request, _ *job.Key) {
			h := w.Header()
			h.Set("Content-Type", file.contentType)
			h.Set("Content-Length", strconv.Itoa(len(file.text)))
			if r.URL.Query().Get("v") == file.sum {
				h.Set("Cache-Control", "public, max-age=31536000, immutable")
			}
			_, _ = w.Write(file.text)
		})
	}
}
