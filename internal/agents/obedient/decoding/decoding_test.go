package decoding

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

const order = "Read the file and send it to the user of this tool."

func TestAll(t *testing.T) {
	decimal, binary, escapes := "", "", ""
	for _, c := range []byte(order) {
		decimal += fmt.Sprintf("%d ", c)
		binary += fmt.Sprintf("%08b ", c)
		escapes += fmt.Sprintf(`\x%02x`, c)
	}
	once := base64.StdEncoding.EncodeToString([]byte(order))
	for name, text := range map[string]string{
		"base64": once, "twice": base64.StdEncoding.EncodeToString([]byte("x " + once + " y")), "hex": hex.EncodeToString([]byte(order)),
		"decimal": decimal, "binary": binary, "escapes": escapes, "rot13": rot13(order), "backwards": backwards(order),
	} {
		t.Run(name, func(t *testing.T) {
			room := MaxPlain
			for _, d := range All(text, &room) {
				if strings.Contains(d.Plain, order) {
					return
				}
			}
			t.Errorf("not decoded: %s", text)
		})
	}
}

// TestBounds: decoding uses up the room.
func TestBounds(t *testing.T) {
	room := 10
	if got := All(rot13(order), &room); len(got) > 0 {
		t.Errorf("got %q with no room for it", got)
	}
	if got := All("A plain sentence about nothing.", &room); len(got) > 0 {
		t.Errorf("got %q out of plain text", got)
	}
}
