package envhook

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// Patch is the code written over the start of a function.
type Patch struct {
	// Offset is where the function begins in the file.
	Offset uint64
	Code   []byte
}

// errUnsuited is returned for a library that is not patched. Only the reports
// of single reads are lost.
var errUnsuited = errors.New("not a C library with a getenv that can be replaced")

// Getenv returns a replacement of getenv for the x86-64 C library in r: a
// function that does the same and makes the system call first.
//
// It replaces the whole function instead of hooking its entry: the instructions
// at its start cannot be moved without understanding them, while the function
// is simple and has not changed in decades.
func (h *Hooks) Getenv(r io.ReaderAt) (patch *Patch, err error) {
	defer func() {
		if recover() != nil { // an image may bring any library
			patch, err = nil, errUnsuited
		}
	}()
	file, err := elf.NewFile(r)
	if err != nil {
		return nil, fmt.Errorf("reading a C library: %w", err)
	}
	if file.Machine != elf.EM_X86_64 || file.Class != elf.ELFCLASS64 {
		return nil, errUnsuited
	}
	symbols, err := file.DynamicSymbols()
	if err != nil {
		return nil, fmt.Errorf("reading a C library: %w", err)
	}
	slot, err := environSlot(file, symbols)
	if err != nil {
		return nil, err
	}
	for _, s := range symbols {
		if s.Name != "getenv" || elf.ST_TYPE(s.Info) != elf.STT_FUNC {
			continue
		}
		code, err := h.getenv(s.Value, slot)
		if err != nil || uint64(len(code)) > s.Size {
			return nil, errUnsuited
		}
		for _, p := range file.Progs {
			if p.Type == elf.PT_LOAD && p.Flags&elf.PF_X != 0 && s.Value >= p.Vaddr && s.Value+s.Size <= p.Vaddr+p.Filesz {
				return &Patch{Offset: s.Value - p.Vaddr + p.Off, Code: code}, nil
			}
		}
	}
	return nil, errUnsuited
}

// environSlot finds where the library keeps the address of environ. The
// variable itself may have been moved into the program.
func environSlot(file *elf.File, symbols []elf.Symbol) (uint64, error) {
	const size = 24 // offset, symbol and type, addend
	for _, section := range file.Sections {
		if section.Type != elf.SHT_RELA { //nolint:misspell // ELF's own word
			continue
		}
		data, err := section.Data()
		if err != nil {
			return 0, fmt.Errorf("reading a C library: %w", err)
		}
		for ; len(data) >= size; data = data[size:] {
			info := binary.LittleEndian.Uint64(data[8:])
			n := elf.R_SYM64(info)
			if elf.R_X86_64(elf.R_TYPE64(info)) != elf.R_X86_64_GLOB_DAT || n == 0 || int(n) > len(symbols) {
				continue
			}
			switch symbols[n-1].Name { // the symbol with number 0 is not listed
			case "environ", "__environ", "_environ":
				return binary.LittleEndian.Uint64(data), nil
			}
		}
	}
	return 0, errUnsuited
}

// getenv returns the machine code of a function at the address, with the slot
// that holds the address of environ.
func (h *Hooks) getenv(at, slot uint64) ([]byte, error) {
	const load, number = 11, 5 // offsets of the two numbers that differ
	code := []byte{
		0xf3, 0x0f, 0x1e, 0xfa, //       endbr64
		0xb8, 0, 0, 0, 0, //             mov   number, %eax
		0x0f, 0x05, //                   syscall             ; the name is in rdi
		0x48, 0x8b, 0x05, 0, 0, 0, 0, // mov   slot(%rip), %rax
		0x48, 0x8b, 0x10, //             mov   (%rax), %rdx
		0x48, 0x85, 0xd2, //             test  %rdx, %rdx    ; no environment
		0x74, 0x33, //                   jz    none
		0x80, 0x3f, 0x00, //             cmpb  $0, (%rdi)    ; no name
		0x74, 0x2e, //                   je    none
		0x48, 0x8b, 0x32, //       next: mov   (%rdx), %rsi
		0x48, 0x85, 0xf6, //             test  %rsi, %rsi
		0x74, 0x26, //                   jz    none
		0x31, 0xc9, //                   xor   %ecx, %ecx
		0x0f, 0xb6, 0x04, 0x0f, // same: movzbl (%rdi,%rcx), %eax
		0x84, 0xc0, //                   test  %al, %al
		0x74, 0x0a, //                   jz    end
		0x3a, 0x04, 0x0e, //             cmp   (%rsi,%rcx), %al
		0x75, 0x11, //                   jne   skip
		0x48, 0xff, 0xc1, //             inc   %rcx
		0xeb, 0xee, //                   jmp   same
		0x80, 0x3c, 0x0e, 0x3d, //  end: cmpb  $'=', (%rsi,%rcx)
		0x75, 0x06, //                   jne   skip
		0x48, 0x8d, 0x44, 0x0e, 0x01, // lea   1(%rsi,%rcx), %rax
		0xc3,                   //       ret
		0x48, 0x83, 0xc2, 0x08, // skip: add   $8, %rdx
		0xeb, 0xd2, //                   jmp   next
		0x31, 0xc0, //             none: xor   %eax, %eax
		0xc3, //                         ret
	}
	const next = load + 7 // the instruction after the load
	distance := int64(slot) - int64(at) - next
	if distance > math.MaxInt32 || distance < math.MinInt32 {
		return nil, errUnsuited
	}
	binary.LittleEndian.PutUint32(code[number:], h.Number)
	binary.LittleEndian.PutUint32(code[load+3:], uint32(int32(distance)))
	return code, nil
}
