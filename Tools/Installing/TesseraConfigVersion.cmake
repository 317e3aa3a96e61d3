set(PACKAGE_VERSION "@VERSION@")
# Engines and programs that were built for a version work with later ones of the same major version.
string(REGEX MATCH "^[0-9]+" _tessera_found "${PACKAGE_VERSION}")
string(REGEX MATCH "^[0-9]+" _tessera_wanted "${PACKAGE_FIND_VERSION}")
if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION
   OR (PACKAGE_FIND_VERSION MATCHES "." AND NOT _tessera_wanted STREQUAL _tessera_found))
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
