package shape

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// make makes up a value of a kind. Without a form the name tells how it looks.
func (f *filler) make(kind, form string, at *place) any {
	whole := form == "whole"
	if form == "" || whole {
		form = formByName(at.name)
	}
	if whole && slices.Contains([]string{"amount", "latitude", "longitude"}, form) {
		form = ""
	}
	d := dice(f.r.Seed, f.r.Domain, at.record, at.path, at.name)
	switch {
	case form == "nothing" && kind == text:
		return ""
	case kind == boolean:
		return form != "no" && form != "nothing"
	case kind == number:
		return f.number(d, form, at)
	case formKind(form) == number:
		return f.digits(d, form, at)
	}
	return f.text(d, form, at)
}

// formKind is the kind that values of a form usually have.
func formKind(form string) string {
	switch form {
	case "id", "count", "amount", "unix", "ms", "latitude", "longitude", "status code", "zero":
		return number
	case "flag", "no":
		return boolean
	}
	return text
}

func (f *filler) number(d *rand.Rand, form string, at *place) any {
	switch form {
	case "id":
		return at.id
	case "zero", "nothing":
		return 0
	case "status code":
		return 200
	case "amount":
		return float64(d.IntN(10000)) / 100
	case "unix":
		return f.moment(d).Unix()
	case "ms", "date":
		return f.moment(d).UnixMilli()
	case "latitude":
		return float64(d.IntN(1200)-600) / 10
	case "longitude":
		return float64(d.IntN(3400)-1700) / 10
	case "ref":
		return d.IntN(90000) + 10000
	}
	return d.IntN(40) + 1
}

// digits is a number as a text.
func (f *filler) digits(d *rand.Rand, form string, at *place) string {
	switch v := f.number(d, form, at).(type) {
	case int:
		return strconv.Itoa(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return "1"
}

// moment is some time in the last half year.
func (f *filler) moment(d *rand.Rand) time.Time {
	return f.r.Now.UTC().Truncate(24 * time.Hour).Add(-time.Duration(d.IntN(180*24*3600)) * time.Second)
}

func (f *filler) text(d *rand.Rand, form string, at *place) string {
	seed := f.r.Seed
	word, rest, _ := strings.Cut(form, " ")
	switch word {
	case "sid":
		return strconv.Itoa(at.id)
	case "pid": // behind a prefix
		return rest + wordOf(seed, at.id)
	case "uuid":
		return uuidOf(seed, at.id)
	case "hex":
		return hexOf(seed, at.id, 24)
	case "url":
		return f.url(rest, at)
	case "template":
		return f.url("", at) + rest
	case "sha":
		return letters(d, 40, "0123456789abcdef")
	case "hash":
		return letters(d, 32, "0123456789abcdef")
	case "token":
		return letters(d, 32, "abcdefghijklmnopqrstuvwxyz0123456789")
	case "ref":
		return letters(d, 12, "abcdefghijklmnopqrstuvwxyz0123456789")
	case "date":
		return f.moment(d).Format(time.RFC3339)
	case "day":
		return f.moment(d).Format(time.DateOnly)
	case "cursor":
		return ""
	case "ip":
		return "203.0.113." + strconv.Itoa(1+d.IntN(250))
	case "base64":
		return sample64(pick(d, sentences()))
	case "color":
		return "#" + letters(d, 6, "0123456789abcdef")
	case "version":
		return "1." + strconv.Itoa(d.IntN(9)) + "." + strconv.Itoa(d.IntN(9))
	case "summary":
		return pick(d, sentences())
	case "phone":
		return "+1555010" + letters(d, 4, "0123456789")
	}
	return f.plain(d, word)
}

// plain is a text that does not depend on where it is.
func (f *filler) plain(d *rand.Rand, form string) string {
	thing := pick(d, []string{"Aurora", "Meadow", "Cobalt", "Juniper", "Harbor", "Lantern"})
	if v, ok := usualTexts()[form]; ok {
		return v
	}
	return thing + " " + pick(d, []string{"One", "Station", "Group", "Studio", "Works"})
}

// usualTexts are the texts of forms that are the same everywhere.
//
//nolint:gochecknoglobals // made once, and never changed
var usualTexts = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"email": "johan.lindqvist@example.com", "person": "Johan Lindqvist", "login": "jlindqvist", "currency": "USD", "country": "US",
		"language": "en", "timezone": "Europe/Stockholm", "mime": "text/plain", "encoding": "base64", "file": "notes.md", "path": "docs/notes.md",
		"address": "12 Harbor Street, Springfield", "city": "Springfield", "symbol": "ACME", "status": "active", "word": "standard",
	}
})

func sentences() []string {
	return []string{"Updated last week.", "No description provided.", "Part of the spring release."}
}

func pick(d *rand.Rand, from []string) string { return from[d.IntN(len(from))] }

// url is one on the same host, whose path is answered: with a file, an image, or a
// record. No other host is named, and nothing of the request's path is repeated.
func (f *filler) url(what string, at *place) string {
	base, id := f.r.Scheme+"://"+f.r.Host, strconv.Itoa(at.id)
	switch {
	case strings.HasPrefix(what, "/"):
		return base + strings.ReplaceAll(what, "{id}", id)
	case what == "image":
		return base + "/images/" + id + ".png"
	case what == "file":
		return base + "/files/" + id + ".txt"
	case what == "git":
		return base + "/repositories/" + id + ".git"
	}
	return base + "/items/" + id
}

func sample64(content string) string { return base64.StdEncoding.EncodeToString([]byte(content)) }

func isBase64(s string) bool {
	_, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(s, "\n", ""))
	return err == nil && s != ""
}

var (
	isUUID = lazyregexp.New(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	isDay  = lazyregexp.New(`^\d{4}-\d\d-\d\d$`)
	isTime = lazyregexp.New(`^\d{4}-\d\d-\d\dT\d\d:\d\d`)
	isIP   = lazyregexp.New(`^\d+\.\d+\.\d+\.\d+$`)
)

// looks says whether a value has a form, where that can be told.
func looks(form string, v any) bool {
	if n, ok := v.(json.Number); ok {
		return form != "whole" || !strings.ContainsAny(n.String(), ".eE")
	}
	if n, ok := v.(float64); ok {
		return form != "whole" || n == math.Trunc(n)
	}
	s, ok := v.(string)
	if !ok {
		return !strings.HasPrefix(form, "template ")
	}
	word, _, _ := strings.Cut(form, " ")
	switch word {
	case "whole":
		return false
	case "uuid":
		return isUUID.MatchString(s)
	case "url":
		return strings.HasPrefix(s, "http")
	case "template":
		return strings.Contains(s, strings.TrimPrefix(form, word+" "))
	case "email":
		return strings.Contains(s, "@")
	case "day":
		return isDay.MatchString(s)
	case "date":
		return isTime.MatchString(s)
	case "ip":
		return isIP.MatchString(s)
	case "base64":
		return isBase64(s)
	}
	return true
}
