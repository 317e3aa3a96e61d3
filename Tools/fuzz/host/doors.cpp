#include "doors.hpp"
#include <algorithm>
#include <filesystem>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// A call with the session of the step; what fails says why.
#define GIVEN(name, ...) said(world, #name, CALL(name, world.used->session __VA_OPT__(, ) __VA_ARGS__))

static int32_t said(World &world, const char *name, int32_t status) {
  if (status && !*tessera_session_message(world.used->session)) fail("%s returned %d and says nothing", name, status);
  note_version(*world.used);
  return status;
}

// Whether a name was the same before a call as it is now: the library may have been loaded before the call did its work, or after.
static bool is_sure(World &world, int before, int sort, const std::string &name) {
  const int now = world.used->model.version;
  const Declared *old = schemas[before].find(sort, name), *found = schemas[now].find(sort, name);
  return before == now || (same(old, found) && !memcmp(old->maximum, found->maximum, sizeof old->maximum));
}

// Values and sizes are given anew where it is not certain what the session has.
static void forget_values(World &world) {
  Model &model = world.used->model;
  if (!GIVEN(tessera_session_set_sections, model.counts().data(), model.sections.size())) model.set_sections(model.sections);
  model.removed_is_known = false;
}

static const Schema &schema(World &world) { return schemas[world.used->model.version]; }

std::string left_out;

// ---------------------------------------------------------------- choosing

// A name that is declared; else one of another version, or none at all. Returns null for a name that this version lacks.
static const Declared *choose(World &world, int sort, std::string &name) {
  Chance &chance = world.chance;
  const Schema &from = chance.one_in(8) ? schemas[1 + chance.below(VERSIONS)] : schema(world);
  if (chance.one_in(30) || from.sorts[sort].empty()) {
    name = chance.of<std::string>({"", "x", "\xff", "gap", "tint", "header"});
  } else {
    name = chance.of(from.sorts[sort]).name;
  }
  return schema(world).find(sort, name);
}

static Cell cell_of(Chance &chance, const Declared *declared) {
  Cell cell;
  if (!declared) return cell.choice = "a", cell;
  if (declared->type == "enum") return cell.choice = chance.one_in(20) ? "nothing" : chance.of(declared->choices), cell;
  for (double &number : cell.numbers) number = declared->type == "bool" ? (double)chance.below(2) : (double)chance.below(36);
  for (unsigned i = declared->components; i < 4; i++) cell.numbers[i] = 0;
  if (chance.one_in(50)) cell.numbers[0] = chance.real();
  return cell;
}

static Cells cells_of(Chance &chance, const Declared *declared, uint64_t count) {
  Cells cells;
  for (uint64_t i = 0; i < count; i++) cells.push_back(cell_of(chance, declared));
  return cells;
}

static std::vector<Section> new_sections(World &world) {
  std::vector<Section> sections;
  const bool is_long = world.little_memory && world.chance.one_in(3);
  for (uint64_t left = world.chance.below(5); left > 0; left--) {
    Section section = {world.identities++, {}};
    for (uint64_t items = is_long ? 100000 : world.chance.below(9); items > 0; items--) section.items.push_back(world.identities++);
    sections.push_back(section);
  }
  return sections;
}

static Place place_of(World &world) {
  const Model &model = world.used->model;
  if (model.sections.empty() || world.chance.one_in(20)) return {world.chance.end(), world.chance.end()};
  const uint64_t section = world.chance.below(model.sections.size());
  return {section, world.chance.below(model.sections[section].items.size() + (world.chance.one_in(9) ? 1 : 0))};
}

static uint64_t few(Chance &chance, uint64_t most) { return chance.below(std::min<uint64_t>(most, 4) + 1); }

// ---------------------------------------------------------------- settings

// Sizes are forgotten once an element is offered another.
static void note_offers(World &world) {
  Used &used = *world.used;
  Model &model = used.model;
  for (uint64_t section = 0; section < model.sections.size(); section++) {
    double offer[2];
    auto keep = [&](std::map<uint64_t, Pushed> &sizes, uint64_t identity, const char *kind, uint64_t item) {
      const auto found = sizes.find(identity);
      if (found == sizes.end()) return;
      const int32_t status = GIVEN(tessera_session_proposed_size, kind, section, item, &offer[0], &offer[1]);
      // Where that is not known, nothing is certain.
      if (status || offer[0] != found->second.offer) sizes.erase(found);
      if (status) GIVEN(tessera_session_set_sections, model.counts().data(), model.sections.size()), model.set_sections(model.sections);
    };
    keep(model.pushed_kinds, model.sections[section].identity, "header", 0);
    for (uint64_t item = 0; item < model.sections[section].items.size(); item++) keep(model.pushed, model.sections[section].items[item], nullptr, item);
  }
}

static void set_viewport(World &world) {
  Chance &chance = world.chance;
  Model &model = world.used->model;
  const bool is_odd = chance.one_in(30);
  auto number = [&](double least, uint64_t most) { return is_odd ? chance.real() : least + (double)chance.below(most); };
  const double two[2] = {number(100, 400), number(100, 600)}, four[4] = {number(0, 20), number(0, 20), number(0, 20), number(0, 20)};
  auto edges = [&](int which, int32_t status) { if (!status) memcpy(model.insets[which], four, sizeof four); };
  switch (chance.below(8)) {
    case 0: if (!GIVEN(tessera_session_set_bounds, two[0], two[1])) memcpy(model.bounds, two, sizeof two); break;
    case 1: if (!GIVEN(tessera_session_set_offset, two[0] - 100, two[1] - 100)) model.offset[0] = two[0] - 100, model.offset[1] = two[1] - 100; break;
    case 2: edges(0, GIVEN(tessera_session_set_content_insets, four[0], four[1], four[2], four[3])); break;
    case 3: edges(1, GIVEN(tessera_session_set_safe_area, four[0], four[1], four[2], four[3])); break;
    case 4: edges(2, GIVEN(tessera_session_set_layout_margins, four[0], four[1], four[2], four[3])); break;
    case 5: { const double scale = number(1, 3); if (!GIVEN(tessera_session_set_scale, scale)) model.scale = scale; break; }
    case 6: { const int direction = (int)chance.below(2) - (int)is_odd; if (!GIVEN(tessera_session_set_direction, direction)) model.direction = direction; break; }
    default: { const uint64_t limit = is_odd ? chance.end() : 10000000; if (!GIVEN(tessera_session_set_element_limit, limit)) model.limit = limit; }
  }
}

// What is invalid does not stay so for long: else nothing would be tried but refusals.
static void set_viewport_right(World &world) {
  Model &model = world.used->model;
  if (model.is_viewport_valid() && model.limit == 10000000) return;
  const Model usual;
  if (!GIVEN(tessera_session_set_bounds, 300, 400)) model.bounds[0] = 300, model.bounds[1] = 400;
  if (!GIVEN(tessera_session_set_offset, 0, 0)) memcpy(model.offset, usual.offset, sizeof model.offset);
  if (!GIVEN(tessera_session_set_content_insets, 0, 0, 0, 0) && !GIVEN(tessera_session_set_safe_area, 0, 0, 0, 0) && !GIVEN(tessera_session_set_layout_margins, 0, 0, 0, 0))
    memcpy(model.insets, usual.insets, sizeof model.insets);
  if (!GIVEN(tessera_session_set_scale, 2)) model.scale = 2;
  if (!GIVEN(tessera_session_set_element_limit, usual.limit)) model.limit = usual.limit;
}

static void set_parameter(World &world) {
  std::string name;
  const Declared *declared = choose(world, TESSERA_HOST_DECLARED_PARAMETERS, name);
  Model &model = world.used->model;
  const Cell cell = cell_of(world.chance, declared);
  const int before = model.version;
  if (world.chance.one_in(5)) {
    if (!GIVEN(tessera_session_reset_parameter, name.c_str())) model.parameters.erase(name);
  } else if (cell.choice.empty() ? !GIVEN(tessera_session_set_parameter, name.c_str(), cell.numbers, declared ? declared->components : 1)
                                 : !GIVEN(tessera_session_set_parameter_choice, name.c_str(), cell.choice.c_str())) {
    model.parameters[name] = cell;
    if (!is_sure(world, before, TESSERA_HOST_DECLARED_PARAMETERS, name)) GIVEN(tessera_session_reset_parameter, name.c_str()), model.parameters.erase(name);
  }
  if (name == "offer") note_offers(world);
}

static void set_list(World &world) {
  Chance &chance = world.chance;
  std::string name, column;
  choose(world, TESSERA_HOST_DECLARED_LISTS, name);
  auto &lists = world.used->model.lists;
  const uint64_t known = lists.count(name) ? lists[name].count : 0;
  const int before = world.used->model.version;
  // The lists of two versions differ as a whole.
  auto is_of_one_version = [&] {
    if (is_sure(world, before, TESSERA_HOST_DECLARED_LIST_COLUMNS, "bands.width")) return true;
    GIVEN(tessera_session_set_list, name.c_str(), 0);
    lists.erase(name);
    return false;
  };
  if (chance.one_in(3)) {
    const uint64_t count = chance.one_in(30) ? chance.end() : chance.below(5);
    if (!GIVEN(tessera_session_set_list, name.c_str(), count) && is_of_one_version()) lists[name] = {count, {}};
  } else {
    const Declared *declared = choose(world, TESSERA_HOST_DECLARED_LIST_COLUMNS, column);
    column = column.substr(std::min(column.size(), column.find('.') + 1));
    const Cells cells = cells_of(chance, declared, chance.one_in(9) ? chance.below(5) : std::min<uint64_t>(known, 9));
    const bool is_choice = declared && declared->type == "enum";
    if (is_choice ? !GIVEN(tessera_session_set_list_choices, name.c_str(), column.c_str(), choices_of(cells).data(), cells.size(), sizeof(char *))
                  : !GIVEN(tessera_session_set_list_column, name.c_str(), column.c_str(), flattened(cells, 1).data(), 1, cells.size(), 8)) {
      if (!is_of_one_version()) return;
      List &changed = lists[name];
      if (changed.count != cells.size()) fail("%zu values of %s are accepted for %llu records", cells.size(), name.c_str(), (unsigned long long)changed.count);
      changed.columns[column] = cells;
    }
  }
}

static void set_sections(World &world) {
  const std::vector<Section> sections = new_sections(world);
  Model model;
  model.sections = sections;
  std::vector<uint64_t> counts = model.counts();
  if (world.chance.one_in(20)) {
    counts.push_back(world.chance.end() | 1ull << 63);
    if (!GIVEN(tessera_session_set_sections, counts.data(), counts.size())) fail("more than 2^62 items are accepted");
  } else if (!GIVEN(tessera_session_set_sections, counts.data(), counts.size())) {
    world.used->model.set_sections(sections);
  }
}

// Sets, appends or splices values, and notes them. In an update it is called from its callback.
static void give_values(World &world, const Name &name, const Declared *declared, bool is_exact) {
  Chance &chance = world.chance;
  Model &model = world.used->model;
  const auto &[scope, text] = name;
  const uint64_t wanted = model.wanted(scope);
  const bool is_choice = declared && declared->type == "enum";
  const unsigned components = declared ? declared->components : 1;
  const auto present = model.values.find(name), gone = model.removed.find(name);
  const bool is_known = present != model.values.end() || model.removed_is_known;
  static const Cells none;
  const Values *last = present != model.values.end() ? &present->second : gone != model.removed.end() ? &gone->second : nullptr;
  const Cells &known = last && !last->is_constant ? last->cells : none;
  const uint64_t stride = is_choice ? sizeof(char *) : components * sizeof(double);
  if (is_traced) fprintf(stderr, "  %s of scope %u, version %d\n", text.c_str(), scope, model.version);
  switch (is_known ? chance.below(4) : chance.below(2)) {
    case 0: {
      const bool is_constant = chance.one_in(3);
      const Cells cells = cells_of(chance, declared, is_constant ? 1 : is_exact || !chance.one_in(30) ? wanted : chance.below(9));
      if (is_choice ? !GIVEN(tessera_session_set_value_choices, scope, text.c_str(), choices_of(cells).data(), cells.size(), is_constant ? 0 : stride)
                    : !GIVEN(tessera_session_set_values, scope, text.c_str(), flattened(cells, components).data(), components, cells.size(), is_constant ? 0 : stride))
        model.values[name] = {is_constant, cells};
      break;
    }
    case 1: {
      // Arrays are not allowed in the callback of an update.
      if (is_exact || !declared) break;
      Cells cells = cells_of(chance, declared, wanted);
      const bool is_of_batch = scope && chance.one_in(2);
      if (is_of_batch) for (Cell &cell : cells) cell.is_fault = chance.one_in(8);
      Arrow arrow(*declared, cells);
      if (!GIVEN(tessera_session_set_values_arrow, is_of_batch ? TESSERA_HOST_SCOPE_BATCH : scope, text.c_str(), &arrow.schema, &arrow.array)) {
        // Values that are invalid for their type are of the layouts of their items, too.
        for (Cell &cell : cells)
          cell.is_fault = cell.is_fault || !std::isfinite(cell.numbers[0]) || (is_choice && !std::count(declared->choices.begin(), declared->choices.end(), cell.choice)) ||
                          (declared->type == "integer" && (cell.numbers[0] != std::floor(cell.numbers[0]) || std::abs(cell.numbers[0]) > 9007199254740992.0)) ||
                          (declared->type == "bool" && cell.numbers[0] != 0 && cell.numbers[0] != 1);
        model.values[name] = {false, cells};
      }
      break;
    }
    case 2: {
      const uint64_t first = chance.one_in(20) ? chance.end() : std::min<uint64_t>(chance.below(known.size() + 1), wanted);
      if (is_choice || first == 0) break;
      const Cells cells = cells_of(chance, declared, first <= wanted ? wanted - first : 0);
      if (cells.empty()) break;
      if (!GIVEN(tessera_session_set_values_from, scope, text.c_str(), first, flattened(cells, components).data(), components, cells.size(), stride)) {
        if (first > known.size()) fail("values from %llu on are accepted after %zu", (unsigned long long)first, known.size());
        Cells all(known.begin(), known.begin() + (long)first);
        all.insert(all.end(), cells.begin(), cells.end());
        model.values[name] = {false, all};
      }
      break;
    }
    default: {
      const bool is_odd = chance.one_in(20);
      const uint64_t place = is_odd ? chance.end() : chance.below(known.size() + 1), room = known.size() - std::min<uint64_t>(known.size(), place);
      // Mostly to as many as there must be.
      const int64_t more = (int64_t)wanted - (int64_t)known.size();
      uint64_t removed = is_odd ? chance.end() : few(chance, room), added = few(chance, 4);
      if (!chance.one_in(6) && !is_odd) {
        removed = more < 0 ? std::min<uint64_t>(room, (uint64_t)-more) : few(chance, room);
        added = (uint64_t)std::max<int64_t>(0, more + (int64_t)removed);
      }
      const Cells cells = cells_of(chance, declared, added);
      if (is_choice ? !GIVEN(tessera_session_splice_value_choices, scope, text.c_str(), place, removed, choices_of(cells).data(), cells.size(), stride)
                    : !GIVEN(tessera_session_splice_values, scope, text.c_str(), place, removed, flattened(cells, components).data(), components, cells.size(), stride)) {
        if (place > known.size() || removed > known.size() - place) fail("a splice beyond the %zu values is accepted", known.size());
        Cells all = known;
        all.erase(all.begin() + (long)place, all.begin() + (long)(place + removed));
        all.insert(all.begin() + (long)place, cells.begin(), cells.end());
        model.values[name] = {false, all};
      }
    }
  }
}

static void set_values(World &world) {
  const int before = world.used->model.version;
  std::string text;
  const uint32_t scope = world.chance.one_in(4) ? TESSERA_HOST_SCOPE_SECTION : TESSERA_HOST_SCOPE_ITEM;
  const Declared *declared = choose(world, scope ? TESSERA_HOST_DECLARED_ITEM_VALUES : TESSERA_HOST_DECLARED_SECTION_VALUES, text);
  give_values(world, {scope, text}, declared, false);
  if (!is_sure(world, before, scope ? TESSERA_HOST_DECLARED_ITEM_VALUES : TESSERA_HOST_DECLARED_SECTION_VALUES, text)) forget_values(world);
}

// Values that do not fit, and those that are invalid, end every query: they are set anew soon.
static void set_values_right(World &world) {
  Model &model = world.used->model;
  for (auto &[name, column] : model.values) {
    const bool is_wrong = !column.is_constant && column.cells.size() != model.wanted(name.first);
    const bool has_faults = std::any_of(column.cells.begin(), column.cells.end(), [](const Cell &cell) { return cell.is_fault; });
    if (!is_wrong && !(has_faults && world.chance.one_in(3))) continue;
    const Declared *declared = schema(world).find(name.first ? TESSERA_HOST_DECLARED_ITEM_VALUES : TESSERA_HOST_DECLARED_SECTION_VALUES, name.second);
    Cells cells;
    for (uint64_t i = 0; i < model.wanted(name.first); i++) {
      Cell cell;
      if (declared->type == "enum") cell.choice = declared->choices[0];
      cells.push_back(cell);
    }
    const Name kept = name;
    const unsigned components = declared->components;
    const int version = model.version;
    if (declared->type == "enum" ? !GIVEN(tessera_session_set_value_choices, kept.first, kept.second.c_str(), choices_of(cells).data(), cells.size(), sizeof(char *))
                                 : !GIVEN(tessera_session_set_values, kept.first, kept.second.c_str(), flattened(cells, components).data(), components, cells.size(), components * sizeof(double)))
      model.values[kept] = {false, cells};
    if (model.version != version) return forget_values(world);  // the columns are others
    if (model.values.find(kept) == model.values.end()) return;
  }
}

static void set_functions(World &world) {
  Chance &chance = world.chance;
  Model &model = world.used->model;
  const int number = (int)chance.below(3);
  std::string name;
  switch (chance.below(4)) {
    case 0: if (!GIVEN(tessera_session_set_measure, number ? measure_item : nullptr, world.used)) model.measure = number, model.forget_sizes(); break;
    case 1: if (!GIVEN(tessera_session_set_measure_supplementary, number ? measure_kind : nullptr, world.used)) model.measure_kinds = number, model.forget_sizes(); break;
    default: {
      choose(world, TESSERA_HOST_DECLARED_DELEGATE_FUNCTIONS, name);
      const int which = chance.one_in(20) ? 3 : number, before = model.version;
      if (GIVEN(tessera_session_set_delegate, name.c_str(), delegates[which], nullptr)) break;
      if (which) model.delegates[name] = which;
      else model.delegates.erase(name);
      if (!is_sure(world, before, TESSERA_HOST_DECLARED_DELEGATE_FUNCTIONS, name)) GIVEN(tessera_session_set_delegate, name.c_str(), nullptr, nullptr), model.delegates.erase(name);
    }
  }
}

static void give_sizes(World &world) {
  Chance &chance = world.chance;
  Model &model = world.used->model;
  const bool is_kind = chance.one_in(3);
  const char *kind = !is_kind ? nullptr : chance.one_in(9) ? "mark" : "header";
  Place place = place_of(world);
  if (is_kind && !chance.one_in(9)) place.second = 0;
  const bool is_there = place.first < model.sections.size();
  const uint64_t room = !is_there ? 0 : is_kind ? 1 : model.sections[place.first].items.size();
  const uint64_t count = chance.one_in(20) ? chance.end() & 0xFFFFFFFFFFFF : few(chance, room > place.second ? room - place.second : 0);
  double offer[2], sizes[16];
  for (double &size : sizes) size = chance.one_in(99) ? chance.real() : 2 + (double)chance.below(30);
  if (count > 8) return (void)GIVEN(tessera_session_withdraw_measured, kind, place.first, place.second, count);
  const bool gives = !chance.one_in(3);
  // The offer is asked for first: a size is for that.
  if (GIVEN(tessera_session_proposed_size, kind, place.first, place.second, &offer[0], &offer[1])) return;
  (is_kind ? model.pushes_kinds : model.pushes_items) = true;
  if (gives ? GIVEN(tessera_session_set_measured, kind, place.first, place.second, sizes, count)
            : GIVEN(tessera_session_withdraw_measured, kind, place.first, place.second, count))
    return note_offers(world);
  for (uint64_t i = 0; i < count; i++) {
    const Section &section = model.sections[place.first];
    auto &known = is_kind ? model.pushed_kinds : model.pushed;
    const uint64_t identity = is_kind ? section.identity : section.items[place.second + i];
    if (gives) known[identity] = {{sizes[2 * i], sizes[2 * i + 1]}, offer[0]};
    else known.erase(identity);
  }
  note_offers(world);
}

static int32_t go_on(void *context, double) {
  Chance *chance = static_cast<Chance *>(context);
  if (chance->one_in(50)) replace_library(*chance, true);
  return chance->one_in(200);
}

static void set_progress(World &world) { GIVEN(tessera_session_set_progress, world.chance.one_in(2) ? go_on : nullptr, &world.chance); }

// ---------------------------------------------------------------- updates

static std::vector<tessera_edit> edit_sections(World &world, std::vector<Section> &sections, std::vector<uint64_t> &reloaded) {
  Chance &chance = world.chance;
  auto edit = [](int operation, uint64_t count, uint64_t from, uint64_t from_item, uint64_t to, uint64_t to_item) {
    return std::vector<tessera_edit>{{operation, (uint32_t)count, from, from_item, to, to_item}};
  };
  const uint64_t count = sections.size(), section = chance.below(count);
  auto reload = [&](const Section &which, uint64_t first, uint64_t last) { reloaded.insert(reloaded.end(), which.items.begin() + (long)first, which.items.begin() + (long)last); };
  if (count == 0 || chance.one_in(6)) {
    const uint64_t to = chance.below(count + 1);
    sections.insert(sections.begin() + (long)to, {world.identities++, {world.identities++}});
    return edit(TESSERA_HOST_OPERATION_INSERT_SECTION, 1, 0, 0, to, 0);
  }
  auto &items = sections[section].items;
  const uint64_t place = chance.below(items.size() + 1), some = items.empty() ? 0 : 1 + chance.below(std::min<uint64_t>(3, items.size()));
  const uint64_t from = items.empty() ? 0 : chance.below(items.size() - some + 1);
  switch (chance.below(items.empty() ? 4 : 8)) {
    case 0: {
      const uint64_t to = chance.below(count);
      const Section moved = sections[section];
      sections.erase(sections.begin() + (long)section);
      sections.insert(sections.begin() + (long)to, moved);
      return edit(TESSERA_HOST_OPERATION_MOVE_SECTION, 1, section, 0, to, 0);
    }
    case 1:
      reload(sections[section], 0, items.size()), reloaded.push_back(sections[section].identity);
      return edit(TESSERA_HOST_OPERATION_RELOAD_SECTION, 1, section, 0, 0, 0);
    case 2:
      if (chance.one_in(3)) {
        sections.erase(sections.begin() + (long)section);
        return edit(TESSERA_HOST_OPERATION_DELETE_SECTION, 1, section, 0, 0, 0);
      }
      [[fallthrough]];
    case 3: {
      const uint64_t added = 1 + chance.below(3);
      for (uint64_t i = 0; i < added; i++) items.insert(items.begin() + (long)place, world.identities++);
      return edit(TESSERA_HOST_OPERATION_INSERT_ITEM, added, 0, 0, section, place);
    }
    case 4: reload(sections[section], from, from + some); return edit(TESSERA_HOST_OPERATION_RELOAD_ITEM, some, section, from, 0, 0);
    case 5: {
      const uint64_t identity = items[from], to = chance.below(count);
      items.erase(items.begin() + (long)from);
      const uint64_t to_item = chance.below(sections[to].items.size() + 1);
      sections[to].items.insert(sections[to].items.begin() + (long)to_item, identity);
      return edit(TESSERA_HOST_OPERATION_MOVE_ITEM, 1, section, from, to, to_item);
    }
    case 6: {
      // A deletion, and an insertion in the numbering after it.
      items.erase(items.begin() + (long)from, items.begin() + (long)(from + some));
      const uint64_t to = chance.below(items.size() + 1);
      items.insert(items.begin() + (long)to, world.identities++);
      std::vector<tessera_edit> edits = edit(TESSERA_HOST_OPERATION_DELETE_ITEM, some, section, from, 0, 0);
      edits.push_back({TESSERA_HOST_OPERATION_INSERT_ITEM, 1, 0, 0, section, to});
      return edits;
    }
    default:
      items.erase(items.begin() + (long)from, items.begin() + (long)(from + some));
      return edit(TESSERA_HOST_OPERATION_DELETE_ITEM, some, section, from, 0, 0);
  }
}

// The data of an update, which its callback gives.
struct Supplied { World *world; std::vector<Section> sections; bool is_called; };

static int32_t supply(void *context, tessera_session *session) {
  Supplied *supplied = static_cast<Supplied *>(context);
  World &world = *supplied->world;
  Model &model = world.used->model;
  supplied->is_called = true;
  const std::map<uint64_t, Pushed> pushed = model.pushed, kinds = model.pushed_kinds;
  model.set_sections(supplied->sections);
  model.pushed = pushed, model.pushed_kinds = kinds;
  model.removed_is_known = true;
  if (world.chance.one_in(9)) replace_library(world.chance, true);
  double number;
  if (world.chance.one_in(9) && CALL(tessera_session_content_size, session, &number, &number) != TESSERA_HOST_ERROR_MISUSED) fail("the callback of an update can query");
  for (uint32_t scope = 0; scope < 2; scope++)
    for (const Declared &declared : schema(world).sorts[scope ? TESSERA_HOST_DECLARED_ITEM_VALUES : TESSERA_HOST_DECLARED_SECTION_VALUES])
      if (!world.chance.one_in(3)) give_values(world, {scope, declared.name}, &declared, true);
  return world.chance.one_in(40) ? 5 : 0;
}

static void update(World &world) {
  Chance &chance = world.chance;
  Used &used = *world.used;
  Model &model = used.model;
  std::vector<Section> sections = model.sections;
  std::vector<uint64_t> reloaded;
  std::vector<tessera_edit> edits = edit_sections(world, sections, reloaded);
  Model after;
  after.sections = sections;
  std::vector<uint64_t> counts = after.counts();
  Supplied supplied = {&world, sections, false};
  const int before = model.version;
  uint64_t tracks = 0;
  int32_t status;
  const int which = (int)chance.below(3);
  // The identities are as many as the counts say.
  if (which < 2 && chance.one_in(20)) counts.push_back(1 + chance.below(3)), edits[0].from_item = chance.end();
  if (which == 2) {
    std::vector<std::string> texts[2];
    std::vector<const char *> names[2];
    reloaded.clear();
    const std::vector<Section> *lists[2] = {&model.sections, &sections};
    for (int i = 0; i < 2; i++) for (const Section &section : *lists[i]) for (uint64_t item : section.items) texts[i].push_back(std::to_string(item));
    for (int i = 0; i < 2; i++) { for (const std::string &text : texts[i]) names[i].push_back(text.c_str()); names[i].push_back(nullptr); }
    // Sections are matched by number.
    for (size_t i = 0; i < sections.size(); i++) sections[i].identity = i < model.sections.size() ? model.sections[i].identity : world.identities++;
    supplied.sections = sections;
    status = GIVEN(tessera_session_update_identities, names[0].data(), names[1].data(), counts.data(), counts.size(), supply, &supplied, &tracks);
  } else if (which == 1) {
    status = GIVEN(tessera_session_update_visible, edits.data(), edits.size(), counts.data(), counts.size(), supply, &supplied, &tracks);
  } else {
    status = GIVEN(tessera_session_update, edits.data(), edits.size(), counts.data(), counts.size(), supply, &supplied, &tracks);
  }
  if (status && !supplied.is_called) return;
  if (!supplied.is_called) fail("an update is done without its data");
  for (uint64_t identity : reloaded) model.pushed.erase(identity), model.pushed_kinds.erase(identity);
  if (status || before != model.version) {
    // The new counts stay; what else is left is not said.
    if (!GIVEN(tessera_session_set_sections, counts.data(), counts.size())) model.set_sections(sections), model.removed_is_known = false;
    return;
  }
  model.removed.clear(), model.removed_is_known = true;
  note_offers(world);
}

// ---------------------------------------------------------------- drags

static void drag(World &world) {
  Chance &chance = world.chance;
  Model &model = world.used->model;
  tessera_element held;
  tessera_edit edit = {};
  uint64_t section = 0, item = 0, count = 9;
  switch (model.is_held ? 1 + chance.below(6) : chance.below(20) ? 0 : 1 + chance.below(6)) {
    case 0: {
      const Place place = place_of(world);
      if (!GIVEN(tessera_session_drag_begin, place.first, place.second)) model.is_held = true, model.origin = model.target = place;
      break;
    }
    case 1:
      if (!GIVEN(tessera_session_drag_cancel)) {
        if (!model.is_held) fail("a drag is cancelled that was not begun");
        model.is_held = false;
        model.move_item(model.target, model.origin);
      }
      break;
    case 2:
      if (!GIVEN(tessera_session_drag_end, &edit, &count)) {
        if (!model.is_held || count != (model.origin != model.target)) fail("a drag ends with %llu edits", (unsigned long long)count);
        model.is_held = false;
        if (count && (edit.from_section != model.origin.first || edit.from_item != model.origin.second || edit.to_section != model.target.first || edit.to_item != model.target.second))
          fail("a drag ends with another move");
      }
      break;
    case 3: if (!GIVEN(tessera_session_drag_held, &held, sizeof held) && (held.section != model.target.first || held.item != model.target.second)) fail("another item is held"); break;
    default: {
      const double x = chance.one_in(20) ? chance.real() : (double)chance.below(1500), y = chance.one_in(20) ? chance.real() : (double)chance.below(300);
      if (!GIVEN(tessera_session_drag_to, x, y, &section, &item)) {
        if (!model.is_held || section >= model.sections.size()) fail("an item is dragged to section %llu", (unsigned long long)section);
        model.move_item(model.target, {section, item});
        model.target = {section, item};
        model.removed.clear(), model.removed_is_known = true;
      }
    }
  }
}

// ---------------------------------------------------------------- queries

static void query(World &world) {
  Chance &chance = world.chance;
  tessera_session *session = world.used->session;
  tessera_element elements[8];
  tessera_columns columns;
  uint64_t count = 0;
  const uint64_t size = chance.one_in(30) ? chance.end() : sizeof *elements, room = chance.below(9);
  double x = (double)chance.below(900), y = (double)chance.below(100), width = chance.one_in(20) ? chance.real() : 300;
  const double rect[4] = {x, y, width, 300};
  const Place place = place_of(world);
  const char *kind = chance.one_in(2) ? "header" : chance.one_in(2) ? "mark" : "halo";
  switch (chance.below(17)) {
    case 0: GIVEN(tessera_session_content_size, &x, &y); break;
    case 1: GIVEN(tessera_session_query_rect, x, y, width, 300, elements, size, room, &count); break;
    case 2: GIVEN(tessera_session_query_viewport, elements, size, room, &count); break;
    case 3: GIVEN(tessera_session_query_all, elements, size, room, &count); break;
    case 4: GIVEN(tessera_session_query_drawn, x, y, width, 300, 10, elements, size, room, &count); break;
    case 5: GIVEN(tessera_session_query_columns, chance.one_in(2) ? rect : nullptr, &columns, sizeof columns); break;
    case 6: GIVEN(tessera_session_get_columns, &columns, sizeof columns); break;
    case 7: GIVEN(tessera_session_copy_elements, chance.below(9), elements, size, room, &count); break;
    case 8: GIVEN(tessera_session_offset, &x, &y); break;
    case 9: GIVEN(tessera_session_find, (int)chance.below(3), chance.one_in(2) ? nullptr : kind, place.first, place.second, elements, size); break;
    case 10: GIVEN(tessera_session_find_at, x, y, elements, size); break;
    case 11: GIVEN(tessera_session_find_next, place.first, place.second, (int)chance.below(5), elements, size); break;
    case 12: GIVEN(tessera_session_offset_revealing, place.first, place.second, (int)chance.below(5), &x, &y); break;
    case 13: GIVEN(tessera_session_resting_offset, x, width, y, 0, &x, &y); break;
    case 14: CALL(tessera_session_needs, session); break;
    case 15: {
      int32_t descriptor = -1;
      if (GIVEN(tessera_session_prepare_begin, &descriptor)) break;
      GIVEN(tessera_session_offset, &x, &y);
      struct pollfd waited = {descriptor, POLLIN, 0};
      if (chance.one_in(2)) poll(&waited, 1, 1000);
      GIVEN(tessera_session_prepare_finish);
      break;
    }
    default: GIVEN(tessera_session_close);
  }
  // Measuring can move it.
  CALL(tessera_session_offset, session, &world.used->model.offset[0], &world.used->model.offset[1]);
  // A query may have been done, or not.
  if (!world.used->model.removed.empty()) world.used->model.removed_is_known = false;
}

static void look(World &world) {
  Chance &chance = world.chance;
  tessera_session *session = world.used->session;
  uint64_t count = 0;
  const uint32_t attribute = (uint32_t)chance.below(4);
  double numbers[4 * 8];
  const void *values;
  if (chance.one_in(2)) GIVEN(tessera_session_query_all, nullptr, sizeof(tessera_element), 0, &count);
  CALL(tessera_session_attribute_count, session);
  CALL(tessera_session_attribute_name, session, attribute);
  CALL(tessera_session_attribute_choice, session, attribute, (uint32_t)chance.below(3));
  CALL(tessera_session_kind_name, session, chance.one_in(9) ? (uint32_t)chance.end() : (uint32_t)chance.below(4));
  GIVEN(tessera_session_copy_attribute, attribute, chance.one_in(9) ? chance.end() : 0, numbers, 1 + (uint32_t)chance.below(4), 8, &count);
  GIVEN(tessera_session_get_attribute, attribute, &values);
  CALL(tessera_session_get_sandbox, session);
  CALL(tessera_session_message, session);
  uint32_t seconds = 0, events = 0;
  int32_t descriptor = 0;
  int32_t status = 0;
  GIVEN(tessera_session_refusal_time, &seconds);
  GIVEN(tessera_session_reloads, &count, &status);
  CALL(tessera_session_reload_message, session);
  GIVEN(tessera_session_watch, &descriptor, &events);
  GIVEN(tessera_session_set_time_limit, chance.one_in(20) ? chance.real() : 60.0);
}

static void declarations(World &world) {
  const int sort = (int)world.chance.below(9);
  note_version(*world.used);
  const uint64_t sudden = sudden_replacements;
  const int version = world.used->model.version;
  const uint32_t count = CALL(tessera_session_declaration_count, world.used->session, sort), index = (uint32_t)world.chance.below(count + 1);
  tessera_declaration found;
  GIVEN(tessera_session_get_declaration, sort, index, &found, sizeof found);
  CALL(tessera_session_declared_choice, world.used->session, sort, index, (uint32_t)world.chance.below(3));
  note_version(*world.used);
  // Another thread may have replaced the library.
  if (version != world.used->model.version || sudden != sudden_replacements) return;
  if (count != schema(world).sorts[sort].size())
    fail("%u declarations of sort %d; version %d has %zu", count, sort, world.used->model.version, schema(world).sorts[sort].size());
}

static void export_result(World &world) {
  Chance &chance = world.chance;
  ArrowSchema schema = {}, more = {};
  ArrowArray array = {}, copy = {};
  ArrowArrayStream stream = {};
  uint64_t count = 0;
  if (chance.one_in(2)) GIVEN(tessera_session_query_all, nullptr, sizeof(tessera_element), 0, &count);
  if (!GIVEN(tessera_session_export, &schema, &array)) {
    if (!CALL(tessera_arrow_share, &array, &more, &copy, nullptr)) more.release(&more), copy.release(&copy);
    schema.release(&schema), array.release(&array);
  }
  if (!GIVEN(tessera_session_export_stream, &stream)) stream.release(&stream);
}

static void call_function(World &world) {
  std::string name;
  const Declared *declared = choose(world, TESSERA_HOST_DECLARED_PUBLISHED_FUNCTIONS, name);
  auto width = [](const std::string &type) { return type == "void" ? 0u : type == "rect" || type == "insets" ? 4u : 1u; };
  const std::string signature = declared ? declared->type : "f64(f64)";
  const uint32_t results = width(signature.substr(0, signature.find('('))), arguments = 1 + (signature.find(',') != std::string::npos);
  const double numbers[2] = {(double)world.chance.below(99), (double)world.chance.below(99)};
  // What is beyond the result stays as it was.
  double found[12];
  for (double &number : found) number = -77;
  GIVEN(tessera_session_call, name.c_str(), numbers, arguments, found, results);
  for (uint32_t i = results; i < 12; i++) if (found[i] != -77) fail("%s writes %u numbers where there is room for %u", name.c_str(), i + 1, results);
}

static void batch(World &world) {
  Chance &chance = world.chance;
  Used &used = *world.used;
  std::vector<uint64_t> parts;
  std::vector<double> bounds;
  uint64_t left = used.model.sections.size();
  if (chance.one_in(2)) for (; left > 0; left -= parts.back()) parts.push_back(chance.below(left + 1) + (parts.size() > 6 ? left : 0) > left ? left : std::max<uint64_t>(1, chance.below(left + 1)));
  const uint64_t count = parts.empty() ? used.model.sections.size() : parts.size();
  if (chance.one_in(2)) for (uint64_t i = 0; i < 2 * count; i++) bounds.push_back(chance.one_in(20) ? chance.real() : 100 + (double)chance.below(300));
  std::string parameter;
  Cells cells;
  if (chance.one_in(2)) {
    const Declared *declared = choose(world, TESSERA_HOST_DECLARED_PARAMETERS, parameter);
    if (!declared) return;
    cells = cells_of(chance, declared, count);
    for (Cell &cell : cells) cell.is_fault = chance.one_in(9);
  }
  if (chance.one_in(3)) {
    const std::vector<std::string> all = {"alpha", "z_index", "hidden", "shade", "label", "lit", "kind"};
    std::vector<std::string> columns;
    std::vector<const char *> texts;
    for (const std::string &name : all) if (chance.one_in(3)) columns.push_back(name);
    for (const std::string &name : columns) texts.push_back(name.c_str());
    const bool is_null = chance.one_in(3);
    texts.push_back(nullptr);
    if (!GIVEN(tessera_session_set_batch_columns, is_null ? nullptr : texts.data(), is_null ? 0 : columns.size())) used.model.has_batch_columns = !is_null, used.model.batch_columns = columns;
  }
  // What another version does not have is taken back.
  for (const std::string &name : used.model.batch_columns) if (used.model.has_batch_columns && !knows_column(used.model, name) && !GIVEN(tessera_session_set_batch_columns, nullptr, 0)) used.model.has_batch_columns = false;
  if (!world.little_memory) compare_batch(world.fresh, used, parts, bounds, parameter, cells);
  note_version(used);
  if (!used.model.removed.empty()) used.model.removed_is_known = false;
  note_offers(world);
}

static void animate(World &world) {
  Chance &chance = world.chance;
  tessera_element from[4], to[4];
  tessera_columns columns;
  uint32_t fates[4];
  uint64_t count = 0, tracks[4];
  double numbers[4];
  const double progress = chance.one_in(20) ? chance.real() : (double)chance.below(5) / 4;
  tessera_moment *moment = nullptr;
  GIVEN(tessera_session_copy_tracks, chance.below(4), from, to, fates, sizeof *from, 4, &count);
  GIVEN(tessera_session_query_moment, progress, from, sizeof *from, 4, &count);
  GIVEN(tessera_session_moment_tracks, progress, tracks, 4, &count);
  GIVEN(tessera_session_query_moment_columns, progress, &columns, sizeof columns);
  GIVEN(tessera_session_moment_content, progress, &numbers[0], &numbers[1], &numbers[2], nullptr);
  const bool is_animated = chance.one_in(2);
  if (!(is_animated ? GIVEN(tessera_session_take_animated_moment, progress, &moment) : GIVEN(tessera_session_take_moment, &moment))) world.moments.push_back(moment);
  if (!world.moments.empty()) GIVEN(tessera_session_transition, chance.of(world.moments), &count);
  if (world.moments.size() > 4) VOID_CALL(tessera_moment_destroy, world.moments.back()), world.moments.pop_back();
  Used *other = chance.of(world.sessions).get();
  GIVEN(tessera_session_transition_visible, other->session, &count);
  note_version(*other);
  for (Used *used : {world.used, other}) {
    CALL(tessera_session_offset, used->session, &used->model.offset[0], &used->model.offset[1]);
    if (!used->model.removed.empty()) used->model.removed_is_known = false;
  }
}

// ---------------------------------------------------------------- engines, versions, processes

static void engines(World &world) {
  Chance &chance = world.chance;
  tessera_engines *some = chance.one_in(2) ? CALL(tessera_engines_create) : CALL(tessera_engines_copy, world.engines);
  if (!some) {
    if (!world.little_memory) fail("there are no engines");
    return;
  }
  tessera_engine_info info;
  tessera_refusal refusal;
  uint64_t count = 0, refused = 0;
  const bool is_odd = chance.one_in(9);
  CALL(tessera_engines_add_folder, some, is_odd ? "/nowhere" : (folder + "/versions").c_str());
  if (is_odd) CALL(tessera_engines_add_standard_folders, some);
  CALL(tessera_engines_set_isolation, some, (int)chance.below(4));
  CALL(tessera_engines_require_full_sandbox, some, is_odd ? 7 : 0);
  CALL(tessera_engines_set_refusal_time, some, 0);
  CALL(tessera_engines_set_worker, some, nullptr);
  CALL(tessera_engines_set_time_limit, some, is_odd ? chance.real() : 60.0);
  CALL(tessera_engines_set_memory_limit, some, is_odd ? chance.end() : 1ull << 32);
  CALL(tessera_engines_set_row_limit, some, is_odd ? chance.end() : 1000);
  CALL(tessera_engines_set_kept_workers, some, (uint32_t)chance.below(is_odd ? 99 : 3));
  CALL(tessera_engines_set_cache, some, (folder + "/cache").c_str());
  CALL(tessera_engines_set_allowlist, some, is_odd ? "/nowhere" : nullptr);
  if (!CALL(tessera_engines_list, some, &count, &refused)) {
    CALL(tessera_engines_get, some, chance.below(count + 1), &info, sizeof info);
    CALL(tessera_engines_get_refusal, some, chance.below(refused + 1), &refusal);
  } else if (!*CALL(tessera_engines_message, some) || !*CALL(tessera_engines_code, some)) {
    fail("a listing fails and says nothing");
  }
  CALL(tessera_host_version);
  VOID_CALL(tessera_engines_destroy, some);
}

static void replace(World &world) { replace_library(world.chance, world.sharing); }

// Versions are renamed over the library, as an installation does; seldom a file that is none.
void replace_library(Chance &chance, bool is_sudden) {
  static std::atomic<unsigned> number;
  if (number && left_out.find("replace") != std::string::npos) return;
  const std::string from = chance.one_in(9) ? folder + "/versions/none" : version_file(1 + (int)chance.below(VERSIONS));
  const std::string to = folder + "/live/new." + std::to_string(getpid()) + "." + std::to_string(number++);
  static const std::filesystem::copy_options none{};
  std::error_code code;
  if (!std::filesystem::copy_file(from, to, none, code) || rename(to.c_str(), (folder + "/live/live.so").c_str())) unlink(to.c_str());
  sudden_replacements += is_sudden;
}

static void open_session(World &world) {
  auto used = std::make_unique<Used>();
  const std::string file = world.chance.one_in(20) ? "nothing" : folder + "/live/live.so";
  if (CALL(tessera_session_create, world.engines, file.c_str(), &used->session)) {
    if (used->session) fail("a session that is not created is not null");
    return;
  }
  tessera_engine_info info;
  if (CALL(tessera_session_get_engine, used->session, &info, sizeof info)) fail("a session has no engine");
  used->model.version = info.version[2] - '0', used->sudden = sudden_replacements;
  used->model.sections[0].identity = world.identities++;
  used->measured = &used->model.sections;
  used->chance = &world.chance;
  world.sessions.push_back(std::move(used));
}

static void close_session(World &world) {
  if (world.sessions.size() < 2 || !world.chance.one_in(3)) return;
  const uint64_t place = world.chance.below(world.sessions.size());
  VOID_CALL(tessera_session_destroy, world.sessions[place]->session);
  world.sessions.erase(world.sessions.begin() + (long)place);
  world.used = nullptr;
}

// After a sudden replacement, all that versions can drop is set anew.
static void settle(World &world) {
  Used &used = *world.used;
  Model &model = used.model;
  for (int tries = 0; used.sudden != sudden_replacements && tries < 3; tries++) {
    used.sudden = sudden_replacements;
    for (const Schema &version : schemas) {
      for (const Declared &declared : version.sorts[TESSERA_HOST_DECLARED_PARAMETERS]) GIVEN(tessera_session_reset_parameter, declared.name.c_str());
      for (const Declared &declared : version.sorts[TESSERA_HOST_DECLARED_DELEGATE_FUNCTIONS]) GIVEN(tessera_session_set_delegate, declared.name.c_str(), nullptr, nullptr);
    }
    GIVEN(tessera_session_set_list, "bands", 0);
    GIVEN(tessera_session_set_batch_columns, nullptr, 0);
    model.parameters.clear(), model.delegates.clear(), model.lists.clear(), model.has_batch_columns = false;
    forget_values(world);
  }
}

static void compare_one(World &world) {
  // Without memory, there is no new session.
  if (!world.little_memory) compare(world.fresh, *world.used), note_offers(world);
}

// A child that the program forks uses what it has, and its parent goes on as if there were none.
static void fork_child(World &world) {
  if (world.sharing || !world.chance.one_in(4)) return;
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    double width, height;
    uint64_t count;
    CALL(tessera_session_content_size, world.used->session, &width, &height);
    CALL(tessera_session_query_all, world.used->session, nullptr, sizeof(tessera_element), 0, &count);
    CALL(tessera_session_message, world.used->session);
    VOID_CALL(tessera_session_destroy, world.used->session);
    _exit(report->failed ? 1 : 0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0) return;
  report->forks++;
  if (!WIFEXITED(status)) fail("a child of the program ends with the signal %d", WTERMSIG(status));
}

// Several threads call functions with one session: each call is done or refused.
static void share(World &world) {
  tessera_session *session = nullptr;
  if (CALL(tessera_session_create, world.engines, (folder + "/live/live.so").c_str(), &session)) return;
  std::vector<Thread> threads;
  const uint64_t seed = world.chance.next();
  for (uint64_t thread = 0; thread < 3; thread++)
    threads.emplace_back([=] {
      Chance chance(seed, thread);
      for (int left = 150; left > 0; left--) {
        const uint64_t counts[2] = {chance.below(9), chance.below(9)};
        const uint32_t number = (uint32_t)chance.below(4);
        const double value = (double)chance.below(50);
        double x, y;
        uint64_t count = 0;
        uint32_t seconds;
        switch (chance.below(14)) {
          case 0: CALL(tessera_session_kind_name, session, number); break;
          case 1: CALL(tessera_session_attribute_count, session); break;
          case 2: CALL(tessera_session_attribute_name, session, number); break;
          case 3: CALL(tessera_session_attribute_choice, session, number, 0); break;
          case 4: CALL(tessera_session_offset, session, &x, &y); break;
          case 5: CALL(tessera_session_declaration_count, session, (int)number); break;
          case 6: CALL(tessera_session_needs, session); break;
          case 7: CALL(tessera_session_refusal_time, session, &seconds); break;
          case 8: CALL(tessera_session_get_sandbox, session); break;
          case 9: CALL(tessera_session_set_sections, session, counts, 2); break;
          case 10: CALL(tessera_session_set_parameter, session, "gap", &value, 1); break;
          case 11: CALL(tessera_session_batch_message, session, number); break;
          case 12: CALL(tessera_session_declared_choice, session, 0, number, 0); break;
          default: CALL(tessera_session_query_all, session, nullptr, sizeof(tessera_element), 0, &count);
        }
      }
    });
  for (Thread &thread : threads) thread.join();
  VOID_CALL(tessera_session_destroy, session);
}

const std::vector<Door> doors = {
    {"viewport", 6, set_viewport}, {"viewport right", 4, set_viewport_right}, {"parameter", 10, set_parameter}, {"list", 5, set_list},
    {"sections", 3, set_sections}, {"values", 14, set_values}, {"values right", 6, set_values_right}, {"functions", 5, set_functions},
    {"sizes", 8, give_sizes}, {"progress", 1, set_progress}, {"update", 10, update}, {"drag", 14, drag}, {"query", 14, query},
    {"look", 3, look}, {"declarations", 2, declarations}, {"export", 2, export_result}, {"call", 4, call_function}, {"batch", 5, batch},
    {"animate", 3, animate}, {"engines", 1, engines}, {"replace", 5, replace}, {"open", 1, open_session}, {"close", 1, close_session},
    {"fork", 1, fork_child}, {"share", 1, share},
};

World::World(uint64_t seed, tessera_host_isolation isolation) : chance(seed) {
  for (tessera_engines **each : {&engines, &fresh}) {
    *each = CALL(tessera_engines_create);
    if (!*each || CALL(tessera_engines_add_folder, *each, (folder + "/versions").c_str()) || CALL(tessera_engines_set_isolation, *each, isolation) ||
        CALL(tessera_engines_set_cache, *each, (folder + "/cache").c_str()) || CALL(tessera_engines_set_time_limit, *each, 60.0) ||
        CALL(tessera_engines_set_refusal_time, *each, 0) || CALL(tessera_engines_set_row_limit, *each, 1 << 20) || CALL(tessera_engines_set_kept_workers, *each, 6))
      fail("there are no engines: %s", *each ? tessera_engines_message(*each) : "no memory");
  }
}

World::~World() {
  for (auto &used : sessions) VOID_CALL(tessera_session_destroy, used->session);
  for (tessera_moment *moment : moments) VOID_CALL(tessera_moment_destroy, moment);
  VOID_CALL(tessera_engines_destroy, engines);
  VOID_CALL(tessera_engines_destroy, fresh);
}

void World::step() {
  static const unsigned all = [] { unsigned sum = 0; for (const Door &door : doors) sum += door.weight; return sum; }();
  if (sessions.empty()) {
    open_session(*this);
    if (sessions.empty()) replace_library(chance, sharing);
    return;
  }
  used = chance.of(sessions).get();
  uint64_t place = chance.below(all);
  for (const Door &door : doors) {
    if (place >= door.weight) {
      place -= door.weight;
      continue;
    }
    if (left_out.find(door.name) != std::string::npos) return;
    if (is_traced) fprintf(stderr, "%s\n", door.name);
    report->door = door.name;
    door.open(*this);
    if (used) settle(*this);
    // The answer is compared soon, so that it tells what made it wrong.
    if (used && chance.one_in(3)) compare_one(*this);
    return;
  }
}
