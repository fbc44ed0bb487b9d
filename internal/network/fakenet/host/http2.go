package host

import (
	"bufio"
	"errors"
	"io"
	"maps"
	"slices"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// no gap: exceeding it ends the connection, which is an event
const (
	maxStreams = 32
	// maxIdle is how many frames may come that carry no part of a request.
	maxIdle   = 10000
	ourWindow = 1 << 20
	maxWindow = 1<<31 - 1
	ourFrame  = 16 << 10
)

// http2 serves HTTP/2. One goroutine handles all frames in order, so that a
// client can keep it busy but cannot make it use memory.
func (s *session) http2(l *line) string {
	c := &patient{Conn: l}
	m := &multi{
		web: &web{session: s}, in: bufio.NewReaderSize(c, 16<<10), out: bufio.NewWriterSize(c, 16<<10),
		streams: map[uint32]*stream{}, window: 65535, initial: 65535,
	}
	m.framer = http2.NewFramer(m.out, m.in)
	m.framer.SetMaxReadFrameSize(ourFrame)
	m.framer.SetReuseFrames()
	m.decoder = hpack.NewDecoder(4096, nil)
	m.decoder.SetMaxStringLength(maxHeadRead)
	m.encoder = hpack.NewEncoder(&m.block)
	if _, err := m.in.Discard(len(preface)); err != nil {
		return "http"
	}
	err := m.run()
	for _, id := range m.open() { // these requests were never answered
		m.streams[id].drop()
	}
	if broken, ok := errors.AsType[http2.ConnectionError](err); ok {
		_ = m.framer.WriteGoAway(m.lastID, http2.ErrCode(broken), nil)
		m.out.Flush()
		s.linger(c, m.in)
	}
	return "http"
}

// multi is an HTTP/2 connection.
type multi struct {
	web     *web
	in      *bufio.Reader
	out     *bufio.Writer
	framer  *http2.Framer
	decoder *hpack.Decoder
	encoder *hpack.Encoder
	block   sliceWriter

	streams map[uint32]*stream
	lastID  uint32
	idle    int
	leaving bool // no further requests are accepted
	// window is how many bytes may still be sent to the client, initial the
	// same for a new stream.
	window, initial int64
}

func (m *multi) open() []uint32 { return slices.Sorted(maps.Keys(m.streams)) }

// run serves the connection and always returns an error.
func (m *multi) run() error {
	_ = m.framer.WriteSettings(
		http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: maxStreams},
		http2.Setting{ID: http2.SettingInitialWindowSize, Val: ourWindow},
		http2.Setting{ID: http2.SettingMaxHeaderListSize, Val: maxHead},
	)
	_ = m.framer.WriteWindowUpdate(0, ourWindow)
	for {
		if m.in.Buffered() == 0 {
			m.out.Flush()
		}
		f, err := m.framer.ReadFrame()
		var broken http2.StreamError
		switch {
		case errors.As(err, &broken):
			m.reset(broken.StreamID, broken.Code)
		case err == nil:
			err = m.handle(f)
		case errors.Is(err, http2.ErrFrameTooLarge):
			err = http2.ConnectionError(http2.ErrCodeFrameSize)
		}
		if err != nil && !errors.As(err, &broken) {
			return err
		}
		if m.web.requests >= maxRequests && !m.leaving {
			m.leaving = true // requests under way are finished
			_ = m.framer.WriteGoAway(m.lastID, http2.ErrCodeNo, nil)
		}
		if m.idle > maxIdle || m.web.requests > 2*maxRequests {
			m.web.unread()
			return http2.ConnectionError(http2.ErrCodeEnhanceYourCalm)
		}
	}
}

func (m *multi) handle(f http2.Frame) error {
	switch f := f.(type) {
	case *http2.HeadersFrame:
		return m.headers(f)
	case *http2.DataFrame:
		return m.data(f)
	case *http2.SettingsFrame:
		m.idle++
		return m.settings(f)
	case *http2.WindowUpdateFrame:
		m.idle++
		return m.widen(f)
	case *http2.PingFrame:
		m.idle++
		if !f.IsAck() {
			return m.framer.WritePing(true, f.Data)
		}
	case *http2.RSTStreamFrame:
		m.idle++
		if st := m.streams[f.StreamID]; st != nil {
			st.drop()
		}
	case *http2.GoAwayFrame:
		m.web.sent("", f.DebugData())
		if len(m.streams) == 0 {
			return io.EOF
		}
	case *http2.PushPromiseFrame, *http2.ContinuationFrame:
		return http2.ConnectionError(http2.ErrCodeProtocol)
	case *http2.UnknownFrame:
		m.idle++
		m.web.sent("", f.Payload())
	default:
		m.idle++
	}
	return nil
}

// settings applies the client's settings.
func (m *multi) settings(f *http2.SettingsFrame) error {
	if f.IsAck() {
		return nil
	}
	err := f.ForeachSetting(func(v http2.Setting) error {
		switch v.ID {
		case http2.SettingInitialWindowSize:
			if v.Val > maxWindow {
				return http2.ConnectionError(http2.ErrCodeFlowControl)
			}
			for _, st := range m.streams {
				st.window += int64(v.Val) - m.initial
			}
			m.initial = int64(v.Val)
		case http2.SettingHeaderTableSize:
			m.encoder.SetMaxDynamicTableSizeLimit(min(v.Val, 4096))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := m.framer.WriteSettingsAck(); err != nil {
		return err
	}
	return m.pushAll()
}

// widen enlarges a send window.
func (m *multi) widen(f *http2.WindowUpdateFrame) error {
	if f.StreamID == 0 {
		if m.window += int64(f.Increment); m.window > maxWindow {
			return http2.ConnectionError(http2.ErrCodeFlowControl)
		}
		return m.pushAll()
	}
	st := m.streams[f.StreamID]
	if st == nil {
		return nil
	}
	if st.window += int64(f.Increment); st.window > maxWindow {
		m.reset(st.id, http2.ErrCodeFlowControl)
		return nil
	}
	return st.push()
}

func (m *multi) pushAll() error {
	for _, id := range m.open() {
		if err := m.streams[id].push(); err != nil {
			return err
		}
	}
	return nil
}

func (m *multi) reset(id uint32, code http2.ErrCode) {
	m.idle++
	if st := m.streams[id]; st != nil {
		st.drop()
	}
	_ = m.framer.WriteRSTStream(id, code)
}
