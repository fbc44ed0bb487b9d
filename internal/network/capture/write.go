package capture

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// application is the program name in the file. It says nothing about the host.
const application = "mcpsf"

// maxSecrets is how many bytes of secrets one block holds; readers refuse
// blocks of 16 MiB.
// no gap: bounds the capture file; events have everything
const maxSecrets = 1 << 20

// Write writes the pcapng file of everything kept so far; Frame may still be
// called meanwhile. comment, unless nil, is called for every packet of a flow
// in the order of the capture, and should answer from memory. first is set for
// the first kept packet of the flow. Comments are cleaned and bounded: when
// they have more bytes than [Options.Max], only the first packets of flows get
// any.
func (s *Spool) Write(w io.Writer, comment func(f Flow, first bool, at time.Time) []string) error {
	s.mu.Lock()
	file, end, totals := s.file, s.end, s.totals
	s.mu.Unlock()
	if file == nil {
		return errors.New("writing the capture: its spool is closed")
	}
	buffered := bufio.NewWriterSize(w, 64<<10)
	out := &writer{w: buffered, link: s.link, snap: s.snap, max: s.max, totals: totals, comment: comment}
	if err := out.file(file, end); err != nil {
		return fmt.Errorf("writing the capture: %w", err)
	}
	if err := buffered.Flush(); err != nil {
		return fmt.Errorf("writing the capture: %w", err)
	}
	return nil
}

// writer writes one file.
type writer struct {
	w       io.Writer
	block   block
	link    Link
	snap    int
	max     int64
	totals  Totals
	comment func(Flow, bool, time.Time) []string

	commented    int64 // bytes of comments
	leftComments int64 // packets whose comments were left out
	start, end   time.Time
}

func (o *writer) file(spool *os.File, end int64) error {
	if err := o.section(); err != nil {
		return err
	}
	if err := o.device(); err != nil {
		return err
	}
	if err := o.secrets(io.NewSectionReader(spool, 0, end)); err != nil {
		return err
	}
	err := scan(io.NewSectionReader(spool, 0, end), func(r record) error {
		if r.flags&secret != 0 {
			return nil
		}
		return o.packet(r)
	})
	if err != nil {
		return err
	}
	return o.statistics()
}

func (o *writer) section() error {
	k := &o.block
	k.begin(blockSection)
	k.u32(0x1a2b3c4d) // byte-order magic
	k.u16(1)          // the version, 1.0
	k.u16(0)
	k.u64(1<<64 - 1) // a section of unknown length
	k.text(optSectionOS, application)
	k.text(optSectionApplication, application)
	for _, c := range o.totals.tell() {
		k.text(optComment, c)
	}
	k.endOptions()
	return k.writeTo(o.w)
}

func (o *writer) device() error {
	k := &o.block
	k.begin(blockInterface)
	k.u16(uint16(o.link))
	k.u16(0)
	k.u32(uint32(o.snap))
	k.text(optInterfaceName, "sandbox")
	k.text(optInterfaceResolution, "\x09") // nanoseconds
	k.endOptions()
	return k.writeTo(o.w)
}

// secrets writes all secrets before the first packet, because readers need them
// first.
func (o *writer) secrets(spool io.Reader) error {
	var lines []byte
	flush := func() error {
		if len(lines) == 0 {
			return nil
		}
		k := &o.block
		k.begin(blockSecrets)
		k.u32(0x544c534b) // an NSS key log
		k.u32(uint32(len(lines)))
		k.data(lines)
		lines = lines[:0]
		return k.writeTo(o.w)
	}
	err := scan(spool, func(r record) error {
		if r.flags&secret == 0 {
			return nil
		}
		lines = append(lines, r.data...)
		if r.data[len(r.data)-1] != '\n' {
			lines = append(lines, '\n')
		}
		if len(lines) < maxSecrets {
			return nil
		}
		return flush()
	})
	if err != nil {
		return err
	}
	return flush()
}

func (o *writer) packet(r record) error {
	if o.start.IsZero() {
		o.start = r.at
	}
	o.end = r.at
	k := &o.block
	k.begin(blockPacket)
	k.u32(0) // the only interface
	k.time(r.at)
	k.u32(uint32(len(r.data)))
	k.u32(uint32(r.original))
	k.data(r.data)
	const inbound, outbound = 1, 2
	k.option(optPacketFlags, 4)
	if r.flags&outgoing != 0 {
		k.u32(outbound)
	} else {
		k.u32(inbound)
	}
	for _, c := range o.comments(r) {
		k.text(optComment, c)
	}
	k.endOptions()
	return k.writeTo(o.w)
}

func (o *writer) comments(r record) []string {
	p, ok := parse(o.link, r.data)
	if !ok || o.comment == nil {
		return nil
	}
	f := Flow{Proto: protoName(p.proto), Client: p.src, Server: p.dst}
	if r.flags&fromClient == 0 {
		f.Client, f.Server = p.dst, p.src
	}
	first, most := r.flags&firstOfFlow != 0, o.max
	if first {
		most *= 2
	}
	comments := cleanAll(o.comment(f, first, r.at))
	size := int64(0)
	for _, c := range comments {
		size += int64(len(c))
	}
	if o.commented+size > most {
		o.leftComments++
		return nil
	}
	o.commented += size
	return comments
}

func (o *writer) statistics() error {
	k := &o.block
	k.begin(blockStatistics)
	k.u32(0) // the only interface
	k.time(o.last())
	if !o.start.IsZero() {
		k.option(optStatisticsStart, 8)
		k.time(o.start)
		k.option(optStatisticsEnd, 8)
		k.time(o.end)
	}
	k.option(optStatisticsSeen, 8)
	k.u64(uint64(o.totals.Frames + o.totals.LeftFrames))
	k.option(optStatisticsDropped, 8)
	k.u64(uint64(o.totals.LeftFrames))
	for _, c := range o.totals.tell() {
		k.text(optComment, c)
	}
	if o.leftComments > 0 {
		k.text(optComment, fmt.Sprintf("the comments of %d packets were left out", o.leftComments))
	}
	k.endOptions()
	return k.writeTo(o.w)
}

// last is the time of the statistics.
func (o *writer) last() time.Time {
	if o.end.IsZero() {
		return time.Unix(0, 0)
	}
	return o.end
}

// tell states in sentences what was left out of the file.
func (t Totals) tell() []string {
	var out []string
	if t.LeftFrames > 0 {
		out = append(out, fmt.Sprintf("%d frames, %d bytes were left out from %s on",
			t.LeftFrames, t.LeftBytes, t.LeftSince.UTC().Format(time.RFC3339Nano)))
	}
	if t.LeftSecrets > 0 {
		out = append(out, fmt.Sprintf("%d TLS secrets were left out", t.LeftSecrets))
	}
	return out
}
