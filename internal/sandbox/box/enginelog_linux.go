package box

import (
	"io"
	"os"
	"path/filepath"

	"gvisor.dev/gvisor/pkg/log"
)

// quietEngine keeps gVisor's own messages off our streams: they go to a file in
// dir, or nowhere. In the supervisor, stderr belongs to the server.
func quietEngine(dir string) {
	var to io.Writer = io.Discard
	if dir != "" {
		if f, err := os.OpenFile(filepath.Join(dir, "supervisor.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644); err == nil {
			to = f
		}
	}
	log.SetTarget(&log.GoogleEmitter{Writer: &log.Writer{Next: to}})
}
