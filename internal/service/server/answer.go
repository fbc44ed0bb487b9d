package server

import (
	"net/http"
	"strconv"
	"time"

	"github.com/mcpsf/mcpsf/internal/safetext"
)

// answer is a [http.ResponseWriter] that remembers its status and sets a
// deadline before each write, so that a client that does not read is cut off.
type answer struct {
	http.ResponseWriter

	control *http.ResponseController
	timeout time.Duration
	// status is 0 until something was sent.
	status int
}

func newAnswer(w http.ResponseWriter, timeout time.Duration) *answer {
	return &answer{ResponseWriter: w, control: http.NewResponseController(w), timeout: timeout}
}

// Unwrap is for [http.ResponseController].
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *answer) WriteHeader(status int) {
	if a.status == 0 && status >= http.StatusOK {
		a.status = status
	}
	a.setDeadline()
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(p []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	a.setDeadline()
	return a.ResponseWriter.Write(p)
}

func (a *answer) setDeadline() {
	_ = a.control.SetWriteDeadline(time.Now().Add(a.timeout)) // not every kind of connection has one
}

// writeJSON answers with a value, escaped so that a terminal can show it.
func writeJSON(w http.ResponseWriter, status int, v any) error {
	return writeAs(w, status, "application/json", v)
}

func writeAs(w http.ResponseWriter, status int, contentType string, v any) error {
	text, err := safetext.JSON(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, err = w.Write(text) //nolint:gosec // JSON, declared as JSON, with nosniff
	return err
}
