package saved

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf"
)

func command(t *testing.T, args ...string) *cobra.Command {
	t.Helper()
	cmd := &cobra.Command{}
	f := cmd.Flags()
	f.String("profile", "balanced", "")
	f.Duration("timeout", time.Minute, "")
	f.String("output", "", "")
	f.Bool("yes-i-may-attack-this", false, "")
	f.StringArray("env", nil, "")
	f.StringArray("header", nil, "")
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	return cmd
}

func TestRecordAndRecall(t *testing.T) {
	given := map[string][]string{
		"profile": {"safe"}, "timeout": {"30s"}, "output": {"/tmp/x"}, "yes-i-may-attack-this": {"true"}, "env": {"A=1", "B=2"},
	}
	isLocal := func(s string) bool { return strings.HasPrefix(s, "./") }
	target := mcpsf.Target{Source: "./dir", Args: []string{"--port", "1"}}
	c, err := Record("x", target, given, true, isLocal, time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(c.Source, "/") || !strings.HasSuffix(c.Source, "/dir") {
		t.Errorf("source %q", c.Source)
	}
	cmd := command(t, "--timeout", "9s", "--env", "A=now")
	got, err := c.Recall(cmd.Flags())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(mcpsf.Target{Source: c.Source, Args: target.Args}, got); diff != "" {
		t.Errorf("target (-want +got):\n%s", diff)
	}
	env, _ := cmd.Flags().GetStringArray("env")
	if diff := cmp.Diff([]string{"A=now", "B=2"}, env); diff != "" {
		t.Errorf("env (-want +got):\n%s", diff)
	}
	for name, want := range map[string]string{"profile": "safe", "timeout": "9s", "output": "", "yes-i-may-attack-this": "false"} {
		if got := cmd.Flags().Lookup(name).Value.String(); got != want {
			t.Errorf("--%s is %q, want %q", name, got, want)
		}
	}
}

func TestRecallMistakes(t *testing.T) {
	for _, tt := range []struct {
		name string
		c    Config
		want string
	}{
		{"a value that was not kept", Config{Secrets: Secrets("env", []string{"TOKEN=x"}, false)}, "--env TOKEN=VALUE"},
		{"a flag that is none", Config{Flags: map[string][]string{"none": {"x"}}}, "--none"},
		{"a value that is none", Config{Flags: map[string][]string{"timeout": {"soon"}}}, "--timeout"},
	} {
		_, err := tt.c.Recall(command(t).Flags())
		if mcpsf.ErrorCode(err) != mcpsf.CodeUsage || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	// An edited file cannot give consent for the user.
	c := Config{Flags: map[string][]string{"yes-i-may-attack-this": {"true"}}}
	cmd := command(t)
	if _, err := c.Recall(cmd.Flags()); err != nil || cmd.Flags().Changed("yes-i-may-attack-this") {
		t.Errorf("agreed, %v", err)
	}
}

func TestRecordMistakes(t *testing.T) {
	for id, source := range map[string]string{"../x": "npm:a", "x": "saved:y"} {
		_, err := Record(id, mcpsf.Target{Source: source}, nil, false, func(string) bool { return false }, time.Time{})
		if mcpsf.ErrorCode(err) != mcpsf.CodeUsage {
			t.Errorf("%s of %s: %v, want an error of the user's", id, source, err)
		}
	}
}
