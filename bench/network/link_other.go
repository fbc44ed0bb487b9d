//go:build !linux

package main

import (
	"context"
	"errors"
	"net"
	"net/netip"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/authority"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/names"
)

type link struct{}

func newLink(context.Context, *names.Directory, *authority.Authority) (*link, error) {
	return nil, errors.New("unavailable: the fake network needs Linux")
}

func (*link) dial(context.Context, netip.AddrPort) (net.Conn, error) { return nil, net.ErrClosed }

func (*link) resolver() (net.Conn, error) { return nil, net.ErrClosed }

func (*link) close() {}
