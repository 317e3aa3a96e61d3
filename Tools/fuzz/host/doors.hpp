// The steps of the fuzzer: each calls some functions of the header, and notes what the session accepted.
#pragma once
#include <memory>
#include "model.hpp"

// What one thread works with.
struct World {
  tessera_engines *engines, *fresh;
  std::vector<std::unique_ptr<Used>> sessions;
  std::vector<tessera_moment *> moments;
  uint64_t identities = 1;
  Chance chance{0};
  Used *used = nullptr;  // the session of the step
  bool little_memory = false;
  bool sharing = false;  // other threads of the program work, too, so that it cannot fork

  World(uint64_t seed, tessera_host_isolation isolation);
  ~World();
  void step();
};

// What tells one lie after the other.
struct LyingWorld {
  tessera_engines *engines;
  tessera_session *sessions[3] = {};
  Chance chance;
  explicit LyingWorld(uint64_t seed);
  ~LyingWorld();
  void step();
};

struct Door {
  const char *name;
  unsigned weight;
  void (*open)(World &);
};
extern const std::vector<Door> doors;
extern std::string left_out;  // doors that stay closed
