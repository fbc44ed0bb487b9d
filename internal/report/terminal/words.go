package terminal

import "strings"

func (p *page) shortDigest(d string) string {
	algorithm, hex, ok := strings.Cut(d, ":")
	if !ok || len(hex) <= 12 {
		return d
	}
	return algorithm + ":" + hex[:12] + p.ellipsis
}

// letterspace puts spaces between letters: the closest a terminal comes to large type.
func letterspace(s string) string {
	return strings.Join(strings.Split(s, ""), " ")
}
