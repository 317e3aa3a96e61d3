#include <new>
#include <stdexcept>
#include <tessera/tessera.hpp>

enum class outcome { nothing, failure, exception, memory, number, index, told };
template <>
inline constexpr auto tessera::choices<outcome> =
    std::array{"nothing", "failure", "exception", "memory", "number", "index", "told"};

struct throwing : tessera::layout {
  static constexpr tessera::identity identity{.id = "org.example.cpp-throwing",
                                              .name = "Throwing",
                                              .version = "1.0.0",
                                              .author = "The Tessera authors",
                                              .license = "MIT",
                                              .summary = "Throws what it is told to."};

  tessera::parameter<outcome> what{this, {.name = "what", .help = "What is thrown."}};

  void prepare(const tessera::input &in, tessera::output &out) override {
    const tessera::rows rows = out.add(tessera::run::cells(0, 0, in.items(0).size()));
    for (tessera::rect &frame : rows.frames) frame = {0, 0, 10, 10};
    out.set_content_size({10, 10});
    switch (in[what]) {
      case outcome::nothing: return;
      case outcome::failure: throw tessera::invalid_value("what is failure; say nothing");
      case outcome::exception: throw std::runtime_error("the shelf gave way");
      case outcome::memory: throw std::bad_alloc();
      case outcome::number: throw 42;
      case outcome::index: rows.frames[rows.size()] = {}; return;
      case outcome::told: warn("what is told; say nothing"); return;
    }
  }
};

TESSERA_ENGINES(throwing)
