package html_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// chromium starts a browser for one test. Without a browser the test is skipped,
// or fails if MCPSF_REQUIRE_CHROMIUM is 1.
func chromium(t *testing.T) context.Context {
	t.Helper()
	var program string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			program = found
			break
		}
	}
	if program == "" {
		if os.Getenv("MCPSF_REQUIRE_CHROMIUM") == "1" {
			t.Fatal("there is no chromium, and MCPSF_REQUIRE_CHROMIUM is set")
		}
		t.Skip("there is no chromium; install it to see the page as a browser does")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.UserDataDir(t.TempDir()))
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	return ctx
}

// tab is a page in a browser, with its console and its requests.
type tab struct {
	context.Context //nolint:containedctx // a tab lives as long as its test

	t      *testing.T
	server *httptest.Server

	mu    sync.Mutex
	asked []string
	said  chan string
}

// lastWord is the marker that ends the console output.
const lastWord = "that was all"

// open opens a page and records its console output and its requests. Every
// request except the page itself is answered with 404.
func open(t *testing.T, page []byte) *tab {
	t.Helper()
	b := &tab{Context: chromium(t), t: t, said: make(chan string, 10_000)}
	b.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		b.asked = append(b.asked, r.URL.Path)
		b.mu.Unlock()
		if r.URL.Path != "/report.html" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page)
	}))
	t.Cleanup(b.server.Close)
	messages := chromedp.Console(b)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			b.said <- m.Text
		}
	}()
	b.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(b.server.URL+"/report.html"))
	return b
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// eval runs a script in the page, not restricted by the page's policy.
func eval[T any](b *tab, script string) T {
	b.t.Helper()
	v, err := chromedp.Run(b, chromedp.Evaluate[T](script))
	if err != nil {
		b.t.Fatalf("%v in %s", err, script)
	}
	return v
}

// console returns everything that the page wrote.
func (b *tab) console() []string {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](`console.log("` + lastWord + `")`))
	var all []string
	for {
		select {
		case s := <-b.said:
			if s == lastWord {
				return all
			}
			all = append(all, s)
		case <-b.Done():
			b.t.Fatal("the console says nothing")
		}
	}
}

// quiet fails if the page wrote anything or requested anything but itself.
func (b *tab) quiet() {
	b.t.Helper()
	if said := b.console(); len(said) > 0 {
		b.t.Errorf("the console says %q", said)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.asked) != 1 {
		b.t.Errorf("it asks for %q", b.asked)
	}
}

func (b *tab) media(medium, scheme string) {
	b.t.Helper()
	_, err := chromedp.Call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: medium, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// A page opened from a file requests only that file, and writes nothing to the console.
func TestBrowserFile(t *testing.T) {
	for name, r := range map[string]run{"thief": thief(t), "hostile": hostile(300)} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "report.html")
			if err := os.WriteFile(file, render(t, r), 0o644); err != nil {
				t.Fatal(err)
			}
			address := (&url.URL{Scheme: "file", Path: file}).String()
			b := &tab{Context: chromium(t), t: t, said: make(chan string, 1000)}
			if _, err := chromedp.Call(b, network.Enable, network.EnableParams{}); err != nil {
				t.Fatal(err)
			}
			requests := chromedp.Events(b, network.RequestWillBeSent)
			b.do(chromedp.Navigate(address), chromedp.Navigate(address+"?end"))
			var asked []string
			for e, err := range requests {
				if err != nil {
					t.Fatal(err)
				}
				if strings.HasSuffix(e.Request.URL, "?end") {
					break
				}
				asked = append(asked, e.Request.URL)
			}
			if len(asked) != 1 || asked[0] != address {
				t.Errorf("it asks for %q", asked)
			}
		})
	}
}

// If the escaping failed, the policy would still hold.
func TestBrowserPolicyHolds(t *testing.T) {
	const injected = `<script>document.title = "pwned"</script><img src="/picture" onerror="document.title = 'pwned'">
		<p style="position:fixed" onclick="document.title='pwned'" id="poor">x</p><link rel="stylesheet" href="/style"><iframe src="/frame"></iframe></main>`
	page := strings.Replace(string(render(t, thief(t))), "</main>", injected, 1)
	b := open(t, []byte(page))
	b.do(chromedp.Click("#poor"), chromedp.Evaluate[chromedp.Void](`fetch("/stolen").catch(() => {})`))
	if title := eval[string](b, `document.title`); strings.Contains(title, "pwned") {
		t.Error("a script was run that is not the page's")
	}
	if said := b.console(); len(said) < 4 {
		t.Errorf("the policy refused %q only", said)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.asked) != 1 {
		t.Errorf("it asks for %q", b.asked)
	}
}
