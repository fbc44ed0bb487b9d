package html

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"strings"
)

//go:embed page
var files embed.FS

// templates reads the templates of the page, one for each of its sections.
func templates() (*template.Template, error) {
	t, err := template.ParseFS(files, "page/*.html")
	if err != nil {
		return nil, fmt.Errorf("reading the page's templates: %w", err)
	}
	return t, nil
}

// assets are the style and the script of the page.
type assets struct {
	Style  template.CSS
	Script template.JS
	// Policy allows these two and nothing else.
	Policy string
}

func newAssets() (assets, error) {
	style, err := files.ReadFile("page/style.css")
	if err != nil {
		return assets{}, err
	}
	script, err := files.ReadFile("page/script.js")
	if err != nil {
		return assets{}, err
	}
	return assets{
		Style:  template.CSS(style), //nolint:gosec // our own file
		Script: template.JS(script), //nolint:gosec // our own file
		Policy: policy(style, script),
	}, nil
}

// Policy returns the content security policy of the page for servers, because a
// header applies from the first byte on.
func Policy() (string, error) {
	a, err := newAssets()
	return a.Policy, err
}

// policy protects against text of an attacker that got past the escaping: even
// then nothing runs, nothing is fetched and nothing is sent.
func policy(style, script []byte) string {
	pin := func(data []byte) string {
		sum := sha256.Sum256(data)
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return strings.Join([]string{
		"default-src 'none'",
		"style-src " + pin(style),
		"script-src " + pin(script),
		"img-src 'none'",
		"font-src 'none'",
		"connect-src 'none'",
		"frame-src 'none'",
		"object-src 'none'",
		"base-uri 'none'",
		"form-action 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types 'none'",
	}, "; ")
}
