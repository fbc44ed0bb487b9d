package stubprograms

import (
	"bytes"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

func TestProgram(t *testing.T) {
	for arch, machine := range map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64} {
		f, err := elf.NewFile(bytes.NewReader(program("hello\n", arch)))
		if err != nil {
			t.Fatalf("%s: %v", arch, err)
		}
		if f.Machine != machine || f.Type != elf.ET_EXEC || len(f.Progs) != 1 || f.Progs[0].Flags != elf.PF_R|elf.PF_X {
			t.Errorf("%s: %v, %v, %v", arch, f.Machine, f.Type, f.Progs)
		}
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("the program is for Linux")
	}
	file := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(file, program("List\nof\tdevices\n", runtime.GOARCH), 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), file, "--whatever", "-x").Output()
	if err != nil || string(out) != "List\nof\tdevices\n" {
		t.Errorf("it says %q, %v", out, err)
	}
}
