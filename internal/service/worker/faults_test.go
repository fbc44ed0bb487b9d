package worker

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store/storetest"
)

// TestKilled kills workers, whose child processes live on, and the database,
// while jobs run. Every job ends once, with a complete report.
func TestKilled(t *testing.T) {
	jobs := 12
	if n, err := strconv.Atoi(os.Getenv("MCPSF_FAULT_JOBS")); err == nil { // set by make faults
		jobs = n
	}
	storetest.Each(t, postgres, func(t *testing.T, database string) {
		b := newBench(t, database)
		dir := t.TempDir()
		start := func() *exec.Cmd {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), role+"=worker", "MCPSF_TEST_DATABASE="+database,
				"MCPSF_TEST_FILES="+filepath.Join(dir, "files"), "MCPSF_TEST_TEMP="+t.TempDir())
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			return cmd
		}
		kill := func(cmd *exec.Cmd) {
			_ = cmd.Process.Signal(syscall.SIGKILL)
			_ = cmd.Wait()
		}
		if err := os.MkdirAll(filepath.Join(dir, "files"), 0o755); err != nil {
			t.Fatal(err)
		}
		var ids []string
		for range jobs {
			ids = append(ids, b.add(fmt.Sprint(100+rand.IntN(800)), nil))
		}
		workers := []*exec.Cmd{start(), start()}
		defer func() {
			for _, w := range workers {
				kill(w)
			}
		}()
		kills, outages := 0, 0
		for began := time.Now(); time.Since(began) < 5*time.Minute; {
			time.Sleep(time.Duration(200+rand.IntN(900)) * time.Millisecond)
			if counts, err := b.store.Counts(t.Context()); err == nil && counts[job.Done] == jobs {
				break
			}
			if database[0] == 'p' && kills > 0 && rand.IntN(6) == 0 && outages < 4 {
				postgres.Kill()
				time.Sleep(time.Second)
				if err := postgres.Resume(t.Context()); err != nil {
					t.Fatal(err)
				}
				outages++
				continue
			}
			if kills < jobs/5 { // otherwise no job would ever end
				i := rand.IntN(len(workers))
				kill(workers[i])
				workers[i] = start()
				kills++
			}
		}
		if kills == 0 {
			t.Error("nobody was killed")
		}
		again := 0
		for _, id := range ids {
			j, err := b.store.Job(t.Context(), "p", id)
			if err != nil {
				t.Fatal(err)
			}
			if j.State != job.Done || j.Result == nil {
				t.Errorf("%s is %s", id, j.State)
				continue
			}
			again += j.Attempt - 1
			text, err := os.ReadFile(filepath.Join(dir, "files", "jobs", id, fmt.Sprint(j.Attempt), "report.json"))
			if err != nil || string(text) != "slept" {
				t.Errorf("the report of %s is %q, %v", id, text, err)
			}
		}
		t.Logf("%d jobs, %d workers killed, %d outages of the database, %d attempts lost", jobs, kills, outages, again)
	})
}
