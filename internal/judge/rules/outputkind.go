package rules

import (
	"path"
	"slices"
	"strings"
)

// wrongKind tells whether a tool that makes files of one kind, by its name, has
// to do with a file of another: pictures are no text, and nobody who asks for
// one wants a file without an ending.
func (r *run) wrongKind(f *fields) bool {
	words := toolWords(f.Tool)
	for _, k := range []struct{ words, endings []string }{
		{[]string{"screenshot", "image", "picture", "photo", "snapshot", "thumbnail"}, []string{"png", "jpg", "jpeg", "webp", "gif", "bmp", "svg", "avif", "tiff"}},
		{[]string{"recording", "record", "video", "screencast"}, []string{"mp4", "webm", "mov", "mkv", "avi", "gif", "mp3", "wav", "ogg", "m4a"}},
		{[]string{"pdf"}, []string{"pdf"}},
	} {
		if slices.ContainsFunc(k.words, func(w string) bool { return slices.Contains(words, w) }) {
			return !slices.Contains(k.endings, strings.ToLower(strings.TrimPrefix(path.Ext(f.Path), ".")))
		}
	}
	return false
}
