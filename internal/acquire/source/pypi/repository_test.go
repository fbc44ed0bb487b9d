package pypi

import "testing"

func TestSourceURL(t *testing.T) {
	for text, want := range map[string]string{
		"": "",
		"Name: x\nHome-page: https://github.com/anna/demo\n":                                                               "https://github.com/anna/demo",
		"Project-URL: Homepage, https://demo.example\nProject-URL: Source Code, https://github.com/anna/demo\n":            "https://github.com/anna/demo",
		"Home-page: https://github.com/someone/else\nProject-URL: Repository, https://u:p@github.com/anna/demo.git\n":      "https://github.com/anna/demo.git",
		"Project-URL: Issues, https://github.com/anna/demo/issues\n":                                                       "",
		"Project-URL: Documentation, https://github.com/anna/demo#readme\n":                                                "https://github.com/anna/demo#readme",
		"Name: x\n\nProject-URL: Source, https://github.com/in/description\n":                                              "",
		"Project-URL: Source, https://github.com/anna/mono/tree/main/packages/demo\n":                                      "https://github.com/anna/mono/tree/main/packages/demo",
		"Project-URL: Source, javascript:alert(1)\nProject-URL: Source\nProject-URL\n:\nHome-page: https://github.com/x\n": "",
	} {
		if got := sourceURL([]byte(text)); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
