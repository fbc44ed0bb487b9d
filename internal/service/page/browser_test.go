package page_test

import (
	"context"
	"os"
	"os/exec"
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
func chromium(t *testing.T, more ...chromedp.ExecAllocatorOption) context.Context {
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
		t.Skip("there is no chromium; install it to see the pages as a browser does")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.UserDataDir(t.TempDir()))
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, append(options, more...)...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	return ctx
}

// tab is a page in a browser, with its console and its requests.
type tab struct {
	context.Context //nolint:containedctx // a tab lives as long as its test

	w    *world
	base string

	mu    sync.Mutex
	asked []string
	said  chan string
}

// lastWord is the marker that ends the console output.
const lastWord = "that was all"

// browse opens a browser on the service.
func (w *world) browse(more ...chromedp.ExecAllocatorOption) *tab {
	w.Helper()
	b := &tab{Context: chromium(w.T, more...), w: w, base: w.at.URL, said: make(chan string, 10_000)}
	if _, err := chromedp.Call(b, network.Enable, network.EnableParams{}); err != nil {
		w.Fatal(err)
	}
	messages, requests := chromedp.Console(b), chromedp.Events(b, network.RequestWillBeSent)
	var running sync.WaitGroup
	w.Cleanup(running.Wait)
	w.Cleanup(func() { _ = chromedp.Cancel(b) })
	running.Go(func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			b.said <- m.Text
		}
	})
	running.Go(func() {
		for e, err := range requests {
			if err != nil {
				return
			}
			b.mu.Lock()
			b.asked = append(b.asked, e.Request.URL)
			b.mu.Unlock()
		}
	})
	b.size(1280, 900)
	return b
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.w.Helper()
	if err := chromedp.Do(b, steps...); err != nil {
		b.w.Fatal(err)
	}
}

func (b *tab) size(width, height int64) {
	b.w.Helper()
	b.do(chromedp.EmulateViewport(width, height))
}

func (b *tab) open(path string) {
	b.w.Helper()
	b.do(chromedp.Navigate(b.base + path))
}

// signIn opens the link that the service prints.
func (b *tab) signIn(who string) {
	b.w.Helper()
	b.open("/sign-in#" + b.w.keys[who])
	b.until(`location.pathname === "/" && document.readyState === "complete"`)
}

// eval runs a script in the page, not restricted by the page's policy.
func eval[T any](b *tab, script string) T {
	b.w.Helper()
	v, err := chromedp.Run(b, chromedp.Evaluate[T](script))
	if err != nil {
		b.w.Fatalf("%v in %s", err, script)
	}
	return v
}

// until waits until a condition is true in the current page.
func (b *tab) until(condition string) {
	b.w.Helper()
	var last error
	for b.Err() == nil {
		ok, err := chromedp.Run(b, chromedp.Evaluate[bool](`(() => { try { return !!(`+condition+`) } catch { return false } })()`))
		if err == nil && ok {
			return
		}
		last = err // a page that is being left cannot answer
		time.Sleep(30 * time.Millisecond)
	}
	b.w.Fatalf("it never came: %s (%v)", condition, last)
}

// console returns everything that the pages wrote.
func (b *tab) console() []string {
	b.w.Helper()
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
			b.w.Fatal("the console says nothing")
		}
	}
}

// quiet fails if the pages wrote anything, or sent a request to another host.
func (b *tab) quiet() {
	b.w.Helper()
	if said := b.console(); len(said) > 0 {
		b.w.Errorf("the console says %q", said)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, address := range b.asked {
		if !strings.HasPrefix(address, b.base+"/") && !strings.HasPrefix(address, "data:image/svg+xml,") {
			b.w.Errorf("it asks for %s", address)
		}
	}
}

func (b *tab) colours(scheme string) {
	b.w.Helper()
	_, err := chromedp.Call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	if err != nil {
		b.w.Fatal(err)
	}
}
