package machinecmd

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// lineWidth is the width of tables and texts.
const lineWidth = 80

// wrapped wraps text that may have no spaces.
func wrapped(out io.Writer, s string) {
	fmt.Fprintln(out, strings.ReplaceAll(ansi.Hardwrap(s, lineWidth-2, true), "\n", "\n  "))
}

// parseAge parses a duration, which may be in days.
func parseAge(s string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 16)
		return time.Duration(n) * 24 * time.Hour, err
	}
	age, err := time.ParseDuration(s)
	if err == nil && age < 0 {
		err = errors.New("an age is not negative")
	}
	return age, err
}

// age is the time since t in its largest unit.
func age(now, t time.Time) string {
	d := max(now.Sub(t), 0)
	switch {
	case t.IsZero():
		return "-"
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	}
	return fmt.Sprintf("%dd", int(d.Hours()/24))
}

// byteSize is a size, formatted for a column.
func byteSize(n int64) string {
	v, unit := float64(n), 0
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	for v >= 1024 && unit < len(units)-1 {
		v /= 1024
		unit++
	}
	if v == float64(int64(v)) {
		return fmt.Sprintf("%.0f %s", v, units[unit])
	}
	return fmt.Sprintf("%.1f %s", v, units[unit])
}

// entries is a number of cache entries in words.
func entries(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}
