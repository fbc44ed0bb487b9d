// Package storetest gives tests the databases of the service: a SQLite file and
// a PostgreSQL server of their own.
package storetest

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver
)

// Postgres is a server that was started for tests. Each of its databases is for
// one test.
type Postgres struct {
	dir  string
	port int
	bin  string
	cred *syscall.Credential
	cmd  *exec.Cmd
	// ended is set once cmd is known to have ended.
	ended bool
	made  atomic.Int64
}

// Each runs a test on every database. pg may be nil: it is skipped then,
// unless MCPSF_REQUIRE_POSTGRES is set.
func Each(t *testing.T, pg *Postgres, f func(t *testing.T, database string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { f(t, filepath.Join(t.TempDir(), "mcpsf.db")) })
	t.Run("postgres", func(t *testing.T) { f(t, pg.Database(t)) })
}

// Start starts a PostgreSQL, or returns nil if there is none on this machine.
func Start(ctx context.Context) (*Postgres, error) {
	bin := binaries()
	if bin == "" {
		return nil, nil
	}
	dir, err := os.MkdirTemp("", "mcpsf-pg-")
	if err != nil {
		return nil, err
	}
	p := &Postgres{dir: dir, bin: bin}
	if err := p.begin(ctx); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return p, nil
}

// binaries returns the directory of the PostgreSQL programs.
func binaries() string {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) > 0 {
		return filepath.Dir(found[len(found)-1])
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path)
	}
	return ""
}

func (p *Postgres) begin(ctx context.Context) error {
	if os.Getuid() == 0 { // PostgreSQL refuses to run as root
		uid, gid, err := ordinary()
		if err != nil {
			return err
		}
		p.cred = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		if err := os.Chown(p.dir, uid, gid); err != nil {
			return err
		}
	}
	if err := p.run(ctx, "initdb", "-D", p.data(), "-U", "mcpsf", "--auth=trust", "-E", "UTF8", "--no-locale", "--no-sync"); err != nil {
		return err
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	p.port = l.Addr().(*net.TCPAddr).Port
	if err := l.Close(); err != nil {
		return err
	}
	return p.Resume(ctx)
}

// ordinary returns a user that the server may run as. Statically linked programs
// cannot look users up.
func ordinary() (uid, gid int, err error) {
	text, err := os.ReadFile("/etc/passwd")
	if err != nil {
		return 0, 0, err
	}
	for _, name := range []string{"postgres", "nobody"} {
		for line := range strings.Lines(string(text)) {
			fields := strings.Split(line, ":")
			if len(fields) < 4 || fields[0] != name {
				continue
			}
			uid, err := strconv.Atoi(fields[2])
			if err != nil {
				return 0, 0, err
			}
			gid, err := strconv.Atoi(fields[3])
			return uid, gid, err
		}
	}
	return 0, 0, errors.New("there is no ordinary user to run PostgreSQL as")
}

func (p *Postgres) data() string { return filepath.Join(p.dir, "data") }

func (p *Postgres) run(ctx context.Context, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, filepath.Join(p.bin, name), args...)
	cmd.Dir, cmd.SysProcAttr = p.dir, &syscall.SysProcAttr{Credential: p.cred}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, bytes.TrimSpace(out))
	}
	return nil
}

// Resume starts the server again after [Postgres.Kill]. It fails while children
// of the old server exist, and is retried then.
func (p *Postgres) Resume(ctx context.Context) error {
	for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(100 * time.Millisecond) {
		if p.wait(syscall.WNOHANG) {
			if err := p.start(ctx); err != nil {
				return err
			}
		}
		db, err := sql.Open("pgx", p.address("postgres"))
		if err == nil {
			err = db.PingContext(ctx)
			_ = db.Close()
		}
		if err == nil {
			return nil
		}
	}
	log, _ := os.ReadFile(filepath.Join(p.dir, "log"))
	return fmt.Errorf("PostgreSQL does not answer: %s", log[max(0, len(log)-2000):])
}

// wait tells whether the server has ended. It uses no goroutine, because tests
// count them.
func (p *Postgres) wait(options int) bool {
	for p.cmd != nil && !p.ended {
		pid, err := syscall.Wait4(p.cmd.Process.Pid, nil, options, nil)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		p.ended = pid != 0
		break
	}
	return p.cmd == nil || p.ended
}

func (p *Postgres) start(ctx context.Context) error {
	log, err := os.OpenFile(filepath.Join(p.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.CommandContext(context.WithoutCancel(ctx), filepath.Join(p.bin, "postgres"), "-D", p.data(), "-p", strconv.Itoa(p.port), "-k", "", "-h", "127.0.0.1",
		"-c", "max_connections=200", "-c", "fsync=off")
	cmd.Dir, cmd.Stdout, cmd.Stderr = p.dir, log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: p.cred, Setpgid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	p.cmd, p.ended = cmd, false
	return nil
}

// Kill ends the server and all its children as a power failure would.
//
// Its children are in other sessions and would live on for a while, so they are
// killed and waited for, too.
func (p *Postgres) Kill() {
	if p.wait(syscall.WNOHANG) { // its pid may be reused by now
		return
	}
	all, _ := p.halt()
	for _, pid := range all {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	p.wait(0)
	for _, pid := range all {
		for range 1000 {
			if state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err != nil || bytes.Contains(state, []byte(") Z ")) {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// halt stops the server and all its children with SIGSTOP, and returns their
// pids. A signal takes effect later, and the list of children is only complete
// while they stand still, so it waits for each and reads the list again.
func (p *Postgres) halt() (stopped []int, err error) {
	server := p.cmd.Process.Pid
	for running := []int{server}; len(running) > 0; { // the server first, so that it starts no more children
		for _, pid := range running {
			_ = syscall.Kill(pid, syscall.SIGSTOP) // fails if it has just ended
			stopped = append(stopped, pid)
			waitStopped(pid)
		}
		children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", server))
		if err != nil {
			return stopped, err
		}
		running = running[:0]
		for field := range strings.FieldsSeq(string(children)) {
			if pid, err := strconv.Atoi(field); err == nil && !slices.Contains(stopped, pid) {
				running = append(running, pid)
			}
		}
	}
	return stopped, nil
}

// waitStopped waits until a process stands still or is gone.
func waitStopped(pid int) {
	for range 1000 {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return
		}
		_, state, _ := strings.Cut(string(stat), ") ")
		if strings.HasPrefix(state, "T") || strings.HasPrefix(state, "Z") {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// Shutdown ends the server in PostgreSQL's "fast" mode: it closes the
// connections and exits.
func (p *Postgres) Shutdown() {
	_ = syscall.Kill(p.cmd.Process.Pid, syscall.SIGQUIT)
	p.wait(0)
}

// Freeze stops the server and all its children until thaw is called: connections
// stay open, but nothing is answered.
func (p *Postgres) Freeze() (thaw func(), err error) {
	stopped, err := p.halt()
	thaw = func() {
		for _, pid := range stopped {
			_ = syscall.Kill(pid, syscall.SIGCONT)
		}
	}
	if err != nil {
		thaw()
		return nil, err
	}
	return thaw, nil
}

// Stop ends the server and removes its files.
func (p *Postgres) Stop() {
	if p == nil {
		return
	}
	p.Kill()
	_ = os.RemoveAll(p.dir)
}

func (p *Postgres) address(name string) string {
	return fmt.Sprintf("postgres://mcpsf@127.0.0.1:%d/%s?sslmode=disable", p.port, name)
}

// Database makes an empty database for a test.
func (p *Postgres) Database(t testing.TB) string {
	t.Helper()
	if p == nil {
		if os.Getenv("MCPSF_REQUIRE_POSTGRES") != "" {
			t.Fatal("there is no PostgreSQL on this machine")
		}
		t.Skip("there is no PostgreSQL on this machine")
	}
	address, err := p.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// Create makes an empty database.
func (p *Postgres) Create(ctx context.Context) (string, error) {
	name := fmt.Sprintf("t%d", p.made.Add(1))
	db, err := sql.Open("pgx", p.address("postgres"))
	if err != nil {
		return "", err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, "CREATE DATABASE "+name); err != nil {
		return "", err
	}
	return p.address(name), nil
}
