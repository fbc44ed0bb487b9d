package page_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/page"

	"github.com/chromedp/chromedp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/job"
)

// TestScreenshots takes the pictures in docs/images anew with -update. What is
// on them depends on the fonts of the machine, so they are not compared.
func TestScreenshots(t *testing.T) {
	if !*update {
		t.Skip("taken with -update only")
	}
	w := newWorld(t)
	s := thief(t)
	first := w.done("npm:@example/weather@1.0.0", honest(s, "@example/weather", "1.0.0"))
	w.done("npm:@example/weather@1.1.0", named(honest(s, "@example/weather", "1.1.0"), "@example/weather", "1.1.0", mcpsf.BandLow, 26))
	last := w.done("npm:@example/weather@1.2.0", named(s, "@example/weather", "1.2.0", mcpsf.BandCritical, 100))
	w.done("pypi:example-notes==2.1.0", honest(s, "example-notes", "2.1.0"))
	failed := w.queue(job.Request{Source: "npm:example-missing@9.9.9"})
	w.finish(w.claim("worker-2"), failedWith("there is no npm package example-missing"))
	running := w.queue(job.Request{Source: "github:example/files", Profile: "aggressive"})
	c := w.claim("worker-1")
	w.progress(c, job.Progress{Percent: 58, Step: "attack", Text: "get_weather: commands, 14 of 40"})
	for i := 0; i < 3000; i += 500 {
		var lines []any
		for _, e := range s.events[i : i+500] {
			lines = append(lines, map[string]any{"event": e})
		}
		w.tell(c, lines...)
	}
	w.queue(job.Request{Source: "npm:@example/mail@0.4.2"})
	w.queue(job.Request{ArchiveName: "internal-tools-0.9.mcpb", Archive: "00"})

	b := w.browse()
	b.signIn("alpha admin")
	for _, shot := range []struct {
		name, path, ready string
		height            int64
	}{
		{"home", "/", "", 0},
		{"live", "/runs/" + running, `document.querySelectorAll(".row").length > 50`, 1500},
		{"run", "/runs/" + last, "", 0},
		{"failed", "/runs/" + failed, "", 0},
		{"history", "/history", "", 0},
		{"compare", "/compare?old=" + first + "&new=" + last, "", 1200},
		{"package", "/packages/@example%2Fweather", "", 0},
		{"rules", "/rules?q=secret", "", 1000},
		{"keys", "/keys", "", 0},
	} {
		for _, look := range []struct {
			name, scheme string
			width        int64
		}{{"1280", "light", 1280}, {"390", "light", 390}, {"1280-dark", "dark", 1280}} {
			b.colours(look.scheme)
			b.size(look.width, 900)
			b.open(shot.path)
			if shot.ready != "" {
				b.until(shot.ready)
			}
			if shot.name == "run" {
				b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("iframe")?.scrollIntoView()`))
				b.until(`true`)
			}
			b.until(`document.readyState === "complete"`)
			b.picture(shot.name+"-"+look.name, look.width, shot.height)
		}
	}
}

// picture takes one of the page as it is, as high as it is or as is said.
func (b *tab) picture(name string, width, height int64) {
	b.w.Helper()
	if whole := eval[int64](b, `document.documentElement.scrollHeight`); height == 0 || whole < height {
		height = whole
	}
	beyond := true
	taken, err := chromedp.Call(b, page.CaptureScreenshot, page.CaptureScreenshotParams{
		Clip: &page.Viewport{Width: float64(width), Height: float64(height), Scale: 1}, CaptureBeyondViewport: &beyond,
	})
	if err != nil {
		b.w.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*pictures, "service-"+name+".png"), taken.Data, 0o644); err != nil {
		b.w.Fatal(err)
	}
}
