package capture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"
	"time"
)

// content is a pcapng file, parsed by code that shares nothing with the writer.
type content struct {
	kinds    []uint32
	section  map[uint16][]string
	device   map[uint16][]string
	stats    map[uint16][]string
	secrets  string
	packets  []packetBlock
	linkType uint16
}

type packetBlock struct {
	at       time.Time
	original int
	data     []byte
	flags    uint32
	comments []string
}

// export writes the capture and reads it back.
func export(t *testing.T, s *Spool, comment func(Flow, bool, time.Time) []string) content {
	t.Helper()
	var out bytes.Buffer
	if err := s.Write(&out, comment); err != nil {
		t.Fatal(err)
	}
	c, err := readBlocks(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func readBlocks(b []byte) (content, error) {
	var c content
	for len(b) > 0 {
		if len(b) < 12 {
			return c, fmt.Errorf("%d bytes are no block", len(b))
		}
		kind, size := binary.LittleEndian.Uint32(b), int(binary.LittleEndian.Uint32(b[4:]))
		if size%4 != 0 || size < 12 || size > len(b) {
			return c, fmt.Errorf("a block of %d bytes in %d", size, len(b))
		}
		if again := int(binary.LittleEndian.Uint32(b[size-4:])); again != size {
			return c, fmt.Errorf("a block of %d and %d bytes", size, again)
		}
		if err := c.add(kind, b[8:size-4]); err != nil {
			return c, err
		}
		c.kinds = append(c.kinds, kind)
		b = b[size:]
	}
	return c, nil
}

func (c *content) add(kind uint32, body []byte) (err error) {
	u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(body[at:]) }
	switch kind {
	case 0x0a0d0d0a:
		c.section, err = readOptions(body[16:])
	case 1:
		c.linkType = binary.LittleEndian.Uint16(body)
		c.device, err = readOptions(body[8:])
	case 5:
		c.stats, err = readOptions(body[12:])
	case 6:
		size := int(u32(12))
		p := packetBlock{
			at:       time.Unix(0, int64(uint64(u32(4))<<32|uint64(u32(8)))).UTC(),
			original: int(u32(16)),
			data:     body[20 : 20+size],
		}
		var options map[uint16][]string
		options, err = readOptions(body[20+(size+3)/4*4:])
		p.comments = options[1]
		if f := options[2]; len(f) == 1 && len(f[0]) == 4 {
			p.flags = binary.LittleEndian.Uint32([]byte(f[0]))
		}
		c.packets = append(c.packets, p)
	case 10:
		if u32(0) != 0x544c534b {
			return fmt.Errorf("secrets of kind %#x", u32(0))
		}
		c.secrets += string(body[8 : 8+u32(4)])
	default:
		return fmt.Errorf("a block of kind %#x", kind)
	}
	return err
}

func readOptions(b []byte) (map[uint16][]string, error) {
	out := make(map[uint16][]string)
	for len(b) >= 4 {
		code, size := binary.LittleEndian.Uint16(b), int(binary.LittleEndian.Uint16(b[2:]))
		padded := (size + 3) / 4 * 4
		if code == 0 {
			if size != 0 || len(b) != 4 {
				return nil, fmt.Errorf("options end %d bytes early", len(b)-4)
			}
			return out, nil
		}
		if 4+padded > len(b) {
			return nil, fmt.Errorf("an option of %d bytes in %d", size, len(b))
		}
		out[code] = append(out[code], string(b[4:4+size]))
		b = b[4+padded:]
	}
	return nil, fmt.Errorf("options without end")
}
