package assesscmd

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf"
)

// What follows "--" is the command or, if it begins with a dash, the arguments
// of the command that is found.
func TestTargetOf(t *testing.T) {
	for name, tt := range map[string]struct {
		line []string
		want mcpsf.Target
	}{
		"alone":     {[]string{"npm:a"}, mcpsf.Target{Source: "npm:a"}},
		"a command": {[]string{"npm:a", "--", "a-server", "--port", "1"}, mcpsf.Target{Source: "npm:a", Command: []string{"a-server", "--port", "1"}}},
		"options":   {[]string{"npm:a", "--", "--port", "1"}, mcpsf.Target{Source: "npm:a", Args: []string{"--port", "1"}}},
	} {
		var got mcpsf.Target
		cmd := &cobra.Command{RunE: func(cmd *cobra.Command, args []string) (err error) {
			got, err = targetOf(cmd, args, nil)
			return err
		}}
		cmd.SetArgs(tt.line)
		if err := cmd.Execute(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
