# For layout engines in C or C++:
#
#   find_package(Tessera REQUIRED)
#   add_library(spiral MODULE spiral.cpp)
#   target_link_libraries(spiral PRIVATE Tessera::Engine)
#
# and Tessera::Host for programs that run engines.
#
# Paths are relative to this file, so the prefix can be moved.
get_filename_component(_tessera_prefix "${CMAKE_CURRENT_LIST_DIR}/../../@UP@" REALPATH)

if(NOT TARGET Tessera::Engine)
  add_library(Tessera::Engine INTERFACE IMPORTED)
  # An engine exports one function.
  set_target_properties(Tessera::Engine PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${_tessera_prefix}/include"
    INTERFACE_LINK_OPTIONS "LINKER:--version-script=${_tessera_prefix}/share/tessera/engine.map"
    INTERFACE_POSITION_INDEPENDENT_CODE ON)
  get_property(_tessera_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if("CXX" IN_LIST _tessera_languages)
    set_property(TARGET Tessera::Engine PROPERTY INTERFACE_COMPILE_FEATURES cxx_std_20)
  endif()
  unset(_tessera_languages)
endif()

if(NOT TARGET Tessera::Host)
  add_library(Tessera::Host SHARED IMPORTED)
  set_target_properties(Tessera::Host PROPERTIES
    IMPORTED_LOCATION "${_tessera_prefix}/@LIBDIR@/libtessera.so.1"
    IMPORTED_SONAME libtessera.so.1
    INTERFACE_INCLUDE_DIRECTORIES "${_tessera_prefix}/include")
endif()

set(Tessera_RUST_SOURCE "${_tessera_prefix}/share/tessera/rust/tessera.rs")
set(Tessera_SWIFT_PACKAGE "${_tessera_prefix}/share/tessera/swift")
unset(_tessera_prefix)
