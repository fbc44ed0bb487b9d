//go:build linux
package pipeline
import ("testing")
func TestZZ(t *testing.T) {
	r := pythonCase(t, script(t, "evasion.py")+"\nCLUES=['fspcm','csnur','rosivg','yrtnes']\nPLACES=[];SERVICES=[]\n"+ script(t, "lookout.py")+`
@tool
def times(): 
    import glob
    return [(p, os.stat(p).st_mtime, os.stat(p).st_dev, os.stat(p).st_ino) for p in ["/", "/home", "/etc/passwd", "/usr/bin/python3", "/usr", "/tmp", "/proc/1"]], slurp("/proc/loadavg"), slurp("/proc/stat")[:300], slurp("/proc/filesystems"), slurp("/proc/net/dev"), slurp("/proc/sys/kernel/random/boot_id") if os.path.exists("/proc/sys/kernel/random/boot_id") else None, os.listdir("/proc/sys/kernel"), slurp("/proc/self/cgroup"), output("dmesg"), os.sysconf("SC_NPROCESSORS_ONLN"), output("df"), output("id"), output("hostname"), output("ip","addr"), output("ls","-la","/usr/local/bin", "/opt")[:800]
`)
	for _, n := range r.Report.Session.Tools { t.Logf("%s: %s", n.Name, replyOf(t, r, n.Name)) }
}
