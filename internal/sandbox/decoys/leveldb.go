package decoys

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
)

// entry is one entry of a LevelDB database.
type entry struct{ key, value string }

// levelDB returns the files of a database whose entries are all in its log, as
// in a small real one.
func levelDB(entries ...entry) (log, manifest string, err error) {
	batch := binary.LittleEndian.AppendUint64(nil, 1) // sequence number of the first entry
	batch = binary.LittleEndian.AppendUint32(batch, uint32(len(entries)))
	for _, e := range entries {
		batch = levelText(append(batch, 1), e.key) // type: set
		batch = levelText(batch, e.value)
	}
	if log, err = levelRecord(batch); err != nil {
		return "", "", err
	}
	edit := levelText([]byte{1}, "leveldb.BytewiseComparator")
	edit = append(edit, 2, 3, 3, 4, 4, 0) // log 3, next file 4, nothing before the log
	manifest, err = levelRecord(edit)
	return log, manifest, err
}

func levelText(to []byte, text string) []byte {
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}

// levelRecord is a log of one record, which must fit into its first block.
func levelRecord(data []byte) (string, error) {
	const block, head, whole = 1 << 15, 7, 1
	if len(data) > block-head {
		return "", fmt.Errorf("a record of %d bytes does not fit into a block", len(data))
	}
	sum := crc32.Checksum(append([]byte{whole}, data...), crc32.MakeTable(crc32.Castagnoli))
	out := binary.LittleEndian.AppendUint32(nil, (sum>>15|sum<<17)+0xa282ead8)
	out = binary.LittleEndian.AppendUint16(out, uint16(len(data)))
	return string(slices.Concat(out, []byte{whole}, data)), nil
}

// level plants a database with the tokens that m recorded.
func (h *Home) level(m *mint, kind, prefix, dir string, entries ...entry) error {
	log, manifest, err := levelDB(entries...)
	if err != nil {
		return fmt.Errorf("writing %s: %w", dir, err)
	}
	h.decoy(m, kind, prefix, dir+"/000003.log", log)
	h.plain(dir+"/CURRENT", 0o600, "MANIFEST-000001\n")
	h.plain(dir+"/MANIFEST-000001", 0o600, manifest)
	return nil
}
