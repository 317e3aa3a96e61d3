// A dial that turns with scrolling: the middle item is upright, others lean away, those behind it
// are hidden. Snaps to items.

#include <cmath>
#include <cstdint>
#include <cstring>
#include <new>
#include <vector>

#include <tessera/ext/snapping.h>
#include <tessera/plain.h>

TESSERA_NOTE;

namespace {

enum { ITEM_SIZE, PITCH, RADIUS, FADE, GAP, PARAMETER_COUNT };

tessera_parameter number(const char *name, const char *help, std::uint32_t flags, double initial,
                         double minimum, double maximum) {
  tessera_parameter p = {};
  p.name = name;
  p.help = help;
  p.type = TESSERA_TYPE_NUMBER;
  p.flags = flags;
  p.initial.number = initial;
  p.minimum.number = minimum;
  p.maximum.number = maximum;
  return p;
}

tessera_parameter size(const char *name, const char *help, tessera_size initial, tessera_size maximum) {
  tessera_parameter p = {};
  p.name = name;
  p.help = help;
  p.unit = "pt";
  p.type = TESSERA_TYPE_SIZE;
  p.initial.size = initial;
  p.maximum.size = maximum;
  return p;
}

const tessera_parameter parameters[PARAMETER_COUNT] = {
  size("itemSize", "Size of an item.", {60, 80}, {10000, 10000}),
  number("pitch", "From the middle of an item to that of the next.", 0, 66, 1, 10000),
  number("radius", "Radius of the dial.", TESSERA_FLAG_IN_ADJUST, 220, 10, 100000),
  number("fade", "How faint an item at the side is.", TESSERA_FLAG_IN_ADJUST, 0.4, 0, 1),
  number("sectionGap", "Additional space before a section but the first.", 0, 30, 0, 10000),
};

const tessera_value_declaration values[] = {
  {"gap", "Additional space before the section.", "sectionGap", TESSERA_TYPE_NUMBER, TESSERA_SCOPE_SECTION, 0, 0},
};

const tessera_attribute attributes[] = {
  {"angle", "How far the item leans, negative for items before the middle.", "rad", nullptr, 0,
   TESSERA_TYPE_NUMBER, TESSERA_INTERPOLATION_LINEAR, TESSERA_WHEN_ADJUSTED, {}},
};

constexpr double quarter = 1.5707963267948966;

// A non-empty section; offset: from the first item of all.
struct arc { double offset; std::uint64_t count, before; std::uint32_t section; };

} // namespace

struct tessera_layout {
  const tessera_host *host;
  std::vector<arc> arcs;
  double pitch = 1, half = 0, extent = 0, height = 0, middle = 0;

  double offset(const arc &a, std::uint64_t item) const {
    return a.offset + static_cast<double>(item) * pitch;
  }

  // Item with the nearest offset; there is at least one.
  std::size_t nearest(double wanted, std::uint64_t *item) const {
    std::size_t low = 0, high = arcs.size();
    while (high - low > 1) {
      const std::size_t middle = low + (high - low) / 2;
      (arcs[middle].offset <= wanted ? low : high) = middle;
    }
    const arc &a = arcs[low];
    const double place = std::round((wanted - a.offset) / pitch), last = static_cast<double>(a.count - 1);
    *item = place <= 0 ? 0 : place >= last ? a.count - 1 : static_cast<std::uint64_t>(place);
    if (low + 1 < arcs.size() && arcs[low + 1].offset - wanted < std::fabs(wanted - offset(a, *item))) {
      *item = 0;
      return low + 1;
    }
    return low;
  }
};

namespace {

tessera_status no_memory(const tessera_host *host) {
  return plain_refuse(host, TESSERA_ERROR_NO_SPACE, "there is not enough memory for the dial; free some");
}

tessera_status create(const tessera_engine *, const tessera_host *host, tessera_layout **layout) {
  tessera_layout *const made = new (std::nothrow) tessera_layout;
  if (made == nullptr) return no_memory(host);
  made->host = host;
  *layout = made;
  return TESSERA_OK;
}

void destroy(tessera_layout *layout) { delete layout; }

double length(double given) { return given > 0 ? std::fmin(given, 1e12) : 0; }

tessera_status prepare(tessera_layout *self, const tessera_input *in, tessera_output *out) {
  const tessera_size size = in->parameters[ITEM_SIZE].size, room = plain_extent(in);
  const tessera_column gaps = in->values[0];
  const std::uint64_t all = in->section_starts[in->section_count];
  self->pitch = in->parameters[PITCH].number;
  self->half = std::fmax(room.width, size.width) / 2;
  self->extent = room.width;
  self->height = room.height;
  self->middle = std::fmax(room.height, size.height) / 2;
  self->arcs.clear();

  double next = 0, last = 0;
  for (std::uint32_t s = 0; s < in->section_count; s++) {
    const std::uint64_t start = in->section_starts[s], count = plain_items(in, s);
    if (count == 0) continue;
    if (!self->arcs.empty())
      next += length(plain_number(gaps, s));
    const arc a = {next, count, start, s};
    try {
      self->arcs.push_back(a);
    } catch (const std::bad_alloc &) {
      return no_memory(self->host);
    }
    const tessera_run run = {TESSERA_CATEGORY_CELL, 0, s, 0, 0, count};
    const tessera_rows *rows = nullptr;
    const tessera_status status = out->add(out, &run, &rows);
    if (status != TESSERA_OK) return status;
    const double y = std::fmax(0, (room.height - size.height) / 2);
    for (std::uint64_t i = 0; i < count; i++) {
      last = self->offset(a, i);
      rows->frame[i] = {self->half + last - size.width / 2, y, size.width, size.height};
      if ((start + i) % 4096 == 4095 &&
          !self->host->progress(self->host, static_cast<double>(start + i) / static_cast<double>(all)))
        return TESSERA_ERROR_CANCELLED;
    }
    next = last + self->pitch;
  }
  out->set_content_size(out, {2 * self->half + last, 2 * self->middle});
  return TESSERA_OK;
}

tessera_status adjust(tessera_layout *, const tessera_input *in, tessera_rect, tessera_output *out) {
  const double middle = in->viewport.x + in->content_insets.left + plain_extent(in).width / 2;
  const double radius = in->parameters[RADIUS].number, fade = in->parameters[FADE].number;
  const std::uint64_t run_count = out->run_count(out);
  for (std::uint64_t index = 0; index < run_count; index++) {
    tessera_run run;
    const tessera_rows *rows = nullptr;
    const tessera_status status = out->get(out, index, &run, &rows);
    if (status != TESSERA_OK) return status;
    double *const angles = static_cast<double *>(rows->attributes[0]);
    for (std::uint64_t row = 0; row < run.count; row++) {
      const tessera_rect &f = rows->frame[row];
      const double turn = (f.x + f.width / 2 - middle) / radius;
      const double angle = std::fmax(-quarter, std::fmin(quarter, turn));
      const double share = std::fabs(angle) / quarter;
      tessera_transform &t = rows->transform[row];
      t.m[0] = std::cos(angle);
      t.m[1] = std::sin(angle);
      t.m[4] = -std::sin(angle);
      t.m[5] = std::cos(angle);
      t.m[13] = radius * (1 - std::cos(angle));
      rows->alpha[row] = 1 - fade * share;
      rows->z_index[row] = -static_cast<std::int32_t>(share * 1000);
      rows->hidden[row] = std::fabs(turn) > quarter;
      angles[row] = angle;
    }
  }
  return TESSERA_OK;
}

std::int32_t still_valid(tessera_layout *self, const tessera_input *in) {
  const tessera_size room = plain_extent(in);
  return room.width == self->extent && room.height == self->height;
}

// ---- Published functions

std::int64_t item_at(tessera_layout *self, tessera_point point) {
  if (self->arcs.empty()) return -1;
  std::uint64_t item = 0;
  const std::size_t at = self->nearest(point.x - self->half, &item);
  return static_cast<std::int64_t>(self->arcs[at].before + item);
}

tessera_point middle_of(tessera_layout *self, std::uint32_t section, std::uint64_t item) {
  for (const arc &a : self->arcs)
    if (a.section == section && item < a.count)
      return {self->half + self->offset(a, item), self->middle};
  plain_refuse(self->host, TESSERA_ERROR_NOT_FOUND, "there is no such item; items begin at 0");
  return {0, 0};
}

const tessera_function_declaration functions[] = {
  {"itemAt", "i64(point)", "The item nearest to a point, counted over all sections; -1: none.",
   reinterpret_cast<void (*)(void)>(item_at)},
  {"middleOf", "point(u32,u64)", "The middle of an item.", reinterpret_cast<void (*)(void)>(middle_of)},
};

// ---- Scrolling

tessera_status resting_offset(tessera_layout *self, const tessera_input *in, tessera_point velocity,
                              tessera_point *resting) {
  if (self->arcs.empty()) return TESSERA_OK;
  const double shift = in->content_insets.left + plain_extent(in).width / 2 - self->half;
  double wanted = resting->x + shift;
  // A velocity never goes back before the proposal.
  if (velocity.x > 0) wanted += self->pitch / 2 - 1e-6 * self->pitch;
  if (velocity.x < 0) wanted -= self->pitch / 2 - 1e-6 * self->pitch;
  std::uint64_t item = 0;
  const std::size_t at = self->nearest(wanted, &item);
  resting->x = self->offset(self->arcs[at], item) - shift;
  return TESSERA_OK;
}

const tessera_snapping snapping = {sizeof snapping, 0, resting_offset};

const void *extension(const tessera_engine *, const char *id) {
  return std::strcmp(id, TESSERA_EXT_SNAPPING) == 0 ? &snapping : nullptr;
}

tessera_engine described() {
  tessera_engine e = {};
  e.struct_size = sizeof e;
  e.traits = TESSERA_TRAIT_VIEWPORT | TESSERA_TRAIT_MIRRORS;
  e.laws = TESSERA_LAW_FLOWS | TESSERA_LAW_APPENDS | TESSERA_LAW_SCALES;
  e.adjusted_columns = TESSERA_COLUMN_TRANSFORM | TESSERA_COLUMN_ALPHA | TESSERA_COLUMN_Z_INDEX |
                       TESSERA_COLUMN_HIDDEN;
  e.id = "org.example.dial";
  e.name = "Dial";
  e.version = "0.3.0";
  e.author = "R. Otary";
  e.license = "MIT";
  e.summary = "Items on a dial.";
  e.parameter_count = PARAMETER_COUNT;
  e.parameter_size = sizeof *parameters;
  e.parameters = parameters;
  e.value_count = 1;
  e.value_size = sizeof *values;
  e.values = values;
  e.function_count = 2;
  e.function_size = sizeof *functions;
  e.functions = functions;
  e.attribute_count = 1;
  e.attribute_size = sizeof *attributes;
  e.attributes = attributes;
  e.create = create;
  e.destroy = destroy;
  e.prepare = prepare;
  e.adjust = adjust;
  e.still_valid = still_valid;
  e.extension = extension;
  return e;
}

const tessera_engine engine = described();

} // namespace

tessera_status tessera_register(const tessera_host *, tessera_registry *registry) {
  return registry->add_engine(registry, &engine);
}
