// Who may change a file: users, groups and access lists.
#ifndef TESSERA_OWNERSHIP_H
#define TESSERA_OWNERSHIP_H

#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

// 1 if a group is the user's own: the primary group of that user and of no other local one, with the user's name and no other member.
int tessera_group_is_private(uint32_t user, uint32_t group);

// 1 if an access list may give rights on a file that its mode does not show; also where that cannot be told.
int tessera_has_access_list(const char *path);

// The name of a user or group, cut to `size` bytes with their zero; the number where it has no name.
void tessera_user_name(uint32_t user, char *name, size_t size);
void tessera_group_name(uint32_t group, char *name, size_t size);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
