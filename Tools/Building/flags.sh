# Release flags, shared with everything that builds or tests the same products: other flags
# recompile all. No debug information, which saves an eighth of the time; function sections, to drop
# unused ones. Packages share a build folder and its modules; each is planned again, as a kept plan
# can be another's.
# shellcheck disable=SC2034
build_flags=(-c release --disable-build-manifest-caching -debug-info-format none -Xswiftc -Xfrontend -Xswiftc -function-sections)
