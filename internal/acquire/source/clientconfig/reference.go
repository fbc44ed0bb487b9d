package clientconfig

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// reference matches ${NAME} in any client's form: ${input:id}, ${env:NAME},
// ${NAME:-default}, {env:NAME}, and $NAME if it is the whole value.
var reference = lazyregexp.New(`\$\{([^{}]{1,200})\}|\{env:(\w{1,200})\}|^\$([A-Za-z_]\w{0,199})$`)

// fill replaces the references in text. A value that is not in the
// configuration is the user's own, so a similar one is invented.
func (s *starter) fill(text string) string {
	// no gap: a larger package, manifest or list is refused with an error
	const most = 64 // references in one text
	if len(text) > document.MaxWord {
		text = strings.ToValidUTF8(text[:document.MaxWord], "")
	}
	var b strings.Builder
	last := 0
	for _, at := range reference.FindAllStringSubmatchIndex(text, most) {
		name := ""
		for group := 2; group < len(at); group += 2 {
			if at[group] >= 0 {
				name = text[at[group]:at[group+1]]
			}
		}
		b.WriteString(text[last:at[0]])
		b.WriteString(s.refer(name))
		last = at[1]
	}
	b.WriteString(text[last:])
	return b.String()
}

// refer returns the value of a reference.
func (s *starter) refer(name string) string {
	if id, ok := strings.CutPrefix(name, "input:"); ok {
		if in := s.config.inputs[id]; !in.secret && in.value != "" {
			return in.value
		}
		return s.hide.Invent(id)
	}
	name, fallback, hasFallback := strings.Cut(strings.TrimPrefix(name, "env:"), ":-")
	switch name {
	case "workspaceFolder", "workspaceRoot", "cwd":
		return s.config.dir
	case "workspaceFolderBasename":
		return filepath.Base(s.config.dir)
	case "userHome", "HOME", "USERPROFILE":
		return cmp.Or(s.opts.Home, mcpsf.Home)
	case "USER", "USERNAME", "LOGNAME":
		return mcpsf.User
	case "pathSeparator", "/":
		return "/"
	case "PATH":
		return ""
	}
	if hasFallback {
		return fallback
	}
	return s.hide.Invent(name)
}
