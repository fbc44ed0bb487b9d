package evidence

import (
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// statements checks the signed statements about a bundle.
func (v *verifier) statements(name, bundle string) error {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && v.opts.Key != nil:
		v.result.fail("signature", "there is no %s: nobody signed it", filepath.Base(name))
		return nil
	case errors.Is(err, fs.ErrNotExist):
		v.result.note("signature", "nobody signed it: whoever made the bundle could have made all of it up")
		return nil
	case err != nil:
		return fmt.Errorf("looking for a statement: %w", err)
	case !info.Mode().IsRegular(): // opening a pipe would wait for ever
		v.result.fail("statement", "%s is not a plain file", filepath.Base(name))
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("reading the statement: %w", err)
	}
	defer f.Close()
	envelopes, err := readEnvelopes(f)
	if err != nil {
		v.result.fail("statement", "%s: %v", filepath.Base(name), err)
		return nil
	}
	v.envelopes(envelopes, bundle)
	return nil
}

// envelopes checks the relevant statements: those signed by the given key, or
// all if no key is given. Others may be present; at least one must be ours.
func (v *verifier) envelopes(all []envelope, bundle string) {
	signed, compared := 0, 0
	for i := range all {
		e := &all[i]
		body, err := unbase64(e.Payload)
		if err != nil {
			v.result.fail("statement", "the payload of line %d is not base64: %v", i+1, err)
			continue
		}
		if v.opts.Key != nil && !v.signatures(e, body) {
			continue
		}
		signed++
		if v.payload(e.PayloadType, body, bundle) {
			compared++
		}
	}
	switch {
	case v.opts.Key == nil:
		v.result.note("signature", "no key was given to check it with")
	case signed == 0:
		v.result.fail("signature", "the key that was given, %s, has not signed it", KeyID(v.opts.Key))
		return
	}
	if compared == 0 && !v.result.failed("statement") {
		v.result.fail("statement", "there is none about an assessment by mcpsf")
	}
}

// payload checks the content of an envelope. It returns false for statements that are not ours.
func (v *verifier) payload(kind string, body []byte, bundle string) bool {
	if kind != payloadType {
		v.result.note("statement", "there is a message of the type %q, which was not looked at", kind)
		return false
	}
	var s statement
	if err := json.Unmarshal(body, &s); err != nil {
		v.result.fail("statement", "it cannot be read: %v", err)
		return false
	}
	if s.Type != statementType || s.PredicateType != PredicateType {
		v.result.note("statement", "there is one of the type %q and %q, which was not looked at", s.Type, s.PredicateType)
		return false
	}
	v.compareStatement(&s, bundle)
	return true
}

// signatures looks for a signature of the given key. By the protocol one valid
// signature is enough; an invalid one that claims to be of that key is reported
// anyway.
func (v *verifier) signatures(e *envelope, body []byte) bool {
	id, good := KeyID(v.opts.Key), false
	for i, s := range e.Signatures {
		sig, err := unbase64(s.Sig)
		signed := err == nil && len(sig) == ed25519.SignatureSize && ed25519.Verify(v.opts.Key, pae(e.PayloadType, body), sig)
		switch {
		case signed && s.KeyID == id:
			good = true
			v.result.ok("signature", "signed with the key %s", id)
		case signed:
			v.result.fail("signature", "signature %d is good, but says it was made with the key %q and not %s", i+1, s.KeyID, id)
		case s.KeyID == id:
			v.result.fail("signature", "signature %d claims the key that was given and was not made with it, or what was signed has changed", i+1)
		default:
			v.result.note("signature", "signature %d is of another key, %q, and was not checked", i+1, s.KeyID)
		}
	}
	return good
}

// compareStatement checks that a statement is about this bundle and matches its
// content.
func (v *verifier) compareStatement(s *statement, bundle string) {
	if !binds(s, "sha256", bundle) {
		v.result.fail("statement", "it is about another bundle: none of its subjects has the hash %s", bundle)
		return
	}
	if v.report == nil || v.manifest == nil {
		v.result.fail("statement", "it is about this bundle, which cannot be read")
		return
	}
	want := state(v.report, v.manifest, bundle)
	if a, ok := assessed(&v.report.Artifact); ok {
		for algorithm, sum := range a.Digest {
			if !binds(s, algorithm, sum) {
				v.result.fail("statement", "it is about another artifact: none of its subjects has the %s %s", algorithm, sum)
			}
		}
	}
	if len(s.Subject) != len(want.Subject) {
		v.result.fail("statement", "it has %d subjects, and there should be %d", len(s.Subject), len(want.Subject))
	}
	if plain(s.Predicate) != plain(want.Predicate) {
		v.result.fail("statement", "it says another thing of the run than the report")
	}
	if !v.result.failed("statement") {
		v.result.ok("statement", "it is about this bundle and its artifact, and says what the report says")
	}
}

func binds(s *statement, algorithm, sum string) bool {
	for _, subject := range s.Subject {
		if subject.Digest[algorithm] == sum {
			return true
		}
	}
	return false
}
