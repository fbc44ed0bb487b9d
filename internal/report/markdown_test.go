package report

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/mdtext"
	"github.com/mcpsf/mcpsf/internal/report/phrase"
)

// links are texts that forges turn into links.
const links = "@everyone #123 GH-12 owner/repo#4 deadbeef1 deadbeef www.evil.example https://evil.example me@evil.example ![x](https://evil.example/p.png) [a](javascript:x) <img src=x> <script>x</script> `code` ``` | cell | **b** _i_ ~~s~~ :smile: &lt; \\ -- === 1. ) /close"

func TestProse(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"Decoy secret read.", "Decoy secret read."},
		{`"/home/dev/.aws" (aws-credentials) was sent to evil.example; it isn't named.`, "\"`/home/dev/.aws`\" (aws-credentials) was sent to `evil.example`; it isn't named."},
		{"in get_weather. 2 of 2", "in `get_weather`. 2 of 2"},
		{"a b/c d/e f", "a `b/c d/e` f"},
		{"ask @dev about #12, GH-3", "ask `@dev` about `#12`, `GH-3`"},
		{"1. no list", "`1`. no list"},
		{"a | b `c`", "a `\\u{7c}` b `\\u{60}c\\u{60}`"},
		{"... -", "`... -`"},
		{"facade (deadbeef), DEADBEEF-x", "facade (`deadbeef`), `DEADBEEF-x`"},
		{"\x1b[2J <b>", "`\\u{1b}[2J <b>`"},
		{"", ""},
	} {
		if got := mdtext.Prose(tt.in, 1000); got != tt.want {
			t.Errorf("%q became %q, want %q", tt.in, got, tt.want)
		}
	}
	if got := mdtext.ProseHTML("see <b> & @dev.", 1000); got != "see <code>&lt;b&gt; &amp; @dev</code>." {
		t.Errorf("in HTML: %q", got)
	}
	if got := mdtext.CodeBlock("a ``` b ```` c", 100); !strings.HasPrefix(got, "`````\n") {
		t.Errorf("a fence that ends too soon: %q", got)
	}
	if got := phrase.Brief(strings.Repeat("é", 50), 10); got != "ééééééé..." {
		t.Errorf("brief: %q", got)
	}
}

var (
	fence   = regexp.MustCompile("(?m)^(`{3,})\n.*\n(`{3,})$")
	inCode  = regexp.MustCompile("`[^`\n]+`")
	htmlRun = regexp.MustCompile(`<code>[^<>\n]*</code>`)
	ours    = regexp.MustCompile(`(?m)^## |</?details>|</?summary>|^\|.*\|$|\*\*`)
	live    = regexp.MustCompile("[@#<>\\[\\]`|*_~\\\\!]|://|www\\.\\S|(?i)\\b[0-9a-f]{7,}\\b")
)

// checkMarkdown takes away what is code and what is ours. What is left must not
// be able to mean anything.
func checkMarkdown(t *testing.T, out string) {
	t.Helper()
	rest := out
	for _, re := range []*regexp.Regexp{fence, inCode, htmlRun} {
		rest = re.ReplaceAllString(rest, "")
	}
	for line := range strings.SplitSeq(rest, "\n") {
		if strings.HasPrefix(line, "| ") && strings.Count(line, "|") != 6 {
			t.Errorf("a row with other cells: %q", line)
		}
		line = strings.ReplaceAll(ours.ReplaceAllString(line, ""), "| --- ", "")
		if found := live.FindString(line); found != "" {
			t.Errorf("%q in %q", found, line)
		}
	}
	if strings.Count(out, "<details>") != strings.Count(out, "</details>") {
		t.Error("a fold that is not closed")
	}
}

func TestMarkdownIsInert(t *testing.T) {
	all := everything()
	all["links"] = huge(3, links)
	same := huge(12, links) // told together
	for i := range same.report.Findings {
		same.report.Findings[i].ID, same.report.Findings[i].Message = "x", fmt.Sprintf("was read: %d%s", i, links)
	}
	same.report.Waived = []mcpsf.Waived{{Finding: same.report.Findings[0], File: links, Reason: links}}
	same.report.Coverage.Gaps, same.report.Run.ID, same.report.Tool.Version = []mcpsf.Gap{{Text: links}}, links, links
	same.report.Findings[0].Explanation = &mcpsf.Explanation{Reason: links}
	same.report.Inspection = &mcpsf.Inspection{
		Capabilities: []mcpsf.Capability{{Kind: links, Declared: links}},
		Advisories:   []mcpsf.Advisory{{ID: links, Aliases: []string{"CVE-" + links}, Package: links, Summary: links, Severity: links, Loaded: links, Fixed: []string{links}}},
		Lookup:       mcpsf.Lookup{Missing: links, Sources: []mcpsf.AdvisorySource{{Name: links, Ecosystem: links, Stale: true}}},
	}
	same.report.Findings[1].Evidence, same.report.Findings[1].File, same.report.Findings[1].Package = nil, links, links
	all["blocks"] = same
	for name, r := range all {
		t.Run(name, func(t *testing.T) {
			checkMarkdown(t, string(render(t, FormatMarkdown, r, Style{})))
		})
	}
}

func TestMarkdownSaysWhatIsLeftOut(t *testing.T) {
	out := string(render(t, FormatMarkdown, huge(10_000, strings.Repeat("some words ", 60)), Style{}))
	if len(out) > 65_536 || len(out) < 40_000 {
		t.Errorf("%d bytes", len(out))
	}
	told := strings.Count(out, "<details>")
	if want := fmt.Sprintf("%d more findings without details", 10_000-told); !strings.Contains(out, want) {
		t.Errorf("no %q", want)
	}
	if !strings.Contains(out, "**Coverage:**") || !strings.Contains(out, "and 9960 more rows") {
		t.Error("the end is missing")
	}
}

func FuzzProse(f *testing.F) {
	f.Add(links)
	f.Add(pwn)
	f.Add("a` b")
	f.Fuzz(func(t *testing.T, s string) {
		checkMarkdown(t, mdtext.Prose(s, 300))
		checkMarkdown(t, mdtext.ProseHTML(s, 300))
		if out := mdtext.Prose(s, 300) + mdtext.ProseHTML(s, 300) + mdtext.CodeBlock(s, 300); raw(out) != "" {
			t.Errorf("raw %s", raw(out))
		}
	})
}
