// Runs the real worker beside a process that flips bytes of the shared memory at random moments,
// until both are killed.
//
// WORKER: path of the real worker. SEED: random seed.

#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MEMORY = 4, TURN = 64, HOST_BOX = 4096, PAGE = 4096 };
#define WORKER_BOX (HOST_BOX + (4 << 20))
#define RUNS (WORKER_BOX + (16 << 20))

static uint64_t state = SEED;

// splitmix64.
static uint64_t next(void) {
  uint64_t bits = state += UINT64_C(0x9E3779B97F4A7C15);
  bits = (bits ^ (bits >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  bits = (bits ^ (bits >> 27)) * UINT64_C(0x94D049BB133111EB);
  return bits ^ (bits >> 31);
}

// A place past `from` in an already touched page; a fresh page would cost memory.
static off_t touched(off_t from, off_t size) {
  off_t begin = lseek(MEMORY, from, SEEK_DATA);
  for (unsigned skip = (unsigned)(next() % 4); begin >= 0 && skip > 0; skip--) {
    off_t end = lseek(MEMORY, begin, SEEK_HOLE);
    off_t further = end < 0 || end >= size ? -1 : lseek(MEMORY, end, SEEK_DATA);
    if (further < 0) break;
    begin = further;
  }
  if (begin < 0) return from;
  off_t end = lseek(MEMORY, begin, SEEK_HOLE);
  return begin + (off_t)(next() % (uint64_t)(end > begin ? end - begin : 1));
}

// Mostly rows; then runs, messages, and rarely the turn, which costs the host its deadline.
static off_t place(off_t size) {
  uint64_t choice = next() % 4096;
  if (choice == 0) return (off_t)(next() % TURN);
  if (choice < 32) return WORKER_BOX + (off_t)(next() % (choice < 16 ? 8 : 256));
  if (choice < 40) return HOST_BOX + (off_t)(next() % 512);
  if (choice < 120) return RUNS + (off_t)(next() % 400);
  return touched(RUNS + PAGE, size);
}

static void flip_for_ever(pid_t worker) {
  // The host must wait only for the worker.
  for (int descriptor = 0; descriptor < 64; descriptor++) {
    if (descriptor != MEMORY) close(descriptor);
  }
  prctl(PR_SET_PDEATHSIG, 9);
  if (getppid() != worker) _exit(0);
  struct stat status;
  if (fstat(MEMORY, &status) != 0) _exit(1);
  uint8_t *memory = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, MEMORY, 0);
  if (memory == MAP_FAILED) _exit(1);
  for (;;) {
    // Bursts and pauses: some queries stay undisturbed.
    const struct timespec pause = {0, (long)(next() % 2000000)};
    nanosleep(&pause, NULL);
    for (uint64_t count = next() % 64; count > 0; count--) {
      off_t at = place(status.st_size);
      memory[at] = (uint8_t)(next() % 4 == 0 ? next() : memory[at] ^ (1u << (next() % 8)));
    }
  }
}

int main(int count, char **arguments) {
  (void)count;
  state ^= (uint64_t)getpid() * 0x10001;
  const pid_t worker = getpid();
  if (fork() == 0) flip_for_ever(worker);
  execv(WORKER, arguments);
  return 127;
}
