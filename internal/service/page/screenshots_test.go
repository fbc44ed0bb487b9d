package page_test

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// TestScreenshots takes the pictures in docs/images anew with -update. They
// depend on the fonts of the machine, so they are not compared.
func TestScreenshots(t *testing.T) {
	if !*update {
		t.Skip("taken with -update only")
	}
	w := newWorld(t)
	w.addKey("alpha", "Ada", job.Admin)
	s := thief(t)
	w.done("npm:@example/weather@1.0.0", honest(s, "@example/weather", "1.0.0"))
	w.done("npm:@example/weather@1.1.0", named(honest(s, "@example/weather", "1.1.0"), "@example/weather", "1.1.0", mcpsf.BandLow, 26))
	w.done("npm:@example/weather@1.2.0", named(s, "@example/weather", "1.2.0", mcpsf.BandCritical, 100))
	w.done("pypi:example-notes==2.1.0", honest(s, "example-notes", "2.1.0"))
	w.queue(job.Request{Source: "npm:example-missing@9.9.9"})
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
		most              int64
	}{
		{"home", "/", "", 1000},
		{"live", "/runs/" + running, `document.querySelectorAll(".row").length > 50`, 1000},
	} {
		const width = 1280
		b.colours("light")
		b.size(width, 800)
		b.open(shot.path)
		height := min(eval[int64](b, `Math.ceil(document.querySelector("main").getBoundingClientRect().bottom) - 40`), shot.most)
		b.size(width, height)
		b.open(shot.path)
		if shot.ready != "" {
			b.until(shot.ready)
			height = min(eval[int64](b, `Math.ceil(document.querySelector("main").getBoundingClientRect().bottom) - 40`), shot.most)
			b.size(width, height)
		}
		b.do(chromedp.Evaluate[chromedp.Void](`document.activeElement.blur()`))
		b.picture(shot.name, width, height)
	}
}

// maxPicture is the maximum size of a picture in the repository.
const maxPicture = 150 << 10

// picture takes a screenshot.
func (b *tab) picture(name string, width, height int64) {
	b.w.Helper()
	taken, err := chromedp.Call(b, page.CaptureScreenshot, page.CaptureScreenshotParams{
		Clip: &page.Viewport{Width: float64(width), Height: float64(height), Scale: 1},
	})
	if err != nil {
		b.w.Fatal(err)
	}
	small, err := fewColours(taken.Data)
	if err != nil {
		b.w.Fatal(err)
	}
	if len(small) > maxPicture {
		b.w.Errorf("%s has %d bytes", name, len(small))
	}
	if err := os.WriteFile(filepath.Join(*pictures, "service-"+name+".png"), small, 0o644); err != nil {
		b.w.Fatal(err)
	}
}

// fewColours reduces a picture to its most frequent colours. The others are
// edges of letters, and similar to one of those.
func fewColours(data []byte) ([]byte, error) {
	from, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	often := map[color.Color]int{}
	for y := range from.Bounds().Dy() {
		for x := range from.Bounds().Dx() {
			often[color.RGBAModel.Convert(from.At(x, y))]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(often), func(a, b color.Color) int { return often[b] - often[a] })
	to := image.NewPaletted(from.Bounds(), color.Palette(colours[:min(len(colours), 256)]))
	draw.Draw(to, to.Bounds(), from, from.Bounds().Min, draw.Src)
	var text bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&text, to)
	return text.Bytes(), err
}
