// Tessera for C++20: an engine is a class.
//
//     struct diagonal : tessera::layout {
//       static constexpr tessera::identity identity{.id = "org.example.diagonal", …};
//       tessera::parameter<double> step{this, {.name = "step", .help = "…", .initial = 30}};
//       void prepare(const tessera::input &in, tessera::output &out) override { … in[step] … }
//     };
//     TESSERA_ENGINES(diagonal)
//
// Members declare the engine's interface. They are handles: read a value from the input or the rows
// of a call, `in[step]`, at the same cost as in C. The overridden functions, which must be public,
// determine what the engine can do. Functions named as in <tessera/tessera.h> do the same; its
// units, states and threads apply.
//
// Exceptions end a call and never leave the library: tessera::failure carries a status and a
// sentence for the user, any other exception becomes TESSERA_ERROR_FAILED. Indexes are checked
// unless NDEBUG is defined.
//
// Views, columns, inputs, outputs and bases are valid during the call that passes them.

#ifndef TESSERA_HPP
#define TESSERA_HPP

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tessera/ext/adjusting.h>
#include <tessera/ext/query.h>
#include <tessera/ext/reordering.h>
#include <tessera/ext/sizing.h>
#include <tessera/ext/snapping.h>
#include <tessera/ext/updates.h>
#include <tessera/tessera.h>

namespace tessera {

class base;
class input;
class layout;
class output;

// ---------------------------------------------------------------- geometry

using point = tessera_point;
using size = tessera_size;
using rect = tessera_rect; // half-open, see the contract
using insets = tessera_insets;
using transform = tessera_transform;

constexpr transform identity_transform() {
  return {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
}
constexpr transform translation(double x, double y, double z = 0) {
  return {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1}};
}
constexpr transform scaling(double x, double y, double z = 1) {
  return {{x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1}};
}
// Clockwise, in radians.
inline transform rotation(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {{c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
}

// Formats numbers for sentences: "3.5", "100×90", "1 2 3 4" (top, left, bottom, right).
inline std::string describe(double number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}
inline std::string describe(const size &of) { return describe(of.width) + "×" + describe(of.height); }
// A template: `describe({width, height})` stays a size.
template <std::same_as<insets> Insets> std::string describe(const Insets &of) {
  return describe(of.top) + " " + describe(of.left) + " " + describe(of.bottom) + " " +
         describe(of.right);
}

// ---------------------------------------------------------------- failures

// One sentence: what was found, what was expected, what to do. Empty if already reported, for
// instance by a base.
class failure : public std::runtime_error {
 public:
  failure(tessera_status status, const std::string &message)
      : std::runtime_error(message), status_(status) {}
  tessera_status status() const noexcept { return status_; }

 private:
  tessera_status status_;
};

inline failure invalid_value(const std::string &message) {
  return {TESSERA_ERROR_INVALID_VALUE, message};
}
inline failure unsupported(const std::string &message) { return {TESSERA_ERROR_UNSUPPORTED, message}; }
inline failure failed(const std::string &message) { return {TESSERA_ERROR_FAILED, message}; }

namespace detail {

[[noreturn, gnu::cold]] inline void out_of_range(std::size_t index, std::size_t count) {
  throw failed("the engine asked for element " + std::to_string(index) + " of " +
               std::to_string(count) + "; this is a fault of the engine, tell its author");
}

inline void check_index([[maybe_unused]] std::size_t index, [[maybe_unused]] std::size_t count) {
#ifndef NDEBUG
  if (index >= count) [[unlikely]]
    out_of_range(index, count);
#endif
}

} // namespace detail

// ---------------------------------------------------------------- types of values

// The names of an enum's choices, for its enumerators 0, 1, …:
//
//     enum class align { top, bottom };
//     template <> inline constexpr auto tessera::choices<align> = std::array{"top", "bottom"};
template <class Enum> inline constexpr std::nullptr_t choices = nullptr;

template <class T>
concept choice = std::is_enum_v<T> && sizeof(T) == sizeof(std::int32_t) && requires {
  { choices<T>.size() } -> std::convertible_to<std::size_t>;
};

class flag {
 public:
  constexpr flag(bool value = false) : value_(value ? 1 : 0) {}
  constexpr operator bool() const { return value_ != 0; }

 private:
  std::uint8_t value_;
};

namespace detail {

template <class T> struct contract {};
template <tessera_type Type, class Stored, bool Limited> struct contract_of {
  static constexpr tessera_type type = Type;
  static constexpr bool limited = Limited;
  using stored = Stored;
};
template <> struct contract<bool> : contract_of<TESSERA_TYPE_BOOL, flag, false> {};
template <> struct contract<std::int64_t> : contract_of<TESSERA_TYPE_INT, std::int64_t, true> {};
template <> struct contract<double> : contract_of<TESSERA_TYPE_NUMBER, double, true> {};
template <choice T> struct contract<T> : contract_of<TESSERA_TYPE_ENUM, T, false> {};
template <> struct contract<point> : contract_of<TESSERA_TYPE_POINT, point, true> {};
template <> struct contract<size> : contract_of<TESSERA_TYPE_SIZE, size, true> {};
template <> struct contract<rect> : contract_of<TESSERA_TYPE_RECT, rect, true> {};
template <> struct contract<insets> : contract_of<TESSERA_TYPE_INSETS, insets, true> {};

} // namespace detail

// Types of parameters, values, columns of lists and attributes: bool, std::int64_t, double, an enum
// with choices, point, size, rect, insets.
template <class T>
concept value = requires { detail::contract<T>::type; };

// Readable across libraries: any but choices.
template <class T>
concept plain_value = value<T> && !choice<T>;

namespace detail {

template <value T> using stored = typename contract<T>::stored;

template <value T> T load(const void *from) {
  stored<T> result;
  std::memcpy(static_cast<void *>(&result), from, sizeof result);
  return result;
}

template <value T> tessera_value pack(const T &given) {
  const stored<T> stored_value = given;
  tessera_value result;
  std::memset(&result, 0, sizeof result);
  std::memcpy(&result, &stored_value, sizeof stored_value);
  return result;
}

template <value T> T each(double number) {
  if constexpr (std::same_as<T, std::int64_t>) {
    using limits = std::numeric_limits<std::int64_t>;
    return number < 0 ? limits::min() : limits::max();
  } else if constexpr (std::same_as<T, double>) {
    return number;
  } else {
    std::array<double, sizeof(T) / sizeof(double)> numbers;
    numbers.fill(number);
    T result;
    std::memcpy(&result, numbers.data(), sizeof result);
    return result;
  }
}

struct no_limit {};
template <value T>
using limit = std::conditional_t<contract<T>::limited, std::optional<T>, no_limit>;

} // namespace detail

// ---------------------------------------------------------------- the identity of an engine

// All texts are literals. The id is reverse-DNS, the version semantic.
struct identity {
  const char *id, *name, *version, *author, *license, *summary;
};

// The version is the lowest compatible one; null for any.
struct base_engine {
  const char *id;
  const char *version = nullptr;
};

// Overriding functions declares lazy queries and dependence on the viewport.
namespace traits {
inline constexpr std::uint32_t none = 0;
inline constexpr std::uint32_t mirrors = TESSERA_TRAIT_MIRRORS;
inline constexpr std::uint32_t pixel_aligned = TESSERA_TRAIT_PIXEL_ALIGNED;
inline constexpr std::uint32_t incremental = TESSERA_TRAIT_INCREMENTAL;
} // namespace traits

namespace laws {
inline constexpr std::uint32_t none = 0;
inline constexpr std::uint32_t flows = TESSERA_LAW_FLOWS;
inline constexpr std::uint32_t appends = TESSERA_LAW_APPENDS;
inline constexpr std::uint32_t scales = TESSERA_LAW_SCALES;
} // namespace laws

namespace columns {
inline constexpr std::uint32_t none = 0;
inline constexpr std::uint32_t transform = TESSERA_COLUMN_TRANSFORM;
inline constexpr std::uint32_t alpha = TESSERA_COLUMN_ALPHA;
inline constexpr std::uint32_t z_index = TESSERA_COLUMN_Z_INDEX;
inline constexpr std::uint32_t hidden = TESSERA_COLUMN_HIDDEN;
} // namespace columns

enum class interpolation : std::int32_t { linear, step, none };
enum class when : std::uint32_t { prepared, adjusted };
enum class category : std::int32_t { cell, supplementary, decoration };
enum class role : std::int32_t { other, header, footer, badge, background, separator, label };

// ---------------------------------------------------------------- functions

namespace detail {

template <class T> struct crossing {};
template <class T> struct plain_crossing {
  using type = T;
  static T out(T given) { return given; }
  static T in(T given) { return given; }
};
#define TESSERA_CROSSING(cpp, text)                                                                \
  template <> struct crossing<cpp> : plain_crossing<cpp> { static constexpr const char *name = text; }
TESSERA_CROSSING(std::uint8_t, "u8");
TESSERA_CROSSING(std::int8_t, "i8");
TESSERA_CROSSING(std::uint16_t, "u16");
TESSERA_CROSSING(std::int16_t, "i16");
TESSERA_CROSSING(std::uint32_t, "u32");
TESSERA_CROSSING(std::int32_t, "i32");
TESSERA_CROSSING(std::uint64_t, "u64");
TESSERA_CROSSING(std::int64_t, "i64");
TESSERA_CROSSING(float, "f32");
TESSERA_CROSSING(double, "f64");
TESSERA_CROSSING(point, "point");
TESSERA_CROSSING(size, "size");
TESSERA_CROSSING(rect, "rect");
TESSERA_CROSSING(insets, "insets");
#undef TESSERA_CROSSING
template <> struct crossing<bool> {
  using type = std::uint8_t;
  static constexpr const char *name = "bool";
  static std::uint8_t out(bool given) { return given ? 1 : 0; }
  static bool in(std::uint8_t given) { return given != 0; }
};
template <> struct crossing<void> {
  using type = void;
  static constexpr const char *name = "void";
};

template <class T> using crossed = typename crossing<T>::type;

template <class Signature> struct signature;
template <class Result, class... Arguments> struct signature<Result(Arguments...)> {
  using c_function = crossed<Result> (*)(void *, crossed<Arguments>...);
  static std::string text() {
    std::string names;
    ((names += names.empty() ? "" : ",", names += crossing<Arguments>::name), ...);
    return std::string(crossing<Result>::name) + "(" + names + ")";
  }
};

} // namespace detail

// False if the host supplies none.
template <class Signature> class callable;
template <class Result, class... Arguments> class callable<Result(Arguments...)> {
 public:
  explicit operator bool() const { return function_.call != nullptr; }
  Result operator()(Arguments... arguments) const {
    using c_function = typename detail::signature<Result(Arguments...)>::c_function;
    const auto call = reinterpret_cast<c_function>(function_.call);
    if constexpr (std::is_void_v<Result>)
      call(function_.context, detail::crossing<Arguments>::out(arguments)...);
    else
      return detail::crossing<Result>::in(
          call(function_.context, detail::crossing<Arguments>::out(arguments)...));
  }

 private:
  friend input;
  explicit callable(tessera_function function) : function_(function) {}
  tessera_function function_;
};

// ---------------------------------------------------------------- declarations
// Members of a layout. The owner is `this`; texts are literals.

// One value for the whole layout: in[parameter].
template <value T> class parameter {
 public:
  struct declaration {
    const char *name; // lowerCamelCase
    const char *help; // one sentence
    const char *unit = nullptr; // "pt", "rad"; null: a bare number
    T initial{};
    // Inclusive, for each component; no limit by default.
    detail::limit<T> minimum{}, maximum{};
    bool hint = false; // for programs or derived engines, no effect here
    bool in_adjust = false; // only adjust reads it: a change needs no prepare
  };
  parameter(layout *owner, const declaration &declared);
  const char *name() const { return name_; }

 private:
  friend input;
  const char *name_;
  std::uint32_t index_;
};

// A column for every section or item: in[values].
template <value T, std::uint32_t Scope> class values {
 public:
  struct declaration {
    const char *name;
    const char *help;
    const parameter<T> *fallback = nullptr; // default; null: zero
    bool hint = false; // for programs or derived engines, no effect here
    bool in_adjust = false; // only adjust reads it: a change needs no prepare
  };
  values(layout *owner, const declaration &declared);
  const char *name() const { return name_; }

 private:
  friend input;
  const char *name_;
  std::uint32_t index_;
};
template <value T> using section_values = values<T, TESSERA_SCOPE_SECTION>;
template <value T> using item_values = values<T, TESSERA_SCOPE_ITEM>;

// Records that a user gives: in.count(list). A tree has a list_column<std::int64_t> "parent": the
// index of a record's parent, or -1.
class list {
 public:
  struct declaration {
    const char *name;
    const char *help;
  };
  inline list(layout *owner, const declaration &declared);
  const char *name() const { return name_; }

 private:
  friend input;
  template <value T> friend class list_column;
  layout *owner_;
  const char *name_;
  std::uint32_t index_, columns_ = 0;
};

// A column for every record of the owning list: in[list_column].
template <value T> class list_column {
 public:
  using declaration = typename parameter<T>::declaration; // `initial` is the default
  list_column(list &owner, const declaration &declared);
  const char *name() const { return name_; }

 private:
  friend input;
  const char *name_;
  std::uint32_t list_, index_;
};

// A function that the host supplies: in[delegate], a callable.
template <class Signature> class delegate {
 public:
  struct declaration {
    const char *name;
    const char *help;
  };
  delegate(layout *owner, const declaration &declared);

 private:
  friend input;
  std::uint32_t index_;
};

// A column that the engine adds: rows[attribute].
template <value T> class attribute {
 public:
  struct declaration {
    const char *name;
    const char *help;
    const char *unit = nullptr; // "pt", "rad", "h", "d", "mo"; null: a number
    T initial{};
    tessera::interpolation interpolation = tessera::interpolation::linear;
    tessera::when when = tessera::when::prepared;
  };
  attribute(layout *owner, const declaration &declared);
  const char *name() const { return name_; }
  std::uint32_t number() const { return number_; }

 private:
  const char *name_;
  std::uint32_t number_;
};

class kind {
 public:
  struct declaration {
    const char *name;
    tessera::category category;
    tessera::role role = tessera::role::other;
    // attribute with an element's meaning; null: its section or item
    const char *shows = nullptr;
  };
  inline kind(layout *owner, const declaration &declared);
  tessera::category category() const { return category_; }
  std::uint32_t number() const { return number_; }

 private:
  tessera::category category_;
  std::uint32_t number_;
};

// A parameter of the base: in.base().get(inherited), in.base().set(inherited, …).
template <value T> class inherited {
 public:
  struct declaration {
    const char *name;
    std::optional<T> initial{}; // default under this engine; empty: the base's
    bool owned = false;         // the user cannot set it through this engine
  };
  inherited(layout *owner, const declaration &declared);
  const char *name() const { return name_; }

 private:
  const char *name_;
};

// ---------------------------------------------------------------- input

namespace detail {

template <class Of> class place_in {
 public:
  using value_type = decltype(std::declval<const Of &>()[0]);
  using difference_type = std::ptrdiff_t;
  place_in() = default;
  place_in(const Of *of, std::size_t index) : of_(of), index_(index) {}
  value_type operator*() const { return (*of_)[index_]; }
  place_in &operator++() { return ++index_, *this; }
  place_in operator++(int) { return {of_, index_++}; }
  bool operator==(const place_in &other) const { return index_ == other.index_; }

 private:
  const Of *of_ = nullptr;
  std::size_t index_ = 0;
};

} // namespace detail

// A single value can serve all, without a branch.
template <value T> class column {
 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T operator[](std::size_t index) const {
    detail::check_index(index, size_);
    return detail::load<T>(data_ + index * stride_);
  }
  // Empty if values may differ or are missing.
  std::optional<T> constant() const {
    if (stride_ != 0 || size_ == 0) return std::nullopt;
    return (*this)[0];
  }
  // Empty if one value serves all.
  std::span<const detail::stored<T>> contiguous() const {
    if (stride_ != sizeof(detail::stored<T>)) return {};
    return {reinterpret_cast<const detail::stored<T> *>(data_), size_};
  }
  // Indices start at 0.
  column slice(std::size_t first, std::size_t count) const {
    if (count == 0) return {nullptr, stride_, 0};
    detail::check_index(first + (count - 1), size_);
    return {data_ + first * stride_, stride_, count};
  }

  using iterator = detail::place_in<column>;
  iterator begin() const { return {this, 0}; }
  iterator end() const { return {this, size_}; }

 private:
  friend input;
  friend base;
  column(const std::byte *data, std::size_t stride, std::size_t size)
      : data_(data), stride_(stride), size_(size) {}
  column(const tessera_column &from, std::size_t size)
      : data_(static_cast<const std::byte *>(from.data)), stride_(from.stride),
        size_(from.data ? size : 0) {}

  const std::byte *data_;
  std::size_t stride_, size_;
};

class range {
 public:
  range(std::size_t first, std::size_t last) : first_(first), last_(last < first ? first : last) {}
  std::size_t first() const { return first_; }
  std::size_t last() const { return last_; } // past the end
  std::size_t size() const { return last_ - first_; }
  bool empty() const { return first_ == last_; }
  std::size_t operator[](std::size_t index) const { return first_ + index; }
  detail::place_in<range> begin() const { return {this, 0}; }
  detail::place_in<range> end() const { return {this, size()}; }

 private:
  std::size_t first_, last_;
};

class change {
 public:
  explicit change(const tessera_change &of) : change_(of) {}
  bool everything() const { return has(TESSERA_CHANGED_ALL); }
  bool bounds() const { return has(TESSERA_CHANGED_ALL | TESSERA_CHANGED_BOUNDS); }
  bool parameters() const { return has(TESSERA_CHANGED_ALL | TESSERA_CHANGED_PARAMETERS); }
  bool counts() const { return has(TESSERA_CHANGED_ALL | TESSERA_CHANGED_COUNTS); }
  bool values() const { return has(TESSERA_CHANGED_ALL | TESSERA_CHANGED_VALUES); }
  bool lists() const { return has(TESSERA_CHANGED_ALL | TESSERA_CHANGED_LISTS); }
  // Items at the start of a section that existed with the same values.
  std::size_t unchanged_items(std::size_t section) const {
    if (everything() || section > change_.first_section) return 0;
    return section < change_.first_section ? std::numeric_limits<std::size_t>::max()
                                           : change_.first_item;
  }
  // Items at the end of all that have the same values.
  std::size_t unchanged_last_items() const { return everything() ? 0 : change_.last_count; }
  bool keeps(std::size_t section) const {
    return !everything() && section < change_.first_section;
  }

 private:
  bool has(std::uint32_t bits) const { return (change_.what & bits) != 0; }
  tessera_change change_;
};

class input {
 public:
  input(const tessera_input &of, layout &owner) : input_(of), layout_(owner) {}
  input(const input &) = delete;
  input &operator=(const input &) = delete;

  tessera::size bounds() const { return {input_.viewport.width, input_.viewport.height}; }
  // Its origin is the scroll offset.
  const rect &viewport() const { return input_.viewport; }
  const insets &content_insets() const { return input_.content_insets; }
  const insets &safe_area() const { return input_.safe_area; }
  const insets &layout_margins() const { return input_.layout_margins; }
  double scale() const { return input_.scale; }
  bool right_to_left() const { return input_.right_to_left != 0; }
  // Bounds less content insets, never negative.
  tessera::size extent() const {
    const insets &in = input_.content_insets;
    return {room(input_.viewport.width, in.left, in.right),
            room(input_.viewport.height, in.top, in.bottom)};
  }
  tessera::change change() const { return tessera::change(input_.change); }

  std::size_t section_count() const { return input_.section_count; }
  // In all sections.
  std::size_t item_count() const { return input_.section_starts[input_.section_count]; }
  // By position among all items, as in columns of item values.
  range items(std::size_t section) const {
    detail::check_index(section, section_count());
    return {input_.section_starts[section], input_.section_starts[section + 1]};
  }

  struct section_entry {
    std::size_t number;
    range items; // by position among all
  };
  struct section_list {
    const input *of;
    section_entry operator[](std::size_t section) const { return {section, of->items(section)}; }
    detail::place_in<section_list> begin() const { return {this, 0}; }
    detail::place_in<section_list> end() const { return {this, of->section_count()}; }
  };
  // for (auto [section, items] : in.sections())
  section_list sections() const { return {this}; }

  template <value T> T operator[](const parameter<T> &of) const {
    return detail::load<T>(&input_.parameters[of.index_]);
  }
  template <value T> column<T> operator[](const section_values<T> &of) const {
    return {input_.values[of.index_], section_count()};
  }
  template <value T> column<T> operator[](const item_values<T> &of) const {
    return {input_.values[of.index_], item_count()};
  }
  std::size_t count(const list &of) const { return input_.lists[of.index_].count; }
  template <value T> column<T> operator[](const list_column<T> &of) const {
    const tessera_list &records = input_.lists[of.list_];
    return {records.columns[of.index_], records.count};
  }
  template <class Signature> callable<Signature> operator[](const delegate<Signature> &of) const {
    return callable<Signature>(input_.functions[of.index_]);
  }

  // Throws without a base.
  inline tessera::base base() const;

 private:
  static double room(double length, double leading, double trailing) {
    return std::fmin(std::fmax(0, length - leading - trailing),
                     std::numeric_limits<double>::max());
  }
  const tessera_input &input_;
  layout &layout_;
};

// ---------------------------------------------------------------- output

struct run {
  tessera::category category = tessera::category::cell;
  std::uint32_t kind = 0; // 0 for cells
  std::size_t section = 0;
  std::size_t first_item = 0; // counted within the section
  std::size_t count = 0;

  static run cells(std::size_t section, std::size_t first_item, std::size_t count) {
    return {tessera::category::cell, 0, section, first_item, count};
  }
  static run elements(const tessera::kind &of, std::size_t section, std::size_t first_item = 0,
                      std::size_t count = 1) {
    return {of.category(), of.number(), section, first_item, count};
  }
  bool is(const tessera::kind &other) const {
    return category == other.category() && kind == other.number();
  }
  bool operator==(const run &) const = default;
};

namespace detail {

inline run described(const tessera_run &who) {
  return {static_cast<category>(who.category), who.kind, who.section, who.first_item, who.count};
}

} // namespace detail

// Empty if no engine of the chain declares the column.
template <class T> class view {
 public:
  view(T *data, std::size_t size) : data_(data), size_(data ? size : 0) {}
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T *data() const { return data_; }
  T *begin() const { return data_; }
  T *end() const { return data_ + size_; }
  T &operator[](std::size_t row) const {
    detail::check_index(row, size_);
    return data_[row];
  }
  operator std::span<T>() const { return {data_, size_}; }

 private:
  T *data_;
  std::size_t size_;
};

class rows {
 public:
  explicit rows(const tessera_rows *of)
      : frames(of ? of->frame : nullptr, count_of(of)),
        transforms(of ? of->transform : nullptr, count_of(of)),
        alphas(of ? of->alpha : nullptr, count_of(of)),
        z_indexes(of ? of->z_index : nullptr, count_of(of)),
        hidden(of ? reinterpret_cast<flag *>(of->hidden) : nullptr, count_of(of)),
        rows_(of) {}
  std::size_t size() const { return frames.size(); }
  std::size_t kept() const { return rows_ ? rows_->kept : 0; }

  view<rect> frames; // uninitialized in an added run: write all from kept() on
  view<transform> transforms;
  view<double> alphas;
  view<std::int32_t> z_indexes;
  view<flag> hidden;
  template <value T> view<detail::stored<T>> operator[](const attribute<T> &of) const {
    void *const data = rows_ && rows_->attributes ? rows_->attributes[of.number()] : nullptr;
    return {static_cast<detail::stored<T> *>(data), size()};
  }

 private:
  friend class output;
  static std::size_t count_of(const tessera_rows *of) { return of ? of->count : 0; }
  const tessera_rows *rows_;
};

class output {
 public:
  output(tessera_output &to, const tessera_host &host) : output_(to), host_(host) {}
  output(const output &) = delete;
  output &operator=(const output &) = delete;

  // Throws if the host rejects the run.
  tessera::rows add(const run &who) {
    if (who.section > std::numeric_limits<std::uint32_t>::max())
      throw failed("section " + std::to_string(who.section) + " is more than the host can count");
    const tessera_run c_run = contract(who);
    const tessera_rows *got = nullptr;
    const tessera_status status = output_.add(&output_, &c_run, &got);
    if (status == TESSERA_ERROR_NO_SPACE || status == TESSERA_ERROR_CANCELLED) throw failure(status, "");
    if (status != TESSERA_OK)
      throw failure(status, "the host refused " + std::to_string(who.count) +
                                " elements from item " + std::to_string(who.first_item) +
                                " of section " + std::to_string(who.section) +
                                " on; add sections, items and kinds that there are");
    return tessera::rows(who.count == 0 ? nullptr : got);
  }
  // Usually one element.
  void add(const run &who, const rect &frame) {
    for (rect &at : add(who).frames) at = frame;
  }

  void leave(const tessera::rows &of, std::size_t count) {
    if (of.rows_) output_.leave(&output_, of.rows_, count);
  }

  // tessera.adjusting/1.
  void needs_no_adjust() {
    const void *const table = host_.extension(&host_, TESSERA_EXT_ADJUSTING);
    if (table) static_cast<const tessera_adjusting *>(table)->not_needed(&host_);
  }

  struct entry {
    tessera::run run;
    tessera::rows rows;
  };
  std::size_t run_count() const { return output_.run_count(&output_); }
  entry get(std::size_t index) const {
    tessera_run who{};
    const tessera_rows *got = nullptr;
    const tessera_status status = output_.get(&output_, index, &who, &got);
    if (status != TESSERA_OK)
      throw failure(status, "the engine asked for run " + std::to_string(index) + " of " +
                                std::to_string(run_count()) + "; ask for one that there is");
    return {detail::described(who), tessera::rows(got)};
  }
  struct run_list {
    const output *of;
    std::size_t count;
    entry operator[](std::size_t index) const { return of->get(index); }
    detail::place_in<run_list> begin() const { return {this, 0}; }
    detail::place_in<run_list> end() const { return {this, count}; }
  };
  // for (auto [run, rows] : out.runs()); without runs added in the loop.
  run_list runs() const { return {this, run_count()}; }

  // Throws if the size is invalid.
  void set_content_size(const tessera::size &extent) {
    if (!(std::isfinite(extent.width) && std::isfinite(extent.height) && extent.width >= 0 &&
          extent.height >= 0))
      throw invalid_value("the content would be " + describe(extent) +
                          " points; it must be finite and not negative, so give smaller lengths, "
                          "or fewer items");
    output_.set_content_size(&output_, extent);
  }
  tessera::size content_size() const { return output_.content_size(&output_); }

  // Throws if the host cancels the call: do not catch it.
  void progress(double fraction) const {
    if (host_.progress(&host_, fraction) == 0) throw failure(TESSERA_ERROR_CANCELLED, "");
  }

 private:
  friend base;
  static tessera_run contract(const run &who) {
    return {static_cast<tessera_category>(who.category), who.kind,
            static_cast<std::uint32_t>(who.section), 0, who.first_item, who.count};
  }
  tessera_output &output_;
  const tessera_host &host_;
};

// ---------------------------------------------------------------- changes of the data

using update = tessera_update;

// An item value for cells, a section value for a supplementary kind.
struct measured {
  const char *value;
  const char *kind = nullptr; // null: cells
};

// The item counts within its section.
struct place {
  std::size_t section = 0;
  std::size_t item = 0;
  bool operator==(const place &) const = default;
};

// ---------------------------------------------------------------- the layout

namespace detail {

struct declarations {
  std::vector<tessera_parameter> parameters;
  std::vector<tessera_value_declaration> values;
  std::vector<tessera_list_declaration> lists;
  std::vector<std::vector<tessera_parameter>> list_columns; // by list
  std::vector<tessera_function_declaration> functions;
  std::vector<tessera_function_declaration> published;
  std::vector<tessera_attribute> attributes;
  std::vector<tessera_kind> kinds;
  std::vector<tessera_setting> settings;
  std::vector<std::unique_ptr<std::string>> texts; // owns the names

  const char *keep(std::string text) {
    texts.push_back(std::make_unique<std::string>(std::move(text)));
    return texts.back()->c_str();
  }
};

// Set while a layout is created only to be described.
inline thread_local declarations *describing = nullptr;

struct counts {
  std::uint32_t parameters = 0, values = 0, lists = 0, functions = 0, attributes = 0, kinds = 0;
};

struct access;

} // namespace detail

// An engine's layout. Derive from it, declare in members, override what the engine does.
//
// Statics that a class may hide: based_on, traits, laws, columns, adjusted_columns, and measured
// elements: std::array{tessera::measured{"height"}}.
class layout {
 public:
  static constexpr std::optional<base_engine> based_on{};
  static constexpr std::uint32_t traits = tessera::traits::none;
  static constexpr std::uint32_t laws = tessera::laws::none;
  static constexpr std::uint32_t columns = tessera::columns::none;
  static constexpr std::uint32_t adjusted_columns = tessera::columns::none;
  static constexpr std::array<tessera::measured, 0> measured{};

  layout() : declaring_(detail::describing) {}
  virtual ~layout() = default;
  layout(const layout &) = delete;
  layout &operator=(const layout &) = delete;

  virtual void prepare(const input &, output &) {}
  virtual void adjust(const input &, const rect &, output &) {}
  virtual void elements_in_rect(const input &, const rect &, output &) {}
  virtual void element(const input &, const run &, output &) {}
  virtual bool still_valid(const input &) { return false; }

  // tessera.snapping/1.
  virtual point resting_offset(const input &, const point &, const point &proposed) {
    return proposed;
  }
  // tessera.reordering/1.
  virtual place target(const input &, const place &, const point &, const place &proposed) {
    return proposed;
  }
  // tessera.sizing/1. Returns the number written: one for each element, 1 for all, or 0 to turn
  // measuring off.
  virtual std::size_t estimates(const input &, const run &, std::span<size>) { return 0; }
  // tessera.sizing/1. Returns the number written: one for each element, or 1 for all.
  virtual std::size_t proposals(const input &, const run &, std::span<size> sizes) {
    sizes[0] = {0, 0};
    return 1;
  }
  // tessera.updates/1, in the order of the calls.
  virtual void begin_update(const input &, std::span<const update>) {}
  virtual void initial_attributes(const input &, output &) {}
  virtual void final_attributes(const input &, output &) {}
  virtual void end_update() {}

 protected:
  // Publishes a member function, in the constructor: publish<&spiral::turns>("turns", "How …").
  template <auto Member> inline void publish(const char *name, const char *help);
  // Not in the constructor.
  void warn(const std::string &message) const {
    if (host_) host_->report(host_, TESSERA_OK, message.c_str());
  }
  // tessera.query/1. Read-only; valid until the next query.
  output placed(const rect &in) const {
    const void *const table = host_ ? host_->extension(host_, TESSERA_EXT_QUERY) : nullptr;
    if (!table)
      throw unsupported("the host does not say where elements are (" TESSERA_EXT_QUERY
                        "); use one that does");
    tessera_output *found = nullptr;
    const tessera_status status =
        static_cast<const tessera_query *>(table)->elements_in_rect(host_, in, &found);
    if (status == TESSERA_ERROR_WRONG_STATE)
      throw failure(status, "where elements are can be asked only in published functions and in "
                            "those of extensions; keep what prepare and adjust need");
    if (status != TESSERA_OK || !found) throw failure(status ? status : TESSERA_ERROR_FAILED, "");
    return {*found, *host_};
  }

 private:
  friend detail::access;
  detail::declarations *declaring_;
  const tessera_host *host_ = nullptr;
  detail::counts counts_;
  // Callable until the end of the next prepare.
  std::vector<std::shared_ptr<void>> given_, given_before_;
};

// ---------------------------------------------------------------- the base

// Overrides apply until the next prepare.
class base {
 public:
  base(tessera_super &of, const tessera_input &given, layout &owner)
      : super_(of), input_(given), layout_(owner) {}

  // Only in the functions of the same names.
  void prepare(output &out) { done(super_.prepare(&super_, &out.output_)); }
  void adjust(const rect &in, output &out) { done(super_.adjust(&super_, in, &out.output_)); }
  void elements_in_rect(const rect &in, output &out) {
    done(super_.elements_in_rect(&super_, in, &out.output_));
  }
  void element(const run &who, output &out) {
    const tessera_run c_run = output::contract(who);
    done(super_.element(&super_, &c_run, &out.output_));
  }
  bool still_valid() { return super_.still_valid(&super_) == 1; }

  // Choices cross libraries by name only and cannot be read.
  template <plain_value T>
  T get(const char *name) const {
    tessera_value got;
    done(super_.get(&super_, name, detail::contract<T>::type, &got), name, "have");
    return detail::load<T>(&got);
  }
  template <plain_value T>
  T get(const inherited<T> &of) const {
    return get<T>(of.name());
  }
  // In prepare, still_valid.
  template <value T> void set(const char *name, const T &to) {
    tessera_status status;
    const tessera_value packed = detail::pack(to);
    if constexpr (choice<T>)
      status = super_.set_choice(&super_, name, choices<T>[static_cast<std::size_t>(to)]);
    else
      status = super_.set(&super_, name, detail::contract<T>::type, &packed);
    // The host itself reports why a value is invalid.
    if (status == TESSERA_ERROR_INVALID_VALUE) throw failure(status, "");
    done(status, name, "take");
  }
  template <value T> void set(const inherited<T> &of, const std::type_identity_t<T> &to) {
    set<T>(of.name(), to);
  }
  template <plain_value T>
  column<T> section_values(const char *name) const {
    return get_values<T>(name, TESSERA_SCOPE_SECTION, input_.section_count);
  }
  template <plain_value T>
  column<T> item_values(const char *name) const {
    return get_values<T>(name, TESSERA_SCOPE_ITEM, input_.section_starts[input_.section_count]);
  }
  // Change the returned current values before you call the base. In prepare, still_valid.
  template <plain_value T>
  view<detail::stored<T>> set_section_values(const char *name) {
    return set_values<T>(name, TESSERA_SCOPE_SECTION, input_.section_count);
  }
  template <plain_value T>
  view<detail::stored<T>> set_item_values(const char *name) {
    return set_values<T>(name, TESSERA_SCOPE_ITEM, input_.section_starts[input_.section_count]);
  }
  // A choice is an index into the base's choices: use an enum with the same.
  std::size_t list_count(const char *list) const {
    std::uint64_t count = 0;
    done(super_.get_list(&super_, list, &count), list, "have");
    return count;
  }
  template <value T> column<T> list_column(const char *list, const char *column) const {
    tessera_column got{};
    done(super_.get_column(&super_, list, column, detail::contract<T>::type, &got),
         in_list(list, column).c_str(), "have");
    return {got, list_count(list)};
  }
  // New records have initial values. In prepare, still_valid.
  void set_list(const char *list, std::size_t count) {
    done(super_.set_list(&super_, list, count), list, "take");
  }
  // After set_list: change the returned values before you call the base.
  template <value T> view<detail::stored<T>> set_list_column(const char *list, const char *column) {
    void *data = nullptr;
    const tessera_status status =
        super_.set_column(&super_, list, column, detail::contract<T>::type, &data);
    if (status == TESSERA_ERROR_WRONG_STATE)
      throw failure(status, in_list(list, column) + " of the base was set without the list; call "
                                                    "set_list first, in prepare or still_valid");
    done(status, in_list(list, column).c_str(), "take");
    return {static_cast<detail::stored<T> *>(data), list_count(list)};
  }
  // In prepare, with a callable:
  // set_function<bool(std::uint32_t, std::uint32_t)>("breaksBefore", …).
  template <class Signature> inline void set_function(const char *name,
                                                      std::function<Signature> function);

 private:
  // The base has reported why it failed.
  static void done(tessera_status status) {
    if (status != TESSERA_OK) throw failure(status, "");
  }
  static void done(tessera_status status, const char *name, const char *verb) {
    switch (status) {
      case TESSERA_OK: return;
      case TESSERA_ERROR_NOT_FOUND:
      case TESSERA_ERROR_INVALID_VALUE:
        throw failure(status, std::string("the base does not ") + verb + " " + name +
                                  " as this type; use a name and a type that it declares");
      case TESSERA_ERROR_WRONG_STATE:
        throw failure(status, std::string(name) + " of the base was set outside of prepare and "
                                                  "still_valid; set it in one of them");
      default: throw failure(status, "");
    }
  }
  static std::string in_list(const char *list, const char *column) {
    return std::string("the column ") + column + " of " + list;
  }
  template <value T> column<T> get_values(const char *name, std::uint32_t scope,
                                          std::size_t count) const {
    tessera_column got{};
    done(super_.get_values(&super_, name, scope, detail::contract<T>::type, &got), name, "have");
    return {got, count};
  }
  template <value T> view<detail::stored<T>> set_values(const char *name, std::uint32_t scope,
                                                        std::size_t count) {
    void *data = nullptr;
    done(super_.set_values(&super_, name, scope, detail::contract<T>::type, &data), name, "take");
    return {static_cast<detail::stored<T> *>(data), count};
  }

  tessera_super &super_;
  const tessera_input &input_;
  layout &layout_;
};

inline base input::base() const {
  if (!input_.super)
    throw failed("the layout has no base; give its class a static constexpr based_on");
  return {*input_.super, input_, layout_};
}

// ---------------------------------------------------------------- entry points
// No exception leaves these functions, which the host calls.

namespace detail {

inline void report(const tessera_host *host, tessera_status status, const char *message) noexcept {
  if (host && message && *message) host->report(host, status, message);
}

template <class Body> tessera_status guarded(const tessera_host *host, Body &&body) noexcept {
  try {
    body();
    return TESSERA_OK;
  } catch (const failure &caught) {
    report(host, caught.status(), caught.what());
    return caught.status() == TESSERA_OK ? TESSERA_ERROR_FAILED : caught.status();
  } catch (const std::bad_alloc &) {
    report(host, TESSERA_ERROR_NO_SPACE, "the engine found no memory left; lay out fewer items");
    return TESSERA_ERROR_NO_SPACE;
  } catch (const std::exception &caught) {
    report(host, TESSERA_ERROR_FAILED, caught.what());
  } catch (...) {
    report(host, TESSERA_ERROR_FAILED, "the engine threw something that is no std::exception");
  }
  return TESSERA_ERROR_FAILED;
}

struct access {
  static layout &of(tessera_layout *self) { return *reinterpret_cast<layout *>(self); }
  static void bind(layout &made, const tessera_host *host) { made.host_ = host; }
  static const tessera_host *host(const layout &of) { return of.host_; }
  static declarations *declaring(layout *of) { return of->declaring_; }
  template <std::uint32_t counts::*Count> static std::uint32_t next(layout *of) {
    return (of->counts_.*Count)++;
  }
  static void give(layout &of, std::shared_ptr<void> function) {
    of.given_.push_back(std::move(function));
  }
  static void begin_prepare(layout &of) {
    of.given_before_ = std::move(of.given_);
    of.given_.clear();
  }
  static void end_prepare(layout &of) { of.given_before_.clear(); }

  template <class Body>
  static tessera_status call(tessera_layout *self, const tessera_input *given,
                             Body &&body) noexcept {
    layout &the_layout = of(self);
    return guarded(the_layout.host_, [&] { body(the_layout, input(*given, the_layout)); });
  }
  template <class Body>
  static tessera_status call(tessera_layout *self, const tessera_input *given, tessera_output *to,
                             Body &&body) noexcept {
    return call(self, given, [&](layout &the_layout, const input &in) {
      output out(*to, *the_layout.host_);
      body(the_layout, in, out);
    });
  }

  static tessera_status prepare(tessera_layout *self, const tessera_input *given,
                                tessera_output *to) noexcept {
    begin_prepare(of(self));
    const tessera_status status = call(
        self, given, to, [](layout &by, const input &in, output &out) { by.prepare(in, out); });
    end_prepare(of(self));
    return status;
  }
  static tessera_status adjust(tessera_layout *self, const tessera_input *given, tessera_rect at,
                               tessera_output *to) noexcept {
    return call(self, given, to,
                [&](layout &by, const input &in, output &out) { by.adjust(in, at, out); });
  }
  static tessera_status elements_in_rect(tessera_layout *self, const tessera_input *given,
                                         tessera_rect at, tessera_output *to) noexcept {
    return call(self, given, to,
                [&](layout &by, const input &in, output &out) { by.elements_in_rect(in, at, out); });
  }
  static tessera_status element(tessera_layout *self, const tessera_input *given,
                                const tessera_run *who, tessera_output *to) noexcept {
    return call(self, given, to, [&](layout &by, const input &in, output &out) {
      by.element(in, described(*who), out);
    });
  }
  static std::int32_t still_valid(tessera_layout *self, const tessera_input *given) noexcept {
    std::int32_t answer = 0;
    call(self, given, [&](layout &by, const input &in) { answer = by.still_valid(in) ? 1 : 0; });
    return answer;
  }
  static tessera_status resting_offset(tessera_layout *self, const tessera_input *given,
                                       tessera_point velocity, tessera_point *resting) noexcept {
    return call(self, given, [&](layout &by, const input &in) {
      *resting = by.resting_offset(in, velocity, *resting);
    });
  }
  static tessera_status target(tessera_layout *self, const tessera_input *given,
                               std::uint32_t section, std::uint64_t item, tessera_point at,
                               std::uint32_t *to_section, std::uint64_t *to_item) noexcept {
    return call(self, given, [&](layout &by, const input &in) {
      const place found = by.target(in, {section, item}, at, {*to_section, *to_item});
      *to_section = static_cast<std::uint32_t>(found.section);
      *to_item = found.item;
    });
  }
  // Estimates or proposals.
  template <auto Member>
  static tessera_status sizes(tessera_layout *self, const tessera_input *given,
                              const tessera_run *who, tessera_size *sizes,
                              std::uint64_t *count) noexcept {
    return call(self, given, [&](layout &by, const input &in) {
      *count = (by.*Member)(in, described(*who), {sizes, who->count});
    });
  }
  static tessera_status begin_update(tessera_layout *self, const tessera_input *given,
                                     const tessera_update *updates, std::uint64_t count) noexcept {
    return call(self, given, [&](layout &by, const input &in) {
      by.begin_update(in, std::span<const update>(updates, count));
    });
  }
  // Initial or final attributes.
  template <auto Member>
  static tessera_status attributes(tessera_layout *self, const tessera_input *given,
                                   tessera_output *to) noexcept {
    return call(self, given, to,
                [](layout &by, const input &in, output &out) { (by.*Member)(in, out); });
  }
  static void end_update(tessera_layout *self) noexcept {
    layout &the_layout = of(self);
    guarded(the_layout.host_, [&] { the_layout.end_update(); });
  }
  static void destroy(tessera_layout *self) noexcept {
    if (self) delete &of(self);
  }
};

// Returns zero if the function throws.
template <class Result, class Body>
crossed<Result> answer(const tessera_host *host, Body &&body) noexcept {
  if constexpr (std::is_void_v<Result>) {
    guarded(host, body);
  } else {
    crossed<Result> answer{};
    guarded(host, [&] { answer = crossing<Result>::out(body()); });
    return answer;
  }
}

template <class Signature> struct given_function;
template <class Result, class... Arguments> struct given_function<Result(Arguments...)> {
  const tessera_host *host;
  std::function<Result(Arguments...)> function;

  static crossed<Result> call(void *context, crossed<Arguments>... arguments) noexcept {
    const auto &self = *static_cast<given_function *>(context);
    return answer<Result>(self.host,
                          [&] { return self.function(crossing<Arguments>::in(arguments)...); });
  }
};

template <auto Member, class Layout, class Result, class... Arguments> struct published_member {
  using type = Result(Arguments...);
  static crossed<Result> call(void *context, crossed<Arguments>... arguments) noexcept {
    auto &self = static_cast<Layout &>(access::of(static_cast<tessera_layout *>(context)));
    return answer<Result>(access::host(self),
                          [&] { return (self.*Member)(crossing<Arguments>::in(arguments)...); });
  }
};
template <auto Member, class Type> struct published_as;
template <auto Member, class Layout, class Result, class... Arguments>
struct published_as<Member, Result (Layout::*)(Arguments...)>
    : published_member<Member, Layout, Result, Arguments...> {};
template <auto Member, class Layout, class Result, class... Arguments>
struct published_as<Member, Result (Layout::*)(Arguments...) const>
    : published_member<Member, Layout, Result, Arguments...> {};

} // namespace detail

template <class Signature>
void base::set_function(const char *name, std::function<Signature> function) {
  using given = detail::given_function<Signature>;
  auto kept = std::make_shared<given>(detail::access::host(layout_), std::move(function));
  typename detail::signature<Signature>::c_function call = &given::call;
  done(super_.set_function(&super_, name, detail::signature<Signature>::text().c_str(),
                           {reinterpret_cast<void (*)()>(call), kept.get()}),
       name, "take");
  detail::access::give(layout_, std::move(kept));
}

template <auto Member> void layout::publish(const char *name, const char *help) {
  using published = detail::published_as<Member, decltype(Member)>;
  using signature = detail::signature<typename published::type>;
  if (!declaring_) return;
  typename signature::c_function call = &published::call;
  declaring_->published.push_back({name, declaring_->keep(signature::text()), help,
                                   reinterpret_cast<void (*)()>(call)});
}

// ---------------------------------------------------------------- declaring

namespace detail {

template <value T> std::span<const char *const> choice_names() {
  if constexpr (choice<T>)
    return choices<T>;
  else
    return {};
}
template <value T> std::uint32_t choice_count() {
  return static_cast<std::uint32_t>(choice_names<T>().size());
}

template <typename Declaration> std::uint32_t flags(const Declaration &declared) {
  return (declared.hint ? TESSERA_FLAG_HINT : 0) | (declared.in_adjust ? TESSERA_FLAG_IN_ADJUST : 0);
}

template <value T>
tessera_parameter described(const typename parameter<T>::declaration &declared) {
  tessera_value none, minimum, maximum;
  std::memset(&none, 0, sizeof none);
  minimum = maximum = none;
  if constexpr (contract<T>::limited) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (declared.minimum || declared.maximum) {
      minimum = pack(declared.minimum.value_or(each<T>(-infinity)));
      maximum = pack(declared.maximum.value_or(each<T>(infinity)));
    }
  }
  return {declared.name, declared.help, declared.unit, choice_names<T>().data(), choice_count<T>(),
          contract<T>::type, flags(declared), 0, pack(declared.initial), minimum, maximum};
}

} // namespace detail

template <value T>
parameter<T>::parameter(layout *owner, const declaration &declared)
    : name_(declared.name), index_(detail::access::next<&detail::counts::parameters>(owner)) {
  if (detail::declarations *const to = detail::access::declaring(owner))
    to->parameters.push_back(detail::described<T>(declared));
}

list::list(layout *owner, const declaration &declared)
    : owner_(owner), name_(declared.name), index_(detail::access::next<&detail::counts::lists>(owner)) {
  detail::declarations *const to = detail::access::declaring(owner);
  if (!to) return;
  to->lists.push_back({declared.name, declared.help, 0, sizeof(tessera_parameter), nullptr});
  to->list_columns.emplace_back();
}

template <value T>
list_column<T>::list_column(list &owner, const declaration &declared)
    : name_(declared.name), list_(owner.index_), index_(owner.columns_++) {
  if (detail::declarations *const to = detail::access::declaring(owner.owner_))
    to->list_columns[list_].push_back(detail::described<T>(declared));
}

template <value T, std::uint32_t Scope>
values<T, Scope>::values(layout *owner, const declaration &declared)
    : name_(declared.name), index_(detail::access::next<&detail::counts::values>(owner)) {
  if (detail::declarations *const to = detail::access::declaring(owner))
    to->values.push_back({declared.name, declared.help,
                          declared.fallback ? declared.fallback->name() : nullptr,
                          detail::contract<T>::type, Scope, detail::flags(declared), 0});
}

template <class Signature>
delegate<Signature>::delegate(layout *owner, const declaration &declared)
    : index_(detail::access::next<&detail::counts::functions>(owner)) {
  if (detail::declarations *const to = detail::access::declaring(owner))
    to->functions.push_back(
        {declared.name, to->keep(detail::signature<Signature>::text()), declared.help, nullptr});
}

template <value T>
attribute<T>::attribute(layout *owner, const declaration &declared)
    : name_(declared.name), number_(detail::access::next<&detail::counts::attributes>(owner)) {
  if (detail::declarations *const to = detail::access::declaring(owner))
    to->attributes.push_back({declared.name, declared.help, declared.unit,
                              detail::choice_names<T>().data(), detail::choice_count<T>(),
                              detail::contract<T>::type,
                              static_cast<tessera_interpolation>(declared.interpolation),
                              static_cast<std::uint32_t>(declared.when),
                              detail::pack(declared.initial)});
}

kind::kind(layout *owner, const declaration &declared)
    : category_(declared.category), number_(detail::access::next<&detail::counts::kinds>(owner)) {
  if (detail::declarations *const to = detail::access::declaring(owner))
    to->kinds.push_back({declared.name, declared.shows,
                         static_cast<tessera_category>(declared.category),
                         static_cast<tessera_role>(declared.role)});
}

template <value T>
inherited<T>::inherited(layout *owner, const declaration &declared) : name_(declared.name) {
  detail::declarations *const to = detail::access::declaring(owner);
  if (!to || !declared.initial) return;
  tessera_setting setting{declared.name, nullptr, detail::contract<T>::type,
                          declared.owned ? 1u : 0u, detail::pack(*declared.initial)};
  if constexpr (choice<T>)
    setting.choice = choices<T>[static_cast<std::size_t>(*declared.initial)];
  to->settings.push_back(setting);
}

// ---------------------------------------------------------------- registering

namespace detail {

// Whether a class, or a base of it below layout, overrides a function of layout.
template <class Own, class Inherited> inline constexpr bool differ = !std::is_same_v<Own, Inherited>;
#define TESSERA_OVERRIDES(engine, function)                                                        \
  (::tessera::detail::differ<decltype(&engine::function), decltype(&::tessera::layout::function)>)

template <class Engine> class record {
 public:
  // Never freed: the host keeps pointers into it until the process ends.
  static const tessera_engine &permanent() {
    static const record &made = *new record();
    return made.engine_;
  }

 private:
  static_assert(std::derived_from<Engine, layout>, "an engine derives from tessera::layout");
  static constexpr bool prepares = TESSERA_OVERRIDES(Engine, prepare);
  static constexpr bool adjusts = TESSERA_OVERRIDES(Engine, adjust);
  static constexpr bool is_lazy = TESSERA_OVERRIDES(Engine, elements_in_rect);
  static constexpr bool finds = TESSERA_OVERRIDES(Engine, element);
  static constexpr bool reuses = TESSERA_OVERRIDES(Engine, still_valid);
  static constexpr bool snaps = TESSERA_OVERRIDES(Engine, resting_offset);
  static constexpr bool reorders = TESSERA_OVERRIDES(Engine, target);
  static constexpr bool measures = TESSERA_OVERRIDES(Engine, estimates);
  static constexpr bool updates =
      TESSERA_OVERRIDES(Engine, begin_update) || TESSERA_OVERRIDES(Engine, initial_attributes) ||
      TESSERA_OVERRIDES(Engine, final_attributes) || TESSERA_OVERRIDES(Engine, end_update);
  static_assert(is_lazy == finds, "a lazy engine overrides both elements_in_rect and element");
  static_assert(measures == !Engine::measured.empty(),
                "an engine that overrides estimates has a static constexpr measured, and only that");
  static_assert(measures || !TESSERA_OVERRIDES(Engine, proposals),
                "an engine that overrides proposals overrides estimates too");

  struct describing_scope {
    explicit describing_scope(declarations &to) { describing = &to; }
    ~describing_scope() { describing = nullptr; }
  };

  record() {
    {
      const describing_scope scope(declared_);
      const Engine described;
    }
    declared_.functions.insert(declared_.functions.end(), declared_.published.begin(),
                               declared_.published.end());
    for (std::size_t i = 0; i < declared_.lists.size(); i++) {
      const std::vector<tessera_parameter> &of_list = declared_.list_columns[i];
      declared_.lists[i].columns = of_list.data();
      declared_.lists[i].column_count = static_cast<std::uint32_t>(of_list.size());
    }
    constexpr const identity &who = Engine::identity;
    engine_ = {};
    engine_.struct_size = sizeof engine_;
    engine_.traits = Engine::traits | (is_lazy ? TESSERA_TRAIT_LAZY : 0) |
                     (adjusts ? TESSERA_TRAIT_VIEWPORT : 0);
    engine_.laws = Engine::laws;
    engine_.columns = Engine::columns;
    engine_.adjusted_columns = Engine::adjusted_columns;
    engine_.id = who.id;
    engine_.name = who.name;
    engine_.version = who.version;
    engine_.author = who.author;
    engine_.license = who.license;
    engine_.summary = who.summary;
    constexpr std::optional<base_engine> on = Engine::based_on;
    if constexpr (on.has_value()) {
      engine_.base = on->id;
      engine_.base_version = on->version;
    }
    give(declared_.parameters, engine_.parameters, engine_.parameter_count, engine_.parameter_size);
    give(declared_.values, engine_.values, engine_.value_count, engine_.value_size);
    give(declared_.functions, engine_.functions, engine_.function_count, engine_.function_size);
    give(declared_.attributes, engine_.attributes, engine_.attribute_count, engine_.attribute_size);
    give(declared_.kinds, engine_.kinds, engine_.kind_count, engine_.kind_size);
    give(declared_.settings, engine_.defaults, engine_.default_count, engine_.default_size);
    give(declared_.lists, engine_.lists, engine_.list_count, engine_.list_size);
    engine_.create = create;
    engine_.destroy = access::destroy;
    if (prepares) engine_.prepare = access::prepare;
    if (adjusts) engine_.adjust = access::adjust;
    if (is_lazy) engine_.elements_in_rect = access::elements_in_rect;
    if (finds) engine_.element = access::element;
    if (reuses) engine_.still_valid = access::still_valid;
    if (snaps || reorders || measures || updates) engine_.extension = extension;
  }

  template <class Element>
  static void give(const std::vector<Element> &from, const Element *&data, std::uint32_t &count,
                   std::uint32_t &size) {
    data = from.empty() ? nullptr : from.data();
    count = static_cast<std::uint32_t>(from.size());
    size = sizeof(Element);
  }

  static tessera_status create(const tessera_engine *, const tessera_host *host,
                               tessera_layout **made) noexcept {
    return guarded(host, [&] {
      layout *const bound = new Engine();
      access::bind(*bound, host);
      *made = reinterpret_cast<tessera_layout *>(bound);
    });
  }

  static const void *extension(const tessera_engine *, const char *id) noexcept {
    static const tessera_snapping snapping{sizeof snapping, 0, access::resting_offset};
    static const tessera_reordering reordering{sizeof reordering, 0, access::target};
    static const auto measured = [] {
      std::array<tessera_measured, Engine::measured.size()> all{};
      for (std::size_t i = 0; i < all.size(); i++)
        all[i] = {Engine::measured[i].value, Engine::measured[i].kind};
      return all;
    }();
    static const tessera_sizing sizing{sizeof sizing, static_cast<std::uint32_t>(measured.size()),
                                       measured.data(), access::sizes<&layout::estimates>,
                                       access::sizes<&layout::proposals>};
    static const tessera_updates updating{sizeof updating, 0, access::begin_update,
                                          access::attributes<&layout::initial_attributes>,
                                          access::attributes<&layout::final_attributes>,
                                          access::end_update};
    if (snaps && std::strcmp(id, TESSERA_EXT_SNAPPING) == 0) return &snapping;
    if (reorders && std::strcmp(id, TESSERA_EXT_REORDERING) == 0) return &reordering;
    if (measures && std::strcmp(id, TESSERA_EXT_SIZING) == 0) return &sizing;
    if (updates && std::strcmp(id, TESSERA_EXT_UPDATES) == 0) return &updating;
    return nullptr;
  }

  declarations declared_;
  tessera_engine engine_;
};
#undef TESSERA_OVERRIDES

template <class... Engines>
tessera_status add_engines(const tessera_host *host, tessera_registry *registry) noexcept {
  // Any host states the version that it serves this library.
  const std::uint32_t needed_minor = TESSERA_NEEDED_MINOR;
  if (host->abi_major != TESSERA_ABI_MAJOR || std::less{}(host->abi_minor, needed_minor)) {
    return guarded(host, [&] {
      throw unsupported("the host serves this library as ABI " + std::to_string(host->abi_major) +
                        "." + std::to_string(host->abi_minor) + ", but it needs " +
                        std::to_string(TESSERA_ABI_MAJOR) + "." + std::to_string(needed_minor) +
                        " or a later " + std::to_string(TESSERA_ABI_MAJOR) +
                        ".x; update the host");
    });
  }
  tessera_status status = TESSERA_OK;
  return guarded(host, [&] {
    // The host itself reports why a description is invalid.
    ((status = status == TESSERA_OK
                   ? registry->add_engine(registry, &record<Engines>::permanent())
                   : status),
     ...);
    if (status != TESSERA_OK) throw failure(status, "");
  });
}

} // namespace detail
} // namespace tessera

// Defines a library of engines: its note and its exported function. Use it once in a library,
// outside any function: TESSERA_ENGINES(spiral, tower)
#define TESSERA_ENGINES(...)                                                                       \
  TESSERA_NOTE;                                                                                    \
  extern "C" TESSERA_EXPORT tessera_status tessera_register(const tessera_host *host,              \
                                                            tessera_registry *registry) {          \
    return ::tessera::detail::add_engines<__VA_ARGS__>(host, registry);                            \
  }

#endif
