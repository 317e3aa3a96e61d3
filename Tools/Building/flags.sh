# How Tessera is built in release, for Tools/build and for what builds or runs tests of the same products: a
# build with other flags would compile everything again.
# Without debug information, which saves an eighth of the time; a section for each function, so that links leave
# out those that nothing calls. Several packages are built in one folder, so that none compiles another's modules again;
# each is planned anew, because a plan that is kept there can be that of another package.
# shellcheck disable=SC2034
build_flags=(-c release --disable-build-manifest-caching -debug-info-format none -Xswiftc -Xfrontend -Xswiftc -function-sections)
