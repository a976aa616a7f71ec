/// Preloaded into a program under test (LD_PRELOAD): lets the N-th call of a kind go wrong. Calls are counted over all threads,
/// from the moment that main() runs.
///
///   FAULT_CALLS   names separated by commas, out of the table below; `alloc` is any allocation, `any` every call but those
///   FAULT_FROM    of allocations: those alone that the library with this in its name asks for
///   FAULT_AT      which of these calls, from 1; 0 = none
///   FAULT_WITH    kill | lose | term | EIO | ENOSPC | EACCES | ENOMEM | EAGAIN | EMFILE | short
///   FAULT_COUNT   file that gets the number of such calls at the end
///   FAULT_PATH    file that gets the path that the failing call was about
///
/// `term` is a SIGTERM to the process, whose call goes on. `lose` is a kill at which also all written data are lost that no fsync() has made safe, as when the power fails; where the
/// call never comes, they are lost at the end of the process.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

std::atomic<bool> armed{false};
std::atomic<long> calls{0};
long fault_at = 0;
bool kills = false;
bool loses = false;
bool terminates = false;
bool shortens = false;
int error = EIO;
char wanted[512] = ",";
const char* library = nullptr;
std::uintptr_t library_begin = 0;
std::uintptr_t library_end = 0;

/// The function that this one stands before.
template <typename F>
F next_of(const char* name) {
    return reinterpret_cast<F>(::dlsym(RTLD_NEXT, name));
}

/// A file that was written to: kept open, so that renaming does not matter.
struct Written {
    int file = -1;
    dev_t device = 0;
    ino_t inode = 0;
    off_t safe = 0;  ///< bytes that an fsync() has made safe
    bool dirty = false;
};
std::array<Written, 512> written;
std::atomic_flag writing = ATOMIC_FLAG_INIT;

class WrittenLock {
  public:
    WrittenLock() {
        while (writing.test_and_set()) {
        }
    }
    ~WrittenLock() { writing.clear(); }
};

void note_write(int file) {
    struct stat status {};
    if (!loses || !armed.load() || ::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        return;
    }
    const WrittenLock lock;
    for (Written& each : written) {
        if (each.file >= 0 && (each.device != status.st_dev || each.inode != status.st_ino)) {
            continue;
        }
        if (each.file < 0) {
            each = {::fcntl(file, F_DUPFD_CLOEXEC, 300), status.st_dev, status.st_ino, 0, true};
        }
        each.dirty = true;
        return;
    }
}

void note_sync(int file) {
    struct stat status {};
    if (!loses || ::fstat(file, &status) != 0) {
        return;
    }
    const WrittenLock lock;
    for (Written& each : written) {
        if (each.file >= 0 && each.device == status.st_dev && each.inode == status.st_ino) {
            each.safe = status.st_size;
            each.dirty = false;
        }
    }
}

void lose_unsafe() {
    static const auto cut = next_of<int (*)(int, off64_t)>("ftruncate64");
    const WrittenLock lock;
    for (const Written& each : written) {
        if (each.file >= 0 && each.dirty) {
            cut(each.file, each.safe);
        }
    }
}

/// Notes which path the failing call is about.
void note_path(const char* path, int file) {
    const char* const log = std::getenv("FAULT_PATH");
    if (log == nullptr) {
        return;
    }
    char target[4096] = "";
    if (path != nullptr) {
        std::strncpy(target, path, sizeof target - 1);
    } else if (file >= 0) {
        char link[64];
        std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
        const ssize_t size = ::readlink(link, target, sizeof target - 1);
        target[size > 0 ? size : 0] = 0;
    }
    static const auto open_file = next_of<int (*)(const char*, int, ...)>("open64");
    static const auto write_file = next_of<ssize_t (*)(int, const void*, size_t)>("write");
    const int out = open_file(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    (void)!write_file(out, target, std::strlen(target));
}

/// Whether this call, of the kind `name`, is to go wrong. Kills right here where that is asked for.
bool strikes(const char* name, const char* path = nullptr, int file = -1) {
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
    if (loses) {
        lose_unsafe();
    }
    if (kills || loses) {
        ::kill(::getpid(), SIGKILL);
    }
    if (terminates) {
        ::kill(::getpid(), SIGTERM);
        return false;
    }
    note_path(path, file);
    errno = error;
    return true;
}

/// Whether the allocation that the code at `caller` asks for is to fail.
bool denies(const void* caller) {
    const auto address = reinterpret_cast<std::uintptr_t>(caller);
    return (library == nullptr || (address >= library_begin && address < library_end)) && strikes("alloc");
}

/// Called for each object loaded: notes where the library is. Asking at each allocation would take longer than the work.
int find_library(dl_phdr_info* object, size_t /*size*/, void* /*unused*/) {
    if (std::strstr(object->dlpi_name, library) == nullptr) {
        return 0;
    }
    library_begin = object->dlpi_addr;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const auto& part = object->dlpi_phdr[i];
        if (part.p_type == PT_LOAD) {
            library_end = std::max(library_end, object->dlpi_addr + part.p_vaddr + part.p_memsz);
        }
    }
    return 1;
}

void report() {
    armed = false;
    if (loses && fault_at > 0) {
        lose_unsafe();
    }
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
    loses = is("lose");
    terminates = is("term");
    shortens = is("short");
    error = is("ENOSPC")   ? ENOSPC
            : is("EACCES") ? EACCES
            : is("ENOMEM") ? ENOMEM
            : is("EAGAIN") ? EAGAIN
            : is("EMFILE") ? EMFILE
                           : EIO;
    library = std::getenv("FAULT_FROM");
    if (library != nullptr) {
        ::dl_iterate_phdr(find_library, nullptr);
    }
    std::atexit(report);
    armed = true;
    return real_main(argc, argv, environment);
}

}  // namespace

extern "C" {

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*loader_end)(), void* stack_end) {
    real_main = main;
    using Start =
        int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
    return next_of<Start>("__libc_start_main")(armed_main, argc, argv, init, fini, loader_end, stack_end);
}

ssize_t write(int file, const void* bytes, size_t count) {
    static const auto next = next_of<ssize_t (*)(int, const void*, size_t)>("write");
    note_write(file);
    if (file != 2 && strikes("write", nullptr, file)) {
        return shortens ? next(file, bytes, count > 1 ? count / 2 : count) : -1;
    }
    return next(file, bytes, count);
}
ssize_t pwrite64(int file, const void* bytes, size_t count, off64_t offset) {
    static const auto next = next_of<ssize_t (*)(int, const void*, size_t, off64_t)>("pwrite64");
    note_write(file);
    if (strikes("write", nullptr, file)) {
        return shortens ? next(file, bytes, count > 1 ? count / 2 : count, offset) : -1;
    }
    return next(file, bytes, count, offset);
}
ssize_t pwrite(int file, const void* bytes, size_t count, off_t offset) {
    return pwrite64(file, bytes, count, offset);
}
ssize_t writev(int file, const iovec* pieces, int count) {
    static const auto next = next_of<ssize_t (*)(int, const iovec*, int)>("writev");
    note_write(file);
    if (file != 2 && strikes("write", nullptr, file)) {
        return shortens ? next(file, pieces, count > 1 ? count / 2 : count) : -1;
    }
    return next(file, pieces, count);
}
ssize_t read(int file, void* bytes, size_t count) {
    static const auto next = next_of<ssize_t (*)(int, void*, size_t)>("read");
    if (strikes("read", nullptr, file)) {
        return shortens ? next(file, bytes, count > 1 ? count / 2 : count) : -1;
    }
    return next(file, bytes, count);
}
ssize_t pread64(int file, void* bytes, size_t count, off64_t offset) {
    static const auto next = next_of<ssize_t (*)(int, void*, size_t, off64_t)>("pread64");
    if (strikes("read", nullptr, file)) {
        return shortens ? next(file, bytes, count > 1 ? count / 2 : count, offset) : -1;
    }
    return next(file, bytes, count, offset);
}
ssize_t pread(int file, void* bytes, size_t count, off_t offset) {
    return pread64(file, bytes, count, offset);
}

int fsync(int file) {
    static const auto next = next_of<int (*)(int)>("fsync");
    if (strikes("fsync", nullptr, file) && !shortens) {
        return -1;
    }
    note_sync(file);
    return next(file);
}
int fdatasync(int file) {
    static const auto next = next_of<int (*)(int)>("fdatasync");
    if (strikes("fsync", nullptr, file) && !shortens) {
        return -1;
    }
    note_sync(file);
    return next(file);
}

#define TREELINE_FAIL(kind, name, parameters, arguments, path, file)         \
    int name parameters {                                                    \
        static const auto next = next_of<int(*) parameters>(#name);          \
        return strikes(kind, path, file) && !shortens ? -1 : next arguments; \
    }
TREELINE_FAIL("rename", rename, (const char* from, const char* to), (from, to), to, -1)
TREELINE_FAIL("rename", renameat2, (int a, const char* from, int b, const char* to, unsigned flags),
              (a, from, b, to, flags), to, -1)
TREELINE_FAIL("unlink", unlink, (const char* path), (path), path, -1)
TREELINE_FAIL("unlink", unlinkat, (int folder, const char* path, int flags), (folder, path, flags), path, -1)
TREELINE_FAIL("unlink", rmdir, (const char* path), (path), path, -1)
TREELINE_FAIL("mkdir", mkdir, (const char* path, mode_t mode), (path, mode), path, -1)
TREELINE_FAIL("mkdir", link, (const char* from, const char* to), (from, to), to, -1)
TREELINE_FAIL("truncate", ftruncate64, (int file, off64_t size), (file, size), nullptr, file)
TREELINE_FAIL("truncate", ftruncate, (int file, off_t size), (file, size), nullptr, file)
TREELINE_FAIL("truncate", fallocate, (int file, int mode, off_t offset, off_t size),
              (file, mode, offset, size), nullptr, file)
TREELINE_FAIL("truncate", fallocate64, (int file, int mode, off64_t offset, off64_t size),
              (file, mode, offset, size), nullptr, file)
TREELINE_FAIL("stat", stat, (const char* path, struct stat* to), (path, to), path, -1)
TREELINE_FAIL("stat", stat64, (const char* path, struct stat64* to), (path, to), path, -1)
TREELINE_FAIL("stat", lstat, (const char* path, struct stat* to), (path, to), path, -1)
TREELINE_FAIL("stat", lstat64, (const char* path, struct stat64* to), (path, to), path, -1)
TREELINE_FAIL("stat", fstatat, (int folder, const char* path, struct stat* to, int flags),
              (folder, path, to, flags), path, -1)
TREELINE_FAIL("stat", fstatat64, (int folder, const char* path, struct stat64* to, int flags),
              (folder, path, to, flags), path, -1)
TREELINE_FAIL("stat", fstat64, (int file, struct stat64* to), (file, to), nullptr, file)
TREELINE_FAIL("stat", access, (const char* path, int mode), (path, mode), path, -1)
TREELINE_FAIL("chmod", chmod, (const char* path, mode_t mode), (path, mode), path, -1)
TREELINE_FAIL("chmod", fchmod, (int file, mode_t mode), (file, mode), nullptr, file)
TREELINE_FAIL("lock", flock, (int file, int how), (file, how), nullptr, file)
TREELINE_FAIL("close", close, (int file), (file), nullptr, file)
#undef TREELINE_FAIL

off64_t lseek64(int file, off64_t to, int from) {
    static const auto next = next_of<off64_t (*)(int, off64_t, int)>("lseek64");
    return strikes("seek", nullptr, file) && !shortens ? -1 : next(file, to, from);
}
off_t lseek(int file, off_t to, int from) { return lseek64(file, to, from); }

#define TREELINE_FAIL_POINTER(kind, type, name, parameters, arguments, path, file) \
    type* name parameters {                                                        \
        static const auto next = next_of<type*(*)parameters>(#name);               \
        return strikes(kind, path, file) && !shortens ? nullptr : next arguments;  \
    }
TREELINE_FAIL_POINTER("folder", DIR, opendir, (const char* path), (path), path, -1)
TREELINE_FAIL_POINTER("folder", DIR, fdopendir, (int file), (file), nullptr, file)
TREELINE_FAIL_POINTER("folder", dirent, readdir, (DIR * folder), (folder), nullptr, ::dirfd(folder))
TREELINE_FAIL_POINTER("folder", dirent64, readdir64, (DIR * folder), (folder), nullptr, ::dirfd(folder))
TREELINE_FAIL_POINTER("open", FILE, fopen, (const char* path, const char* mode), (path, mode), path, -1)
TREELINE_FAIL_POINTER("open", FILE, fopen64, (const char* path, const char* mode), (path, mode), path, -1)
#undef TREELINE_FAIL_POINTER

int open64(const char* path, int flags, ...) {
    static const auto next = next_of<int (*)(const char*, int, ...)>("open64");
    va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    return strikes("open", path) && !shortens ? -1 : next(path, flags, mode);
}
int open(const char* path, int flags, ...) {
    static const auto next = next_of<int (*)(const char*, int, ...)>("open");
    va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    return strikes("open", path) && !shortens ? -1 : next(path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
    static const auto next = next_of<int (*)(int, const char*, int, ...)>("openat");
    va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    return strikes("open", path) && !shortens ? -1 : next(folder, path, flags, mode);
}
void* mmap64(void* address, size_t length, int protection, int flags, int file, off64_t offset) {
    static const auto next = next_of<void* (*)(void*, size_t, int, int, int, off64_t)>("mmap64");
    return file >= 0 && strikes("mmap", nullptr, file) && !shortens
               ? MAP_FAILED
               : next(address, length, protection, flags, file, offset);
}
void* mmap(void* address, size_t length, int protection, int flags, int file, off_t offset) {
    return mmap64(address, length, protection, flags, file, offset);
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
    static const auto next =
        next_of<int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
    return strikes("thread") && !shortens ? error : next(thread, attributes, start, argument);
}

void* malloc(size_t size) { return denies(__builtin_return_address(0)) ? nullptr : __libc_malloc(size); }
void* calloc(size_t count, size_t size) {
    return denies(__builtin_return_address(0)) ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
    return denies(__builtin_return_address(0)) ? nullptr : __libc_realloc(old, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
    return denies(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** made, size_t alignment, size_t size) {
    if (denies(__builtin_return_address(0))) {
        return ENOMEM;
    }
    *made = __libc_memalign(alignment, size);
    return *made == nullptr && size > 0 ? ENOMEM : 0;
}

}  // extern "C"

/// As libstdc++'s, which would be the caller of malloc() for everybody.
void* operator new(std::size_t size) {
    void* const made = denies(__builtin_return_address(0)) ? nullptr : __libc_malloc(size > 0 ? size : 1);
    if (made == nullptr) {
        throw std::bad_alloc();
    }
    return made;
}
