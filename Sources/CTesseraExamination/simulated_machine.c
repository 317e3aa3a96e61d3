#define _GNU_SOURCE
#include "tessera_system.h"
#include "tessera_simulated_machine.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static uint32_t kinds;

// Variables for language runtimes, not for engines.
static int is_of_runtime(const char *name) {
  static const char *const prefixes[] = {"SWIFT_", "RUST_", "MALLOC_", "GLIBC_", "LD_", "DISPATCH_", "OMP_", "GOMP_", "GLIBCXX_"};
  for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
    if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) return 1;
  }
  return 0;
}

static char *other_getenv(const char *name) {
  static char value[] = "7";
  return (kinds & TESSERA_SIMULATED_VARIABLES) && !is_of_runtime(name) ? value : getenv(name);
}

static void set_variables(int is_set) {
  static const char *const names[] = {"HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR", "PATH", "COLUMNS", "LINES", "DEBUG"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (is_set) setenv(names[i], "7", 1);
    else unsetenv(names[i]);
  }
}

// Changes every part of the date and time, also between even and odd.
static const time_t later = 11 * 31557600ll + 156 * 86400ll + 11 * 3600 + 17 * 60 + 13;

static time_t shift(void) { return kinds & TESSERA_SIMULATED_TIME ? later : 0; }

static time_t other_time(time_t *place) {
  const time_t now = time(NULL) + shift();
  if (place) *place = now;
  return now;
}

static int other_clock_gettime(clockid_t clock, struct timespec *now) {
  const int status = clock_gettime(clock, now);
  const int is_date = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
  if (status == 0 && is_date) now->tv_sec += shift();
  return status;
}

static int other_timespec_get(struct timespec *now, int base) {
  const int found = timespec_get(now, base);
  if (found == TIME_UTC) now->tv_sec += shift();
  return found;
}

static int other_gettimeofday(struct timeval *now, void *zone) {
  const int status = gettimeofday(now, zone);
  if (status == 0) now->tv_sec += shift();
  return status;
}

static pid_t other_getpid(void) { return getpid() + (kinds & TESSERA_SIMULATED_PROCESS ? 1 : 0); }

static long other_sysconf(int name) {
  const long found = sysconf(name);
  const int counts = name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF;
  return counts && (kinds & TESSERA_SIMULATED_PROCESS) ? found + 3 : found;
}

static int other_get_nprocs(void) { return get_nprocs() + (kinds & TESSERA_SIMULATED_PROCESS ? 3 : 0); }

// Patches the decimal point of locale "C", since a machine may have no other locale. The struct is
// private, so the result is used only if it works.
static locale_t comma_locale(void) {
  static struct __locale_struct made;
  static const void *numbers[64];
  static int is_made;
  locale_t plain = newlocale(LC_ALL_MASK, "C", NULL);
  if (!plain) return NULL;
  if (!is_made) {
    const void *const *data = (const void *const *)plain->__locales[LC_NUMERIC];
    const char *point = nl_langinfo_l(RADIXCHAR, plain);
    memcpy(numbers, data, sizeof numbers);
    int found = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
      if (numbers[i] != point) continue;
      numbers[i] = ",";
      found++;
    }
    if (found != 1) return NULL;
    made = *plain;
    made.__locales[LC_NUMERIC] = (struct __locale_data *)numbers;
    is_made = 1;
  }
  return &made;
}

static void set_locale(int is_set) {
  locale_t comma = is_set ? comma_locale() : NULL;
  if (!comma) {
    uselocale(LC_GLOBAL_LOCALE);
    return;
  }
  char text[16];
  uselocale(comma);
  if (snprintf(text, sizeof text, "%.1f", 0.5) != 3 || strcmp(text, "0,5") != 0) uselocale(LC_GLOBAL_LOCALE);
}

void tessera_simulate_machine(uint32_t chosen) {
  static const tessera_replacement replacements[] = {
      {"getenv", (void (*)(void))other_getenv},
      {"secure_getenv", (void (*)(void))other_getenv},
      {"getpid", (void (*)(void))other_getpid},
      {"sysconf", (void (*)(void))other_sysconf},
  };
  // The C++ runtime reads the clock and the processor count on an engine's behalf.
  static const tessera_replacement everywhere[] = {
      {"time", (void (*)(void))other_time},
      {"clock_gettime", (void (*)(void))other_clock_gettime},
      {"timespec_get", (void (*)(void))other_timespec_get},
      {"gettimeofday", (void (*)(void))other_gettimeofday},
      {"get_nprocs", (void (*)(void))other_get_nprocs},
  };
  static int is_replaced;
  if (!is_replaced) {
    is_replaced = 1;
    tessera_replace(replacements, sizeof replacements / sizeof replacements[0], 1);
    tessera_replace(everywhere, sizeof everywhere / sizeof everywhere[0], 0);
  }
  kinds = chosen;
  set_variables((chosen & TESSERA_SIMULATED_VARIABLES) != 0);
  set_locale((chosen & TESSERA_SIMULATED_LOCALE) != 0);
}
