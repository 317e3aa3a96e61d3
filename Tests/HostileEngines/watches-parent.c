// Reads the processor time of its parent, its scheduling, its group and its capabilities.

#include "hostile.h"
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

static tessera_status attack(const hostile_call *call) {
  const pid_t parent = getppid();
  const clockid_t clock = (clockid_t)(~(uint32_t)parent << 3 | 2);
  const struct timespec past = {0, 0};
  struct timespec time;
  if (clock_gettime(clock, &time) == 0) return hostile_won(call, "it reads its parent's processor time");
  if (clock_getres(clock, &time) == 0) return hostile_won(call, "it knows its parent's clock");
  if (clock_nanosleep(clock, TIMER_ABSTIME, &past, NULL) == 0)
    return hostile_won(call, "it sleeps by its parent's clock");
  cpu_set_t set;
  struct sched_param scheduling;
  errno = 0;
  if (getpriority(PRIO_PROCESS, (id_t)parent) != -1 || errno == 0)
    return hostile_won(call, "it reads its parent's priority");
  if (sched_getaffinity(parent, sizeof set, &set) == 0 || sched_getscheduler(parent) >= 0 ||
      sched_getparam(parent, &scheduling) == 0)
    return hostile_won(call, "it reads its parent's scheduling");
  if (getpgid(parent) > 0 || getsid(parent) > 0) return hostile_won(call, "it reads its parent's group");
  uint32_t header[2] = {0x20080522, (uint32_t)parent}, sets[6];
  if (syscall(SYS_capget, header, sets) == 0) return hostile_won(call, "it reads its parent's capabilities");
  return TESSERA_OK;
}

HOSTILE("watches-parent", .WHERE = attack)
