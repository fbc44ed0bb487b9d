package box

import (
	"fmt"
	"os"
)

// streams are the pipes of the server's standard input, output and error: the
// orchestrator's ends and, until the supervisor has its copies, the server's.
type streams struct {
	stdin, stdout, stderr *os.File
	server                [3]*os.File
}

func newStreams() (*streams, error) {
	s := &streams{}
	var err error
	pipe := func(read, write **os.File) {
		if err == nil {
			*read, *write, err = os.Pipe()
		}
	}
	pipe(&s.server[0], &s.stdin)
	pipe(&s.stdout, &s.server[1])
	pipe(&s.stderr, &s.server[2])
	if err != nil {
		s.releaseServer()
		s.close()
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	return s, nil
}

// releaseServer closes the server's ends.
func (s *streams) releaseServer() { closeFiles(s.server[:]...) }

// close closes the orchestrator's ends.
func (s *streams) close() { closeFiles(s.stdin, s.stdout, s.stderr) }

// closeFiles closes the files that are not nil.
func closeFiles(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close()
		}
	}
}

// input is the server's standard input. Bytes are counted before they can be
// read, so that the clock is not advanced while they are in transit.
type input struct {
	*os.File
	records *records
}

func (i input) Write(p []byte) (int, error) {
	i.records.stdinWritten(len(p))
	return i.File.Write(p)
}
