package internet

import (
	"fmt"
	"strings"
	"testing"
)

func TestModes(t *testing.T) {
	for _, tt := range []struct {
		text      string
		intercept bool
		told      string
		connected bool
		warning   string // part of the warning
		gap       string // part of a gap
	}{
		{"sinkhole", true, "sinkhole", true, "", "every host was made up"},
		{"none", true, "none", false, "", "the sandbox had none"},
		{"allow", true, "allow", true, "reach every public host:", "STARTTLS"},
		{"allow=API.example, *.cdn.test", true, "allow=api.example,*.cdn.test", true, "reach api.example,*.cdn.test:", "those were made up"},
		{"allow", false, "allow, TLS not opened", true, "really leaves", "inside TLS"},
	} {
		n, err := ParseMode(tt.text, tt.intercept)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		warning, unseen := n.Warning(), fmt.Sprint(n.Gaps())
		if n.String() != tt.told || n.Connected() != tt.connected {
			t.Errorf("%s is told as %q, connected %v", tt.text, n, n.Connected())
		}
		if (warning == "") != (tt.warning == "") || !strings.Contains(warning, tt.warning) || !strings.Contains(unseen, tt.gap) {
			t.Errorf("%s warns %q, does not see %q", tt.text, warning, unseen)
		}
	}
	for _, text := range []string{"", "Allow", "deny", "none=", "sinkhole=a.example", "allow=", "allow=a.example,", "allow=10.0.0.1", "allow=host"} {
		if n, err := ParseMode(text, true); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q is taken as %q, %v", text, n, err)
		}
	}
	if _, err := ParseMode("sinkhole", false); err == nil {
		t.Error("TLS is untouched where there is none with others")
	}
	if got := (Mode{}).String(); got != "sinkhole" {
		t.Errorf("the zero value is %q", got)
	}
}
