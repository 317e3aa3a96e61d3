#include "model.hpp"
#include <algorithm>
#include <unistd.h>

Schema schemas[VERSIONS + 1];
std::string folder;
std::atomic<uint64_t> sudden_replacements;

const Declared *Schema::find(int sort, const std::string &name) const {
  for (const Declared &declared : sorts[sort]) if (declared.name == name) return &declared;
  return nullptr;
}

// ---------------------------------------------------------------- what is in force

uint64_t Model::items() const {
  uint64_t sum = 0;
  for (const Section &section : sections) sum += section.items.size();
  return sum;
}

std::vector<uint64_t> Model::counts() const {
  std::vector<uint64_t> found;
  for (const Section &section : sections) found.push_back(section.items.size());
  return found;
}

uint64_t Model::index_of(Place place) const {
  uint64_t index = place.second;
  for (uint64_t section = 0; section < place.first; section++) index += sections[section].items.size();
  return index;
}

bool Model::has_right_counts() const {
  for (const auto &[name, column] : values)
    if (!column.is_constant && column.cells.size() != wanted(name.first)) return false;
  return true;
}

bool Model::has_faults() const {
  for (const auto &[name, column] : values)
    for (const Cell &cell : column.cells) if (cell.is_fault) return true;
  return false;
}

bool Model::is_viewport_valid() const {
  for (double length : bounds) if (!(length >= 0 && length <= 1e12)) return false;
  for (double place : offset) if (!(std::abs(place) <= 1e12)) return false;
  for (const auto &edges : insets) for (double edge : edges) if (!(edge >= 0 && edge <= 1e12)) return false;
  return scale >= 0.01 && scale <= 1000;
}

void Model::set_sections(const std::vector<Section> &new_sections) {
  for (const auto &[name, column] : values) removed[name] = column;
  values.clear(), forget_sizes();
  sections = new_sections;
  is_held = false;
}

void Model::move_item(Place from, Place to) {
  if (from == to) return;
  const uint64_t start = index_of(from), identity = sections[from.first].items[from.second];
  auto &left = sections[from.first].items, &entered = sections[to.first].items;
  left.erase(left.begin() + (long)from.second);
  entered.insert(entered.begin() + (long)to.second, identity);
  const uint64_t end = index_of(to);
  for (auto &[name, column] : values) {
    if (!name.first || column.is_constant || column.cells.size() <= std::max(start, end)) continue;
    const Cell cell = column.cells[start];
    column.cells.erase(column.cells.begin() + (long)start);
    column.cells.insert(column.cells.begin() + (long)end, cell);
  }
}

bool same(const Declared *one, const Declared *other) { return one && other && one->type == other->type && one->choices == other->choices; }

void Model::adopt(int number) {
  const Schema &old = schemas[version], &now = schemas[number];
  auto is_kept = [&](const std::string &name, const Cell &cell) {
    const Declared *declared = now.find(0, name);
    const Declared *last = old.find(0, name);
    if (!declared || !last || declared->type != last->type) return false;
    if (declared->type == "enum") return std::count(declared->choices.begin(), declared->choices.end(), cell.choice) > 0;
    for (unsigned i = 0; i < declared->components; i++)
      if (!(cell.numbers[i] >= declared->minimum[i] && cell.numbers[i] <= declared->maximum[i])) return false;
    return true;
  };
  std::erase_if(parameters, [&](const auto &entry) { return !is_kept(entry.first, entry.second); });
  auto is_dropped = [&](const auto &entry) {
    const int sort = entry.first.first ? TESSERA_HOST_DECLARED_ITEM_VALUES : TESSERA_HOST_DECLARED_SECTION_VALUES;
    return !same(old.find(sort, entry.first.second), now.find(sort, entry.first.second));
  };
  std::erase_if(values, is_dropped);
  std::erase_if(removed, is_dropped);
  removed_is_known = removed_is_known && removed.empty();
  const Declarations &before = old.sorts[TESSERA_HOST_DECLARED_LIST_COLUMNS], &after = now.sorts[TESSERA_HOST_DECLARED_LIST_COLUMNS];
  if (!std::equal(before.begin(), before.end(), after.begin(), after.end(), [](auto &one, auto &other) { return one.name == other.name && same(&one, &other); }))
    lists.clear();
  const int functions = TESSERA_HOST_DECLARED_DELEGATE_FUNCTIONS;
  std::erase_if(delegates, [&](const auto &entry) { return !same(old.find(functions, entry.first), now.find(functions, entry.first)); });
  if (number == 2) pushed_kinds.clear();  // it does not size headers
  version = number;
}

// ---------------------------------------------------------------- callbacks

int32_t measure_item(void *context, uint64_t section, uint64_t item, const double proposed[2], double measured[2]) {
  Used *used = static_cast<Used *>(context);
  if (used->chance && used->chance->one_in(40)) replace_library(*used->chance, true);
  uint64_t identity = section * 31 + item, layout = 0, first = 0;
  const int32_t status = CALL(tessera_session_batch_part, used->session, &layout, &first);
  if ((status == TESSERA_HOST_OK) == (used->measured != nullptr)) fail("a measuring function learns %d of its layout", status);
  if (used->measured) {
    if (section >= used->measured->size() || item >= (*used->measured)[section].items.size())
      fail("item %llu of section %llu is measured, which there is not", (unsigned long long)item, (unsigned long long)section);
    identity = (*used->measured)[section].items[item];
  }
  measured[0] = std::min(proposed[0], 90.0), measured[1] = 5 + (double)((identity * 7 + (uint64_t)used->model.measure * 13) % 30);
  return 0;
}

int32_t measure_kind(void *context, const char *kind, uint64_t section, const double proposed[2], double measured[2]) {
  Used *used = static_cast<Used *>(context);
  const uint64_t identity = used->measured ? section < used->measured->size() ? (*used->measured)[section].identity : 0 : section;
  measured[0] = proposed[0], measured[1] = 3 + (double)((identity * 5 + strlen(kind) + (uint64_t)used->model.measure_kinds) % 20);
  return 0;
}

template <int number>
static int32_t answer(void *, const double *arguments, uint32_t count, double *result, uint32_t wanted) {
  for (uint32_t i = 0; i < wanted; i++) result[i] = number * 10 + i;
  for (uint32_t i = 0; i < count; i++) result[0] += arguments[i];
  return 0;
}
static int32_t refuse(void *, const double *, uint32_t, double *, uint32_t) { return 7; }
const tessera_delegate delegates[4] = {nullptr, answer<1>, answer<2>, refuse};

// ---------------------------------------------------------------- arrays

std::vector<double> flattened(const Cells &cells, unsigned components) {
  std::vector<double> found;
  for (const Cell &cell : cells) found.insert(found.end(), cell.numbers, cell.numbers + components);
  found.resize(std::max<size_t>(found.size(), 1));
  return found;
}

std::vector<const char *> choices_of(const Cells &cells) {
  std::vector<const char *> found;
  for (const Cell &cell : cells) found.push_back(cell.choice.c_str());
  found.resize(std::max<size_t>(found.size(), 1));
  return found;
}

Arrow::Arrow(const Declared &declared, const Cells &cells) : numbers(flattened(cells, std::max(1u, declared.components))), validity(cells.size() / 8 + 1) {
  for (size_t i = 0; i < cells.size(); i++) validity[i / 8] |= (uint8_t)(!cells[i].is_fault << i % 8);
  schema.release = [](ArrowSchema *) {}, array.release = [](ArrowArray *) {};
  inner_schema.release = schema.release, inner_array.release = array.release;
  array.length = (int64_t)cells.size(), array.null_count = -1;
  array.buffers = buffers, buffers[0] = validity.data(), array.n_buffers = 2, buffers[1] = numbers.data();
  if (declared.type == "enum") {
    for (const Cell &cell : cells) offsets.push_back((int32_t)text.size()), text += cell.choice;
    offsets.push_back((int32_t)text.size());
    schema.format = "u", array.n_buffers = 3, buffers[1] = offsets.data(), buffers[2] = text.data();
  } else if (declared.components > 1) {
    format = "+w:" + std::to_string(declared.components);
    schema.format = format.c_str(), schema.n_children = array.n_children = 1, array.n_buffers = 1;
    schema.children = schema_children, array.children = array_children;
    schema_children[0] = &inner_schema, array_children[0] = &inner_array;
    inner_schema.format = "g", inner_array.buffers = inner_buffers, inner_array.n_buffers = 2;
    inner_array.length = array.length * declared.components;
    inner_buffers[0] = nullptr, inner_buffers[1] = numbers.data();
  } else {
    schema.format = "g";
  }
}

// ---------------------------------------------------------------- a session made new

#define GIVE(session, name, ...)                                                                                            \
  do {                                                                                                                      \
    const int32_t status_ = CALL(name, session, __VA_ARGS__);                                                               \
    if (status_) fail("the new session refuses what the other has: %s, %d, %s", #name, status_, tessera_session_message(session)); \
  } while (0)

static void give_values(tessera_session *session, const Model &model) {
  for (const auto &[name, column] : model.values) {
    const auto &[scope, text] = name;
    const Declared *declared = schemas[model.version].find(scope ? TESSERA_HOST_DECLARED_ITEM_VALUES : TESSERA_HOST_DECLARED_SECTION_VALUES, text);
    const uint64_t count = column.cells.size();
    if (std::any_of(column.cells.begin(), column.cells.end(), [](const Cell &cell) { return cell.is_fault; })) {
      Arrow arrow(*declared, column.cells);
      GIVE(session, tessera_session_set_values_arrow, TESSERA_HOST_SCOPE_BATCH, text.c_str(), &arrow.schema, &arrow.array);
    } else if (declared->type == "enum") {
      GIVE(session, tessera_session_set_value_choices, scope, text.c_str(), choices_of(column.cells).data(), count, column.is_constant ? 0 : sizeof(char *));
    } else {
      const unsigned components = declared->components;
      GIVE(session, tessera_session_set_values, scope, text.c_str(), flattened(column.cells, components).data(), components, count,
           column.is_constant ? 0 : components * sizeof(double));
    }
  }
}

static void give_lists(tessera_session *session, const Model &model) {
  for (const auto &[name, list] : model.lists) {
    GIVE(session, tessera_session_set_list, name.c_str(), list.count);
    for (const auto &[column, cells] : list.columns) {
      const Declared *declared = schemas[model.version].find(TESSERA_HOST_DECLARED_LIST_COLUMNS, name + "." + column);
      if (declared->type == "enum")
        GIVE(session, tessera_session_set_list_choices, name.c_str(), column.c_str(), choices_of(cells).data(), cells.size(), sizeof(char *));
      else
        GIVE(session, tessera_session_set_list_column, name.c_str(), column.c_str(), flattened(cells, 1).data(), 1, cells.size(), sizeof(double));
    }
  }
}

static void give_sizes(tessera_session *session, const Model &model) {
  if (model.pushes_items) CALL(tessera_session_withdraw_measured, session, nullptr, 0, 0, 0);
  // Not every version sizes headers.
  const bool sizes_headers = model.pushes_kinds && !model.sections.empty() && !CALL(tessera_session_withdraw_measured, session, "header", 0, 0, 1);
  for (uint64_t section = 0; section < model.sections.size(); section++) {
    const auto head = model.pushed_kinds.find(model.sections[section].identity);
    if (sizes_headers && head != model.pushed_kinds.end()) GIVE(session, tessera_session_set_measured, "header", section, 0, &head->second.size.width, 1);
    for (uint64_t item = 0; item < model.sections[section].items.size(); item++) {
      const auto found = model.pushed.find(model.sections[section].items[item]);
      if (found != model.pushed.end()) GIVE(session, tessera_session_set_measured, nullptr, section, item, &found->second.size.width, 1);
    }
  }
}

bool knows_column(const Model &model, const std::string &name) {
  for (const char *known : {"alpha", "z_index", "hidden", "kind"}) if (name == known) return true;
  return schemas[model.version].find(TESSERA_HOST_DECLARED_ATTRIBUTES, name);
}

void replay(tessera_engines *engines, const Model &model, Used &fresh, bool is_laid_out) {
  fresh.model = model;
  fresh.measured = &fresh.model.sections;
  if (CALL(tessera_session_create, engines, version_file(model.version).c_str(), &fresh.session))
    fail("there is no new session: %s", tessera_engines_message(engines));
  tessera_session *session = fresh.session;
  if (model.measure) GIVE(session, tessera_session_set_measure, measure_item, &fresh);
  if (model.measure_kinds) GIVE(session, tessera_session_set_measure_supplementary, measure_kind, &fresh);
  GIVE(session, tessera_session_set_sections, model.counts().data(), model.sections.size());
  GIVE(session, tessera_session_set_bounds, model.bounds[0], model.bounds[1]);
  GIVE(session, tessera_session_set_offset, model.offset[0], model.offset[1]);
  const double(*edges)[4] = model.insets;
  GIVE(session, tessera_session_set_content_insets, edges[0][0], edges[0][1], edges[0][2], edges[0][3]);
  GIVE(session, tessera_session_set_safe_area, edges[1][0], edges[1][1], edges[1][2], edges[1][3]);
  GIVE(session, tessera_session_set_layout_margins, edges[2][0], edges[2][1], edges[2][2], edges[2][3]);
  GIVE(session, tessera_session_set_scale, model.scale);
  GIVE(session, tessera_session_set_direction, model.direction);
  GIVE(session, tessera_session_set_element_limit, model.limit);
  for (const auto &[name, cell] : model.parameters) {
    const Declared *declared = schemas[model.version].find(0, name);
    if (declared->type == "enum") GIVE(session, tessera_session_set_parameter_choice, name.c_str(), cell.choice.c_str());
    else GIVE(session, tessera_session_set_parameter, name.c_str(), cell.numbers, declared->components);
  }
  give_lists(session, model);
  give_values(session, model);
  for (const auto &[name, number] : model.delegates) GIVE(session, tessera_session_set_delegate, name.c_str(), delegates[number], nullptr);
  if (model.has_batch_columns) {
    std::vector<const char *> columns;
    for (const std::string &name : model.batch_columns) if (knows_column(model, name)) columns.push_back(name.c_str());
    columns.push_back(nullptr);
    GIVE(session, tessera_session_set_batch_columns, columns.data(), columns.size() - 1);
  }
  // Where the layout fails, neither session can be given any.
  if (is_laid_out) give_sizes(session, model);
}

// ---------------------------------------------------------------- the oracle

void note_version(Used &used) {
  tessera_engine_info info;
  if (CALL(tessera_session_get_engine, used.session, &info, sizeof info)) return;
  const int version = info.version[2] - '0';
  if (version != used.model.version) report->reloads++, used.model.adopt(version);
}

static void note_state(const std::vector<double> &numbers) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < numbers.size() * 8; i++) hash = (hash ^ reinterpret_cast<const uint8_t *>(numbers.data())[i]) * 1099511628211u;
  hash ^= hash >> 29;
  report->states[hash >> 6 & 0xFFFF] |= 1ull << (hash & 63);
}

// What a session shows, as numbers.
static std::vector<double> answer_of(Used &used, int32_t &status) {
  tessera_session *session = used.session;
  std::vector<double> found(2);
  uint64_t count = 0;
  status = CALL(tessera_session_content_size, session, &found[0], &found[1]);
  if (status) return {};
  if ((status = CALL(tessera_session_query_all, session, nullptr, sizeof(tessera_element), 0, &count))) return {};
  if ((status = CALL(tessera_session_content_size, session, &found[0], &found[1]))) return {};
  std::vector<tessera_element> elements(count + 1);
  if ((status = CALL(tessera_session_copy_elements, session, 0, elements.data(), sizeof(tessera_element), count, &count))) return {};
  for (uint64_t i = 0; i < count; i++) {
    const tessera_element &element = elements[i];
    double kind = 0;
    if (element.kind != TESSERA_HOST_NO_KIND) {
      const char *name = CALL(tessera_session_kind_name, session, element.kind);
      if (!name) fail("an element has the kind %u, which has no name", element.kind);
      for (; *name; name++) kind = kind * 31 + *name;
    }
    found.insert(found.end(), {(double)element.category, kind, (double)element.section, (double)element.item, element.x, element.y, element.width,
                               element.height, element.alpha, (double)element.z_index, (double)element.hidden});
    found.insert(found.end(), element.transform, element.transform + 16);
    if (!(element.width >= 0 && element.height >= 0 && std::isfinite(element.x) && std::isfinite(element.y) && element.alpha >= 0 && element.alpha <= 1))
      fail("element %llu is invalid", (unsigned long long)i);
  }
  // Those of the result: the library can be another by now.
  const uint32_t attributes = count > 0 ? CALL(tessera_session_attribute_count, session) : 0;
  for (uint32_t i = 0; i < attributes; i++) {
    const char *name = CALL(tessera_session_attribute_name, session, i);
    if (!name) fail("attribute %u of %u has no name", i, attributes);
    for (; *name; name++) found.push_back(*name);
    std::vector<double> numbers(4 * count);
    uint64_t copied = 0;
    unsigned components = 1;
    while ((status = CALL(tessera_session_copy_attribute, session, i, 0, numbers.data(), components, count, &copied)) && components < 4) components *= 2;
    if (status || copied != count) fail("attribute %u is not copied: %d, %s", i, status, tessera_session_message(session));
    found.insert(found.end(), numbers.begin(), numbers.begin() + (long)(components * count));
  }
  note_state(found);
  return found;
}

static void check_same(const std::vector<double> &one, const std::vector<double> &other, const char *what) {
  if (is_traced)
    for (const auto *list : {&one, &other}) {
      for (double number : *list) fprintf(stderr, " %g", number);
      fprintf(stderr, "\n");
    }
  if (one.size() != other.size()) fail("%s: %zu numbers; a session made new has %zu", what, one.size(), other.size());
  for (size_t i = 0; i < one.size(); i++)
    if (memcmp(&one[i], &other[i], sizeof(double)) && !(one[i] == 0 && other[i] == 0))
      fail("%s: number %zu is %.17g; a session made new has %.17g", what, i, one[i], other[i]);
}

void compare(tessera_engines *engines, Used &used) {
  int32_t status = 0, new_status = 0;
  std::vector<double> found;
  const uint64_t sudden = sudden_replacements;
  // A reload between the calls would compare two versions.
  for (int version = -1; version != used.model.version; note_version(used)) {
    note_version(used);
    version = used.model.version;
    do found = answer_of(used, status);
    while (status == TESSERA_HOST_ERROR_CANCELLED);
    // What is measured moves the offset, on which pinned elements depend.
    if (!status) CALL(tessera_session_offset, used.session, &used.model.offset[0], &used.model.offset[1]), found = answer_of(used, status);
    if (status == TESSERA_HOST_ERROR_CANCELLED) { version = -1; continue; }
    const std::string code = CALL(tessera_session_code, used.session), message = CALL(tessera_session_message, used.session);
    if (status && message.empty()) fail("a query ends with %d and says nothing", status);
    note_version(used);
    if (version == used.model.version) break;
  }
  if (sudden != sudden_replacements || used.sudden != sudden) return;
  report->compared++;
  if (!used.model.has_right_counts()) {
    if (used.model.is_viewport_valid() && status != TESSERA_HOST_ERROR_INVALID) fail("values of other counts than items end with %d; expected 65", status);
    return;
  }
  const std::string message = tessera_session_message(used.session);
  Used fresh;
  replay(engines, used.model, fresh, status == 0);
  std::vector<double> expected = answer_of(fresh, new_status);
  if (!new_status) {
    if (CALL(tessera_session_set_offset, fresh.session, used.model.offset[0], used.model.offset[1])) fail("the new session has no offset");
    expected = answer_of(fresh, new_status);
  }
  if (status != new_status) fail("the status is %d, %s; that of a session made new is %d, %s", status, message.c_str(), new_status, tessera_session_message(fresh.session));
  if (!status) check_same(found, expected, "the layout");
  VOID_CALL(tessera_session_destroy, fresh.session);
  if (!status) used.model.removed.clear(), used.model.removed_is_known = true;
}

static std::vector<double> batch_of(Used &used, const std::vector<uint64_t> &parts, const std::vector<double> &bounds, int32_t &status) {
  tessera_columns columns;
  tessera_batch batch;
  const uint64_t count = parts.empty() ? used.model.sections.size() : parts.size();
  used.measured = nullptr;
  status = CALL(tessera_session_query_batch, used.session, parts.empty() ? nullptr : parts.data(), bounds.empty() ? nullptr : bounds.data(), count,
                &columns, sizeof columns, &batch, sizeof batch);
  used.measured = &used.model.sections;
  if (status) return {};
  std::vector<double> found = {(double)batch.count, (double)columns.count};
  for (uint64_t i = 0; i < batch.count; i++) {
    found.insert(found.end(), {(double)batch.ends[i], batch.content_sizes[2 * i], batch.content_sizes[2 * i + 1], (double)batch.statuses[i]});
    const char *code = CALL(tessera_session_batch_code, used.session, i), *message = CALL(tessera_session_batch_message, used.session, i);
    if (!code || !message || (batch.statuses[i] != 0) != (*message != 0)) fail("layout %llu has the status %d and the message %s", (unsigned long long)i, batch.statuses[i], message ? message : "null");
  }
  for (uint64_t i = 0; i < columns.run_count; i++)
    found.insert(found.end(), {(double)columns.runs[i].category, (double)columns.runs[i].section, (double)columns.runs[i].first_item, (double)columns.runs[i].count});
  found.insert(found.end(), columns.frames, columns.frames + 4 * columns.count);
  if (columns.alphas) found.insert(found.end(), columns.alphas, columns.alphas + columns.count);
  return found;
}

void compare_batch(tessera_engines *engines, Used &used, const std::vector<uint64_t> &parts, const std::vector<double> &bounds,
                   const std::string &parameter, const Cells &cells) {
  int32_t status = 0, new_status = 0;
  const uint64_t sudden = sudden_replacements;
  note_version(used);
  auto give = [&](tessera_session *session) {
    if (parameter.empty()) return (int32_t)0;
    const Declared *declared = schemas[used.model.version].find(0, parameter);
    if (!declared) return (int32_t)TESSERA_HOST_ERROR_INVALID;
    Arrow arrow(*declared, cells);
    return CALL(tessera_session_set_batch_parameter_arrow, session, parameter.c_str(), &arrow.schema, &arrow.array);
  };
  const int version = used.model.version;
  const int32_t given = give(used.session);
  std::vector<double> found = batch_of(used, parts, bounds, status);
  const std::string message = tessera_session_message(used.session);
  if (!parameter.empty()) CALL(tessera_session_set_batch_parameter_arrow, used.session, parameter.c_str(), nullptr, nullptr);
  note_version(used);
  // What measures is not told of which layout a section is.
  if (used.model.measure || used.model.measure_kinds || sudden != sudden_replacements || used.sudden != sudden) return;
  if (version != used.model.version || given || status == TESSERA_HOST_ERROR_CANCELLED || !used.model.has_right_counts()) return;
  // A new session with invalid values takes no sizes.
  if (used.model.has_faults() && (used.model.pushes_items || used.model.pushes_kinds)) return;
  Used fresh;
  replay(engines, used.model, fresh, status == 0);
  if (give(fresh.session)) fail("the new session refuses the parameter of a batch");
  const std::vector<double> expected = batch_of(fresh, parts, bounds, new_status);
  if (status != new_status) fail("the status of a batch is %d, %s; that of a session made new is %d, %s", status, message.c_str(), new_status, tessera_session_message(fresh.session));
  if (!status) check_same(found, expected, "the batch");
  VOID_CALL(tessera_session_destroy, fresh.session);
  report->compared++;
}

// ---------------------------------------------------------------- versions

std::string version_file(int version) { return folder + "/versions/v" + std::to_string(version) + ".so"; }

void read_schemas(tessera_engines *engines) {
  for (int version = 1; version <= VERSIONS; version++) {
    tessera_session *session = nullptr;
    if (CALL(tessera_session_create, engines, version_file(version).c_str(), &session)) fail("version %d cannot be used: %s", version, tessera_engines_message(engines));
    for (int sort = 0; sort < 9; sort++) {
      const uint32_t count = CALL(tessera_session_declaration_count, session, sort);
      for (uint32_t i = 0; i < count; i++) {
        tessera_declaration found;
        if (CALL(tessera_session_get_declaration, session, sort, i, &found, sizeof found)) fail("declaration %u is not there", i);
        Declared declared;
        declared.name = found.name, declared.type = found.type, declared.components = found.components;
        memcpy(declared.minimum, found.minimum, sizeof found.minimum), memcpy(declared.maximum, found.maximum, sizeof found.maximum);
        for (uint32_t choice = 0; choice < found.choice_count; choice++)
          declared.choices.push_back(CALL(tessera_session_declared_choice, session, sort, i, choice));
        schemas[version].sorts[sort].push_back(declared);
      }
    }
    VOID_CALL(tessera_session_destroy, session);
  }
}
