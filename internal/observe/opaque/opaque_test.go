package opaque

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
)

// random returns bytes that differ from test to test.
func random(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 7))
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(r.Uint32())
	}
	return p
}

func b64(p []byte) string { return base64.StdEncoding.EncodeToString(p) }

// many encodes in base64 so many times.
func many(p []byte, times int) string {
	for range times {
		p = []byte(b64(p))
	}
	return string(p)
}

// drawn returns a PNG with a few lines.
func drawn(t *testing.T) string {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, 200, 120))
	for x := range 200 {
		picture.Set(x, x/2, color.RGBA{200, 30, uint8(x), 255})
	}
	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// screen returns a PNG that is larger than most messages, unpacked.
func screen(t *testing.T) string {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, 1600, 1200))
	for x := range 1600 {
		for y := range 1200 {
			picture.Set(x, y, color.RGBA{uint8(x / 7), uint8(y / 5), uint8((x*y)>>12) * 9, 255})
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// photo returns a JPEG picture whose pixels a function makes.
func photo(t *testing.T, pixel func(x, y int) uint8) string {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, 320, 200))
	for x := range 320 {
		for y := range 200 {
			picture.Set(x, y, color.Gray{pixel(x, y)})
		}
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, picture, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// withComment adds a comment to a JPEG picture.
func withComment(picture string, comment []byte) string {
	return picture[:2] + "\xff\xfe" + string([]byte{byte((len(comment) + 2) >> 8), byte(len(comment) + 2)}) + string(comment) + picture[2:]
}

// id returns a UUID.
func id(n uint64) string {
	p := random(n, 16)
	return fmt.Sprintf("%x-%x-%x-%x-%x", p[:4], p[4:6], p[6:8], p[8:10], p[10:])
}

// batch returns records with a UUID and a text each.
func batch(records int, text string) string {
	var all []string
	for i := range records {
		all = append(all, fmt.Sprintf(`{"event":"tool_called","uuid":"%s","text":"%s"}`, id(uint64(300+i)), text))
	}
	return "[" + strings.Join(all, ",") + "]"
}

func packed(p []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(p)
	_ = z.Close()
	return out.Bytes()
}

func measured(t *testing.T, messages ...map[string]string) int64 {
	t.Helper()
	m, total := New(), int64(0)
	m.KnowValue([]byte("What is the weather in Bern on a9f3K2mPq0LzX81v?"))
	m.Know([]byte(`{"next":"` + b64(random(1, 48)) + `"}`))
	for _, parts := range messages {
		g := m.Message("skies.example")
		for part, text := range parts {
			g.Write(part, []byte(text))
		}
		if d := g.End(); d != nil {
			total = d.Total
		}
	}
	return total
}

func TestOpaque(t *testing.T) {
	picture := drawn(t)
	numbers := strings.Trim(strings.ReplaceAll(fmt.Sprint(random(3, 60)), " ", ","), "[]")
	var pieces []map[string]string
	for i := range 12 {
		pieces = append(pieces, map[string]string{"url": "https://api.skies.example/v1/" + hex.EncodeToString(random(uint64(40+i), 4))})
	}
	for name, messages := range map[string][]map[string]string{
		"bytes":              {{"body": string(random(2, 80))}},
		"base64 in JSON":     {{"body": `{"state":"` + b64(random(2, 80)) + `"}`}},
		"hex in a header":    {{"header X-Trace": hex.EncodeToString(random(2, 60))}},
		"base32 in a name":   {{"name": strings.ToLower(base32.HexEncoding.EncodeToString(random(2, 35)))}, {"name": strings.ToLower(base32.HexEncoding.EncodeToString(random(9, 35)))}},
		"in the path":        {{"url": "https://api.skies.example/v1/" + base64.RawURLEncoding.EncodeToString(random(2, 60))}},
		"padded with words":  {{"body": strings.Repeat("the quick brown fox jumps over the lazy dog ", 200) + b64(random(2, 60))}},
		"packed":             {{"body": string(packed(random(2, 90)))}},
		"a list of numbers":  {{"body": `{"v":[` + numbers + `]}`}},
		"base64 of a packed": {{"body": b64(packed(random(2, 90)))}},
		"in small pieces":    pieces,
		"escaped":            {{"url": "https://api.skies.example/v1/forecast?units=metric&city=Bern&state=" + url.QueryEscape(string(random(2, 90)))}},
		"between zeros":      {{"body": strings.Join(strings.Split(string(random(2, 120)), ""), "\x00\x00\x00")}},
		"behind a PNG":       {{"body": picture + string(random(2, 90))}},
		"in a JPEG picture":  {{"body": withComment(photo(t, func(x, y int) uint8 { return uint8(x + y) }), random(2, 90))}},
		"behind a JPEG":      {{"body": photo(t, func(x, y int) uint8 { return uint8(x) }) + string(random(2, 90))}},
		"as its pixels":      {{"body": photo(t, func(x, y int) uint8 { return random(uint64(x*1000+y), 1)[0] })}},
		"encoded six times":  {{"body": many(random(2, 60), 6)}},
		"a false socket key": {{"header Sec-WebSocket-Key": b64(random(2, 60))}},
		"a false host":       {{"header Host": hex.EncodeToString(random(2, 25)) + "." + hex.EncodeToString(random(3, 25))}},
		"as UUIDs":           {{"body": batch(20, "")}},
		"a name of a header": {{"header X-" + hex.EncodeToString(random(2, 50)): "1"}},
	} {
		if got := measured(t, messages...); got < 40 {
			t.Errorf("%s: %d bytes", name, got)
		}
	}
}

func TestReadable(t *testing.T) {
	picture := drawn(t)
	text := strings.Repeat("Forecast for the valley: rain in the morning, snow above 1200 metres, and wind from the north west. ", 30)
	body := `{"query":"weather in Bern"}`
	sum := sha256.Sum256([]byte(body))
	boundary := hex.EncodeToString(random(6, 16))
	var requests []map[string]string
	for i := range 30 {
		requests = append(requests, map[string]string{
			"url": "https://api.skies.example/v1/forecast?city=Bern&units=metric&t=1763405000123", "header X-Request-Id": id(uint64(100 + i)),
			"header traceparent": "00-" + hex.EncodeToString(random(uint64(200+i), 16)) + "-b7ad6b7169203331-01",
		})
	}
	for name, messages := range map[string][]map[string]string{
		"requests with identifiers": requests,
		"a batch of records":        {{"body": batch(20, text[:250])}},
		"packed text":               {{"body": string(packed([]byte(text)))}},
		"text in base64":            {{"body": b64([]byte(text))}},
		"JSON":                      {{"body": `{"temperature_2m":[12.4,13.1],"timezone":"Europe/Zurich","getWeatherForecastForLocation":true,"sha":"utf8","v":"x86_64-gpt-4o-mini-2024-07-18"}`}},
		"an argument":               {{"body": "a9f3K2mPq0LzX81v"}},
		"what a host answered":      {{"url": "https://api.skies.example/v1?cursor=" + b64(random(1, 48))}},
		"its own digest":            {{"header X-Amz-Content-Sha256": hex.EncodeToString(sum[:]), "body": body}},
		"a boundary":                {{"header Content-Type": "multipart/form-data; boundary=" + boundary, "body": "--" + boundary + "\r\nContent-Disposition: form-data\r\n\r\nhello\r\n--" + boundary + "--"}},
		"a token that is JSON":      {{"header Authorization": "Bearer " + base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"1234567890","name":"Jane Doe","iat":1516239022}`)) + "." + base64.RawURLEncoding.EncodeToString(random(8, 32))}},
		"a PNG":                     {{"body": picture}, {"body": b64([]byte(picture))}},
		"a large PNG":               {{"body": screen(t)}},
		"a JPEG":                    {{"body": photo(t, func(x, y int) uint8 { return uint8(x/3 + y/2) })}},
		"numbers":                   {{"body": `{"days":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30],"percent":[12,99,45,3,67,21,88,54,31,76,10,9,41,62,83,5,17,70,29,94,50,36,58,2,13]}`}},
		"German":                    {{"body": "Die Wettervorhersage für Zürich: Böen, Gewitter und örtlich Überschwemmungen in den Außenbezirken."}},
		"Chinese":                   {{"body": "今天北京的天气预报显示有小雨，气温在十到十五度之间，请注意携带雨具并关注最新的天气信息。"}},
		"source":                    {{"body": "func (m *Meter) account(destination string) *account { return m.accountOf(strings.TrimSuffix(destination, \".\")) }"}},
	} {
		if got := measured(t, messages...); got > 32 {
			t.Errorf("%s: %d bytes", name, got)
		}
	}
}

// Only the signature of a request to AWS follows from the request.
func TestSignature(t *testing.T) {
	head := "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20261117/eu-west-1/s3/aws4_request, SignedHeaders=host;x-amz-date, Signature="
	for text, quiet := range map[string]bool{
		hex.EncodeToString(random(2, 32)): true, hex.EncodeToString(random(2, 90)): false, b64(random(2, 90)): false,
	} {
		g := New().Message("amazonaws.com")
		g.Write("header Authorization", []byte(head+text))
		if d := g.End(); (d == nil) != quiet {
			t.Errorf("Signature=%s: %+v", text, d)
		}
		g = New().Message("amazonaws.com")
		g.Write("url", []byte("https://shop.s3.amazonaws.com/a.txt?X-Amz-Date=20261117T000000Z&X-Amz-Signature="+text+"&x-id=PutObject"))
		if d := g.End(); (d == nil) != quiet {
			t.Errorf("in an address, %s: %+v", text, d)
		}
	}
}

// The same bytes again tell a destination nothing new.
func TestConstant(t *testing.T) {
	one := map[string]string{"body": b64(random(2, 60))}
	if got := measured(t, one, one, one); got < 50 || got > 62 {
		t.Errorf("%d bytes", got)
	}
}

func FuzzMessage(f *testing.F) {
	f.Add("url", packed([]byte("text")))
	f.Add("header content-type", []byte("multipart/form-data; boundary=x"))
	f.Add("body", []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x04IDAT1234"))
	f.Fuzz(func(t *testing.T, part string, p []byte) {
		g := New().Message("a.example")
		g.Write(part, p)
		if d := g.End(); d != nil && (d.Bytes <= 0 || d.Total < d.Bytes) {
			t.Errorf("%+v", d)
		}
	})
}
