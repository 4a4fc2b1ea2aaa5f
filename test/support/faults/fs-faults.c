/*
 * Makes one call to the file system fail, for a program that is started with this library in LD_PRELOAD.
 *   FS_FAULTS_UNDER  calls on this directory and on what is below it are counted
 *   FS_FAULTS_AT     the call that fails, from 1; 0 for none
 *   FS_FAULTS_KIND   EIO, ENOSPC, or short: a write of half its bytes, after which every write says that the disk is full
 *   FS_FAULTS_COUNT  a file into which the number of calls is written when the program ends
 * Counted: write, pwrite, writev, pwritev, fsync, fdatasync, ftruncate, rename, link. The program decides what a fault means.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *under, *kind, *count_path;
static size_t under_length;
static long fails_at;
static pid_t owner;
static atomic_long calls;
static atomic_int full;

__attribute__((constructor)) static void begin(void) {
  under = getenv("FS_FAULTS_UNDER");
  kind = getenv("FS_FAULTS_KIND");
  count_path = getenv("FS_FAULTS_COUNT");
  const char *at = getenv("FS_FAULTS_AT");
  fails_at = at ? atol(at) : 0;
  under_length = under ? strlen(under) : 0;
  owner = getpid();
}

__attribute__((destructor)) static void end(void) {
  if (!count_path || getpid() != owner) return;
  FILE *file = fopen(count_path, "w");
  if (!file) return;
  fprintf(file, "%ld\n", atomic_load(&calls));
  fclose(file);
}

static int is_below(const char *path) {
  return under && strncmp(path, under, under_length) == 0 && (path[under_length] == '/' || path[under_length] == 0);
}

static int is_counted(int descriptor) {
  if (!under) return 0;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_below(path);
}

enum fault { NONE, SHORT, FAIL };

/* Counts a call and says what becomes of it; sets errno for FAIL. */
static enum fault next(int writes) {
  long call = atomic_fetch_add(&calls, 1) + 1;
  if (writes && atomic_load(&full)) {
    errno = ENOSPC;
    return FAIL;
  }
  if (fails_at == 0 || call != fails_at) return NONE;
  int is_short = kind && strcmp(kind, "short") == 0;
  if (is_short) atomic_store(&full, 1);
  if (is_short && writes) return SHORT;
  errno = is_short || (kind && strcmp(kind, "ENOSPC") == 0) ? ENOSPC : EIO;
  return FAIL;
}

#define REAL(name) \
  static __typeof__(name) *real; \
  if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name);

ssize_t write(int fd, const void *bytes, size_t length) {
  REAL(write)
  if (!is_counted(fd)) return real(fd, bytes, length);
  enum fault fault = next(1);
  return fault == FAIL ? -1 : real(fd, bytes, fault == SHORT ? (length + 1) / 2 : length);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) {
  REAL(pwrite)
  if (!is_counted(fd)) return real(fd, bytes, length, at);
  enum fault fault = next(1);
  return fault == FAIL ? -1 : real(fd, bytes, fault == SHORT ? (length + 1) / 2 : length, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at) {
  REAL(pwrite64)
  if (!is_counted(fd)) return real(fd, bytes, length, at);
  enum fault fault = next(1);
  return fault == FAIL ? -1 : real(fd, bytes, fault == SHORT ? (length + 1) / 2 : length, at);
}

/* A short write of a list ends within its first part. */
static ssize_t first_half(int fd, const struct iovec *parts, off_t at) {
  size_t length = (parts[0].iov_len + 1) / 2;
  REAL(pwrite)
  static ssize_t (*plain)(int, const void *, size_t);
  if (!plain) plain = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  return at < 0 ? plain(fd, parts[0].iov_base, length) : real(fd, parts[0].iov_base, length, at);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  REAL(writev)
  if (!is_counted(fd)) return real(fd, parts, count);
  enum fault fault = next(1);
  if (fault == SHORT) return first_half(fd, parts, -1);
  return fault == FAIL ? -1 : real(fd, parts, count);
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) {
  REAL(pwritev)
  if (!is_counted(fd)) return real(fd, parts, count, at);
  enum fault fault = next(1);
  if (fault == SHORT) return first_half(fd, parts, at);
  return fault == FAIL ? -1 : real(fd, parts, count, at);
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) {
  REAL(pwritev64)
  if (!is_counted(fd)) return real(fd, parts, count, at);
  enum fault fault = next(1);
  if (fault == SHORT) return first_half(fd, parts, at);
  return fault == FAIL ? -1 : real(fd, parts, count, at);
}

int fsync(int fd) {
  REAL(fsync)
  return is_counted(fd) && next(0) != NONE ? -1 : real(fd);
}

int fdatasync(int fd) {
  REAL(fdatasync)
  return is_counted(fd) && next(0) != NONE ? -1 : real(fd);
}

int ftruncate(int fd, off_t length) {
  REAL(ftruncate)
  return is_counted(fd) && next(0) != NONE ? -1 : real(fd, length);
}

int ftruncate64(int fd, off64_t length) {
  REAL(ftruncate64)
  return is_counted(fd) && next(0) != NONE ? -1 : real(fd, length);
}

int rename(const char *from, const char *to) {
  REAL(rename)
  return is_below(to) && next(0) != NONE ? -1 : real(from, to);
}

int link(const char *from, const char *to) {
  REAL(link)
  return is_below(to) && next(0) != NONE ? -1 : real(from, to);
}
