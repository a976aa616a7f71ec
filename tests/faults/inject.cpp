/// Preloaded into a program under test (LD_PRELOAD): lets the N-th call of a kind go wrong. Calls are counted over all threads,
/// from the moment that main() runs.
///
///   FAULT_CALLS   names separated by commas, out of the table below; `alloc` is any allocation, `any` every call but those
///   FAULT_AT      which of these calls, from 1; 0 = none
///   FAULT_WITH    kill | EIO | ENOSPC | EACCES | ENOMEM | short
///   FAULT_COUNT   file that gets the number of such calls at the end
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

std::atomic<bool> armed{false};
std::atomic<long> calls{0};
long fault_at = 0;
bool kills = false;
bool shortens = false;
int error = EIO;
char wanted[512] = ",";

/// Whether this call, of the kind `name`, is to go wrong. Kills right here where that is asked for.
bool strikes(const char* name) {
    if (!armed.load(std::memory_order_relaxed)) {
        return false;
    }
    char key[32] = ",";
    std::strncat(key, name, 28);
    std::strcat(key, ",");
    const bool allocation = std::strcmp(name, "alloc") == 0;
    if (std::strstr(wanted, key) == nullptr && (allocation || std::strstr(wanted, ",any,") == nullptr)) {
        return false;
    }
    if (++calls != fault_at) {
        return false;
    }
    if (kills) {
        ::kill(::getpid(), SIGKILL);
    }
    errno = error;
    return true;
}

/// The function that this one stands before.
template <typename F>
F next_of(const char* name) {
    return reinterpret_cast<F>(::dlsym(RTLD_NEXT, name));
}

void report() {
    armed = false;
    if (const char* path = std::getenv("FAULT_COUNT")) {
        if (FILE* file = std::fopen(path, "w")) {
            std::fprintf(file, "%ld\n", calls.load());
            std::fclose(file);
        }
    }
}

int (*real_main)(int, char**, char**) = nullptr;

int armed_main(int argc, char** argv, char** environment) {
    if (const char* names = std::getenv("FAULT_CALLS")) {
        std::strncat(wanted, names, sizeof wanted - 3);
        std::strcat(wanted, ",");
    }
    if (const char* at = std::getenv("FAULT_AT")) {
        fault_at = std::atol(at);
    }
    const char* with = std::getenv("FAULT_WITH");
    const auto is = [&](const char* name) { return with != nullptr && std::strcmp(with, name) == 0; };
    kills = is("kill");
    shortens = is("short");
    error = is("ENOSPC") ? ENOSPC : is("EACCES") ? EACCES : is("ENOMEM") ? ENOMEM : EIO;
    std::atexit(report);
    armed = true;
    return real_main(argc, argv, environment);
}

}  // namespace

extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*loader_end)(), void* stack_end) {
    real_main = main;
    using Start =
        int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
    return next_of<Start>("__libc_start_main")(armed_main, argc, argv, init, fini, loader_end, stack_end);
}

ssize_t write(int file, const void* bytes, size_t count) {
    static const auto next = next_of<ssize_t (*)(int, const void*, size_t)>("write");
    if (file != 2 && strikes("write")) {
        return shortens && count > 1 ? next(file, bytes, count / 2)
               : shortens            ? next(file, bytes, count)
                                     : -1;
    }
    return next(file, bytes, count);
}
ssize_t pwrite64(int file, const void* bytes, size_t count, off64_t offset) {
    static const auto next = next_of<ssize_t (*)(int, const void*, size_t, off64_t)>("pwrite64");
    if (strikes("write")) {
        return shortens && count > 1 ? next(file, bytes, count / 2, offset)
               : shortens            ? next(file, bytes, count, offset)
                                     : -1;
    }
    return next(file, bytes, count, offset);
}
ssize_t read(int file, void* bytes, size_t count) {
    static const auto next = next_of<ssize_t (*)(int, void*, size_t)>("read");
    if (strikes("read")) {
        return shortens ? next(file, bytes, count > 1 ? count / 2 : count) : -1;
    }
    return next(file, bytes, count);
}
ssize_t pread64(int file, void* bytes, size_t count, off64_t offset) {
    static const auto next = next_of<ssize_t (*)(int, void*, size_t, off64_t)>("pread64");
    if (strikes("read")) {
        return shortens ? next(file, bytes, count > 1 ? count / 2 : count, offset) : -1;
    }
    return next(file, bytes, count, offset);
}

#define TREELINE_FAIL(kind, name, parameters, arguments)            \
    int name parameters {                                           \
        static const auto next = next_of<int(*) parameters>(#name); \
        return strikes(kind) && !shortens ? -1 : next arguments;    \
    }
TREELINE_FAIL("fsync", fsync, (int file), (file))
TREELINE_FAIL("fsync", fdatasync, (int file), (file))
TREELINE_FAIL("rename", rename, (const char* from, const char* to), (from, to))
TREELINE_FAIL("rename", renameat2, (int a, const char* from, int b, const char* to, unsigned flags),
              (a, from, b, to, flags))
TREELINE_FAIL("unlink", unlink, (const char* path), (path))
TREELINE_FAIL("unlink", unlinkat, (int folder, const char* path, int flags), (folder, path, flags))
TREELINE_FAIL("unlink", rmdir, (const char* path), (path))
TREELINE_FAIL("mkdir", mkdir, (const char* path, mode_t mode), (path, mode))
TREELINE_FAIL("truncate", ftruncate64, (int file, off64_t size), (file, size))
TREELINE_FAIL("truncate", fallocate64, (int file, int mode, off64_t offset, off64_t size),
              (file, mode, offset, size))
TREELINE_FAIL("close", close, (int file), (file))
#undef TREELINE_FAIL

int open64(const char* path, int flags, ...) {
    static const auto next = next_of<int (*)(const char*, int, ...)>("open64");
    va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    return strikes("open") && !shortens ? -1 : next(path, flags, mode);
}
int open(const char* path, int flags, ...) {
    static const auto next = next_of<int (*)(const char*, int, ...)>("open");
    va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    return strikes("open") && !shortens ? -1 : next(path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
    static const auto next = next_of<int (*)(int, const char*, int, ...)>("openat");
    va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    return strikes("open") && !shortens ? -1 : next(folder, path, flags, mode);
}
void* mmap64(void* address, size_t length, int protection, int flags, int file, off64_t offset) {
    static const auto next = next_of<void* (*)(void*, size_t, int, int, int, off64_t)>("mmap64");
    return file >= 0 && strikes("mmap") && !shortens ? MAP_FAILED
                                                     : next(address, length, protection, flags, file, offset);
}

void* malloc(size_t size) {
    extern void* __libc_malloc(size_t);
    return strikes("alloc") ? nullptr : __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
    extern void* __libc_calloc(size_t, size_t);
    return strikes("alloc") ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
    extern void* __libc_realloc(void*, size_t);
    return strikes("alloc") ? nullptr : __libc_realloc(old, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
    extern void* __libc_memalign(size_t, size_t);
    return strikes("alloc") ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** made, size_t alignment, size_t size) {
    extern void* __libc_memalign(size_t, size_t);
    if (strikes("alloc")) {
        return ENOMEM;
    }
    *made = __libc_memalign(alignment, size);
    return *made == nullptr && size > 0 ? ENOMEM : 0;
}

}  // extern "C"
