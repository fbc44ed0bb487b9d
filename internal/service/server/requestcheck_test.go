package server

import (
	"testing"

	"github.com/mcpsf/mcpsf/internal/service/job"
)

func TestRefusePrivate(t *testing.T) {
	c := &requestCheck{}
	for _, near := range []string{
		"http://localhost/", "http://LOCALHOST:80/", "https://x.localhost/", "http://localhost./", "http://127.0.0.1/", "http://127.1/", "http://2130706433/", "http://0x7f000001/",
		"http://0x7f.1/", "http://0177.0.0.1/", "http://[::1]/", "http://[::]/", "http://0.0.0.0/", "http://0/", "http://10.1.2.3/", "http://172.16.0.1/", "http://192.168.1.1/",
		"http://169.254.169.254/latest", "http://[fe80::1]/", "http://[fe80::1%25eth0]/", "http://[fd00::1]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:a9fe:a9fe]/",
		"http://[64:ff9b::7f00:1]/", "http://[2002:7f00:1::]/", "http://100.64.0.1/", "http://168.63.129.16/", "http://224.0.0.1/", "http://255.255.255.255/", "http://intranet/", "http://db.internal/", "http://printer.local/",
		"oci:localhost/x", "oci:localhost:5000/x", "oci:127.0.0.1:5000/x@sha256:aa", "oci:10.0.0.1/x", "oci:registry:5000/x", "oci:registry.internal/x", "HTTP://127.0.0.1/",
	} {
		if c.refusePrivate(&job.Request{Source: near}) == nil {
			t.Errorf("%s is let through", near)
		}
	}
	for _, far := range []string{
		"https://mcp.example.com/", "https://mcp.example.com:8443/sse", "http://93.184.215.14/", "http://[2606:2800:21f::1]/", "http://[64:ff9b::5db8:d70e]/",
		"oci:ghcr.io/a/b:1", "oci:library/redis", "oci:redis", "npm:localhost", "pypi:localhost", "github:localhost/x", "@localhost/x", "",
	} {
		if err := c.refusePrivate(&job.Request{Source: far}); err != nil {
			t.Errorf("%s: %v", far, err)
		}
	}
	if c.refusePrivate(&job.Request{Options: job.Options{Image: "oci:localhost/x"}}) == nil {
		t.Error("an image of the machine itself is let through")
	}
	c.allowPrivate = true
	if err := c.refusePrivate(&job.Request{Source: "http://127.0.0.1/"}); err != nil {
		t.Error(err)
	}
}
