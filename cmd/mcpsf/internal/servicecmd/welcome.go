package servicecmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/server"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// localKey is the name of the key in the sign-in link.
const localKey = "browser on this machine"

// welcome prints the URL of the service. If only this machine can reach it, it
// also prints a sign-in link: whoever reads our terminal may sign in.
func welcome(ctx context.Context, out io.Writer, s *service, at net.Addr, public string) error {
	address := "http://" + at.String()
	if public != "" {
		fmt.Fprintf(out, "mcpsf serves %s (listening on %s)\n", public, at)
		return nil
	}
	if tcp, ok := at.(*net.TCPAddr); !ok || !tcp.IP.IsLoopback() {
		fmt.Fprintf(out, "mcpsf serves %s; clients need a key: mcpsf serve keys add\n", address)
		return nil
	}
	keys, err := s.store.Keys(ctx, "default")
	if err != nil {
		return err
	}
	for i := range keys { // revoke the keys of earlier starts
		if keys[i].Name == localKey && keys[i].Revoked == nil {
			if err := s.store.RevokeKey(ctx, "default", keys[i].ID); err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
	}
	k, text, hash := server.NewKey("default", localKey, job.Admin)
	if err := s.store.AddKey(ctx, k, hash); err != nil {
		return err
	}
	fmt.Fprintf(out, "mcpsf serves %s\nopen this to sign in: %s/sign-in#%s\n", address, address, text)
	return nil
}
