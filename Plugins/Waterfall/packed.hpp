// Places items into the shortest of three to eight columns, where the processor has AVX2.

#pragma once

#include "columns.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

// Places items into the shortest of three to eight columns, of equal ones the first, where all lengths
// are whole pixels and no item takes too many: then 16 bits can hold how far a column reaches and,
// after it, the column. One vector holds these keys in order.
//
// Only the choice of a column waits for the item before. So three steps take turns, for four items
// each: some are measured, columns are chosen for those measured before, and the frames of those that
// have their columns are stored. A processor does all three at once, because none waits for another.
class packed_columns {
 public:
  static constexpr std::size_t fewest_columns = 3; // for fewer, it takes longer than sorted_columns
  static constexpr std::size_t most_columns = 8;
  static constexpr std::size_t batch = 8; // it places so many items at a time

  static bool are_supported() {
    static const bool has_avx2 = __builtin_cpu_supports("avx2");
    return has_avx2;
  }

  // Returns whether it could place the items, whole batches; otherwise, their frames are anything.
  static bool place(const singles &items, const ratio_heights &heights, filling &at) {
    return at.bottoms.size() <= 4 ? place<2>(items, heights, at) : place<3>(items, heights, at);
  }

 private:
  // An item takes fewer pixels, with the space below it. Then the columns differ by fewer as well, and
  // a batch moves the shortest one by fewer for each time that all columns get an item, and once more.
  // So 16 bits suffice for the keys within a batch.
  static constexpr int most_pixels = 2730;
  static constexpr std::int16_t lowest = std::numeric_limits<std::int16_t>::min();
  static constexpr std::int16_t highest = std::numeric_limits<std::int16_t>::max();

  struct lengths {
    __m256d width, scale, pixel, most, item_width, left, step;
    __m128i space; // below an item, in pixels
  };
  // What is true if the items could be placed.
  struct checks {
    __m256d are_sound;
    __m128i shortest; // above 0
  };
  struct columns {
    __m128i keys, first; // first: the first of the keys, everywhere
    __m128i second; // for a shuffle: the second of the keys, everywhere
    double start; // what the lowest key stands for
  };
  // What the steps leave for one another.
  struct four {
    __m256d heights;
    alignas(16) std::int32_t longer[4]; // what is added to keys, twice
    __m128i taken; // the keys of the columns when the items came
    double start; // what the lowest key stood for
  };

// The steps become part of `place`, where their vectors stay in registers.
#define PACKED_STEP [[gnu::target("avx2"), gnu::always_inline]] static inline

  template <int ColumnBits>
  PACKED_STEP void measure(const double *ratios, const lengths &by, checks &sound, four &to) {
    const __m256d ratio = _mm256_loadu_pd(ratios);
    const __m256d scaled = _mm256_mul_pd(_mm256_div_pd(by.width, ratio), by.scale);
    const __m256d pixels = _mm256_add_pd(scaled, _mm256_set1_pd(0.5));
    const __m256d is_positive = _mm256_cmp_pd(ratio, _mm256_setzero_pd(), _CMP_GT_OQ);
    const __m256d is_short = _mm256_cmp_pd(pixels, by.most, _CMP_LT_OQ);
    sound.are_sound = _mm256_and_pd(_mm256_and_pd(sound.are_sound, is_positive), is_short);
    to.heights = _mm256_mul_pd(_mm256_round_pd(pixels, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC),
                               by.pixel);
    const __m128i count = _mm_add_epi32(_mm256_cvttpd_epi32(pixels), by.space);
    const __m128i longer =
        _mm_or_si128(_mm_slli_epi32(count, ColumnBits), _mm_slli_epi32(count, ColumnBits + 16));
    sound.shortest = _mm_min_epi16(sound.shortest, longer);
    _mm_store_si128(reinterpret_cast<__m128i *>(to.longer), longer);
  }

  PACKED_STEP void choose(four &items, columns &at) {
    items.start = at.start;
    items.taken = at.first;
    put(items.longer[0], at);
    items.taken = _mm_blend_epi16(items.taken, at.first, 2);
    put(items.longer[1], at);
    items.taken = _mm_blend_epi16(items.taken, at.first, 4);
    put(items.longer[2], at);
    items.taken = _mm_blend_epi16(items.taken, at.first, 8);
    put(items.longer[3], at);
  }
  // Puts an item into the first column in order, which moves behind those that it is not above now:
  // each key becomes the new one, kept between it and the key after it.
  PACKED_STEP void put(std::int32_t longer, columns &at) {
    const __m128i key = _mm_add_epi16(at.first, _mm_set1_epi32(longer));
    const __m128i next = _mm_alignr_epi8(_mm_set1_epi16(highest), at.keys, 2);
    at.first = _mm_min_epi16(key, _mm_shuffle_epi8(at.keys, at.second));
    at.keys = _mm_min_epi16(_mm_max_epi16(at.keys, key), next);
  }
  // Makes the bottom of the shortest column the lowest key again. `least` keeps the places of columns
  // that there are not.
  template <int ColumnBits>
  PACKED_STEP void lower(columns &at, __m128i least, double pixel) {
    constexpr std::int16_t row_bits = static_cast<std::int16_t>(-1 << ColumnBits);
    const __m128i low = _mm_set1_epi16(lowest);
    const __m128i by = _mm_xor_si128(_mm_and_si128(at.first, _mm_set1_epi16(row_bits)), low);
    at.keys = _mm_max_epi16(_mm_sub_epi16(at.keys, by), least);
    at.first = _mm_sub_epi16(at.first, by);
    at.start += (_mm_extract_epi16(by, 0) >> ColumnBits) * pixel;
  }

  template <int ColumnBits>
  PACKED_STEP void store(const four &items, const lengths &by, tessera::rect *frames) {
    const __m128i taken = _mm_cvtepu16_epi32(items.taken);
    const __m128i column = _mm_and_si128(taken, _mm_set1_epi32((1 << ColumnBits) - 1));
    const __m128i row = _mm_srli_epi32(_mm_xor_si128(taken, _mm_set1_epi32(0x8000)), ColumnBits);
    const __m256d x = _mm256_add_pd(_mm256_mul_pd(_mm256_cvtepi32_pd(column), by.step), by.left);
    const __m256d y = _mm256_add_pd(_mm256_mul_pd(_mm256_cvtepi32_pd(row), by.pixel),
                                    _mm256_set1_pd(items.start));
    const __m256d even = _mm256_unpacklo_pd(x, y), odd = _mm256_unpackhi_pd(x, y);
    const __m256d even_size = _mm256_unpacklo_pd(by.item_width, items.heights);
    const __m256d odd_size = _mm256_unpackhi_pd(by.item_width, items.heights);
    _mm256_storeu_pd(&frames[0].x, _mm256_permute2f128_pd(even, even_size, 0x20));
    _mm256_storeu_pd(&frames[1].x, _mm256_permute2f128_pd(odd, odd_size, 0x20));
    _mm256_storeu_pd(&frames[2].x, _mm256_permute2f128_pd(even, even_size, 0x31));
    _mm256_storeu_pd(&frames[3].x, _mm256_permute2f128_pd(odd, odd_size, 0x31));
  }

#undef PACKED_STEP

  template <int ColumnBits>
  [[gnu::target("avx2")]] static bool place(const singles &items, const ratio_heights &heights,
                                            filling &at) {
    const double scale = heights.scale, spacing = items.spacing * scale;
    const auto [top, end] = std::minmax_element(at.bottoms.begin(), at.bottoms.end());
    if (!(*end < 0x1p40) || !(*end * scale < 0x1p50)) return false;
    if (!((*end - *top) * scale < most_pixels)) return false;
    if (!(spacing < most_pixels) || std::trunc(spacing) != spacing) return false;
    alignas(16) std::array<std::int16_t, most_columns> keys, from;
    keys.fill(highest);
    from.fill(highest);
    for (std::size_t column = 0; column < at.bottoms.size(); column++) {
      const double bottom = at.bottoms[column] * scale;
      if (std::trunc(bottom) != bottom) return false;
      const int row = static_cast<int>(bottom - *top * scale);
      keys[column] =
          static_cast<std::int16_t>(lowest + (row << ColumnBits) + static_cast<int>(column));
      from[column] = lowest;
    }
    std::sort(keys.begin(), keys.end());

    const lengths by{_mm256_set1_pd(heights.width),
                     _mm256_set1_pd(scale),
                     _mm256_set1_pd(heights.pixel),
                     _mm256_set1_pd(most_pixels - spacing),
                     _mm256_set1_pd(items.width),
                     _mm256_set1_pd(items.lefts[0]),
                     _mm256_set1_pd(items.step),
                     _mm_set1_epi32(static_cast<std::int32_t>(spacing))};
    const __m128i least = _mm_load_si128(reinterpret_cast<const __m128i *>(from.data()));
    columns order{_mm_load_si128(reinterpret_cast<const __m128i *>(keys.data())),
                  _mm_set1_epi16(keys[0]), _mm_set1_epi16(0x0302), *top};
    // Compilers that see what it is shuffle in two steps, and the next item waits for both.
    asm("" : "+x"(order.second));
    checks sound{_mm256_castsi256_pd(_mm256_set1_epi32(-1)), _mm_set1_epi16(highest)};
    std::array<four, 8> fours;
    const std::size_t count = items.count / 4;
    for (std::size_t each = 0; each < std::min<std::size_t>(4, count); each++)
      measure<ColumnBits>(heights.ratios + 4 * each, by, sound, fours[each]);
    for (std::size_t each = 0; each < count + 2; each += 2) {
#pragma GCC unroll 2
      for (std::size_t next = each; next < each + 2; next++) {
        if (next < count) choose(fours[next % 8], order);
        if (next >= 2) store<ColumnBits>(fours[(next - 2) % 8], by, items.frames + 4 * (next - 2));
        if (next + 4 < count)
          measure<ColumnBits>(heights.ratios + 4 * (next + 4), by, sound, fours[(next + 4) % 8]);
      }
      lower<ColumnBits>(order, least, heights.pixel);
    }
    if (_mm256_movemask_pd(sound.are_sound) != 0xf) return false;
    if (_mm_movemask_epi8(_mm_cmpgt_epi16(sound.shortest, _mm_setzero_si128())) != 0xffff)
      return false;

    _mm_store_si128(reinterpret_cast<__m128i *>(keys.data()), order.keys);
    for (std::size_t place = 0; place < at.bottoms.size(); place++) {
      const int key = keys[place] - lowest;
      const std::size_t column = static_cast<std::size_t>(key & ((1 << ColumnBits) - 1));
      const double bottom = order.start + (key >> ColumnBits) * heights.pixel;
      // Every item has made its column longer.
      const bool is_used = bottom != std::exchange(at.bottoms[column], bottom);
      at.note_use(column, std::uint64_t{is_used} << column, items.spacing);
    }
    return true;
  }
};

#else

class packed_columns {
 public:
  static constexpr std::size_t fewest_columns = 1;
  static constexpr std::size_t most_columns = 0;
  static constexpr std::size_t batch = 1;
  static bool are_supported() { return false; }
  static bool place(const singles &, const ratio_heights &, filling &) { return false; }
};

#endif
