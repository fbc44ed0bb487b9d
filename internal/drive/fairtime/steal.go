package fairtime

import (
	"os"
	"strconv"
	"strings"
)

// usage is the time of all processors, in ticks of the kernel: in which they worked,
// and in which they wanted to, but the hypervisor ran another machine.
type usage struct{ worked, stolen uint64 }

// left is the part of the wanted time that this machine got since an earlier usage.
func (u usage) left(since usage) float64 {
	if u.worked < since.worked || u.stolen <= since.stolen {
		return 1
	}
	worked, stolen := float64(u.worked-since.worked), float64(u.stolen-since.stolen)
	return worked / (worked + stolen)
}

// processorUse reads the usage so far; it is zero if that is not known.
func processorUse() usage {
	text, err := os.ReadFile("/proc/stat") // cpu  user nice system idle iowait irq softirq steal ...
	line, _, _ := strings.Cut(string(text), "\n")
	fields := strings.Fields(line)
	if err != nil || len(fields) < 9 || fields[0] != "cpu" {
		return usage{}
	}
	var u usage
	for i, text := range fields[1:9] {
		n, err := strconv.ParseUint(text, 10, 64)
		switch {
		case err != nil:
			return usage{}
		case i == 7:
			u.stolen = n
		case i != 3 && i != 4: // neither idle nor waiting for a disk
			u.worked += n
		}
	}
	return u
}
