package planted

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// A public identifier is no credential, though it looks like one.
func TestConfiguredCredentials(t *testing.T) {
	t.Parallel()
	vars := []string{
		"X_CLIENT_ID=81234567890-abcdef.apps.example", "X_CLIENT_SECRET=GOCSPX-0123456789abcdef", "AWS_ACCESS_KEY_ID=AKIA0123456789ABCDEF",
		"X_PROJECT_ID=project-0123456789", "X_PATH=/home/dev/0123456789", "X_URL=https://a.example/0123456789", "X_NAME=nobody-of-note",
		"DATABASE_URL=postgres://app:0123456789abcdef@db.example/app",
	}
	var got []string
	for _, m := range Configured([]string{"server", "--token=0123456789abcdefg"}, vars) {
		got = append(got, m.Source)
	}
	v := func(name string) string { return mcpsf.SourceVariable + name }
	want := []string{v("X_CLIENT_SECRET"), v("AWS_ACCESS_KEY_ID"), v("DATABASE_URL"), mcpsf.SourceArgument + "2"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("credentials (-want +got):\n%s", diff)
	}
}
