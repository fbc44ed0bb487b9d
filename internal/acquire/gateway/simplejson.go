package gateway

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// fileJSON is a file in the JSON form of the simple index.
type fileJSON struct {
	File     string            `json:"filename"`
	URL      string            `json:"url"`
	Hashes   map[string]string `json:"hashes"`
	Python   *string           `json:"requires-python,omitempty"`
	Yanked   json.RawMessage   `json:"yanked,omitempty"`
	Metadata json.RawMessage   `json:"core-metadata,omitempty"`
	// MetadataToo is the former name of Metadata, which older clients read.
	MetadataToo json.RawMessage `json:"dist-info-metadata,omitempty"`
	Size        int64           `json:"size,omitempty"`
	Uploaded    string          `json:"upload-time,omitempty"`
}

type metaJSON struct {
	Version string `json:"api-version"`
}

func parseSimpleJSON(body []byte) ([]link, error) {
	var p struct {
		Meta  metaJSON   `json:"meta"`
		Files []fileJSON `json:"files"`
	}
	if err := json.Unmarshal(body, &p); err != nil {
		return nil, errors.New("the page of the index is not what it should be")
	}
	if !strings.HasPrefix(p.Meta.Version, "1.") {
		return nil, errors.New("the index speaks another version")
	}
	links := make([]link, 0, min(len(p.Files), maxLinks))
	for _, f := range p.Files {
		if len(links) == maxLinks {
			break
		}
		l := link{address: f.URL, hashes: digests(f.Hashes), yanked: yanked(f.Yanked), size: max(f.Size, 0)}
		if f.Python != nil {
			l.python = oneLine(*f.Python)
		}
		if uploadTime.MatchString(f.Uploaded) {
			l.uploaded = f.Uploaded
		}
		l.metadata = metadata(f.Metadata)
		if l.metadata == nil {
			l.metadata = metadata(f.MetadataToo)
		}
		links = append(links, l)
	}
	return links, nil
}

func renderJSON(name string, links []link) ([]byte, error) {
	p := struct {
		Meta  metaJSON   `json:"meta"`
		Name  string     `json:"name"`
		Files []fileJSON `json:"files"`
	}{Meta: metaJSON{"1.0"}, Name: name, Files: []fileJSON{}}
	for _, l := range links {
		f := fileJSON{File: l.file, URL: l.address, Hashes: l.hashes, Size: l.size, Uploaded: l.uploaded}
		if f.Hashes == nil {
			f.Hashes = map[string]string{}
		}
		if l.python != "" {
			f.Python = &l.python
		}
		if l.yanked != nil {
			f.Yanked = json.RawMessage("true")
			if *l.yanked != "" {
				f.Yanked = quote(*l.yanked)
			}
		}
		switch {
		case len(l.metadata) > 0:
			b, err := json.Marshal(l.metadata)
			if err != nil {
				return nil, err
			}
			f.Metadata = b
		case l.metadata != nil:
			f.Metadata = json.RawMessage("true")
		}
		f.MetadataToo = f.Metadata
		p.Files = append(p.Files, f)
	}
	return json.Marshal(p)
}

// yanked reads false, true or the reason.
func yanked(raw json.RawMessage) *string {
	var is bool
	if json.Unmarshal(raw, &is) == nil {
		if !is {
			return nil
		}
		return new(string)
	}
	var reason string
	if json.Unmarshal(raw, &reason) != nil {
		return nil
	}
	reason = oneLine(reason)
	return &reason
}

// metadata reads false, true or the hashes.
func metadata(raw json.RawMessage) map[string]string {
	var is bool
	if json.Unmarshal(raw, &is) == nil {
		if !is {
			return nil
		}
		return map[string]string{}
	}
	var hashes map[string]string
	if json.Unmarshal(raw, &hashes) != nil || hashes == nil {
		return nil
	}
	if hashes = digests(hashes); hashes == nil {
		hashes = map[string]string{}
	}
	return hashes
}

var (
	algorithm  = lazyregexp.New(`^(?:md5|sha1|sha224|sha256|sha384|sha512|blake2b|sha3_[0-9]{3})$`)
	hexDigest  = lazyregexp.New(`^[0-9a-fA-F]{16,128}$`)
	uploadTime = lazyregexp.New(`^[0-9T:.Z+-]{10,40}$`)
)

// digests keeps valid digests, nil if there are none.
func digests(from map[string]string) map[string]string {
	var kept map[string]string
	for name, value := range from {
		if algorithm.MatchString(name) && hexDigest.MatchString(value) {
			if kept == nil {
				kept = map[string]string{}
			}
			kept[name] = value
		}
	}
	return kept
}

// oneLine makes a text short and free of control characters.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	if len(s) > 1000 {
		s = strings.ToValidUTF8(s[:1000], "")
	}
	return s
}
