package hostname

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHostsIn(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"https://Api.Site.example:8443/x?u=https://b.example", []string{"api.site.example", "b.example"}},
		{"postgres://user:p%40ss@db.shop.example:5432/shop", []string{"db.shop.example"}},
		{"look at site.example, please", []string{"site.example"}},
		{"connect 192.0.2.7:22 and [2001:db8::7]:80", []string{"192.0.2.7", "2001:db8::7"}},
		{"https://xn--mnchen-3ya.example https://münchen.example", []string{"xn--mnchen-3ya.example"}},
		{"http://[2001:db8::7]/x", []string{"2001:db8::7"}},
		{"version 1.2.3 at 12:30:01, no host", nil},
		{"", nil},
	}
	for _, tt := range tests {
		got := Find(tt.text)
		slices.Sort(got)
		if diff := cmp.Diff(tt.want, slices.Compact(got)); diff != "" {
			t.Errorf("%q: %s", tt.text, diff)
		}
	}
}

func FuzzHostsIn(f *testing.F) {
	for _, s := range []string{"https://a.example/x", "[::1]:80", "a@b.example", "ftp://u:p@[2001:db8::1]/", "xn--.example", "\xff.example", "://:@/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, h := range Find(text) {
			if h == "" || len(h) > maxName {
				t.Errorf("%q has the host %q", text, h)
			}
			if d := Registrable(h); d == "" {
				t.Errorf("%q belongs to nobody", h)
			}
		}
	})
}

func TestClasses(t *testing.T) {
	d := newDirectory()
	for host, want := range map[string]Class{
		"abc.webhook.site": classCatcher, "x.ngrok-free.app": classTunnel, "pastebin.com": classPaste, "discord.com": classChat,
		"o1.ingest.us.sentry.io": classTelemetry, "registry.npmjs.org": classRegistry, "abcdef.onion": classOnion, "x.onion.ly": classOnion,
		"1.1.1.1": ClassResolver, "notwebhook.site": ClassNone, "github.com": ClassNone, "": ClassNone, "2001:db8::1": ClassNone,
	} {
		if got := d.Of(host); got != want {
			t.Errorf("%s is %q, want %q", host, got, want)
		}
	}
}
