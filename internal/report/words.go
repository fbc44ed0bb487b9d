package report

import (
	"fmt"
	"strings"
)

func (p *page) shortDigest(d string) string {
	algorithm, hex, ok := strings.Cut(d, ":")
	if !ok || len(hex) <= 12 {
		return d
	}
	return algorithm + ":" + hex[:12] + p.ellipsis
}

// letterspace is the closest a terminal comes to large type.
func letterspace(s string) string {
	return strings.Join(strings.Split(s, ""), " ")
}

// Count words n of something: "1 file", "2 files".
func Count(n int, noun string) string { return plural(int64(n), noun) }

func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// counted words n of something; {s} stands where the plural goes.
func counted(n int64, what string) string {
	s := "s"
	if n == 1 {
		s = ""
	}
	return fmt.Sprintf("%d %s", n, strings.ReplaceAll(what, "{s}", s))
}

// amount words a limit in its unit.
func amount(n int64, unit string) string {
	word, rest, _ := strings.Cut(unit, " ") // "bytes per stream"
	switch word {
	case "bytes", "byte", "B":
		return joined(size(n), rest)
	case "seconds", "s":
		return joined(seconds(float64(n)), rest)
	}
	return joined(fmt.Sprint(n), unit)
}

// size words a number of bytes.
func size(n int64) string {
	const step = 1024
	units := []string{"KiB", "MiB", "GiB", "TiB"}
	if n < step {
		return plural(n, "byte")
	}
	v, unit := float64(n)/step, 0
	for v >= step && unit < len(units)-1 {
		v /= step
		unit++
	}
	if v == float64(int64(v)) || v >= 100 {
		return fmt.Sprintf("%.0f %s", v, units[unit])
	}
	return fmt.Sprintf("%.1f %s", v, units[unit])
}

// seconds words a duration the way a person would say it.
func seconds(s float64) string {
	switch {
	case s < 0.0995:
		return fmt.Sprintf("%.0f ms", s*1000)
	case s < 10:
		return fmt.Sprintf("%.1f s", s)
	case s < 120:
		return fmt.Sprintf("%.0f s", s)
	default:
		if int(s)%60 == 0 {
			return fmt.Sprintf("%d min", int(s)/60)
		}
		return fmt.Sprintf("%d min %02d s", int(s)/60, int(s)%60)
	}
}
