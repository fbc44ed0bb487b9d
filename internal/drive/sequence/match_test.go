package sequence

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func TestNamed(t *testing.T) {
	tools := []mcpsf.Tool{
		{Name: "list_projects"}, {Name: "delete_project"}, {Name: "get_project"}, {Name: "select_project"}, {Name: "SignIn"}, {Name: "sign_out"},
		{Name: "start_session"}, {Name: "end_session"}, {Name: "mount", Description: "Opens a vault. It is then unlocked."}, {Name: "vault_info"},
		{Name: "new_game"},
	}
	for _, tt := range []struct {
		name  string
		names []string
		want  []string
	}{
		{"its name", []string{"select_project"}, []string{"select_project"}},
		{"its name in another form", []string{"sign_in"}, []string{"SignIn"}},
		{"two names", []string{"end_session", "new_game"}, []string{"end_session", "new_game"}},
		{"a verb", []string{"login"}, []string{"SignIn"}},
		{"a verb in another form", []string{"logged in"}, []string{"SignIn"}},
		{"a thing", []string{"project"}, []string{"select_project", "list_projects", "get_project"}},
		{"an opened thing", []string{"session"}, []string{"start_session"}},
		{"a thing of a description", []string{"open vault"}, []string{"mount", "vault_info"}},
		{"what destroys, by its name", []string{"delete_project"}, []string{"delete_project"}},
		{"what destroys, by its thing", []string{"end"}, nil},
		{"a connected verb", []string{"create game"}, []string{"new_game"}},
		{"a verb that is there", []string{"select"}, []string{"select_project", "mount"}},
		{"a verb of another meaning", []string{"connect"}, nil},
		{"nothing there", []string{"zebra"}, nil},
		{"only words that say nothing", []string{"the tool first"}, nil},
		{"no name", nil, []string{"SignIn", "start_session"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, i := range Named(tools, tt.names) {
				got = append(got, tools[i].Name)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRoles(t *testing.T) {
	for tool, want := range map[string][3]bool{
		"login": {true, true, false}, "log_in": {true, true, false}, "SignOut": {false, false, true}, "open_project": {true, true, false}, "create_note": {false, true, false}, "list_notes": {}, "get_note": {},
		"delete_note": {false, false, true}, "closeBrowser": {false, false, true}, "weather": {},
	} {
		if got := [3]bool{Opens(tool), Makes(tool), TakesAway(tool)}; got != want {
			t.Errorf("%s opens, makes, takes away: %v, want %v", tool, got, want)
		}
	}
}
