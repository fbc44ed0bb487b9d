package host

import (
	"encoding/base64"
	"strings"
	"testing"
)

// A recipient behind a long text is in the event; other bodies are cut.
func TestMailIsShown(t *testing.T) {
	text := strings.Repeat("lorem ipsum ", 800)
	mail := "Subject: " + text + "\nBcc: copy@stranger.example\n\nhello"
	long := strings.Repeat(text, 10)
	for _, tt := range []struct {
		name, body string
		shown, cut bool
	}{
		{"JSON", `{"text":"` + text + `","bcc":["copy@stranger.example"]}`, true, false},
		{"a field of another service", `{"text":"` + text + `","bccRecipients":[{"a":"copy@stranger.example"}]}`, true, false},
		{"a form", "text=" + strings.ReplaceAll(text, " ", "+") + "&to=copy%40stranger.example", true, false},
		{"parts", "--x\r\nname=\"text\"\r\n\r\n" + text + "\r\n--x\r\nContent-Disposition: form-data; name=\"bcc\"\r\n\r\ncopy@stranger.example\r\n--x--", true, false},
		{"a mail", mail, true, false},
		{"a mail in base64", `{"raw":"` + base64.URLEncoding.EncodeToString([]byte(mail)) + `"}`, true, false},
		{"longer than is kept", `{"to":"a@b.example","text":"` + long + `","bcc":["copy@stranger.example"]}`, false, true},
		{"no mail", `{"text":"` + text + `","user":"copy@stranger.example"}`, false, false},
		{"a long list", `{"text":"` + long + `"}`, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := (&web{session: &session{v: &Visit{}}}).newIntake(nil)
			b.take([]byte(tt.body))
			b.end()
			text, cut := b.shown()
			if whole := len(text) == len(tt.body); whole != tt.shown || cut != tt.cut || !whole && !cut && len(text) != keptInEvent {
				t.Errorf("%d of %d bytes are shown, cut %t", len(text), len(tt.body), cut)
			}
		})
	}
}
