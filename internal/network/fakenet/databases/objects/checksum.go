package objects

import (
	"crypto/sha1" //nolint:gosec // one of the checksums that clients choose from
	"crypto/sha256"
	"encoding/base64"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"strconv"
)

// Checksum is what a client verifies an object with.
type Checksum struct {
	// Algorithm is CRC32, CRC32C, CRC64NVME, SHA1 or SHA256; "": there is none.
	Algorithm string
	Value     string // in base64
	// Composite is set if the checksum is that of the checksums of the parts.
	Composite bool
}

// nvme is the polynomial of CRC64NVME, reversed.
const nvme = 0x9a6c9329ac4bc9b5

func hashOf(algorithm string) hash.Hash {
	switch algorithm {
	case "CRC32":
		return crc32.NewIEEE()
	case "CRC32C":
		return crc32.New(crc32.MakeTable(crc32.Castagnoli))
	case "CRC64NVME":
		return crc64.New(crc64.MakeTable(nvme))
	case "SHA1":
		return sha1.New() //nolint:gosec // as above
	case "SHA256":
		return sha256.New()
	}
	return nil
}

// Sum computes a checksum; it has no algorithm if that one is not known.
func Sum(algorithm string, data []byte) Checksum {
	h := hashOf(algorithm)
	if h == nil {
		return Checksum{}
	}
	_, _ = h.Write(data) // a hash never fails
	return Checksum{Algorithm: algorithm, Value: base64.StdEncoding.EncodeToString(h.Sum(nil))}
}

// sumOf computes the checksum of an object that was put together of parts.
func (u *upload) sumOf(parts []*Part, data []byte) Checksum {
	if u.Whole || u.Algorithm == "CRC64NVME" {
		return Sum(u.Algorithm, data)
	}
	var all []byte
	for _, p := range parts {
		value, err := base64.StdEncoding.DecodeString(Sum(u.Algorithm, p.Data).Value)
		if err != nil {
			return Checksum{}
		}
		all = append(all, value...)
	}
	sum := Sum(u.Algorithm, all)
	if sum.Algorithm != "" {
		sum.Value += "-" + strconv.Itoa(len(parts))
		sum.Composite = true
	}
	return sum
}
