// Programs that decide, in the kernel, about a system call by its number and arguments.
//
// A program is a row of blocks, one a call. Each block begins with tessera_filter_begin_call and must end in tessera_filter_return, so that
// what follows it is reached only with another call.
#ifndef TESSERA_FILTER_H
#define TESSERA_FILTER_H

#include <linux/filter.h>
#include <stdint.h>

#define TESSERA_FILTER_CAPACITY 1024

typedef struct tessera_filter {
  uint32_t count; // above the capacity: too long
  uint32_t block;
  struct sock_filter code[TESSERA_FILTER_CAPACITY];
} tessera_filter;

// Begins a program: calls of another machine's numbering kill.
void tessera_filter_begin(tessera_filter *filter);

void tessera_filter_begin_call(tessera_filter *filter, int32_t number);
void tessera_filter_end_call(tessera_filter *filter);

// Loads the lower half of an argument, which is all of an int.
void tessera_filter_load(tessera_filter *filter, uint32_t argument);

// Each looks at what was loaded and ends the program with the action, or goes on.
void tessera_filter_return_if_equal(tessera_filter *filter, uint32_t value, uint32_t action);
void tessera_filter_return_if_above(tessera_filter *filter, uint32_t value, uint32_t action);
void tessera_filter_return_if_any(tessera_filter *filter, uint32_t bits, uint32_t action);
void tessera_filter_return_unless_any(tessera_filter *filter, uint32_t bits, uint32_t action);
void tessera_filter_return_unless_equal(tessera_filter *filter, uint32_t value, uint32_t action);
void tessera_filter_return_unless_either(tessera_filter *filter, uint32_t one, uint32_t other, uint32_t action);

// Ends the program with the action if a whole argument, a pointer, is not 0.
void tessera_filter_return_unless_null(tessera_filter *filter, uint32_t argument, uint32_t action);

void tessera_filter_return(tessera_filter *filter, uint32_t action);

// Gives it to the kernel, for all threads. 0, or -1 and errno.
int tessera_filter_install(const tessera_filter *filter);

#endif
