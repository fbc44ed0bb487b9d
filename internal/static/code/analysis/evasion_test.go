package analysis

import (
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// TestEvasionGrades checks that ordinary words in lists are not enough for a
// suspicion.
func TestEvasionGrades(t *testing.T) {
	for name, tt := range map[string]struct {
		texts []string
		want  mcpsf.Severity
	}{
		"a list of commands that are refused":    {[]string{"nohup", "strace", "gdb", "config", "sandbox"}, mcpsf.SeverityLow},
		"names of tools, of machines, of users":  {[]string{"procmon", "vmware", "sandbox"}, mcpsf.SeverityMedium},
		"lists of tools and of users":            {[]string{"procmon", "gdb", "malware", "sandbox"}, mcpsf.SeverityMedium},
		"a debugger's file and one user's name":  {[]string{"TracerPid", "maltest"}, mcpsf.SeverityMedium},
		"many tools that watch, but only such":   {[]string{"gdb", "strace", "ltrace", "tcpdump"}, mcpsf.SeverityLow},
		"the same two words, again and again":    {[]string{"sandbox", "strace", "sandbox", "strace"}, mcpsf.SeverityLow},
		"the machine's maker, and a tool's name": {[]string{"/sys/class/dmi/id/sys_vendor", "wireshark"}, mcpsf.SeverityMedium},
	} {
		f := &ir.File{Path: "a.py", Language: ir.Python, Whole: true, Funcs: []ir.Func{{In: -1, Handler: -1}}}
		for i, text := range tt.texts {
			f.Texts = append(f.Texts, ir.Text{Text: text, Line: i + 1, Compared: true})
		}
		facts := evasions(New([]*ir.File{f}, ""))
		if len(facts) == 0 {
			t.Errorf("%s: nothing was found", name)
		}
		for i := range facts {
			if facts[i].Level != tt.want {
				t.Errorf("%s: %s is %s, want %s", name, facts[i].Text, facts[i].Level, tt.want)
			}
		}
	}
}
