package assesscmd

import (
	"io"
	"sync"
)

// lazyFile is created at the first write.
type lazyFile struct {
	open func() (io.WriteCloser, error)
	mu   sync.Mutex
	file io.WriteCloser
}

func (l *lazyFile) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		var err error
		if l.file, err = l.open(); err != nil {
			return 0, err
		}
	}
	return l.file.Write(p)
}

func (l *lazyFile) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}
