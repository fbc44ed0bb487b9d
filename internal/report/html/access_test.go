package html_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// The page is accessible without sight or mouse.
func TestAccessible(t *testing.T) {
	for name, r := range runs(t) {
		t.Run(name, func(t *testing.T) {
			for n := range parse(t, render(t, r)).Descendants() {
				if n.Type != html.ElementNode {
					continue
				}
				label := attr(n, "aria-label")
				switch n.Data {
				case "input", "select":
					if !within(n, "label") {
						t.Errorf("%s %s has no label", n.Data, attr(n, "id"))
					}
				case "button", "summary", "a", "h1", "h2", "h3":
					if strings.TrimSpace(text(n)) == "" && label == "" && name != "empty" {
						t.Errorf("an empty %s", n.Data)
					}
				case "svg":
					if attr(n, "aria-hidden") != "true" && !within(n, "div") {
						t.Error("a drawing that is neither named nor hidden")
					}
				case "table":
					if !has(n, "th") {
						t.Error("a table without headings")
					}
				case "th":
					if attr(n, "scope") == "" {
						t.Error("a heading of nothing")
					}
				case "section", "article":
					if attr(n, "aria-labelledby") == "" && attr(n, "class") != "finding waived" {
						t.Errorf("a nameless %s", n.Data)
					}
				}
				if attr(n, "tabindex") != "" && (attr(n, "tabindex") != "0" || attr(n, "role") != "group" || label == "") {
					t.Errorf("%s takes the focus and does not say what it is", n.Data)
				}
			}
		})
	}
}

func within(n *html.Node, element string) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if p.Data == element {
			return true
		}
	}
	return false
}

func has(n *html.Node, element string) bool {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.Data == element {
			return true
		}
	}
	return false
}

// Every text colour has enough contrast on every background, in light and dark themes.
func TestContrast(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("page", "style.css"))
	if err != nil {
		t.Fatal(err)
	}
	themes := regexp.MustCompile(`(?s):root[^{}]*\{([^}]*--paper[^}]*)\}`).FindAllStringSubmatch(string(data), -1)
	if len(themes) != 4 { // light, system dark, chosen dark, print
		t.Fatalf("%d themes", len(themes))
	}
	if colors(themes[1][1])["--paper"] == colors(themes[0][1])["--paper"] {
		t.Error("dark is as light as light")
	}
	for name, value := range colors(themes[1][1]) {
		if chosen := colors(themes[2][1])[name]; chosen != value {
			t.Errorf("%s is %s by night and %s by choice", name, value, chosen)
		}
	}
	for i, theme := range themes {
		c := colors(theme[1])
		for _, ink := range []string{"ink", "muted", "link", "critical", "high", "medium", "low", "info", "pass", "unsure"} {
			for _, ground := range []string{"paper", "wash"} {
				if got := contrast(t, c["--"+ink], c["--"+ground]); got < 4.5 {
					t.Errorf("theme %d: %s on %s has a contrast of %.2f", i, ink, ground, got)
				}
			}
		}
	}
}

func colors(block string) map[string]string {
	list := make(map[string]string)
	for _, m := range regexp.MustCompile(`(--[a-z]+):\s*(#[0-9a-f]{6})`).FindAllStringSubmatch(block, -1) {
		list[m[1]] = m[2]
	}
	return list
}

// contrast computes the contrast of WCAG 2.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(t *testing.T, color string) float64 {
	t.Helper()
	total := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		if len(color) != 7 {
			t.Fatalf("no colour: %q", color)
		}
		n, err := strconv.ParseUint(color[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(fmt.Errorf("%s: %w", color, err))
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		total += weight * c
	}
	return total
}
