#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace treeline::base {

/// A file that appears whole or not at all: written under a temporary name in the same folder
/// (`.NAME.tmp-PID-WORD-N-MACHINE`), synced and renamed by commit(); discarded by the destructor otherwise.
/// `-` is standard output; it, pipes and devices are written in place. A link stays one: its target is
/// replaced. A name that ends in `.gz` or `.zst` is compressed. Buffered. Not thread-safe; movable.
class AtomicFile {
  public:
    explicit AtomicFile(std::string path);
    AtomicFile(AtomicFile&&) noexcept;
    AtomicFile& operator=(AtomicFile&&) noexcept;
    ~AtomicFile();

    void write(std::string_view bytes);
    /// Flush, fsync, rename, fsync of the folder. Throws SystemError; then nothing has appeared.
    void commit();
    [[nodiscard]] const std::string& path() const;
    /// Where the bytes are until commit(), for libraries that write by file name themselves.
    [[nodiscard]] const std::string& temporary_path() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// A folder that appears whole or not at all, likewise. commit() syncs every file below it. Missing
/// folders above it are made. An existing folder of the name is exchanged with it at commit, then removed;
/// one that holds the current folder is refused with UsageError.
/// With `scratch`, a folder on a disk that is faster than that of `path`, it grows there and is moved beside
/// `path` by commit().
class AtomicFolder {
  public:
    explicit AtomicFolder(std::string path, const std::string& scratch = {});
    AtomicFolder(AtomicFolder&&) noexcept;
    AtomicFolder& operator=(AtomicFolder&&) noexcept;
    ~AtomicFolder();

    /// Where the files are to be written; only until commit().
    [[nodiscard]] const std::string& temporary_path() const;
    void commit();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Writes `bytes` to `path` through an AtomicFile.
void write_whole_file(const std::string& path, std::string_view bytes);

/// For before work whose result is written at its end: throws UsageError if the folder that `path` is to stand
/// in is not there.
void require_folder_of(const std::string& path);

/// Removes leftovers `.NAME.tmp-*` of killed runs of the output `path` whose process, of this machine and
/// its numbering of processes, is gone. The classes above do so when they start.
void remove_stale_temporaries(const std::string& path);

}  // namespace treeline::base
