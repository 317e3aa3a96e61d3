// Pictures that fill their cells every now and then, by a function given to the base.

#pragma once

#include <tessera/tessera.hpp>

struct alternating : tessera::layout {
  static constexpr tessera::identity identity{.id = "org.example.cpp-alternating",
                                              .name = "Alternating",
                                              .version = "1.0.0",
                                              .author = "The Tessera authors",
                                              .license = "MIT",
                                              .summary = "Pictures that fill every other cell."};
  static constexpr tessera::base_engine based_on{"org.tessera.aspect-flow", "0.1.0"};
  static constexpr std::uint32_t traits = tessera::traits::mirrors;

  tessera::parameter<std::int64_t> every{this,
                                         {.name = "every",
                                          .help = "Every how many items a picture fills its cell.",
                                          .initial = 2,
                                          .minimum = 1}};

  void prepare(const tessera::input &in, tessera::output &out) override {
    tessera::base base = in.base();
    base.set_function<std::uint8_t(std::uint32_t, std::uint32_t)>(
        "layoutModeForItem", [every = in[every]](std::uint32_t, std::uint32_t item) {
          return static_cast<std::uint8_t>(item % every == 0 ? 1 : 0);
        });
    base.prepare(out);
  }
};
