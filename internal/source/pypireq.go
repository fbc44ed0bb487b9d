package source

import (
	"regexp"
	"slices"
	"strings"
)

// pypiPrefix is what a target begins with that names a package of an index.
const pypiPrefix = "pypi:"

// requirement is a package of a Python index, as the user asks for it.
type requirement struct {
	name   string // normalised
	extras []string
	specs  pySpecifiers
}

var (
	pyName     = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$`)
	pyNameRuns = regexp.MustCompile(`[-_.]+`)
)

// parseRequirement reads "pypi:name[extra]", followed by "@1.2.3" or by
// version specifiers such as ">=1,<2".
func parseRequirement(source string) (requirement, error) {
	const longest = 512
	text := strings.TrimSpace(strings.TrimPrefix(source, pypiPrefix))
	if len(text) > longest {
		return requirement{}, usage("%s is longer than the name of any package; check it", quote(source))
	}
	if badName(text) != "" || strings.ContainsAny(text, ";") || strings.Contains(text, "://") {
		return requirement{}, usage("%s is more than a name and a version; write it as in pypi:name or pypi:name@1.2.3", quote(source))
	}
	head, spec := text, ""
	if at := strings.IndexAny(text, "@=<>!~("); at >= 0 {
		head, spec = text[:at], text[at:]
	}
	r, err := parseNameAndExtras(source, strings.TrimSpace(head))
	if err != nil {
		return requirement{}, err
	}
	if version, ok := strings.CutPrefix(spec, "@"); ok {
		if spec = "==" + strings.TrimSpace(version); strings.EqualFold(spec, "==latest") {
			spec = ""
		}
	} else if inner, ok := strings.CutPrefix(spec, "("); ok {
		spec = strings.TrimSuffix(strings.TrimSpace(inner), ")")
	}
	if r.specs, err = parsePySpecifiers(spec); err != nil {
		return requirement{}, usage("%s asks for no version there can be: %v; write it as in pypi:%s@1.2.3 or 'pypi:%s>=1,<2'",
			quote(source), err, r.name, r.name)
	}
	return r, nil
}

func parseNameAndExtras(source, text string) (requirement, error) {
	name, list, hasExtras := strings.Cut(text, "[")
	name = strings.TrimSpace(name)
	if !isPyName(name) {
		return requirement{}, usage("%s is no name of a Python package; names have letters, digits, dots, dashes and underscores, as in pypi:mcp-server-time", quote(name))
	}
	r := requirement{name: normalizePyName(name)}
	if !hasExtras {
		return r, nil
	}
	list, closed := strings.CutSuffix(strings.TrimSpace(list), "]")
	for extra := range strings.SplitSeq(list, ",") {
		extra = strings.TrimSpace(extra)
		if extra == "" && list == "" {
			continue
		}
		if !closed || !isPyName(extra) || len(r.extras) == 32 {
			return requirement{}, usage("%s does not name its extras as in pypi:name[extra,other]", quote(source))
		}
		r.extras = append(r.extras, normalizePyName(extra))
	}
	if !closed {
		return requirement{}, usage("%s does not name its extras as in pypi:name[extra,other]", quote(source))
	}
	slices.Sort(r.extras)
	r.extras = slices.Compact(r.extras)
	return r, nil
}

func isPyName(s string) bool { return len(s) <= 128 && pyName.MatchString(s) }

// normalizePyName writes a name as PEP 503 has it in addresses.
func normalizePyName(name string) string {
	return strings.ToLower(pyNameRuns.ReplaceAllString(name, "-"))
}
