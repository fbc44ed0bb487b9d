package cache

import (
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

const (
	// workers is how many goroutines read an entry's files. More would not be
	// faster on a machine that is busy running sandboxes.
	workers = 2
	// chunk is how many items one job has, so that a single large directory
	// occupies all workers.
	chunk = 256
)

// job is part of a directory.
type job struct {
	dir   *directory
	items []item
	first bool
}

// split cuts directories into jobs.
func split(dirs []directory) []job {
	var jobs []job
	for i := range dirs {
		d := &dirs[i]
		for from := 0; from == 0 || from < len(d.items); from += chunk {
			jobs = append(jobs, job{d, d.items[from:min(from+chunk, len(d.items))], from == 0})
		}
	}
	return jobs
}

// each runs every job below root, until one fails or stop returns an error. The
// visitor gets the job's open directory.
func each(root *os.Root, dirs []directory, stop func() error, visit func(w *worker, dir *os.File, j job) error) error {
	jobs := split(dirs)
	var next atomic.Int64
	var failed atomic.Bool
	var errs [workers]error
	var group sync.WaitGroup
	for i := range errs {
		group.Go(func() {
			w := &worker{buf: make([]byte, 128<<10), hash: sha256.New(), stop: stop}
			for !failed.Load() {
				n := int(next.Add(1)) - 1
				if n >= len(jobs) {
					return
				}
				if errs[i] = w.do(root, jobs[n], visit); errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// worker has the buffers to read files one after another.
type worker struct {
	buf  []byte
	hash hash.Hash
	stop func() error
}

func (w *worker) do(root *os.Root, j job, visit func(w *worker, dir *os.File, j job) error) error {
	if err := w.stop(); err != nil {
		return err
	}
	dir, err := root.OpenFile(j.dir.dot(), os.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return lost(j.dir.dot(), err)
	}
	defer dir.Close()
	return visit(w, dir, j)
}

// open opens a name in dir. The name is a single element and links are not
// followed, so that the path cannot lead elsewhere; a FIFO does not block.
func open(dir int, name string) (int, error) {
	for {
		fd, err := unix.Openat(dir, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
		if !errors.Is(err, unix.EINTR) {
			return fd, err
		}
	}
}

// digest reads a file of the given size. A shorter file gives
// [io.ErrUnexpectedEOF].
func (w *worker) digest(fd int, size int64) (sum [sha256.Size]byte, err error) {
	w.hash.Reset()
	for size > 0 {
		if err := w.stop(); err != nil { // a sparse file can be endless
			return sum, err
		}
		n, err := unix.Read(fd, w.buf[:min(size, int64(len(w.buf)))])
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return sum, err
		case n == 0:
			return sum, io.ErrUnexpectedEOF
		}
		_, _ = w.hash.Write(w.buf[:n])
		size -= int64(n)
	}
	w.hash.Sum(sum[:0])
	return sum, nil
}
