package meaning_test

import (
	"testing"

	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

func TestElements(t *testing.T) {
	const exact = "Exact target element reference from the page snapshot, or a unique element selector"
	for _, c := range []struct{ tool, name, description, want string }{
		{"browser_click", "target", exact, "button"},
		{"browser_type", "target", exact, "textarea"},
		{"browser_select_option", "target", exact, "select"},
		{"puppeteer_fill", "selector", "CSS selector for input field", "textarea"},
		{"uncheck", "selector", "", "input[type=checkbox]"},
		{"playwright_iframe_click", "iframeSelector", "CSS selector for the iframe containing the element to click", "iframe"},
		{"playwright_iframe_click", "selector", "CSS selector for the element to click", "button"},
		{"get_html", "selector", "CSS selector", "body"},
	} {
		if got := (meaning.Values{}).For(c.tool).Pick(c.name, c.description); got != c.want {
			t.Errorf("%s of %s: %q, want %q", c.name, c.tool, got, c.want)
		}
	}
}

func TestLanguages(t *testing.T) {
	for _, c := range []struct{ server, tool, description, want string }{
		{"mcp-server-tree-sitter", "find_usage", "", "python"},
		{"code-runner", "run", "Programming language to use", "python"},
		{"notes", "translate", "Language to translate to", "en"},
		{"news", "list", "", "en"},
	} {
		v := meaning.Values{Samples: meaning.Samples{Server: c.server}}
		if got := v.For(c.tool).Pick("language", c.description); got != c.want {
			t.Errorf("%s of %s: %q, want %q", c.tool, c.server, got, c.want)
		}
	}
}
