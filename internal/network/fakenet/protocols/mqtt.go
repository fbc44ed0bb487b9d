package protocols

import (
	"bytes"
	"context"
	"encoding/binary"
)

// The packet types of MQTT: the upper four bits of the first byte.
const (
	mqttConnect     = 1
	mqttPublish     = 3
	mqttRelease     = 6
	mqttSubscribe   = 8
	mqttUnsubscribe = 10
	mqttPing        = 12
	mqttDisconnect  = 14
)

func mqtt() speaker {
	return speaker{
		name:  "mqtt",
		match: matchMQTT,
		serve: func(_ context.Context, w *wire) error { return (&broker{wire: w}).lead() },
	}
}

func matchMQTT(first []byte) match {
	if len(first) == 0 || first[0] != mqttConnect<<4 {
		return no
	}
	for i := 1; i < min(len(first), 5); i++ {
		if first[i] < 0x80 {
			rest := first[i+1:]
			return max(opens(rest, "\x00\x04MQTT"), opens(rest, "\x00\x06MQIsdp"))
		}
	}
	if len(first) < 5 {
		return maybe
	}
	return no
}

// broker accepts published messages and never delivers any.
type broker struct {
	*wire

	fifth bool // version 5, whose packets have properties
}

func (b *broker) lead() error {
	for {
		first, err := b.take(1)
		if err != nil {
			return err
		}
		size, err := b.size()
		if err != nil {
			return err
		}
		kind, part := first[0]>>4, ""
		if kind == mqttConnect {
			part = "login"
		}
		p, err := b.head(part, size)
		if err != nil {
			return err
		}
		b.tell(part)
		if kind == mqttDisconnect {
			return nil
		}
		if !b.answer(kind, first[0]&0xf, p) {
			return errStray
		}
	}
}

// size reads a number of up to four bytes, with seven bits in each.
func (b *broker) size() (int64, error) {
	var n int64
	for shift := 0; shift < 28; shift += 7 {
		c, err := b.take(1)
		if err != nil {
			return 0, err
		}
		n |= int64(c[0]&0x7f) << shift
		if c[0] < 0x80 {
			return n, nil
		}
	}
	return 0, errStray
}

// answer returns false for packets that no client sends.
func (b *broker) answer(kind, flags byte, p []byte) bool {
	switch kind {
	case mqttConnect:
		const level = 6 // offset of the version, after "MQTT" and its length
		b.fifth = len(p) > level && p[level] == 5
		b.acknowledge(2, []byte{0, 0}, nil)
	case mqttPublish:
		return b.published(flags>>1&3, p)
	case mqttRelease, mqttSubscribe, mqttUnsubscribe:
		if len(p) < 2 {
			return false
		}
		b.numbered(kind, p)
	case mqttPing:
		b.put(13<<4, 0)
	case 4, 5, 7, 15: // acknowledgements of packets that this broker never sends
	default:
		return false
	}
	return true
}

func (b *broker) published(quality byte, p []byte) bool {
	if quality == 0 {
		return true
	}
	if len(p) < 2 {
		return false
	}
	topic := int(binary.BigEndian.Uint16(p)) + 2
	if len(p) < topic+2 {
		return false
	}
	b.put((3+quality)<<4, 2, p[topic], p[topic+1]) // PUBACK or PUBREC
	return true
}

// numbered answers packets that begin with a packet id.
func (b *broker) numbered(kind byte, p []byte) {
	switch kind {
	case mqttRelease:
		b.put(7<<4, 2, p[0], p[1])
	case mqttSubscribe:
		b.acknowledge(9, p[:2], make([]byte, b.topics(p[2:], 1)))
	case mqttUnsubscribe:
		codes := make([]byte, b.topics(p[2:], 0))
		if !b.fifth {
			codes = nil
		}
		b.acknowledge(11, p[:2], codes)
	}
}

// acknowledge sends a packet: the fixed part, empty properties for version 5,
// and codes.
func (b *broker) acknowledge(kind byte, fixed, codes []byte) {
	if b.fifth {
		fixed = append(bytes.Clone(fixed), 0)
	}
	b.put(kind<<4, byte(len(fixed)+len(codes)))
	b.put(fixed...)
	b.put(codes...)
}

// topics counts topic names, each with a length in front and option bytes
// behind, up to the number that fits into an answer.
func (b *broker) topics(p []byte, options int) int {
	if b.fifth && len(p) > 0 {
		p = p[min(len(p), int(p[0])+1):] // skip the properties; no client sends longer ones
	}
	n := 0
	for len(p) > 2 && n < 100 {
		p = p[min(len(p), int(binary.BigEndian.Uint16(p))+2+options):]
		n++
	}
	return n
}
