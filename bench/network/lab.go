package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/authority"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/names"
)

// name is the host name in both ways.
const name = "api.example"

// lab has the fake network behind a link, and net/http on loopback for
// comparison.
type lab struct {
	directory *names.Directory
	ca        *authority.Authority
	at        netip.Addr // the address of name
	link      *link

	dns           net.PacketConn
	plain, secure net.Listener
	servers       [2]*http.Server
	working       sync.WaitGroup
}

func newLab(ctx context.Context) (*lab, error) {
	l := &lab{directory: names.New(1, nil, true)}
	var err error
	if l.ca, err = authority.New(bytes.NewReader(bytes.Repeat([]byte{7}, 32)), time.Now()); err != nil {
		return nil, err
	}
	var ok bool
	if l.at, ok = l.directory.Address4(name); !ok {
		return nil, fmt.Errorf("%s has no address", name)
	}
	if err := l.listen(ctx); err != nil {
		return nil, err
	}
	if l.link, err = newLink(ctx, l.directory, l.ca); err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

// listen starts the servers on loopback.
func (l *lab) listen(ctx context.Context) error {
	var config net.ListenConfig
	var err error
	if l.dns, err = config.ListenPacket(ctx, "udp", "127.0.0.1:0"); err != nil {
		return err
	}
	if l.plain, err = config.Listen(ctx, "tcp", "127.0.0.1:0"); err != nil {
		return err
	}
	if l.secure, err = config.Listen(ctx, "tcp", "127.0.0.1:0"); err != nil {
		return err
	}
	leaf, err := l.ca.Leaf(name)
	if err != nil {
		return err
	}
	l.working.Go(l.answer)
	listeners := [2]net.Listener{l.plain, tls.NewListener(l.secure, &tls.Config{Certificates: []tls.Certificate{*leaf}, MinVersion: tls.VersionTLS12})}
	for i, at := range listeners {
		l.servers[i] = &http.Server{Handler: http.HandlerFunc(handle), ReadHeaderTimeout: time.Minute}
		l.working.Go(func() { _ = l.servers[i].Serve(at) })
	}
	return nil
}

// answer is the resolver on loopback.
func (l *lab) answer() {
	p := make([]byte, 1500)
	for {
		n, from, err := l.dns.ReadFrom(p)
		if err != nil {
			return
		}
		reply, _ := l.directory.Answer(p[:n], 512)
		_, _ = l.dns.WriteTo(reply, from)
	}
}

// handle is the HTTP server on loopback: it reads the request and answers with
// as many bytes as the fake network.
func handle(w http.ResponseWriter, r *http.Request) {
	p := make([]byte, 32<<10)
	for {
		if _, err := r.Body.Read(p); err != nil {
			break
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(bytes.Repeat([]byte(`{"id":17}`), 40))
}

func (l *lab) close() {
	for _, s := range l.servers {
		if s != nil {
			_ = s.Close()
		}
	}
	if l.dns != nil {
		_ = l.dns.Close()
	}
	l.working.Wait()
	if l.link != nil {
		l.link.close()
	}
}

// dialer connects to a port of the name: through the link, or on loopback.
func (l *lab) dialer(port uint16, beside bool) func(context.Context, string, string) (net.Conn, error) {
	if !beside {
		return func(ctx context.Context, _, _ string) (net.Conn, error) {
			return l.link.dial(ctx, netip.AddrPortFrom(l.at, port))
		}
	}
	to := l.plain.Addr().String()
	if port == 443 {
		to = l.secure.Addr().String()
	}
	return func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", to)
	}
}

func (l *lab) client(port uint16, beside, keep bool) *http.Client {
	roots := x509.NewCertPool()
	roots.AddCert(l.ca.Root())
	return &http.Client{Transport: &http.Transport{
		DialContext: l.dialer(port, beside), DisableKeepAlives: !keep, MaxIdleConnsPerHost: workers,
		TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}},
	}}
}
