package samples

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
)

// picture draws a table in front of a wall; kind changes the colours.
func picture(width, height, kind int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.NRGBA{R: uint8(60 + 30*kind + x/2), G: uint8(110 + y), B: uint8(200 - 20*kind), A: 255}
			if 3*y > 2*height && 4*x > width && 4*x < 3*width {
				c = color.NRGBA{R: 120, G: 80, B: 40, A: 255}
			}
			img.SetNRGBA(x, y, c)
		}
	}
	return img
}

func pngPicture(width, height, kind int) ([]byte, error) {
	img := picture(width, height, kind)
	// The encoder leaves the fourth channel out if nothing is transparent, and
	// some programs want it in icons.
	img.SetNRGBA(0, 0, color.NRGBA{})
	var b bytes.Buffer
	err := png.Encode(&b, img)
	return b.Bytes(), err
}

// jpegPicture is a photo, with what a camera writes about it.
func jpegPicture(width, height, kind int) ([]byte, error) {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, picture(width, height, kind), &jpeg.Options{Quality: 60}); err != nil {
		return nil, err
	}
	const start = 2 // the marker at the beginning
	notes := exif(kind)
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(2+len(notes)))
	photo := append([]byte{}, b.Bytes()[:start]...)
	return append(append(append(photo, segment...), notes...), b.Bytes()[start:]...), nil
}

// gifPicture has two frames.
func gifPicture() ([]byte, error) {
	colours := color.Palette{color.White, color.RGBA{R: 42, G: 111, B: 151, A: 255}}
	var sign gif.GIF
	for frame := range 2 {
		img := image.NewPaletted(image.Rect(0, 0, 32, 16), colours)
		for x := range 32 {
			for y := range 16 {
				img.SetColorIndex(x, y, uint8((x/8+frame)%2))
			}
		}
		sign.Image, sign.Delay = append(sign.Image, img), append(sign.Delay, 50)
	}
	var b bytes.Buffer
	err := gif.EncodeAll(&b, &sign)
	return b.Bytes(), err
}

// icon is a PNG of 32 pixels inside an ICO file.
func icon() ([]byte, error) {
	const side, headers = 32, 22
	img, err := pngPicture(side, side, 1)
	if err != nil {
		return nil, err
	}
	le := binary.LittleEndian
	b := []byte{0, 0, 1, 0, 1, 0, side, side, 0, 0, 1, 0, 32, 0}
	b = le.AppendUint32(b, uint32(len(img)))
	b = le.AppendUint32(b, headers)
	return append(b, img...), nil
}

// bmpPicture is uncompressed, 24 bits a pixel, the lowest row first.
func bmpPicture() ([]byte, error) {
	const width, height, headers = 16, 16, 54
	le := binary.LittleEndian
	b := []byte("BM")
	for _, n := range []uint32{headers + 3*width*height, 0, headers, 40, width, height} {
		b = le.AppendUint32(b, n)
	}
	b = append(b, 1, 0, 24, 0)
	for _, n := range []uint32{0, 3 * width * height, 2835, 2835, 0, 0} {
		b = le.AppendUint32(b, n)
	}
	img := picture(width, height, 1)
	for y := height - 1; y >= 0; y-- {
		for x := range width {
			c := img.NRGBAAt(x, y)
			b = append(b, c.B, c.G, c.R)
		}
	}
	return b, nil
}

// pictures are those that belong to projects.
func pictures() ([]entry, error) {
	var all []entry
	for _, p := range []struct {
		name          string
		width, height int
		draw          func(width, height, kind int) ([]byte, error)
	}{
		{"Pictures/fair/DSC_0001.jpg", 120, 80, jpegPicture},
		{"Pictures/fair/DSC_0002.jpg", 80, 120, jpegPicture},
		{"Pictures/fair/DSC_0003.jpg", 120, 80, jpegPicture},
		{"Pictures/fair/floor.png", 120, 80, pngPicture},
		{"code/label-desk/src-tauri/icons/icon.png", 32, 32, pngPicture},
		{"Documents/stand-model/textures/wood.png", 64, 64, pngPicture},
	} {
		content, err := p.draw(p.width, p.height, len(all))
		if err != nil {
			return nil, fmt.Errorf("drawing %s: %w", p.name, err)
		}
		all = append(all, entry{p.name, content})
	}
	return all, nil
}
