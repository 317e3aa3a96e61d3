// Gives a host engines that lie about a number, one after the other: each answer is valid, or an error that names the engine.
#include "doors.hpp"
#include <filesystem>
#include <fstream>
#include "lies.h"

namespace {
const char *const kinds_of_engine[] = {"eager", "lazy", "derived"};

struct Liar {
  Chance &chance;
  tessera_session *session;
  const char *place;

  // An error has a sentence; one that the engine caused names it.
  int32_t checked(int32_t status) {
    if (!status) return 0;
    const std::string message = tessera_session_message(session);
    if (message.empty()) fail("a lie about %s ends with %d and without a sentence", place, status);
    if (status == TESSERA_HOST_ERROR_DIED && message.find("org.example.") == std::string::npos) fail("a lie about %s: no engine is named: %s", place, message.c_str());
    return status;
  }
  void check(double x, double y, double width, double height, const char *what) {
    if (!(std::isfinite(x) && std::isfinite(y) && width >= 0 && height >= 0 && std::isfinite(width) && std::isfinite(height)))
      fail("a lie about %s becomes %s: %g,%g,%g,%g", place, what, x, y, width, height);
  }
  void check(const tessera_element *elements, uint64_t count, const char *what) {
    for (uint64_t i = 0; i < count; i++) {
      const tessera_element &element = elements[i];
      check(element.x, element.y, element.width, element.height, what);
      bool is_valid = element.alpha >= 0 && element.alpha <= 1 && element.hidden <= 1 && element.category >= 0 && element.category <= 2 && element.section < 3;
      for (double number : element.transform) is_valid = is_valid && std::isfinite(number);
      if (!is_valid) fail("a lie about %s becomes an element of %s: alpha %g, hidden %u, category %d, section %llu", place, what, element.alpha, element.hidden, element.category, (unsigned long long)element.section);
    }
  }
  void ask();
};

#define ASK(name, ...) checked(CALL(name, session __VA_OPT__(, ) __VA_ARGS__))

// Everything for which the host asks an engine.
void Liar::ask() {
  tessera_element elements[64], others[64];
  uint64_t count = 0, tracks = 0, section = 0, item = 0;
  double x = 0, y = 0, numbers[16];
  const size_t size = sizeof *elements;
  const uint64_t before[3] = {3, 0, 2}, after[3] = {2, 0, 3};
  ASK(tessera_session_set_direction, (int)chance.below(2));
  ASK(tessera_session_set_sections, before, 3);
  if (chance.one_in(2)) ASK(tessera_session_set_delegate, "bias", delegates[1], nullptr);
  if (!ASK(tessera_session_content_size, &x, &y)) check(0, 0, x, y, "a content size");
  if (chance.one_in(2)) {
    const double sizes[2] = {50, 10};
    if (!ASK(tessera_session_proposed_size, nullptr, 0, 0, &x, &y)) check(0, 0, x, y, "a proposed size");
    ASK(tessera_session_set_measured, nullptr, 0, 0, sizes, 1);
    ASK(tessera_session_set_measured, "header", 0, 0, sizes, 1);
  }
  if (!ASK(tessera_session_query_all, elements, size, 64, &count)) check(elements, std::min<uint64_t>(count, 64), "a query of all");
  for (uint32_t i = 0; i < 8 && count > 0 && count < 64; i++) {
    uint64_t copied = 0;
    for (unsigned components : {1, 2, 4}) {
      if (CALL(tessera_session_copy_attribute, session, i, 0, others[0].transform, components, 2, &copied)) continue;
      for (uint64_t n = 0; n < copied * components; n++) if (!std::isfinite(others[0].transform[n])) fail("a lie about %s becomes an attribute", place);
    }
  }
  ASK(tessera_session_set_offset, 0, (double)chance.below(30));
  if (!ASK(tessera_session_query_viewport, elements, size, 64, &count)) check(elements, std::min<uint64_t>(count, 64), "a query");
  if (!ASK(tessera_session_find, 0, nullptr, 0, 1, elements, size)) check(elements, 1, "a search");
  if (!ASK(tessera_session_find_at, 20, 20, elements, size)) check(elements, 1, "a search");
  if (!ASK(tessera_session_resting_offset, 10, 10, 5, 5, &x, &y)) check(x, y, 0, 0, "a resting offset");
  if (!ASK(tessera_session_offset_revealing, 2, 1, 0, &x, &y)) check(x, y, 0, 0, "an offset");
  const std::vector<std::string> names = {"boolOfOne", "u8OfOne", "i8OfOne", "u16OfOne", "i16OfOne", "u32OfOne", "i32OfOne", "u64OfOne", "i64OfOne", "f32OfOne", "f64OfOne", "pointOfOne", "sizeOfOne", "rectOfOne", "insetsOfOne"};
  for (const std::string &name : names) {
    const uint32_t width = name[0] == 'p' || name[0] == 's' ? 2 : name[0] == 'r' || name.starts_with("ins") ? 4 : 1;
    if (!ASK(tessera_session_call, name.c_str(), &x, 1, numbers, width)) for (uint32_t i = 0; i < width; i++) if (!std::isfinite(numbers[i])) fail("a lie about %s becomes a result of %s: %g", place, name.c_str(), numbers[i]);
  }
  if (!ASK(tessera_session_drag_begin, 0, 1)) {
    if (!ASK(tessera_session_drag_to, 50, 30, &section, &item) && (section >= 3 || item > 5)) fail("a lie about %s becomes a target: %llu", place, (unsigned long long)item);
    if (!ASK(tessera_session_drag_held, elements, size)) check(elements, 1, "a held item");
    ASK(tessera_session_drag_cancel);
  }
  tessera_columns columns;
  tessera_batch batch;
  if (!ASK(tessera_session_query_batch, nullptr, nullptr, 3, &columns, sizeof columns, &batch, sizeof batch)) {
    for (uint64_t i = 0; i < columns.count && i < 999; i++) check(columns.frames[4 * i], columns.frames[4 * i + 1], columns.frames[4 * i + 2], columns.frames[4 * i + 3], "an element of a batch");
    for (uint64_t i = 0; i < batch.count; i++) check(0, 0, batch.content_sizes[2 * i], batch.content_sizes[2 * i + 1], "a content size of a batch");
  }
  const tessera_edit edits[2] = {{TESSERA_HOST_OPERATION_DELETE_ITEM, 1, 0, 1, 0, 0}, {TESSERA_HOST_OPERATION_INSERT_ITEM, 1, 0, 0, 2, 1}};
  const bool is_visible = chance.one_in(2);
  if (!(is_visible ? ASK(tessera_session_update_visible, edits, 2, after, 3, nullptr, nullptr, &tracks) : ASK(tessera_session_update, edits, 2, after, 3, nullptr, nullptr, &tracks))) {
    if (!ASK(tessera_session_copy_tracks, 0, elements, others, nullptr, size, 64, &count)) check(elements, count, "a track"), check(others, count, "a track");
    for (double progress : {0.0, 0.3, 1.0}) if (!ASK(tessera_session_query_moment, progress, elements, size, 64, &count)) check(elements, std::min<uint64_t>(count, 64), "a moment");
  }
}

// A library whose declarations have a lie in them.
std::string declared_lie(int64_t place, int64_t number) {
  std::ifstream in(folder + "/versions/liar.so", std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  const size_t mark = bytes.find("the declared lie");
  if (mark == std::string::npos) fail("the lying library has no mark");
  memcpy(&bytes[mark + 24], &place, 8), memcpy(&bytes[mark + 32], &number, 8);
  const std::string path = folder + "/live/declared.so";
  std::filesystem::remove(path);
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

int64_t now() {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}
}  // namespace

LyingWorld::LyingWorld(uint64_t seed) : chance(seed) {
  engines = CALL(tessera_engines_create);
  if (!engines || CALL(tessera_engines_add_folder, engines, (folder + "/versions").c_str()) || CALL(tessera_engines_set_time_limit, engines, 2) ||
      CALL(tessera_engines_set_cache, engines, (folder + "/cache").c_str()) || CALL(tessera_engines_set_refusal_time, engines, 0) || CALL(tessera_engines_set_row_limit, engines, 10000))
    fail("there are no engines");
}

LyingWorld::~LyingWorld() {
  for (tessera_session *session : sessions) VOID_CALL(tessera_session_destroy, session);
  VOID_CALL(tessera_engines_destroy, engines);
}

void LyingWorld::step() {
  const uint64_t place = chance.below(PLACES), number = chance.below(ends[places[place].type].count), kind = chance.below(3);
  if (is_traced) fprintf(stderr, "%s, number %llu: %llx, %s\n", places[place].name, (unsigned long long)number, (unsigned long long)ends[places[place].type].numbers[number], kinds_of_engine[kind]);
  report->door = static_cast<const char *>(memcpy(report->text, places[place].name, std::min(strlen(places[place].name) + 1, sizeof report->text)));
  const int64_t start = now();
  if (places[place].is_declared) {
    tessera_session *session = nullptr;
    const std::string file = declared_lie((int64_t)place, (int64_t)number);
    const int32_t status = CALL(tessera_session_create, engines, (file + "#org.example." + kinds_of_engine[kind]).c_str(), &session);
    if (status && !*tessera_engines_message(engines)) fail("a declaration is refused without a sentence");
    if (!status) Liar{chance, session, places[place].name}.ask();
    VOID_CALL(tessera_session_destroy, session);
  } else {
    tessera_session *&session = sessions[kind];
    if (!session && CALL(tessera_session_create, engines, (folder + "/versions/liar.so#org.example." + kinds_of_engine[kind]).c_str(), &session)) fail("the lying engine is refused: %s", tessera_engines_message(engines));
    Liar liar{chance, session, places[place].name};
    const double chosen[3] = {(double)place, (double)number, (double)chance.below(4)};
    const char *const names[3] = {"place", "number", "turn"};
    for (int i = 0; i < 3; i++) if (CALL(tessera_session_set_parameter, session, names[i], &chosen[i], 1)) fail("the lie cannot be chosen: %s", tessera_session_message(session));
    liar.ask();
    if (chance.one_in(50)) VOID_CALL(tessera_session_destroy, session), session = nullptr;
  }
  // A few calls may take up to their limit.
  if (now() - start > 60000) fail("a lie about %s takes %lld ms", places[place].name, (long long)(now() - start));
}
