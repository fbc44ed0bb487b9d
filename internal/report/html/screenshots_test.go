package html_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// TestScreenshots takes the pictures in docs/images anew with -update. What is
// on them depends on the fonts of the machine, so they are not compared.
func TestScreenshots(t *testing.T) {
	if !*update {
		t.Skip("taken with -update only")
	}
	shots(t, open(t, render(t, thief(t))), []shot{
		{"1280-light", "light", "body", 1280, 1400},
		{"1280-dark", "dark", "body", 1280, 1400},
		{"390-light", "light", "body", 390, 1600},
		{"390-dark", "dark", "body", 390, 1600},
		{"timeline", "light", "#timeline", 1280, 1250},
		{"maps", "light", "#processes", 1280, 1100},
		{"tools", "light", "#tools", 1280, 720},
		{"coverage", "light", "#coverage", 1280, 1150},
	})
	// That server consists of one file. What others consist of is made up.
	shots(t, open(t, render(t, composed(thief(t), 90))), []shot{{"composition", "light", "#composition", 1280, 1640}})
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
		if len(picture.Data) > 300<<10 {
			t.Errorf("%s has %d bytes", shot.name, len(picture.Data))
		}
		if err := os.WriteFile(filepath.Join("..", "..", "..", "docs", "images", "report-"+shot.name+".png"), picture.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
