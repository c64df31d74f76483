/* Makes one call to the file system, or one large allocation, fail, be cut short, kill the process
 * or lose power. It is loaded before the C library by LD_PRELOAD, and reads from the environment:
 *
 *   FAULT_FOLDER  only calls on files below this folder count
 *   FAULT_KIND    the kind of call, such as `write`; `malloc` stands for all large allocations
 *   FAULT_AT      the number of the call of this kind, from 1
 *   FAULT_MODE    an error number; -1: cut short; -2: kill; -3: lose power
 *   FAULT_STICKY  set if every later call on files fails too, as on a disk that is dead or full
 *   FAULT_REPORT  a file that gets a line for each kind with the number of its calls, and the line
 *                 `hit` if there was a fault; it is not written if the process is killed
 *   FAULT_TRACE   a file that gets a line for each write, sync and rename, in their order: the call
 *                 and the path, which of a rename is the new one
 *
 * To lose power is to overwrite with zeros, or to cut off, what was written and not synced, and to
 * kill the process. No rename is lost, so it is milder than a real power cut.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SHORT = -1, KILL = -2, POWER = -3, LARGE = 1 << 20, FILES = 4096 };
#define KINDS(X) X(open) X(read) X(write) X(sync) X(rename) X(link) X(unlink) X(rmdir) X(mkdir) \
    X(truncate) X(stat) X(list) X(lock) X(copy) X(malloc)
#define NAME(kind) K_##kind,
enum kind { KINDS(NAME) K_COUNT };
#define TEXT(kind) #kind,
static const char *const names[] = { KINDS(TEXT) };

static const char *folder, *report;
static size_t folder_len;
static int kind = -1, mode, is_sticky, is_ready, is_hit, trace = -1;
static long at, calls[K_COUNT];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* What was written to a file and not synced, from the first such byte on. */
struct file { dev_t dev; ino_t ino; int fd; off_t from, to; };
static struct file files[FILES];
static int file_count;

#define REAL(result, name, ...) \
    static result (*real_##name)(__VA_ARGS__); \
    if (!real_##name) real_##name = dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void begin(void) {
    const char *of = getenv("FAULT_KIND"), *number = getenv("FAULT_AT"), *how = getenv("FAULT_MODE");
    folder = getenv("FAULT_FOLDER");
    folder_len = folder ? strlen(folder) : 0;
    report = getenv("FAULT_REPORT");
    is_sticky = getenv("FAULT_STICKY") != NULL;
    at = number ? atol(number) : 0;
    mode = how ? atoi(how) : 0;
    for (int k = 0; of && k < K_COUNT; k++) if (!strcmp(names[k], of)) kind = k;
    REAL(int, open64, const char *, int, ...);
    const char *lines = getenv("FAULT_TRACE");
    if (lines) trace = real_open64(lines, O_WRONLY | O_APPEND | O_CLOEXEC);
    is_ready = 1;
}

__attribute__((destructor)) static void end(void) {
    is_ready = 0;
    FILE *out = report ? fopen(report, "w") : NULL;
    if (!out) return;
    for (int k = 0; k < K_COUNT; k++) fprintf(out, "%s %ld\n", names[k], calls[k]);
    if (is_hit) fprintf(out, "hit\n");
    fclose(out);
}

static int is_path_watched(const char *path) {
    return is_ready && folder && !strncmp(path, folder, folder_len);
}

/* The path of a descriptor; returns 0 if it has none, or none that is watched. */
static int watched_path(int fd, char path[4096]) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t len = is_ready && folder ? readlink(link, path, 4095) : -1;
    if (len <= 0) return 0;
    path[len] = 0;
    return is_path_watched(path);
}

static int is_watched(int fd) {
    char path[4096];
    return watched_path(fd, path);
}

static void note(const char *call, int fd) {
    char path[4096];
    if (trace >= 0 && watched_path(fd, path)) dprintf(trace, "%s %s\n", call, path);
}

static struct file *file_of(int fd, int is_new) {
    struct stat meta;
    if (fstat(fd, &meta) || !S_ISREG(meta.st_mode)) return NULL;
    for (int i = 0; i < file_count; i++)
        if (files[i].dev == meta.st_dev && files[i].ino == meta.st_ino) return &files[i];
    if (!is_new || file_count == FILES) return NULL;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    REAL(int, open64, const char *, int, ...);
    struct file *file = &files[file_count++];
    /* A descriptor of our own, for the program closes its own. */
    *file = (struct file){ meta.st_dev, meta.st_ino, real_open64(link, O_WRONLY | O_CLOEXEC), 0, 0 };
    return file;
}

static void written(int fd, off_t from, ssize_t len) {
    note("write", fd);
    if (mode != POWER || len <= 0) return;
    pthread_mutex_lock(&mutex);
    struct file *file = file_of(fd, 1);
    if (file) {
        int is_first = file->to == 0;
        if (is_first || from < file->from) file->from = from;
        if (from + len > file->to) file->to = from + len;
    }
    pthread_mutex_unlock(&mutex);
}

static void synced(int fd) {
    note("sync", fd);
    if (mode != POWER) return;
    pthread_mutex_lock(&mutex);
    struct file *file = file_of(fd, 0);
    if (file) file->from = file->to = 0;
    pthread_mutex_unlock(&mutex);
}

static void lose_power(void) {
    static char zeros[1 << 16];
    REAL(ssize_t, pwrite64, int, const void *, size_t, off_t);
    REAL(int, ftruncate64, int, off_t);
    for (int i = 0; i < file_count; i++) {
        struct file *file = &files[i];
        struct stat meta;
        if (!file->to || fstat(file->fd, &meta)) continue;
        /* Odd calls lose the length of a file too. */
        if (at % 2 && file->to >= meta.st_size) real_ftruncate64(file->fd, file->from);
        off_t to = file->to < meta.st_size ? file->to : meta.st_size;
        for (off_t place = file->from; !(at % 2 && file->to >= meta.st_size) && place < to;) {
            size_t len = to - place > (off_t)sizeof zeros ? sizeof zeros : (size_t)(to - place);
            real_pwrite64(file->fd, zeros, len, place);
            place += len;
        }
    }
}

/* Counts a call. Returns 0 if it goes on, SHORT if it is to be cut, or the number of an error. */
static int fault(enum kind of) {
    long number = __atomic_add_fetch(&calls[of], 1, __ATOMIC_SEQ_CST);
    int is_later = is_sticky && is_hit && of != K_malloc;
    if (!is_later && ((int)of != kind || number != at)) return 0;
    is_hit = 1;
    if (mode == POWER) { pthread_mutex_lock(&mutex); lose_power(); }
    if (mode == KILL || mode == POWER) { kill(getpid(), SIGKILL); pause(); }
    /* A full disk can be read. */
    int is_reading = of == K_read || of == K_stat || of == K_list || of == K_lock || of == K_unlink;
    return mode == ENOSPC && is_reading ? 0 : mode;
}

#define FAIL(of, failed) do { int e = fault(of); if (e > 0) { errno = e; return failed; } } while (0)
#define CUT(of, len) do { \
    int e = fault(of); \
    if (e > 0) { errno = e; return -1; } \
    if (e == SHORT && len > 1) len /= 2; \
} while (0)

int open64(const char *path, int flags, ...) {
    REAL(int, open64, const char *, int, ...);
    va_list rest;
    va_start(rest, flags);
    mode_t rights = va_arg(rest, mode_t);
    va_end(rest);
    if (is_path_watched(path)) FAIL(K_open, -1);
    return real_open64(path, flags, rights);
}
ssize_t read(int fd, void *bytes, size_t len) {
    REAL(ssize_t, read, int, void *, size_t);
    if (is_watched(fd)) CUT(K_read, len);
    return real_read(fd, bytes, len);
}
ssize_t pread64(int fd, void *bytes, size_t len, off_t from) {
    REAL(ssize_t, pread64, int, void *, size_t, off_t);
    if (is_watched(fd)) CUT(K_read, len);
    return real_pread64(fd, bytes, len, from);
}
ssize_t write(int fd, const void *bytes, size_t len) {
    REAL(ssize_t, write, int, const void *, size_t);
    int is_ours = is_watched(fd);
    if (is_ours) CUT(K_write, len);
    ssize_t done = real_write(fd, bytes, len);
    if (is_ours) written(fd, lseek(fd, 0, SEEK_CUR) - done, done);
    return done;
}
ssize_t pwrite64(int fd, const void *bytes, size_t len, off_t from) {
    REAL(ssize_t, pwrite64, int, const void *, size_t, off_t);
    int is_ours = is_watched(fd);
    if (is_ours) CUT(K_write, len);
    ssize_t done = real_pwrite64(fd, bytes, len, from);
    if (is_ours) written(fd, from, done);
    return done;
}
#define SYNC(name) int name(int fd) { \
    REAL(int, name, int); \
    if (!is_watched(fd)) return real_##name(fd); \
    FAIL(K_sync, -1); \
    /* The disk itself would take milliseconds. */ \
    synced(fd); \
    return 0; \
}
SYNC(fsync)
SYNC(fdatasync)
#define ON_PATH(name, of) int name(const char *path) { \
    REAL(int, name, const char *); \
    if (is_path_watched(path)) FAIL(of, -1); \
    return real_##name(path); \
}
ON_PATH(unlink, K_unlink)
ON_PATH(rmdir, K_rmdir)
int unlinkat(int fd, const char *path, int flags) {
    REAL(int, unlinkat, int, const char *, int);
    if (is_path_watched(path) || is_watched(fd)) FAIL(flags ? K_rmdir : K_unlink, -1);
    return real_unlinkat(fd, path, flags);
}
int mkdir(const char *path, mode_t rights) {
    REAL(int, mkdir, const char *, mode_t);
    if (is_path_watched(path)) FAIL(K_mkdir, -1);
    return real_mkdir(path, rights);
}
int rename(const char *from, const char *to) {
    REAL(int, rename, const char *, const char *);
    if (is_path_watched(to)) FAIL(K_rename, -1);
    if (trace >= 0 && is_path_watched(to)) dprintf(trace, "rename %s\n", to);
    return real_rename(from, to);
}
int linkat(int from_fd, const char *from, int to_fd, const char *to, int flags) {
    REAL(int, linkat, int, const char *, int, const char *, int);
    if (is_path_watched(to)) FAIL(K_link, -1);
    return real_linkat(from_fd, from, to_fd, to, flags);
}
int ftruncate64(int fd, off_t len) {
    REAL(int, ftruncate64, int, off_t);
    if (is_watched(fd)) FAIL(K_truncate, -1);
    return real_ftruncate64(fd, len);
}
int statx(int fd, const char *restrict path, int flags, unsigned mask, struct statx *restrict meta) {
    REAL(int, statx, int, const char *, int, unsigned, struct statx *);
    /* The standard library of Rust asks without a path whether the call is there. */
    const char *volatile given = path;
    if (given && (*given ? is_path_watched(given) : is_watched(fd))) FAIL(K_stat, -1);
    return real_statx(fd, path, flags, mask, meta);
}
DIR *opendir(const char *path) {
    REAL(DIR *, opendir, const char *);
    if (is_path_watched(path)) FAIL(K_list, NULL);
    return real_opendir(path);
}
int flock(int fd, int how) {
    REAL(int, flock, int, int);
    if (is_watched(fd)) FAIL(K_lock, -1);
    return real_flock(fd, how);
}
ssize_t copy_file_range(int in, off_t *from, int out, off_t *to, size_t len, unsigned flags) {
    REAL(ssize_t, copy_file_range, int, off_t *, int, off_t *, size_t, unsigned);
    if (is_watched(out)) CUT(K_copy, len);
    return real_copy_file_range(in, from, out, to, len, flags);
}

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static int is_refused(size_t len) {
    return is_ready && len >= LARGE && fault(K_malloc) > 0;
}
void *malloc(size_t len) {
    return is_refused(len) ? NULL : __libc_malloc(len);
}
void *calloc(size_t count, size_t len) {
    return is_refused(count * len) ? NULL : __libc_calloc(count, len);
}
void *realloc(void *old, size_t len) {
    return is_refused(len) ? NULL : __libc_realloc(old, len);
}
int posix_memalign(void **place, size_t align, size_t len) {
    if (is_refused(len) || !(*place = __libc_memalign(align, len))) return ENOMEM;
    return 0;
}
