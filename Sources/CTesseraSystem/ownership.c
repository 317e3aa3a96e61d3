#define _GNU_SOURCE
#include "tessera_ownership.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/xattr.h>

// Enough for a group of a few thousand members. A larger group is not private.
#define BUFFER_SIZE 65536

static int is_primary_of_another(uint32_t user, uint32_t group) {
  FILE *accounts = fopen("/etc/passwd", "re");
  if (!accounts) return 1;
  struct passwd entry, *found;
  char buffer[4096];
  int is_shared = 0, result;
  while (!is_shared && (result = fgetpwent_r(accounts, &entry, buffer, sizeof buffer, &found)) != ENOENT)
    is_shared = result != 0 || (entry.pw_gid == group && entry.pw_uid != user);
  fclose(accounts);
  return is_shared;
}

int tessera_group_is_private(uint32_t user, uint32_t group) {
  struct passwd account, *found_account;
  struct group members, *found_group;
  char names[4096], buffer[BUFFER_SIZE];
  if (getpwuid_r(user, &account, names, sizeof names, &found_account) != 0 || !found_account) return 0;
  if (account.pw_gid != group) return 0;
  if (getgrgid_r(group, &members, buffer, sizeof buffer, &found_group) != 0 || !found_group) return 0;
  if (strcmp(account.pw_name, members.gr_name) != 0) return 0;
  for (char **member = members.gr_mem; *member; member++)
    if (strcmp(*member, account.pw_name) != 0) return 0;
  return !is_primary_of_another(user, group);
}

int tessera_has_access_list(const char *path) {
  return getxattr(path, "system.posix_acl_access", NULL, 0) >= 0 || (errno != ENODATA && errno != ENOTSUP);
}

void tessera_user_name(uint32_t user, char *name, size_t size) {
  struct passwd account, *found;
  char names[4096];
  if (getpwuid_r(user, &account, names, sizeof names, &found) == 0 && found)
    snprintf(name, size, "%s", account.pw_name);
  else
    snprintf(name, size, "%u", user);
}

void tessera_group_name(uint32_t group, char *name, size_t size) {
  struct group members, *found;
  char buffer[BUFFER_SIZE];
  if (getgrgid_r(group, &members, buffer, sizeof buffer, &found) == 0 && found)
    snprintf(name, size, "%s", members.gr_name);
  else
    snprintf(name, size, "%u", group);
}
