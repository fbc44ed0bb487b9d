package services

import (
	"net/http"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/execproof"
)

// download returns a file of the type that the name's extension says.
func download(s *Services, r *Request) *Answer {
	if !r.Reads() {
		return nil
	}
	name := strings.ToLower(r.base())
	ext := strings.TrimPrefix(path.Ext(name), ".")
	switch {
	case strings.HasSuffix(name, ".tar.gz"):
		ext = "tgz"
	case hasAny(name, "linux-amd64", "linux_amd64", "linux-x64", "linux-x86_64", "linux_x86_64", "x64", "amd64", "x86_64", "linux64") && (ext == "" || strings.Contains(ext, "-") || strings.Contains(ext, "_")):
		ext = "elf"
	case name == "rss" || name == "rss.xml" || name == "feed.xml":
		ext = "rss"
	case name == "atom.xml":
		ext = "atom"
	case strings.HasPrefix(name, "sitemap") && ext == "xml":
		ext = "sitemap"
	case ext == "json" && !strings.Contains(r.Header("Accept"), "text/html"):
		return nil // an ordinary API
	}
	if body := s.program(r, ext); body != nil {
		return whole("application/octet-stream", body)
	}
	a := fileOf(ext, []entry{{"README.md", "# Release\n\nSee the documentation for how to use it.\n"}})
	if a == nil {
		return nil
	}
	a.whole = true
	d := s.diceFor(r)
	return a.with("Last-Modified", s.opts.Now().UTC().AddDate(0, 0, -d.IntN(90)-1).Format("Mon, 02 Jan 2006")+" 09:12:44 GMT").
		with("ETag", `"`+letters(d, 8, hexDigits)+"-"+letters(d, 4, hexDigits)+`"`)
}

// program is a Linux program, or a Python pickle, that reports when it is run.
func (s *Services) program(r *Request, ext string) []byte {
	switch ext {
	case "elf", "bin", "so", "out", "run", "appimage":
		return s.provenByRun(r, execproof.Program)
	case "pkl", "pickle", "joblib", "dill":
		return s.provenByRun(r, execproof.Pickle)
	}
	return nil
}

// fileOf makes a small valid file with that extension, from the entries if it
// is an archive; nil if the extension is unknown.
func fileOf(ext string, entries []entry) *Answer {
	ok := func(kind string, body []byte) *Answer { return of(http.StatusOK, kind, body) }
	if f, known := lists().Texts[ext]; known {
		if f.Text == "" {
			f.Text = entries[0].text
		}
		return ok(f.Type, []byte(f.Text))
	}
	switch ext {
	case "png":
		return ok("image/png", pixelPNG())
	case "gif":
		return ok("image/gif", pixelGIF())
	case "jpg", "jpeg":
		return ok("image/jpeg", pixelJPEG())
	case "ico":
		return ok("image/x-icon", icon())
	case "xlsx":
		return ok("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", zipOf(workbook()))
	case "docx":
		return ok("application/vnd.openxmlformats-officedocument.wordprocessingml.document", zipOf(letter()))
	case "zip", "jar", "whl", "vsix":
		return ok("application/zip", zipOf(entries))
	case "tgz":
		return ok("application/octet-stream", zipped(tarOf(entries)))
	case "tar":
		return ok("application/x-tar", tarOf(entries))
	case "gz":
		return ok("application/gzip", zipped([]byte(entries[0].text)))
	case "pdf":
		return ok("application/pdf", pdf())
	case "exe", "dll":
		return ok("application/octet-stream", windowsProgram())
	}
	return nil
}
