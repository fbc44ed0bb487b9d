package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
)

// place is the position of a string in a packument.
type place struct {
	// tarball says that it is the dist.tarball of a version.
	tarball bool
	// version is the version's name in a list of versions.
	version string
}

// level is an open array or object.
type level struct {
	object bool
	// key is the key of the current value.
	key string
}

// rewriteStrings replaces strings in valid JSON where change says so, and
// copies everything else byte by byte. change sees the tarballs, and the other
// values that look like a URL. It fails if the result is much larger than the
// input: such a text was written to exhaust memory.
func rewriteStrings(data []byte, change func(at place, text string) (string, bool)) ([]byte, error) {
	var (
		out    bytes.Buffer
		levels []level
		isKey  bool
		copied int
		limit  = 3*len(data) + 1<<20
	)
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '{', '[':
			isKey = data[i] == '{'
			levels = append(levels, level{object: isKey})
		case '}', ']':
			levels = levels[:len(levels)-1]
			isKey = false
		case ':':
			isKey = false
		case ',':
			isKey = levels[len(levels)-1].object
		case '"':
			end := endOfString(data, i)
			raw := data[i:end]
			if isKey {
				levels[len(levels)-1].key = unquote(raw)
			} else if at := where(levels); at.tarball || bytes.HasPrefix(raw, []byte(`"http`)) {
				if text, ok := change(at, unquote(raw)); ok {
					out.Write(data[copied:i])
					out.Write(quote(text))
					copied = end
				}
			}
			i = end - 1
		}
		if out.Len() > limit {
			return nil, errors.New("the page is too large")
		}
	}
	out.Write(data[copied:])
	return out.Bytes(), nil
}

// where recognises the dist.tarball of a version, alone or in a list of
// versions.
func where(levels []level) place {
	switch {
	case len(levels) == 2 && levels[0].key == "dist" && levels[1].key == "tarball":
		return place{tarball: true}
	case len(levels) == 4 && levels[0].key == "versions" && levels[2].key == "dist" && levels[3].key == "tarball":
		return place{tarball: true, version: levels[1].key}
	}
	return place{}
}

// endOfString is the position after the string that begins at i.
func endOfString(data []byte, i int) int {
	for i++; data[i] != '"'; i++ {
		if data[i] == '\\' {
			i++
		}
	}
	return i + 1
}

func unquote(raw []byte) string {
	if !bytes.ContainsRune(raw, '\\') {
		return string(raw[1 : len(raw)-1])
	}
	var s string
	_ = json.Unmarshal(raw, &s) // it is valid
	return s
}

func quote(s string) []byte {
	b, _ := json.Marshal(s) //nolint:errchkjson // a string always can be
	return b
}
