package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// errShort is returned for a record that ends before its fields do.
var errShort = errors.New("record too short")

// Append encodes r and appends it to buf. Strings over [MaxString] and
// arguments over [MaxArgs] are cut and [FlagCut] is set, so an encoded record
// always fits [MaxRecord].
func Append(buf []byte, r *Record) []byte {
	flags := r.Flags
	if tooLong(r) {
		flags |= FlagCut
	}
	buf = append(buf, byte(r.Op), flags, r.Stream)
	for _, v := range [...]uint64{
		r.Seq, uint64(r.Nanos), uint64(uint32(r.PID)), uint64(uint32(r.TID)), r.Epoch, uint64(r.Errno),
	} {
		buf = binary.AppendUvarint(buf, v)
	}
	// Operands that are zero in most records share one presence mask.
	operands := [...]uint64{
		uint64(uint32(r.Child)), uint64(uint32(r.ChildPID)), uint64(r.Num), uint64(r.Mode),
		uint64(r.File), r.Dev, r.Ino, uint64(r.N), r.Total,
		uint64(r.Family), uint64(r.SockType), uint64(r.Port), uint64(r.Local),
	}
	texts := [...]string{r.Path, r.To, r.Asked, r.Text, r.Addr}
	mask := uint32(0)
	for i, v := range operands {
		if v != 0 {
			mask |= 1 << i
		}
	}
	for i, s := range texts {
		if s != "" {
			mask |= 1 << (len(operands) + i)
		}
	}
	if len(r.Args) > 0 {
		mask |= 1 << (len(operands) + len(texts))
	}
	if len(r.Data) > 0 {
		mask |= 1 << (len(operands) + len(texts) + 1)
	}
	buf = binary.LittleEndian.AppendUint32(buf, mask)
	for _, v := range operands {
		if v != 0 {
			buf = binary.AppendUvarint(buf, v)
		}
	}
	for _, s := range texts {
		if s != "" {
			buf = appendString(buf, s)
		}
	}
	if len(r.Args) > 0 {
		buf = appendArgs(buf, r.Args)
	}
	if len(r.Data) > 0 {
		data := r.Data[:min(len(r.Data), MaxData)]
		buf = append(binary.AppendUvarint(buf, uint64(len(data))), data...)
	}
	return buf
}

// argBytes bounds the total size of the arguments of one record.
const argBytes = 32 << 10

func appendArgs(buf []byte, args []string) []byte {
	n, room := 0, argBytes
	for n < min(len(args), MaxArgs) {
		room -= min(len(args[n]), MaxString)
		if room < 0 {
			break
		}
		n++
	}
	buf = binary.AppendUvarint(buf, uint64(n))
	for _, a := range args[:n] {
		buf = appendString(buf, a)
	}
	return buf
}

func appendString(buf []byte, s string) []byte {
	s = s[:min(len(s), MaxString)]
	buf = binary.AppendUvarint(buf, uint64(len(s)))
	return append(buf, s...)
}

func tooLong(r *Record) bool {
	for _, s := range [...]string{r.Path, r.To, r.Asked, r.Text, r.Addr} {
		if len(s) > MaxString {
			return true
		}
	}
	if len(r.Args) > MaxArgs || len(r.Data) > MaxData {
		return true
	}
	total := 0
	for _, a := range r.Args {
		if len(a) > MaxString {
			return true
		}
		total += len(a)
	}
	return total > argBytes
}

// Decode parses one record. buf is hostile: any input gives a record or an
// error, and no allocation is larger than buf.
func Decode(buf []byte) (*Record, error) {
	r := &Record{}
	if err := r.decode(buf); err != nil {
		return nil, err
	}
	return r, nil
}

func (r *Record) decode(buf []byte) error {
	d := decoder{buf: buf}
	*r = Record{Op: Op(d.byte()), Flags: d.byte(), Stream: d.byte()}
	r.Seq = d.uvarint()
	r.Nanos = int64(d.uvarint())
	r.PID, r.TID = int32(d.uvarint()), int32(d.uvarint())
	r.Epoch = d.uvarint()
	r.Errno = uint16(d.uvarint())
	d.mask = d.uint32()
	r.Child, r.ChildPID = int32(d.operand()), int32(d.operand())
	r.Num, r.Mode = uint32(d.operand()), uint32(d.operand())
	r.File = uint32(d.operand())
	r.Dev, r.Ino = d.operand(), d.operand()
	r.N, r.Total = int64(d.operand()), d.operand()
	r.Family, r.SockType = uint16(d.operand()), uint16(d.operand())
	r.Port, r.Local = uint16(d.operand()), uint16(d.operand())
	for _, s := range [...]*string{&r.Path, &r.To, &r.Asked, &r.Text, &r.Addr} {
		if d.present() {
			*s = d.string()
		}
	}
	if d.present() {
		n := d.uvarint()
		if n > MaxArgs {
			return fmt.Errorf("%d arguments in a record", n)
		}
		for range n {
			r.Args = append(r.Args, d.string())
		}
	}
	if d.present() {
		n := d.uvarint()
		if n > MaxData {
			return fmt.Errorf("%d bytes of data in a record", n)
		}
		r.Data = slices.Clone(d.take(int(n)))
	}
	switch {
	case d.failed:
		return errShort
	case len(d.buf) != 0:
		return fmt.Errorf("%d bytes behind a record", len(d.buf))
	case r.Op == 0 || r.Op >= opEnd:
		return fmt.Errorf("unknown operation %d", r.Op)
	}
	return nil
}

// decoder reads fields from the front of buf; after the first failure every
// field is zero.
type decoder struct {
	buf    []byte
	mask   uint32
	failed bool
}

func (d *decoder) take(n int) []byte {
	if d.failed || len(d.buf) < n {
		d.failed = true
		return nil
	}
	b := d.buf[:n]
	d.buf = d.buf[n:]
	return b
}

func (d *decoder) byte() byte {
	if b := d.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (d *decoder) uint32() uint32 {
	if b := d.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (d *decoder) uvarint() uint64 {
	if d.failed {
		return 0
	}
	v, n := binary.Uvarint(d.buf)
	if n <= 0 {
		d.failed = true
		return 0
	}
	d.buf = d.buf[n:]
	return v
}

func (d *decoder) string() string {
	n := d.uvarint()
	if n > MaxString {
		d.failed = true
		return ""
	}
	return string(d.take(int(n)))
}

// present reads the next bit of the presence mask.
func (d *decoder) present() bool {
	p := d.mask&1 != 0
	d.mask >>= 1
	return p
}

func (d *decoder) operand() uint64 {
	if d.present() {
		return d.uvarint()
	}
	return 0
}
