package evidence

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// payloadType is the type of every in-toto statement.
const payloadType = "application/vnd.in-toto+json"

// Bounds of a file with statements.
// no gap: a larger bundle is refused with an error
const (
	maxEnvelope   = 16 << 20
	maxEnvelopes  = 16
	maxSignatures = 16
)

// envelope is a signed message in DSSE.
type envelope struct {
	PayloadType string      `json:"payloadType"` //nolint:tagliatelle // DSSE has it so
	Payload     string      `json:"payload"`
	Signatures  []signature `json:"signatures"`
}

type signature struct {
	KeyID string `json:"keyid"`
	Sig   string `json:"sig"`
}

// pae returns the signed bytes: the type of the message and the message.
func pae(kind string, body []byte) []byte {
	return fmt.Appendf(nil, "DSSEv1 %d %s %d %s", len(kind), kind, len(body), body)
}

// sign signs a message.
func sign(body []byte, key ed25519.PrivateKey) envelope {
	public, _ := key.Public().(ed25519.PublicKey)
	return envelope{
		PayloadType: payloadType,
		Payload:     base64.StdEncoding.EncodeToString(body),
		Signatures: []signature{{
			KeyID: KeyID(public),
			Sig:   base64.StdEncoding.EncodeToString(ed25519.Sign(key, pae(payloadType, body))),
		}},
	}
}

// readEnvelopes reads a file of statements, one per line.
func readEnvelopes(r io.Reader) ([]envelope, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxEnvelope)
	var all []envelope
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if len(all) == maxEnvelopes {
			return nil, fmt.Errorf("it has more than %d lines", maxEnvelopes)
		}
		var e envelope
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("line %d is cut off or not an envelope: %w", n, err)
		}
		if e.Payload == "" || len(e.Signatures) == 0 || len(e.Signatures) > maxSignatures {
			return nil, fmt.Errorf("line %d is not an envelope with a payload and up to %d signatures", n, maxSignatures)
		}
		all = append(all, e)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, errors.New("there is nothing in it")
	}
	return all, nil
}

// unbase64 accepts both alphabets, as the protocol requires.
func unbase64(s string) ([]byte, error) {
	if strings.ContainsAny(s, "-_") {
		return base64.URLEncoding.Strict().DecodeString(s)
	}
	return base64.StdEncoding.Strict().DecodeString(s)
}
