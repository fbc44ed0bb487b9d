package box

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/control/client"
	sentrycontrol "gvisor.dev/gvisor/pkg/sentry/control"
	"gvisor.dev/gvisor/pkg/state/statefile"
	"gvisor.dev/gvisor/runsc/boot"
	"gvisor.dev/gvisor/runsc/config"
	"gvisor.dev/gvisor/runsc/container"
)

// imageNames are the names by which gVisor opens the files of a snapshot.
func imageNames() [3]string { return [3]string{"checkpoint.img", "pages_meta.img", "pages.img"} }

// newSnapshot makes an empty one.
func newSnapshot() (*Snapshot, error) {
	s := &Snapshot{}
	for i, name := range imageNames() {
		fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("making room for a snapshot: %w", err), s.Close())
		}
		s.files[i] = os.NewFile(uintptr(fd), name)
	}
	return s, nil
}

// Freeze takes a snapshot of a sandbox, which must have been started as Freezable, and
// lets it go on. It can be taken once.
func Freeze(ctx context.Context, b *Box) (*Snapshot, error) {
	s := b.snapshot
	if s == nil {
		return nil, errors.New("the sandbox was not started to be frozen, or was frozen before")
	}
	if err := b.control.send(order{Freeze: true}); err != nil {
		return nil, err
	}
	if err := await(ctx, b.control.frozen, "freezing the sandbox"); err != nil {
		return nil, err
	}
	b.snapshot = nil
	s.hooks = b.hooks
	s.ahead = b.later + time.Duration(b.clock.Advanced())
	return s, nil
}

// freeze saves the kernel into the files that the supervisor was given for it.
func freeze(box *container.Container) error {
	conn, err := client.ConnectTo(box.Sandbox.GetControlSocketPath())
	if err != nil {
		return fmt.Errorf("freezing the sandbox: %w", err)
	}
	defer conn.Close()
	opts := &sentrycontrol.SaveOpts{
		Metadata: statefile.CompressionLevelNone.ToMetadata(), HavePagesFile: true, Resume: true,
		AppMFExcludeCommittedZeroPages: true,
	}
	for i, name := range imageNames() {
		opts.Files = append(opts.Files, os.NewFile(uintptr(imageFD+i), name))
	}
	if err := conn.Call(boot.ContMgrCheckpoint, opts, nil); err != nil {
		return fmt.Errorf("freezing the sandbox: %w", err)
	}
	return nil
}

// wake starts a copy of a frozen sandbox.
func (s *supervisor) wake(box *container.Container, conf *config.Config) error {
	dir := filepath.Join(s.plan.dir, "image")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return fmt.Errorf("starting a copy: %w", err)
	}
	for i, name := range imageNames() {
		if err := os.Symlink("/proc/self/fd/"+strconv.Itoa(imageFD+i), filepath.Join(dir, name)); err != nil {
			return fmt.Errorf("starting a copy: %w", err)
		}
	}
	var network *boot.CreateLinksAndRoutesArgs
	if s.plan.Network {
		network = linkArgs()
		network.Files = []*os.File{os.NewFile(linkFD, "link")}
	}
	const direct, background = false, true
	if err := box.Restore(conf, dir, direct, background, network); err != nil {
		return fmt.Errorf("starting a copy: %w", err)
	}
	return nil
}
