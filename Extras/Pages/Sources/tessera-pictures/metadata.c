#define _GNU_SOURCE
#include "pictures.h"

#include <stdio.h>
#include <string.h>

// Reads metadata: EXIF (a TIFF file inside the file), IPTC (IIM records) and XMP (XML). A RAW file
// is a TIFF file with a JPEG preview. Offsets come from the file, so check each before use.

// Clamped to the data.
static contents part(contents data, size_t at, size_t count) {
  if (at > data.count) return (contents){NULL, 0};
  return (contents){data.bytes + at, count < data.count - at ? count : data.count - at};
}

static uint32_t number(contents data, size_t at, size_t count, bool is_little) {
  if (at > data.count || data.count - at < count) return 0;
  uint32_t value = 0;
  for (size_t i = 0; i < count; i++) value = value << 8 | data.bytes[at + (is_little ? count - 1 - i : i)];
  return value;
}

// MARK: Texts

// Up to a null byte.
static bool is_utf8(contents text) {
  for (size_t at = 0; at < text.count && text.bytes[at] != 0;) {
    const uint8_t first = text.bytes[at++];
    const size_t more = first < 0x80 ? 0 : first >= 0xC2 && first < 0xE0 ? 1 : first >= 0xE0 && first < 0xF0 ? 2 : first >= 0xF0 && first < 0xF5 ? 3 : 4;
    if (more == 4 || more > text.count - at) return false;
    for (size_t i = 0; i < more; i++) {
      if ((text.bytes[at++] & 0xC0) != 0x80) return false;
    }
  }
  return true;
}

// Returns false if the character doesn't fit.
static bool append(char *to, size_t *count, size_t most, uint32_t scalar) {
  const bool is_blank = scalar <= ' ' || (scalar >= 0x7F && scalar < 0xA1);
  if (is_blank) {
    // Collapses blanks.
    if (*count == 0 || to[*count - 1] == ' ') return true;
    scalar = ' ';
  }
  if (scalar > 0x10FFFF || (scalar >= 0xD800 && scalar < 0xE000)) return true;
  const size_t more = scalar < 0x80 ? 0 : scalar < 0x800 ? 1 : scalar < 0x10000 ? 2 : 3;
  if (*count + more + 1 >= most) return false;
  to[(*count)++] = (char)(more == 0 ? scalar : (0xF0u << (3 - more) & 0xFF) | scalar >> 6 * more);
  for (size_t i = more; i-- > 0;) to[(*count)++] = (char)(0x80 | (scalar >> 6 * i & 0x3F));
  return true;
}

// The character of an XML entity such as &amp; or &#xE9;, and its length; 0 if it isn't one.
static uint32_t entity(contents text, size_t at, size_t *length) {
  static const struct {
    const char *name;
    char value;
  } known[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    *length = strlen(known[i].name);
    if (has(text, at, known[i].name, *length)) return (uint32_t)known[i].value;
  }
  if (!has(text, at, "&#", 2)) return 0;
  uint32_t value = 0;
  const bool is_hexadecimal = has(text, at, "&#x", 3);
  for (size_t i = at + (is_hexadecimal ? 3 : 2); i < text.count && i < at + 12; i++) {
    const uint8_t c = text.bytes[i];
    if (c == ';') {
      *length = i + 1 - at;
      return value;
    }
    const int digit = c >= '0' && c <= '9' ? c - '0' : is_hexadecimal && (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
    if (digit < 0 || value > 0x10FFFF) return 0;
    value = value * (is_hexadecimal ? 16 : 10) + (uint32_t)digit;
  }
  return 0;
}

// Sources of captions. Later ones win, as people write them; cameras write EXIF themselves.
enum { EXIF = 1, IPTC, XMP };

// Stores the caption in UTF-8, on one line, truncated.
static void set_caption(metadata *found, contents text, int from) {
  if (from <= found->caption_from) return;
  char caption[sizeof found->caption];
  size_t count = 0;
  const bool is_unicode = is_utf8(text);
  for (size_t at = 0; at < text.count && text.bytes[at] != 0;) {
    const uint8_t first = text.bytes[at];
    // Other texts are read as Latin-1.
    uint32_t scalar = first;
    size_t length = 1;
    if (from == XMP && first == '&') {
      scalar = entity(text, at, &length);
      if (scalar == 0) (scalar = '&', length = 1);
    } else if (is_unicode && first >= 0xC2) {
      length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
      scalar = first & (0x7Fu >> length);
      for (size_t i = 1; i < length; i++) scalar = scalar << 6 | (text.bytes[at + i] & 0x3F);
    }
    if (!append(caption, &count, sizeof caption, scalar)) break;
    at += length;
  }
  while (count > 0 && caption[count - 1] == ' ') count--;
  if (count == 0) return;
  caption[count] = 0;
  memcpy(found->caption, caption, count + 1);
  found->caption_from = from;
}

// Turns "2024:05:03 14:22:07" into "2024-05-03 14:22". A camera without a clock writes zeros or
// blanks.
static void set_date(metadata *found, contents text) {
  static const char pattern[] = "0000:00:00 00:00";
  if (text.count < sizeof pattern - 1 || found->date[0] != 0) return;
  char date[sizeof pattern];
  for (size_t i = 0; i < sizeof pattern - 1; i++) {
    const uint8_t c = text.bytes[i];
    if (pattern[i] == '0' ? c < '0' || c > '9' : c != (uint8_t)pattern[i]) return;
    date[i] = (char)c;
  }
  if (memcmp(date, "0000", 4) == 0 || memcmp(date + 5, "00", 2) == 0) return;
  date[4] = date[7] = '-';
  date[sizeof pattern - 1] = 0;
  memcpy(found->date, date, sizeof date);
}

// MARK: XMP and IPTC

static void read_xmp(contents packet, metadata *found) {
  const uint8_t *at = memmem(packet.bytes, packet.count, "<dc:description", 15);
  if (at == NULL) return;
  contents rest = part(packet, (size_t)(at - packet.bytes), packet.count);
  const uint8_t *end = memmem(rest.bytes, rest.count, "</dc:description", 16);
  if (end == NULL) return;
  rest.count = (size_t)(end - rest.bytes);
  const uint8_t *item = memmem(rest.bytes, rest.count, "<rdf:li", 7);
  if (item == NULL) return;
  rest = part(rest, (size_t)(item - rest.bytes), rest.count);
  const uint8_t *start = memchr(rest.bytes, '>', rest.count);
  if (start == NULL) return;
  rest = part(rest, (size_t)(start - rest.bytes) + 1, rest.count);
  end = memchr(rest.bytes, '<', rest.count);
  if (end != NULL) rest.count = (size_t)(end - rest.bytes);
  set_caption(found, rest, XMP);
}

static void read_iptc(contents records, metadata *found) {
  for (size_t at = 0; has(records, at, "\x1C", 1) && records.count - at >= 5;) {
    const uint32_t kind = number(records, at + 1, 2, false), length = number(records, at + 3, 2, false);
    if (kind == (2 << 8 | 120)) set_caption(found, part(records, at + 5, length), IPTC);
    at += 5 + length;
  }
}

// Photoshop resources; one has the IPTC records.
static void read_resources(contents block, metadata *found) {
  for (size_t at = 0; has(block, at, "8BIM", 4);) {
    const uint32_t kind = number(block, at + 4, 2, false);
    // A length-prefixed name, then a byte count; both padded to an even length.
    const size_t name = (number(block, at + 6, 1, false) + 2) & ~(size_t)1;
    const size_t length = number(block, at + 6 + name, 4, false);
    if (kind == 0x0404) read_iptc(part(block, at + 10 + name, length), found);
    at += 10 + name + length + (length & 1);
  }
}

// MARK: TIFF

typedef struct {
  contents data;
  bool is_little, is_raw;
  // Directories read so far; good files have few.
  int directories;
  double preview_area;
} tiff;

enum { MOST_DIRECTORIES = 32, MOST_ENTRIES = 512 };

// Pixels of a decodable JPEG; 0 for others, such as lossless sensor data.
static double jpeg_area(contents jpeg) {
  if (!has(jpeg, 0, "\xFF\xD8\xFF", 3)) return 0;
  size_t at = 2;
  for (int segment = 0; segment < MOST_ENTRIES && at + 9 < jpeg.count && jpeg.bytes[at] == 0xFF; segment++) {
    const uint8_t marker = jpeg.bytes[at + 1];
    if (marker >= 0xC0 && marker <= 0xC2) return (double)number(jpeg, at + 5, 2, false) * number(jpeg, at + 7, 2, false);
    if (marker == 0xC3 || marker == 0xDA) return 0;
    at += 2 + number(jpeg, at + 2, 2, false);
  }
  return 0;
}

static void keep_preview(contents jpeg, double *largest, metadata *found) {
  const double area = jpeg_area(jpeg);
  if (area <= *largest) return;
  *largest = area;
  found->preview = jpeg;
}

static void read_directory(tiff *file, size_t at, bool is_main, metadata *found) {
  const contents data = file->data;
  while (at != 0 && file->directories++ < MOST_DIRECTORIES) {
    const uint32_t count = number(data, at, 2, file->is_little);
    if (count > MOST_ENTRIES) return;
    uint32_t compression = 0, strip = 0, strip_count = 0, jpeg = 0, jpeg_count = 0;
    for (uint32_t i = 0; i < count; i++) {
      static const uint8_t sizes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4};
      const size_t entry = at + 2 + 12 * (size_t)i;
      const uint32_t tag = number(data, entry, 2, file->is_little), type = number(data, entry + 2, 2, file->is_little);
      const uint32_t values = number(data, entry + 4, 4, file->is_little);
      const size_t size = type < sizeof sizes ? sizes[type] : 0, bytes = size * values;
      const size_t place = bytes <= 4 ? entry + 8 : number(data, entry + 8, 4, file->is_little);
      const uint32_t value = number(data, place, size < 4 ? size : 4, file->is_little);
      switch (tag) {
      case 0x0103: compression = value; break;
      case 0x0106: file->is_raw = file->is_raw || value == 32803 || value == 34892; break;
      case 0x010E: set_caption(found, part(data, place, bytes), EXIF); break;
      case 0x0111: strip = values == 1 ? value : 0; break;
      case 0x0112:
        if (is_main && found->orientation == 0 && value >= 1 && value <= 8) found->orientation = (int)value;
        break;
      case 0x0117: strip_count = values == 1 ? value : 0; break;
      case 0x014A:
        for (uint32_t k = 0; k < values && k < MOST_DIRECTORIES; k++) read_directory(file, number(data, place + 4 * (size_t)k, 4, file->is_little), false, found);
        break;
      case 0x0201: jpeg = value; break;
      case 0x0202: jpeg_count = value; break;
      // Panasonic.
      case 0x002E: keep_preview(part(data, place, bytes), &file->preview_area, found); break;
      case 0x02BC: read_xmp(part(data, place, bytes), found); break;
      case 0x83BB: read_iptc(part(data, place, bytes), found); break;
      case 0x8769: read_directory(file, value, false, found); break;
      case 0x9003: set_date(found, part(data, place, bytes)); break;
      // DNG version.
      case 0xC612: file->is_raw = true; break;
      default: break;
      }
    }
    if (jpeg != 0) keep_preview(part(data, jpeg, jpeg_count), &file->preview_area, found);
    if (compression == 6 || compression == 7) keep_preview(part(data, strip, strip_count), &file->preview_area, found);
    at = number(data, at + 2 + 12 * (size_t)count, 4, file->is_little);
    is_main = false;
  }
}

// Returns whether it is a camera's file.
static bool read_tiff(contents data, metadata *found) {
  tiff file = {.data = data, .is_little = has(data, 0, "II", 2)};
  // Some cameras use another magic number or extra letters.
  file.is_raw = number(data, 2, 2, file.is_little) != 42 || has(data, 8, "CR", 2);
  read_directory(&file, number(data, 4, 4, file.is_little), true, found);
  return file.is_raw;
}

// MARK: Files

static void read_jpeg(contents file, metadata *found) {
  static const char exif[] = "Exif\0", xmp[] = "http://ns.adobe.com/xap/1.0/", photoshop[] = "Photoshop 3.0";
  for (size_t at = 2; at + 4 <= file.count && file.bytes[at] == 0xFF && file.bytes[at + 1] != 0xDA;) {
    const uint8_t marker = file.bytes[at + 1];
    const size_t length = number(file, at + 2, 2, false);
    const contents segment = part(file, at + 4, length < 2 ? 0 : length - 2);
    if (marker == 0xE1 && has(segment, 0, exif, sizeof exif)) read_tiff(part(segment, sizeof exif, segment.count), found);
    if (marker == 0xE1 && has(segment, 0, xmp, sizeof xmp)) read_xmp(part(segment, sizeof xmp, segment.count), found);
    if (marker == 0xED && has(segment, 0, photoshop, sizeof photoshop)) read_resources(part(segment, sizeof photoshop, segment.count), found);
    at += 2 + length;
  }
}

static void read_png(contents file, metadata *found) {
  for (size_t at = 8; at + 12 <= file.count;) {
    const size_t length = number(file, at, 4, false);
    const contents chunk = part(file, at + 8, length);
    if (has(file, at + 4, "eXIf", 4)) read_tiff(chunk, found);
    if (has(file, at + 4, "iTXt", 4) && has(chunk, 0, "XML:com.adobe.xmp", 18)) read_xmp(chunk, found);
    at += 12 + length;
  }
}

static void read_webp(contents file, metadata *found) {
  for (size_t at = 12; at + 8 <= file.count;) {
    const size_t length = number(file, at + 4, 4, true);
    contents chunk = part(file, at + 8, length);
    // Some programs write JPEG's marker before it.
    if (has(file, at, "EXIF", 4)) read_tiff(has(chunk, 0, "Exif\0", 6) ? part(chunk, 6, chunk.count) : chunk, found);
    if (has(file, at, "XMP ", 4)) read_xmp(chunk, found);
    at += 8 + length + (length & 1);
  }
}

// The description is usually near the start.
static contents start_of(contents file) { return part(file, 0, 1 << 20); }

static void read_boxes(contents file, metadata *found) {
  const contents start = start_of(file);
  for (const uint8_t *at = start.bytes; (at = memmem(at, start.count - (size_t)(at - start.bytes), "Exif\0", 6)) != NULL;) {
    at += 6;
    const contents rest = part(file, (size_t)(at - start.bytes), file.count);
    if (has(rest, 0, "II*\0", 4) || has(rest, 0, "MM\0*", 4)) read_tiff(rest, found);
  }
  const uint8_t *packet = memmem(start.bytes, start.count, "<x:xmpmeta", 10);
  if (packet != NULL) read_xmp(part(file, (size_t)(packet - file.bytes), 1 << 16), found);
  // The boxes have size and orientation too, and take precedence.
  found->orientation = 0;
}

// Fujifilm: begins with the offsets of its parts; the first is a JPEG.
static void read_raf(contents file, metadata *found) {
  double area = 0;
  keep_preview(part(file, number(file, 84, 4, false), number(file, 88, 4, false)), &area, found);
  if (area > 0) read_jpeg(found->preview, found);
}

// Canon: boxes with EXIF directories, and one with a JPEG.
static void read_cr3(contents file, metadata *found) {
  const contents start = start_of(file);
  static const char *const directories[] = {"CMT1", "CMT2"};
  for (size_t i = 0; i < 2; i++) {
    const uint8_t *at = memmem(start.bytes, start.count, directories[i], 4);
    if (at != NULL) read_tiff(part(file, (size_t)(at - file.bytes) + 4, file.count), found);
  }
  found->preview = (contents){NULL, 0};
  double area = 0;
  for (const uint8_t *at = start.bytes; (at = memmem(at, start.count - (size_t)(at - start.bytes), "PRVW", 4)) != NULL; at += 4) {
    const size_t place = (size_t)(at - file.bytes);
    keep_preview(part(file, place + 20, number(file, place + 16, 4, false)), &area, found);
  }
}

bool read_metadata(contents file, const char *format, metadata *found) {
  *found = (metadata){.preview = {NULL, 0}};
  bool is_raw = false;
  if (strcmp(format, "jpeg") == 0) read_jpeg(file, found);
  else if (strcmp(format, "png") == 0) read_png(file, found);
  else if (strcmp(format, "webp") == 0) read_webp(file, found);
  else if (strcmp(format, "tiff") == 0) is_raw = read_tiff(file, found);
  else if (strcmp(format, "avif") == 0 || strcmp(format, "heif") == 0) read_boxes(file, found);
  else if (strcmp(format, "raf") == 0) (read_raf(file, found), is_raw = true);
  else if (strcmp(format, "cr3") == 0) (read_cr3(file, found), is_raw = true);
  if (!is_raw) found->preview = (contents){NULL, 0};
  return is_raw;
}
