package pypi

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Prefix is the prefix of targets that name a package of an index.
const Prefix = "pypi:"

// Requirement is a package of a Python index, as the user requests it.
type Requirement struct {
	Name   string // normalised
	extras []string
	specs  specifiers
}

var (
	pyName     = lazyregexp.New(`^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$`)
	pyNameRuns = lazyregexp.New(`[-_.]+`)
)

// ParseRequirement parses "pypi:name[extra]", followed by "@1.2.3" or by
// version specifiers such as ">=1,<2".
func ParseRequirement(source string) (Requirement, error) {
	const longest = 512
	text := strings.TrimSpace(strings.TrimPrefix(source, Prefix))
	if len(text) > longest {
		return Requirement{}, usererr.Usage("%s is longer than the name of any package; check it", usererr.Quote(source))
	}
	if usererr.BadName(text) != "" || strings.ContainsAny(text, ";") || strings.Contains(text, "://") {
		return Requirement{}, usererr.Usage("%s is more than a name and a version; write it as in pypi:name or pypi:name@1.2.3", usererr.Quote(source))
	}
	head, spec := text, ""
	if at := strings.IndexAny(text, "@=<>!~("); at >= 0 {
		head, spec = text[:at], text[at:]
	}
	r, err := parseNameAndExtras(source, strings.TrimSpace(head))
	if err != nil {
		return Requirement{}, err
	}
	if version, ok := strings.CutPrefix(spec, "@"); ok {
		if spec = "==" + strings.TrimSpace(version); strings.EqualFold(spec, "==latest") {
			spec = ""
		}
	} else if inner, ok := strings.CutPrefix(spec, "("); ok {
		spec = strings.TrimSuffix(strings.TrimSpace(inner), ")")
	}
	if r.specs, err = parseSpecifiers(spec); err != nil {
		return Requirement{}, usererr.Usage("%s asks for no version there can be: %v; write it as in pypi:%s@1.2.3 or 'pypi:%s>=1,<2'",
			usererr.Quote(source), err, r.Name, r.Name)
	}
	return r, nil
}

func parseNameAndExtras(source, text string) (Requirement, error) {
	name, list, hasExtras := strings.Cut(text, "[")
	name = strings.TrimSpace(name)
	if !isName(name) {
		return Requirement{}, usererr.Usage("%s is no name of a Python package; names have letters, digits, dots, dashes and underscores, as in pypi:mcp-server-time", usererr.Quote(name))
	}
	r := Requirement{Name: NormalizeName(name)}
	if !hasExtras {
		return r, nil
	}
	list, closed := strings.CutSuffix(strings.TrimSpace(list), "]")
	for extra := range strings.SplitSeq(list, ",") {
		extra = strings.TrimSpace(extra)
		if extra == "" && list == "" {
			continue
		}
		if !closed || !isName(extra) || len(r.extras) == 32 {
			return Requirement{}, usererr.Usage("%s does not name its extras as in pypi:name[extra,other]", usererr.Quote(source))
		}
		r.extras = append(r.extras, NormalizeName(extra))
	}
	if !closed {
		return Requirement{}, usererr.Usage("%s does not name its extras as in pypi:name[extra,other]", usererr.Quote(source))
	}
	slices.Sort(r.extras)
	r.extras = slices.Compact(r.extras)
	return r, nil
}

func isName(s string) bool { return len(s) <= 128 && pyName.MatchString(s) }

// NormalizeName normalises a name as in PEP 503.
func NormalizeName(name string) string {
	return strings.ToLower(pyNameRuns.ReplaceAllString(name, "-"))
}
