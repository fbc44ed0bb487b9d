package report

import (
	"strings"

	"github.com/mcpsf/mcpsf"
)

// unspoken is the folded name of events that the timeline never counts,
// because the group's heading already tells them.
const unspoken = "the conversation itself"

// quiet names the pile an unremarkable event is folded into, "" if it deserves
// its own line. What proves a finding never gets here.
func quiet(e *mcpsf.Event, call string) string {
	switch e.Kind {
	case mcpsf.KindProcessFork:
		if e.Process != nil && e.Process.Thread {
			return "thread{s}"
		}
		return "fork{s}"
	case mcpsf.KindProcessExit:
		if e.Process == nil || e.Process.Thread || (e.Process.Code == 0 && e.Process.Signal == "") {
			return "orderly exit{s}"
		}
	case mcpsf.KindMCPRequest, mcpsf.KindMCPResponse:
		if call != "" && (e.MCP == nil || !e.MCP.FromServer) {
			return unspoken
		}
	case mcpsf.KindMCPNotification:
		return "notification{s}"
	case mcpsf.KindFileOpen, mcpsf.KindFileRead, mcpsf.KindFileStat:
		return quietFile(e.File)
	case mcpsf.KindFileWrite, mcpsf.KindFileCreate, mcpsf.KindFileDelete, mcpsf.KindFileRename,
		mcpsf.KindFileChmod, mcpsf.KindFileLink:
		return quietChange(e.File)
	}
	return ""
}

// quietFile is for looking at files.
func quietFile(f *mcpsf.FileDetail) string {
	switch {
	case f == nil || f.Canary != "":
		return ""
	case strings.Contains(f.Flags, "w"):
		return quietChange(f)
	case f.Error == "ENOENT" || f.Error == "ENOTDIR":
		return "lookup{s} of missing files"
	case within(f.Path, mcpsf.WorkDir):
		return "read{s} of its own files"
	case within(f.Path, "/tmp"):
		return "read{s} of temporary files"
	case system(f.Path):
		return "read{s} of system files"
	}
	return ""
}

// quietChange is for changing files.
func quietChange(f *mcpsf.FileDetail) string {
	switch {
	case f == nil || f.Canary != "":
		return ""
	case !within(f.Path, mcpsf.WorkDir) && !within(f.Path, "/tmp") && !within(f.Path, "/dev"):
		return ""
	case f.To != "" && !within(f.To, mcpsf.WorkDir) && !within(f.To, "/tmp"):
		return ""
	case within(f.Path, "/dev"):
		return "write{s} to devices"
	}
	return "change{s} to its own files"
}

func system(path string) bool {
	for _, dir := range []string{
		"/usr", "/lib", "/lib64", "/bin", "/sbin", "/opt", "/proc", "/sys", "/dev",
		"/etc/ssl", "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime", "/etc/nsswitch.conf",
		"/etc/passwd", "/etc/group", "/etc/hosts", "/etc/resolv.conf",
	} {
		if within(path, dir) {
			return true
		}
	}
	return false
}

func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, dir+"/")
}
