package fakenet

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/buffer"
	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/header"
	"gvisor.dev/gvisor/pkg/tcpip/link/channel"
	"gvisor.dev/gvisor/pkg/tcpip/link/ethernet"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
)

// no gap: exceeding it ends the connection, which is an event
const (
	mtu = 1500
	// maxQueued is how many frames may wait to be sent.
	maxQueued = 4096
)

// link carries frames between the stack and a socket. gVisor's own endpoint for
// that never closes the descriptors it makes, and lets every started program
// inherit them.
type link struct {
	file  *os.File
	queue *channel.Endpoint

	receiving, sending sync.WaitGroup
	// in and out count frames.
	in, out atomic.Uint64
}

// newLink duplicates the socket.
func newLink(socket *os.File) (*link, stack.LinkEndpoint, error) {
	fd, err := unix.FcntlInt(socket.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, nil, fmt.Errorf("taking over the network link: %w", err)
	}
	if err := unix.SetNonblock(fd, true); err != nil { // otherwise it cannot be closed during a read
		_ = unix.Close(fd)
		return nil, nil, fmt.Errorf("taking over the network link: %w", err)
	}
	address := tcpip.LinkAddress([]byte{0x44, 0xd9, 0xe7, 0x50, 0x1b, 0xc4})
	l := &link{
		file:  os.NewFile(uintptr(fd), "network"),
		queue: channel.New(maxQueued, mtu+header.EthernetMinimumSize, address),
	}
	return l, ethernet.New(l.queue), nil
}

// run starts once the stack exists. It does not end with the context, because
// there are still frames to send when everything else has ended.
func (l *link) run(ctx context.Context) {
	l.receiving.Go(l.receive)
	l.sending.Go(func() { l.send(context.WithoutCancel(ctx)) })
}

func (l *link) receive() {
	buf := make([]byte, mtu+header.EthernetMinimumSize)
	for {
		n, err := l.file.Read(buf)
		if err != nil || n == 0 {
			return
		}
		p := stack.NewPacketBuffer(stack.PacketBufferOptions{Payload: buffer.MakeWithData(buf[:n])})
		l.queue.InjectInbound(0, p)
		p.DecRef()
		l.in.Add(1)
	}
}

// send ends when the queue is closed and empty.
func (l *link) send(ctx context.Context) {
	for {
		p := l.queue.ReadContext(ctx)
		if p == nil {
			return
		}
		v := p.ToView()
		_, _ = l.file.Write(v.AsSlice()) // a lost frame is retransmitted
		l.out.Add(1)
		v.Release()
		p.DecRef()
	}
}

// lastFrames is how long the sandbox has to read the last frames.
const lastFrames = 100 * time.Millisecond

// close ends both directions.
func (l *link) close() {
	_ = l.file.SetWriteDeadline(time.Now().Add(lastFrames))
	l.queue.Close()
	l.sending.Wait()
	_ = l.file.Close()
	l.receiving.Wait()
}
