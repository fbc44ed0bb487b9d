package protocols

import (
	"context"
	"encoding/binary"
	"strings"
)

func ssh() speaker {
	return speaker{
		name:  "ssh",
		ports: []uint16{22, 2222},
		match: func(first []byte) match { return opens(first, "SSH-") },
		serve: func(_ context.Context, w *wire) error { return exchangeBanners(w) },
	}
}

// exchangeBanners reads what a client sends in clear: its version and its list
// of algorithms. Then it closes the connection, like a server that has no
// algorithm in common.
func exchangeBanners(w *wire) error {
	w.printf("SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n")
	banner, err := w.line()
	if err != nil {
		return err
	}
	if !strings.HasPrefix(banner, "SSH-") {
		return errStray
	}
	w.tell("")
	size, err := w.take(4)
	if err != nil {
		return err
	}
	_, err = w.take(int(min(binary.BigEndian.Uint32(size), takeMax+1)))
	return err
}
