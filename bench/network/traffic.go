package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// questions are DNS queries over UDP, one after another by each worker.
func questions(_ context.Context, l *lab) ([]*row, error) {
	query, err := (&dnsmessage.Message{
		Header: dnsmessage.Header{ID: 1, RecursionDesired: true},
		Questions: []dnsmessage.Question{{
			Name: dnsmessage.MustNewName(name + "."), Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET,
		}},
	}).Pack()
	if err != nil {
		return nil, err
	}
	beside := func() (net.Conn, error) { return net.Dial("udp", l.dns.LocalAddr().String()) } //nolint:noctx // it does not wait
	return []*row{{Name: "DNS over UDP", Unit: "per s", ours: asker(query, l.link.resolver), beside: asker(query, beside)}}, nil
}

// asker keeps a socket for each worker.
func asker(query []byte, dial func() (net.Conn, error)) way {
	sockets := sync.Pool{}
	return func(context.Context) (float64, error) {
		c, ok := sockets.Get().(net.Conn)
		if !ok {
			var err error
			if c, err = dial(); err != nil {
				return 0, err
			}
		}
		defer sockets.Put(c)
		if err := c.SetDeadline(time.Now().Add(5 * time.Second)); err != nil {
			return 0, err
		}
		if _, err := c.Write(query); err != nil {
			return 0, err
		}
		var p [512]byte
		_, err := c.Read(p[:])
		return 1, err
	}
}

// requests are small ones, on kept connections and on new ones.
func requests(_ context.Context, l *lab) ([]*row, error) {
	var rows []*row
	for _, secure := range []bool{false, true} {
		for _, keep := range []bool{true, false} {
			scheme, port := "http", uint16(80)
			if secure {
				scheme, port = "https", 443
			}
			title := strings.ToUpper(scheme) + ", kept connections"
			if !keep {
				title = strings.ToUpper(scheme) + ", new connections"
			}
			rows = append(rows, &row{
				Name: title, Unit: "per s",
				ours: getter(l.client(port, false, keep), scheme), beside: getter(l.client(port, true, keep), scheme),
			})
		}
	}
	return rows, nil
}

func getter(c *http.Client, scheme string) way {
	return func(ctx context.Context) (float64, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, scheme+"://"+name+"/v1/thing", nil)
		if err != nil {
			return 0, err
		}
		return 1, do(c, r)
	}
}

func do(c *http.Client, r *http.Request) error {
	answer, err := c.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	for p := make([]byte, 4096); err == nil; {
		_, err = answer.Body.Read(p)
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("answered %s", answer.Status)
	}
	return nil
}

// streams are large uploads, by one client.
func streams(_ context.Context, l *lab) ([]*row, error) {
	body := bytes.Repeat([]byte("what is sent in a large body\n"), 8<<20/29)
	var rows []*row
	for _, scheme := range []string{"http", "https"} {
		port := uint16(80)
		if scheme == "https" {
			port = 443
		}
		rows = append(rows, &row{
			Name: "upload over " + strings.ToUpper(scheme), Unit: "MB/s", alone: true,
			ours: poster(l.client(port, false, true), scheme, body), beside: poster(l.client(port, true, true), scheme, body),
		})
	}
	return rows, nil
}

func poster(c *http.Client, scheme string, body []byte) way {
	return func(ctx context.Context) (float64, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, scheme+"://"+name+"/v1/thing", bytes.NewReader(body))
		if err != nil {
			return 0, err
		}
		return float64(len(body)) / 1e6, do(c, r)
	}
}
