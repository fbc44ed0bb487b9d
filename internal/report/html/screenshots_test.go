package html_test

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
)

// TestScreenshots takes the pictures in docs/images anew with -update. They
// depend on the fonts of the machine, so they are not compared.
func TestScreenshots(t *testing.T) {
	if !*update {
		t.Skip("taken with -update only")
	}
	shots(t, open(t, render(t, thief(t))), []shot{
		{"wide", "light", "body", 1280, 1100},
		{"narrow", "dark", "body", 390, 1100},
		{"timeline", "light", "#timeline", 1280, 800},
		{"maps", "light", "#processes", 1280, 1000},
	})
}

// shot is a picture: its name, the colours, where it begins, its size.
type shot struct {
	name, scheme, from string
	width, height      int64
}

func shots(t *testing.T, b *tab, all []shot) {
	t.Helper()
	for _, shot := range all {
		b.media("", shot.scheme)
		b.do(chromedp.EmulateViewport(shot.width, shot.height))
		top := eval[float64](b, `document.querySelector("`+shot.from+`").getBoundingClientRect().top + scrollY`)
		if top > 0 {
			top -= 24
		}
		left, width := 0.0, float64(shot.width)
		if shot.from != "body" && shot.width > 1000 { // without the list of sections
			left = eval[float64](b, `document.querySelector("main").getBoundingClientRect().left`) - 24
			width -= left + 8
		}
		beyond := true
		picture, err := chromedp.Call(b, page.CaptureScreenshot, page.CaptureScreenshotParams{
			Clip: &page.Viewport{X: left, Y: top, Width: width, Height: float64(shot.height), Scale: 1}, CaptureBeyondViewport: &beyond,
		})
		if err != nil {
			t.Fatal(err)
		}
		small, err := fewColours(picture.Data)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join("..", "..", "..", "docs", "images", "report-"+shot.name+".png"), small, 0o644); err != nil {
			t.Fatal(err)
		}
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
