// SHA-256 as defined by FIPS 180-4. Implemented here because a worker must start within two milliseconds, which loading a cryptography
// library alone would take.
#ifndef TESSERA_SHA256_H
#define TESSERA_SHA256_H

#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

#define TESSERA_SHA256_SIZE 32

// The state of a digest. A copy is independent of the original.
typedef struct tessera_sha256 {
  uint32_t state[8];
  uint64_t count; // bytes so far
  uint8_t block[64];
  uint32_t is_plain; // 1: does not use the processor's SHA instructions; 0 is only valid if it has them
} tessera_sha256;

void tessera_sha256_start(tessera_sha256 *sum);
// `data` may be null if `size` is 0.
void tessera_sha256_add(tessera_sha256 *sum, const void *data, size_t size);
// Writes TESSERA_SHA256_SIZE bytes. Start again before adding more data.
void tessera_sha256_finish(tessera_sha256 *sum, uint8_t *digest);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
