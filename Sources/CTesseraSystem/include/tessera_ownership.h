// Who can change a file: users, groups and access control lists.
#ifndef TESSERA_OWNERSHIP_H
#define TESSERA_OWNERSHIP_H

#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

// Returns 1 if a group is private to a user: it has the user's name and no other member, and it is the primary group of this user and of no
// other local user. Otherwise returns 0.
int tessera_group_is_private(uint32_t user, uint32_t group);

// Returns 1 if a file has an access control list, which may grant rights that its mode does not show, or if that cannot be determined.
// Otherwise returns 0.
int tessera_has_access_list(const char *path);

// Writes the name of a user or group, or its number if it has no name, truncated to `size` bytes including the null terminator.
void tessera_user_name(uint32_t user, char *name, size_t size);
void tessera_group_name(uint32_t group, char *name, size_t size);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
