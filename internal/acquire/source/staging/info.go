package staging

import (
	"io/fs"
	"time"
)

// Info describes a newly written entry: it has only a type, a mode and a size.
func Info(mode fs.FileMode, size int64) fs.FileInfo { return member{mode, size} }

// member is such an entry.
type member struct {
	mode fs.FileMode
	size int64
}

var _ fs.FileInfo = member{}

func (m member) Name() string       { return "" }
func (m member) Size() int64        { return m.size }
func (m member) Mode() fs.FileMode  { return m.mode }
func (m member) ModTime() time.Time { return time.Time{} }
func (m member) IsDir() bool        { return m.mode.IsDir() }
func (m member) Sys() any           { return nil }
