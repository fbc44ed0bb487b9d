package export

import (
	"fmt"
	"strings"
)

// Wanted is a package to look up.
type Wanted struct{ Ecosystem, Name, Version string }

// name makes realistic package names: with scopes, words and numbers.
func (m *maker) name(ecosystem, kind string, i int) string {
	first := []string{"react", "node", "mcp", "http", "json", "color", "cloud", "data", "test", "easy", "super", "auth"}
	second := []string{"utils", "server", "client", "helper", "parser", "logger", "config", "types", "core", "tools", "sdk"}
	name := fmt.Sprintf("%s-%s-%s-%d", first[i%len(first)], second[i%len(second)], kind, i)
	if ecosystem == "npm" && i%5 == 0 {
		name = fmt.Sprintf("@%s-%d/%s", first[(i/7)%len(first)], i%300, name)
	}
	m.names = append(m.names, name)
	return name
}

// ranges returns every form of ranges, including events in the wrong order.
func (m *maker) ranges(ecosystem string, i int) string {
	kind := map[string]string{"npm": "SEMVER", "PyPI": "ECOSYSTEM"}[ecosystem]
	events := func(list ...string) string {
		return fmt.Sprintf(`{"type": "%s", "events": [%s]}`, kind, strings.Join(list, ", "))
	}
	major := 1 + i%8
	switch i % 6 {
	case 0:
		return events(`{"introduced": "0"}`, fmt.Sprintf(`{"last_affected": "%d.%d.%d"}`, major, i%7, i%5))
	case 1:
		return events(fmt.Sprintf(`{"fixed": "%d.4.2"}`, major), fmt.Sprintf(`{"introduced": "%d.0.0"}`, major))
	case 2:
		return events(fmt.Sprintf(`{"introduced": "%d.0.0"}`, major), fmt.Sprintf(`{"fixed": "%d.3.1"}`, major)) + ", " +
			events(fmt.Sprintf(`{"introduced": "%d.0.0"}`, major+1), fmt.Sprintf(`{"fixed": "%d.1.9"}`, major+1))
	case 3:
		return events(`{"introduced": "0"}`)
	}
	return events(`{"introduced": "0"}`, fmt.Sprintf(`{"fixed": "%d.%d.%d"}`, major, i%10, i%12))
}

func (m *maker) severity(i int) string {
	v3 := fmt.Sprintf(`{"type": "CVSS_V3", "score": "CVSS:3.1/AV:%s/AC:%s/PR:N/UI:N/S:U/C:H/I:%s/A:N"}`,
		pick("NAL", i), pick("LH", i/3), pick("NLH", i/5))
	v4 := fmt.Sprintf(`{"type": "CVSS_V4", "score": "CVSS:4.0/AV:%s/AC:L/AT:N/PR:N/UI:N/VC:H/VI:%s/VA:N/SC:N/SI:N/SA:N"}`,
		pick("NAL", i), pick("NLH", i/5))
	switch i % 4 {
	case 0:
		return v3 + ", " + v4
	case 1:
		return v4
	case 2:
		return v3
	}
	return ""
}

func (m *maker) withdrawn(i int) string {
	if i%40 == 7 {
		return fmt.Sprintf("\n  \"withdrawn\": %q,", stamp(i+5))
	}
	return ""
}

// list returns a list of versions, as every PyPI record has.
func list(i int) string {
	var all []string
	for n := range 10 + i%90 {
		all = append(all, fmt.Sprintf(`"%d.%d.%d"`, n/25, n/5%5, n%5))
	}
	return strings.Join(all, ", ")
}

func pick(letters string, i int) string { return letters[i%len(letters) : i%len(letters)+1] }

// sample returns packages as a server may have them: a third of them have
// records, and not for every version.
func (m *maker) sample(ecosystem string, names []string, n int) []Wanted {
	var all []Wanted
	for i := range n {
		w := Wanted{Ecosystem: ecosystem, Version: fmt.Sprintf("%d.%d.%d", m.rand.IntN(9), m.rand.IntN(10), m.rand.IntN(10))}
		switch last := len(names) / 10; {
		case i%6 == 0:
			w.Name = names[m.rand.IntN(len(names))]
		case i%6 == 3: // the vulnerable ones come last
			w.Name = names[len(names)-1-m.rand.IntN(last+1)]
		default:
			w.Name = fmt.Sprintf("unheard-of-%d", m.rand.IntN(1_000_000))
		}
		all = append(all, w)
	}
	return all
}
