// Programs that the kernel runs to allow or deny a system call by its number and arguments.
//
// A program is a sequence of blocks, one for each system call. A block begins with tessera_filter_begin_call and must end with
// tessera_filter_return, so that the program continues after the block only for other calls.
#ifndef TESSERA_FILTER_H
#define TESSERA_FILTER_H

#include <linux/filter.h>
#include <stdint.h>

#define TESSERA_FILTER_CAPACITY 1024

typedef struct tessera_filter {
  uint32_t count; // greater than the capacity if the program is too long
  uint32_t block;
  struct sock_filter code[TESSERA_FILTER_CAPACITY];
} tessera_filter;

// Begins a program. Calls with the numbers of another architecture kill the process.
void tessera_filter_begin(tessera_filter *filter);

void tessera_filter_begin_call(tessera_filter *filter, int32_t number);
void tessera_filter_end_call(tessera_filter *filter);

// Loads the lower half of an argument, which is the complete value of an int.
void tessera_filter_load(tessera_filter *filter, uint32_t argument);

// Each tests the loaded value, and ends the program with the action or continues.
void tessera_filter_return_if_equal(tessera_filter *filter, uint32_t value, uint32_t action);
void tessera_filter_return_if_above(tessera_filter *filter, uint32_t value, uint32_t action);
void tessera_filter_return_if_any(tessera_filter *filter, uint32_t bits, uint32_t action);
void tessera_filter_return_unless_any(tessera_filter *filter, uint32_t bits, uint32_t action);
void tessera_filter_return_unless_equal(tessera_filter *filter, uint32_t value, uint32_t action);
void tessera_filter_return_unless_either(tessera_filter *filter, uint32_t one, uint32_t other, uint32_t action);

// Ends the program with the action if a pointer argument is not null.
void tessera_filter_return_unless_null(tessera_filter *filter, uint32_t argument, uint32_t action);

void tessera_filter_return(tessera_filter *filter, uint32_t action);

// Installs the program for all threads. Returns 0, or -1 with errno.
int tessera_filter_install(const tessera_filter *filter);

// Installs the program for the only thread. Returns a descriptor that reports each call with SECCOMP_RET_USER_NOTIF, or -1 with errno.
int tessera_filter_install_with_listener(const tessera_filter *filter);

#endif
