// The input in force of a session, as the program knows it: by names, and by the identities of sections and items.
#pragma once
#include <map>
#include "fuzz.hpp"

struct Cell {
  double numbers[4] = {0, 0, 0, 0};
  std::string choice;
  bool is_fault = false;  // an invalid value of a batch
  bool operator==(const Cell &other) const { return !memcmp(numbers, other.numbers, sizeof numbers) && choice == other.choice && is_fault == other.is_fault; }
};
typedef std::vector<Cell> Cells;

struct Declared {
  std::string name, type, engine;
  unsigned components = 0;
  std::vector<std::string> choices;
  double minimum[4], maximum[4];
};
typedef std::vector<Declared> Declarations;

// What a version of the engine declares.
struct Schema {
  Declarations sorts[9];
  const Declared *find(int sort, const std::string &name) const;
};
enum { VERSIONS = 3 };
extern Schema schemas[VERSIONS + 1];

struct Section { uint64_t identity; std::vector<uint64_t> items; };
struct Values { bool is_constant = false; Cells cells; };
struct Size { double width, height; };
struct Pushed { Size size; double offer; };
struct List { uint64_t count = 0; std::map<std::string, Cells> columns; };
typedef std::pair<uint32_t, std::string> Name;  // a scope and a value
typedef std::pair<uint64_t, uint64_t> Place;    // a section and an item

struct Model {
  int version = 0;
  double bounds[2] = {375, 667}, offset[2] = {0, 0}, insets[3][4] = {}, scale = 2;
  int direction = 0;
  uint64_t limit = 10000000;
  std::vector<Section> sections = {{0, {}}};
  std::map<std::string, Cell> parameters;
  std::map<std::string, List> lists;
  std::map<Name, Values> values, removed;
  bool removed_is_known = true;
  std::map<std::string, int> delegates;
  int measure = 0, measure_kinds = 0;
  bool pushes_items = false, pushes_kinds = false;
  std::map<uint64_t, Pushed> pushed, pushed_kinds;  // by identity
  std::vector<std::string> batch_columns;
  bool has_batch_columns = false;
  bool is_held = false;
  Place origin, target;

  uint64_t items() const;
  std::vector<uint64_t> counts() const;
  uint64_t index_of(Place place) const;
  // How many values there must be.
  uint64_t wanted(uint32_t scope) const { return scope ? items() : sections.size(); }
  bool has_right_counts() const;
  bool has_faults() const;
  bool is_viewport_valid() const;
  // Forgets what a set of sections forgets.
  void set_sections(const std::vector<Section> &);
  void forget_sizes() { pushed.clear(), pushed_kinds.clear(); }
  void move_item(Place from, Place to);
  // Drops what another version does not declare.
  void adopt(int version);
};

// A session, what it was given, and what its callbacks do.
struct Used {
  tessera_session *session = nullptr;
  Model model;
  const std::vector<Section> *measured = nullptr;  // whose numbers measuring functions are given; null in a batch
  Chance *chance = nullptr;                        // of callbacks that replace the library; null: none do
  uint64_t sudden = 0;                             // the replacements during a call of which the model knows
};

// Creates a session of a version that has the same input.
void replay(tessera_engines *engines, const Model &model, Used &fresh, bool is_laid_out);
// Fails unless a session made new with the same input gives the same answer.
void compare(tessera_engines *engines, Used &used);
void compare_batch(tessera_engines *engines, Used &used, const std::vector<uint64_t> &parts, const std::vector<double> &bounds,
                   const std::string &parameter, const Cells &cells);
bool same(const Declared *one, const Declared *other);
bool knows_column(const Model &model, const std::string &name);
void read_schemas(tessera_engines *engines);
void note_version(Used &used);
std::string version_file(int version);
extern std::string folder;
// Puts another version in the place of the library: between the calls of a program, or suddenly, during one. Then a session can have been
// loaded more than once, so that nobody knows what was dropped.
void replace_library(Chance &chance, bool is_sudden);
extern std::atomic<uint64_t> sudden_replacements;

int32_t measure_item(void *context, uint64_t section, uint64_t item, const double proposed[2], double measured[2]);
int32_t measure_kind(void *context, const char *kind, uint64_t section, const double proposed[2], double measured[2]);
extern const tessera_delegate delegates[4];

// Values as an array of the Arrow C data interface, valid as long as this is.
struct Arrow {
  ArrowSchema schema = {};
  ArrowArray array = {};
  Arrow(const Declared &declared, const Cells &cells);
  Arrow(const Arrow &) = delete;

private:
  std::vector<double> numbers;
  std::vector<uint8_t> validity;
  std::vector<int32_t> offsets;
  std::string text, format;
  const void *buffers[3], *inner_buffers[2];
  ArrowSchema inner_schema = {}, *schema_children[1];
  ArrowArray inner_array = {}, *array_children[1];
};
std::vector<double> flattened(const Cells &cells, unsigned components);
std::vector<const char *> choices_of(const Cells &cells);
