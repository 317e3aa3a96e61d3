#include "tessera_system.h"

#include <stdatomic.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

// FIPS 180-4, 4.2.2: the first 32 fractional bits of the cube roots of the first 64 primes.
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

#define ROTATE(x, n) ((x) >> (n) | (x) << (32 - (n)))

// 6.2.2: adds one block. ROTATE is a macro to be fast without optimisation.
static void compress_portably(uint32_t state[8], const uint8_t *block) {
  uint32_t w[64];
  for (int t = 0; t < 16; t++)
    w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 | (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
  for (int t = 16; t < 64; t++) {
    uint32_t near = ROTATE(w[t - 2], 17) ^ ROTATE(w[t - 2], 19) ^ w[t - 2] >> 10;
    uint32_t far = ROTATE(w[t - 15], 7) ^ ROTATE(w[t - 15], 18) ^ w[t - 15] >> 3;
    w[t] = near + w[t - 7] + far + w[t - 16];
  }
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7];
  for (int t = 0; t < 64; t++) {
    uint32_t first = h + (ROTATE(e, 6) ^ ROTATE(e, 11) ^ ROTATE(e, 25)) + ((e & f) ^ (~e & g)) + constants[t] + w[t];
    uint32_t second = (ROTATE(a, 2) ^ ROTATE(a, 13) ^ ROTATE(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

#if defined(__x86_64__)

// The same with Intel's and AMD's SHA instructions: four rounds at a time, ten times as fast. Two
// registers hold the state: a b e f and c d g h.
__attribute__((target("sha,sse4.1"))) static void compress_natively(uint32_t state[8], const uint8_t *block) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i low = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xB1);
  __m128i high = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1B);
  __m128i abef = _mm_alignr_epi8(low, high, 8), cdgh = _mm_blend_epi16(high, low, 0xF0);
  __m128i first = abef, second = cdgh, w[4];
  for (int i = 0; i < 4; i++) w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(block + 16 * i)), big_endian);
  for (int i = 0; i < 16; i++) {
    __m128i sums = _mm_add_epi32(w[i % 4], _mm_loadu_si128((const __m128i *)(constants + 4 * i)));
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sums);
    abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sums, 0x0E));
    __m128i last = w[(i + 3) % 4], next = _mm_sha256msg1_epu32(w[i % 4], w[(i + 1) % 4]);
    next = _mm_add_epi32(next, _mm_alignr_epi8(last, w[(i + 2) % 4], 4));
    w[i % 4] = _mm_sha256msg2_epu32(next, last);
  }
  low = _mm_shuffle_epi32(_mm_add_epi32(abef, first), 0x1B);
  high = _mm_shuffle_epi32(_mm_add_epi32(cdgh, second), 0xB1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(low, high, 0xF0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(high, low, 8));
}

static int has_instructions(void) {
  // 0: unknown. The query can take microseconds on a virtual machine.
  static _Atomic int cached;
  int known = atomic_load_explicit(&cached, memory_order_relaxed);
  if (known == 0) {
    unsigned a, b, c = 0, d, b7 = 0;
    int has = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_1) && (c & bit_SSSE3) && __get_cpuid_count(7, 0, &a, &b7, &c, &d) &&
              (b7 & bit_SHA);
    known = has ? 1 : 2;
    atomic_store_explicit(&cached, known, memory_order_relaxed);
  }
  return known == 1;
}

#else

static void compress_natively(uint32_t state[8], const uint8_t *block) { compress_portably(state, block); }
static int has_instructions(void) { return 0; }

#endif

static void compress(tessera_sha256 *sum, const uint8_t *block) {
  if (sum->is_plain)
    compress_portably(sum->state, block);
  else
    compress_natively(sum->state, block);
}

void tessera_sha256_start(tessera_sha256 *sum) {
  // 5.3.3: the first 32 fractional bits of the square roots of the first eight primes.
  static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memcpy(sum->state, initial, sizeof initial);
  sum->count = 0;
  sum->is_plain = !has_instructions();
}

void tessera_sha256_add(tessera_sha256 *sum, const void *data, size_t size) {
  const uint8_t *bytes = data;
  size_t held = sum->count % 64;
  sum->count += size;
  if (held > 0) {
    size_t taken = size < 64 - held ? size : 64 - held;
    memcpy(sum->block + held, bytes, taken);
    bytes += taken, size -= taken, held += taken;
    if (held < 64) return;
    compress(sum, sum->block);
  }
  for (; size >= 64; bytes += 64, size -= 64) compress(sum, bytes);
  if (size > 0) memcpy(sum->block, bytes, size);
}

void tessera_sha256_finish(tessera_sha256 *sum, uint8_t *digest) {
  // 5.1.1: pads with a one bit, zeros, and the number of bits.
  uint64_t bits = sum->count * 8;
  uint8_t padding[72] = {0x80};
  size_t zeros = (119 - sum->count % 64) % 64;
  for (int i = 0; i < 8; i++) padding[1 + zeros + (size_t)i] = (uint8_t)(bits >> (56 - 8 * i));
  tessera_sha256_add(sum, padding, 1 + zeros + 8);
  for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(sum->state[i / 4] >> (24 - 8 * (i % 4)));
}
