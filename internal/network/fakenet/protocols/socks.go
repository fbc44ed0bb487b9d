package protocols

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strconv"
)

func socks() speaker {
	return speaker{
		name:  "socks",
		match: func(first []byte) match { return max(matchSocks4(first), matchSocks5(first)) },
		serve: proxy,
	}
}

func matchSocks4(first []byte) match {
	switch {
	case len(first) == 0, first[0] != 4, len(first) > 1 && first[1] != 1 && first[1] != 2:
		return no
	case len(first) < 9:
		return maybe
	}
	if user := first[8:]; bytes.IndexByte(user, 0) >= 0 {
		return yes
	} else if len(user) > 255 {
		return no
	}
	return maybe
}

func matchSocks5(first []byte) match {
	switch {
	case len(first) == 0, first[0] != 5, len(first) > 1 && (first[1] == 0 || first[1] > 16):
		return no
	case len(first) < 2, len(first) < 2+int(first[1]):
		return maybe
	}
	for _, method := range first[2 : 2+first[1]] {
		if method > 9 && method < 0x80 {
			return no
		}
	}
	return yes
}

// proxy accepts every destination.
func proxy(ctx context.Context, w *wire) error {
	version, err := w.take(1)
	if err != nil {
		return err
	}
	connect := socks5
	if version[0] == 4 {
		connect = socks4
	}
	host, port, err := connect(w)
	if err != nil {
		return err
	}
	w.tell("")
	w.addText("url", fmt.Appendf(nil, "socks%d://%s", version[0], net.JoinHostPort(host, strconv.Itoa(int(port)))))
	if w.conversation.Through == nil {
		return errStray
	}
	_ = w.out.Flush()
	w.deliver()
	ahead := make([]byte, w.in.Buffered()) // reported by the code that serves it
	if _, err := io.ReadFull(w.in, ahead); err != nil {
		return err
	}
	return w.conversation.Through(ctx, host, port, &through{w.conn, bytes.NewReader(ahead)})
}

// through is the connection behind the proxy, with its bytes that were already
// read.
type through struct {
	net.Conn

	ahead *bytes.Reader
}

// Read implements [net.Conn].
func (t *through) Read(p []byte) (int, error) {
	if t.ahead.Len() > 0 {
		return t.ahead.Read(p)
	}
	return t.Conn.Read(p)
}

func socks4(w *wire) (host string, port uint16, err error) {
	p, err := w.take(7)
	if err != nil {
		return "", 0, err
	}
	if _, err := ended(w); err != nil {
		return "", 0, err
	}
	w.tell("login")
	ip := netip.AddrFrom4([4]byte(p[3:]))
	host = ip.String()
	if a := ip.As4(); a[0] == 0 && a[1] == 0 && a[2] == 0 && a[3] != 0 { // version 4a
		if host, err = ended(w); err != nil {
			return "", 0, err
		}
	}
	w.put(0, 90, 0, 0, 0, 0, 0, 0)
	return host, binary.BigEndian.Uint16(p[1:]), nil
}

// ended reads a string up to its NUL.
func ended(w *wire) (string, error) {
	var text []byte
	for len(text) <= 255 {
		c, err := w.take(1)
		if err != nil {
			return "", err
		}
		if c[0] == 0 {
			return string(text), nil
		}
		text = append(text, c[0])
	}
	return "", errStray
}

func socks5(w *wire) (host string, port uint16, err error) {
	methods, err := counted(w)
	if err != nil {
		return "", 0, err
	}
	if bytes.IndexByte(methods, 2) >= 0 { // a name and a password
		w.put(5, 2)
		if err := socksLogin(w); err != nil {
			return "", 0, err
		}
	} else {
		w.put(5, 0)
	}
	p, err := w.take(4)
	if err != nil {
		return "", 0, err
	}
	var addr []byte
	switch p[3] {
	case 1:
		addr, err = w.take(4)
	case 3:
		addr, err = counted(w)
	case 4:
		addr, err = w.take(16)
	default:
		err = errStray
	}
	if err != nil {
		return "", 0, err
	}
	host = string(addr)
	if ip, ok := netip.AddrFromSlice(addr); ok && p[3] != 3 {
		host = ip.String()
	}
	number, err := w.take(2)
	if err != nil {
		return "", 0, err
	}
	w.put(5, 0, 0, 1, 0, 0, 0, 0, 0, 0)
	return host, binary.BigEndian.Uint16(number), nil
}

func socksLogin(w *wire) error {
	if _, err := w.take(1); err != nil { // version of the login
		return err
	}
	if _, err := counted(w); err != nil {
		return err
	}
	if _, err := counted(w); err != nil {
		return err
	}
	w.tell("login")
	w.put(1, 0)
	return nil
}

// counted reads a length byte and that many bytes.
func counted(w *wire) ([]byte, error) {
	n, err := w.take(1)
	if err != nil {
		return nil, err
	}
	return w.take(int(n[0]))
}
