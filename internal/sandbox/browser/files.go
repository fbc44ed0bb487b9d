package browser

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

// Files returns the script that starts the browser, links to it for the search path
// and for the libraries of the server, and the browser's policies. Roots are PEM
// certificates that it trusts.
func (b *Browser) Files(roots []byte, libraries *Libraries) ([]box.File, error) {
	policy, err := json.Marshal(policies(roots))
	if err != nil {
		return nil, fmt.Errorf("making the browser's policies: %w", err)
	}
	files := []box.File{{Path: mcpsf.BrowserScript, Mode: 0o755, Content: []byte(b.script()), System: true}}
	for _, name := range []string{
		path.Join(path.Dir(mcpsf.BrowserScript), "chrome"), "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable",
		"/usr/bin/chromium", "/usr/bin/chromium-browser",
	} {
		files = append(files, box.File{Path: name, Link: mcpsf.BrowserScript, System: true})
	}
	for _, name := range libraries.paths() {
		files = append(files, box.File{Path: name, Link: mcpsf.BrowserScript})
	}
	if b.fetched {
		files = append(files, box.File{Path: fontsFile(), Mode: 0o644, Content: []byte(fontSettings), System: true})
	}
	for _, dir := range []string{"/etc/chromium", "/etc/opt/chrome"} {
		files = append(files, box.File{Path: dir + "/policies/managed/company.json", Mode: 0o644, Content: policy, System: true})
	}
	return files, nil
}

// cacheDir is what the browser keeps beside its profile. It is not to lie in the home,
// where it would be the server's, and vanishes with the sandbox.
const cacheDir = "/dev/shm/.org.chromium.Chromium"

// fontSettings tell a browser that was fetched where its fonts are.
const fontSettings = "<fontconfig><dir>" + shownAt + "/fonts</dir><cachedir>" + cacheDir + "</cachedir></fontconfig>\n"

func fontsFile() string { return path.Join(path.Dir(mcpsf.BrowserScript), "fonts.conf") }

// script starts the browser. What the server gives comes last and decides, where an
// option is given twice.
func (b *Browser) script() string {
	lines := []string{"#!/bin/sh"}
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"} {
		lines = append(lines, "export "+name+"="+cacheDir)
	}
	if b.fetched {
		lines = append(lines, "export LD_LIBRARY_PATH="+path.Join(shownAt, "lib"), "export FONTCONFIG_FILE="+fontsFile())
	}
	lines = append(lines, "exec "+b.Program+" "+strings.Join(b.flags(), " ")+" \"$@\"")
	return strings.Join(lines, "\n") + "\n"
}

// flags make the browser run here, and do nothing by itself. One that was fetched
// reads no policies, and so would not trust the fake Internet.
func (b *Browser) flags() []string {
	// The browser refuses to connect to this port.
	const nowhere = "http://127.0.0.1:1/"
	list := []string{
		"--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--no-first-run", "--no-default-browser-check", "--password-store=basic",
		"--disable-background-networking", "--disable-component-update", "--disable-default-apps", "--disable-sync",
		"--disable-breakpad", "--disable-domain-reliability", "--metrics-recording-only", "--no-pings",
		"--gaia-url=" + nowhere, "--component-updater=url-source=" + nowhere,
	}
	if b.fetched {
		list = append(list, "--ignore-certificate-errors")
	}
	return list
}

// policies are a company's settings: they switch off what the flags do not, and make
// the browser trust the certificates.
func policies(roots []byte) map[string]any {
	var trusted [][]byte // JSON has them in base64, as the policy wants them
	for block, rest := pem.Decode(roots); block != nil; block, rest = pem.Decode(rest) {
		trusted = append(trusted, block.Bytes)
	}
	return map[string]any{
		"CACertificates": trusted,
		// It would contact its vendor.
		"AlternateErrorPagesEnabled": false, "BrowserNetworkTimeQueriesEnabled": false, "BrowserSignin": 0,
		"ChromeVariations": 2, "ComponentUpdatesEnabled": false, "DomainReliabilityAllowed": false, "GenAiDefaultSettings": 2,
		"MetricsReportingEnabled": false, "PromotionsEnabled": false, "SafeBrowsingProtectionLevel": 0,
		"SearchSuggestEnabled": false, "SpellCheckServiceEnabled": false, "SyncDisabled": true, "TranslateEnabled": false,
		// It would connect to hosts that no page asked for, or in ways that differ
		// from start to start.
		"BuiltInDnsClientEnabled": false, "DnsOverHttpsMode": "off", "NetworkPredictionOptions": 2, "QuicAllowed": false,
		"BackgroundModeEnabled": false, "DefaultBrowserSettingEnabled": false, "PasswordManagerEnabled": false,
	}
}
