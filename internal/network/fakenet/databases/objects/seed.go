package objects

import (
	"embed"
	"io/fs"
	"path"
	"strings"
	"time"
)

// files are the first buckets, each a folder with its objects. All names of hosts in
// them are reserved ones, and none holds a secret.
//
//go:embed seed
var files embed.FS

// seeded is when the first objects were stored.
func seeded() time.Time { return time.Date(2024, time.April, 22, 6, 0, 3, 0, time.UTC) }

func (s *Store) seed() {
	_ = fs.WalkDir(files, "seed", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		in, key, _ := strings.Cut(strings.TrimPrefix(name, "seed/"), "/")
		b := s.buckets[in]
		if b == nil {
			if b, err = s.create(Bucket{Name: in, Created: seeded()}); err != nil {
				return err
			}
		}
		return s.put(b, key, &Object{
			Key: key, Data: data, ETag: digest(data), Modified: seeded(), Headers: []Pair{{"Content-Type", kindOf(key)}},
		})
	}) // cannot fail: a test reads them all
}

// kindOf is the content type of a file by its name.
func kindOf(name string) string {
	switch path.Ext(name) {
	case ".txt", ".log":
		return "text/plain"
	case ".md":
		return "text/markdown"
	case ".csv":
		return "text/csv"
	case ".json":
		return "application/json"
	case ".png":
		return "image/png"
	case ".pdf":
		return "application/pdf"
	}
	return "binary/octet-stream"
}
