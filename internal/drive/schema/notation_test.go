package schema_test

import "testing"

func TestMendPutsWhatTheTextNames(t *testing.T) {
	for _, c := range []struct{ name, schema, args, text, want string }{
		{"an id", `{"type":"object","properties":{"paper_id":{"type":"string"}}}`, `{"paper_id":"p9f"}`, `{"status":"error","message":"invalid arXiv ID"}`, `{"paper_id":"1706.03762"}`},
		{"a reference", `{"type":"object","properties":{"target":{"type":"string"}}}`, `{"target":"example"}`, "Ref 'example' did not resolve to an object", `{"target":"HEAD"}`},
		{"a folder", `{"type":"object","properties":{"path":{"type":"string"}}}`, `{"path":"/home/dev/docs/notes.txt"}`, "Path is not a directory: /home/dev/docs/notes.txt", `{"path":"/home/dev/docs"}`},
		{"a file", `{"type":"object","properties":{"root":{"type":"string"}}}`, `{"root":"/home/dev/docs"}`, "EISDIR: illegal operation on a directory, read '/home/dev/docs'", `{"root":"/home/dev/docs/notes.txt"}`},
		{"a value that is said elsewhere", `{"type":"object","properties":{"branch_type":{"type":"string","description":"Local branches ('local'), remote ones ('remote') or both ('all')."}}}`, `{"branch_type":"example"}`, "Invalid branch type: example", `{"branch_type":"local"}`},
		{"the argument with the value", `{"type":"object","properties":{"range":{"type":"string"},"at":{"type":"string"}}}`, `{"at":"example","range":"A1:C5"}`, "Invalid range 'example'. Use a form such as 'B2'.", `{"at":"B2","range":"A1:C5"}`},
		{"what is new", `{"type":"object","properties":{"new_name":{"type":"string"},"sheet":{"type":"string"}}}`, `{"new_name":"one","sheet":"one"}`, "A sheet named 'one' already exists.", `{"new_name":"one-2","sheet":"one"}`},
		{"a branch that is there", `{"type":"object","properties":{"branch_name":{"type":"string"},"repo_path":{"type":"string"}}}`, `{"branch_name":"main","repo_path":"/home/dev/code/shop"}`, "Cannot create branch 'main': refs/heads/main already exists", `{"branch_name":"main-2","repo_path":"/home/dev/code/shop"}`},
	} {
		if got, _ := mendAll(t, c.schema, c.args, filesOfKinds(), c.text); string(got.JSON) != c.want {
			t.Errorf("%s: %s, want %s", c.name, got.JSON, c.want)
		}
	}
}
