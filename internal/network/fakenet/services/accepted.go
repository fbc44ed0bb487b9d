package services

import (
	"net/http"
	"strings"
)

// accepted answers a client that asks for one kind of file and for no JSON.
func accepted(s *Services, r *Request) *Answer {
	accept := strings.ToLower(r.Header("Accept"))
	if r.Method != http.MethodGet && r.Method != http.MethodPost || strings.Contains(accept, "json") || strings.Contains(accept, "text/html") {
		return nil
	}
	first, _, _ := strings.Cut(accept, ",")
	kind, _, _ := strings.Cut(strings.TrimSpace(first), ";")
	return mediaFile(kind)
}

// mediaFile is a small file of a content type, nil if there is none.
func mediaFile(kind string) *Answer {
	ext := map[string]string{
		"application/pdf": "pdf", "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/*": "png", "application/zip": "zip",
		"text/csv": "csv", "application/x-tar": "tar", "application/gzip": "gz", "image/svg+xml": "svg", "text/markdown": "md", "text/plain": "txt",
		"text/xml": "xml", "application/xml": "xml", "application/rss+xml": "rss", "application/atom+xml": "atom",
		"text/calendar": "ics", "application/gpx+xml": "gpx", "application/vnd.google-earth.kml+xml": "kml", "application/geo+json": "geojson",
		"text/vtt": "vtt", "application/x-subrip": "srt", "text/x-opml": "opml", "application/yaml": "yaml", "application/toml": "toml",
	}[kind]
	if ext == "" {
		return nil
	}
	return fileOf(ext, []entry{{"README.md", "# Release\n\nSee the documentation for how to use it.\n"}})
}

// learnedMedia answers with the content type that a client turned out to want.
func learnedMedia(s *Services, r *Request) *Answer {
	if s.opts.Install {
		return nil
	}
	switch kind := s.expected.Media(s.about(r)); kind {
	case "":
		return nil
	case "multipart/form-data", "application/x-www-form-urlencoded", "text/event-stream", "application/x-ndjson":
		return written(s, r, kind)
	case "text/html":
		return of(http.StatusOK, kindHTML, []byte("<!doctype html>\n<html lang=\"en\"><head><title>Overview</title></head><body><p>Thank you for visiting.</p></body></html>\n"))
	case "application/octet-stream":
		return of(http.StatusOK, kind, pixelPNG())
	default:
		return mediaFile(kind)
	}
}

// written writes the record that a request names in another form than JSON.
func written(s *Services, r *Request, kind string) *Answer {
	record := asJSON(http.StatusOK, s.record(r))
	s.complete(r, record)
	switch kind {
	case "multipart/form-data":
		const boundary = "----record-7MA4YWxkTrZu0gW"
		return of(http.StatusOK, kind+"; boundary="+boundary, []byte("--"+boundary+"\r\nContent-Disposition: form-data; name=\"data\"\r\nContent-Type: application/json\r\n\r\n"+
			string(record.Body)+"\r\n--"+boundary+"\r\nContent-Disposition: form-data; name=\"file\"; filename=\"picture.png\"\r\nContent-Type: image/png\r\n\r\n"+
			string(pixelPNG())+"\r\n--"+boundary+"--\r\n"))
	case "application/x-www-form-urlencoded":
		return of(http.StatusOK, kind, []byte("id="+itoa(int64(s.recordID(r)))+"&status=ok"))
	case "application/x-ndjson":
		return of(http.StatusOK, kind, append(record.Body, '\n'))
	}
	return of(http.StatusOK, kind, []byte("data: "+string(record.Body)+"\n\n"))
}
