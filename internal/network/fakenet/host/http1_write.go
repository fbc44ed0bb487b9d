package host

import (
	"bufio"
	"fmt"
	"net/http"
	"slices"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/services"
)

// write sends an answer over HTTP/1.
func (p *plain) write(r *request, a *services.Answer, keep bool) {
	connection := services.Field{Name: "Connection", Value: "close"}
	if keep {
		connection.Value = "keep-alive"
	}
	writeHead(p.out, a.Status, append(slices.Clip(a.Fields), connection))
	if r.Method != http.MethodHead {
		_, _ = p.out.Write(a.Body)
	}
}

// writeHead ignores errors, because [patient.Write] returns none.
func writeHead(out *bufio.Writer, status int, fields []services.Field) {
	fmt.Fprintf(out, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	for _, f := range fields {
		fmt.Fprintf(out, "%s: %s\r\n", f.Name, f.Value)
	}
	fmt.Fprint(out, "\r\n")
}
