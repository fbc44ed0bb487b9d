package mail

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// recipientKey tells whether a field name stands for a recipient. A sender does
// not count.
func recipientKey(key string) bool {
	key = strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z':
			return r
		}
		return -1
	}, key)
	return known().RecipientFields[key]
}

// Recipients reads a request leniently: a truncated one is read as far as it
// goes.
func Recipients(h *mcpsf.HTTPDetail) []string {
	var out []string
	add := func(text string) {
		if len(out) < MaxRecipients {
			out = append(out, Addresses(text)...)
		}
	}
	if _, query, ok := strings.Cut(quote.Cut(h.URL, lex.MaxURL), "?"); ok {
		fromForm(query, add)
	}
	body := strings.TrimSpace(quote.Cut(h.Body, MaxBody))
	switch {
	case body == "":
	case body[0] == '{' || body[0] == '[':
		fromJSON(body, add)
	case strings.HasPrefix(body, "--"):
		fromParts(body, add)
	case strings.IndexByte(body, '=') > 0 && !strings.ContainsAny(body[:min(len(body), 256)], " \n<"):
		fromForm(body, add)
	default:
		fromText(body, add)
	}
	return out
}

func fromForm(query string, add func(string)) {
	for pair := range strings.SplitSeq(query, "&") {
		key, value, _ := strings.Cut(pair, "=")
		key, errKey := url.QueryUnescape(key)
		value, err := url.QueryUnescape(value)
		if err != nil || errKey != nil {
			continue
		}
		if recipientKey(key) {
			add(value)
		} else if key == "raw" || strings.HasPrefix(value, "{") {
			fromValue(key, value, add)
		}
	}
}

// fromJSON reads token by token, so that truncated JSON is read as far as it goes.
func fromJSON(body string, add func(string)) {
	dec := json.NewDecoder(strings.NewReader(body))
	w := walker{add: add}
	for range maxTokens {
		token, err := dec.Token()
		if err != nil || len(w.stack) > lex.MaxDepth {
			return
		}
		w.take(token)
	}
}

// walker tracks the position in a JSON text. All strings below a field for
// recipients count, at any depth. A string that contains a mail or JSON is read
// as well.
type walker struct {
	add   func(string)
	stack []level
}

type level struct {
	object, wantsKey bool
	// inside is set below a field for recipients, field in its direct value.
	inside, field bool
	key           string
}

func (w *walker) take(token json.Token) {
	top := &level{}
	if n := len(w.stack); n > 0 {
		top = &w.stack[n-1]
	}
	text, isText := token.(string)
	delim, isDelim := token.(json.Delim)
	switch {
	case isText && top.object && top.wantsKey:
		top.key, top.wantsKey, top.field = text, false, recipientKey(text)
		return
	case isDelim && (delim == '}' || delim == ']'):
		if w.stack = w.stack[:len(w.stack)-1]; len(w.stack) > 0 {
			w.stack[len(w.stack)-1].wantsKey = true
		}
		return
	case isDelim:
		w.stack = append(w.stack, level{object: delim == '{', wantsKey: true, inside: top.inside || top.field, key: top.key})
		return
	case isText && (top.inside || top.field):
		w.add(text)
	case isText:
		fromValue(top.key, text, w.add)
	}
	top.wantsKey = true
}

// fromValue reads a whole mail in one field, plain or base64, and JSON in a
// string.
func fromValue(key, value string, add func(string)) {
	if len(value) < 16 {
		return
	}
	if value[0] == '{' || value[0] == '[' {
		fromJSON(value, add) // ends, because a nested string is at most half as long
		return
	}
	if strings.Contains(value, "@") && strings.ContainsAny(value, "\n") {
		fromMail(value, add)
		return
	}
	if key != "raw" && key != "Data" && key != "data" && key != "mime" && key != "message" {
		return
	}
	text := strings.NewReplacer("-", "+", "_", "/", "=", "", "\n", "", "\r", "").Replace(value)
	if mail, _ := base64.RawStdEncoding.DecodeString(text[:len(text)/4*4]); len(mail) > 0 {
		fromMail(string(mail), add)
	}
}

// fromMail reads the headers of a mail. A line that begins with a space
// continues the one before.
func fromMail(mail string, add func(string)) {
	head, _, _ := strings.Cut(strings.ReplaceAll(mail, "\r\n", "\n"), "\n\n")
	key := ""
	for line := range strings.SplitSeq(head, "\n") {
		if line != "" && line[0] != ' ' && line[0] != '\t' {
			key, line, _ = strings.Cut(line, ":")
		}
		if recipientKey(key) {
			add(line)
		}
	}
}

var partOfForm = lazyregexp.New(`(?is)name="([^"]{1,64})"[^\n]*\r?\n(?:[a-z-]+:[^\n]*\n)*\r?\n(.{1,1000}?)\r?\n--`)

func fromParts(body string, add func(string)) {
	for _, m := range partOfForm.FindAllStringSubmatch(body+"\n--", MaxRecipients) {
		if recipientKey(m[1]) {
			add(m[2])
		} else {
			fromValue(m[1], m[2], add)
		}
	}
}

// fieldInText matches a field name and the address after it, in other formats:
// XML, YAML, lines of a protocol.
var fieldInText = lazyregexp.New(`(?:^|[^/A-Za-z_\-])([A-Za-z][A-Za-z_\-]{1,30})["'>\s:=\[{]{1,12}(?:<[A-Za-z:]{1,40}>\s*)?([A-Za-z0-9._%+\-]{1,64}@[A-Za-z0-9.\-]{3,100})`)

var headOfMail = lazyregexp.New(`^[A-Za-z\-]{2,40}: ?[^\n]*\n(?:[A-Za-z\-]{2,40}:|[ \t])`)

func fromText(body string, add func(string)) {
	if strings.IndexByte(body, '@') < 0 {
		return
	}
	if headOfMail.MatchString(body) {
		fromMail(body, add)
		return
	}
	for _, m := range fieldInText.FindAllStringSubmatch(body, MaxRecipients) {
		if recipientKey(m[1]) {
			add(m[2])
		}
	}
}
