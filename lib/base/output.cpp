#include "base/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

#include "base/descriptor.hpp"
#include "base/digest.hpp"
#include "base/encoder.hpp"
#include "base/error.hpp"
#include "base/folder.hpp"
#include "base/format_names.hpp"
#include "base/temporaries.hpp"
#include "base/text.hpp"

namespace treeline::base {

namespace {

namespace fs = std::filesystem;

/// Eight digits for this machine and its numbering of processes, which in containers is their own: a process
/// number means nothing elsewhere.
const std::string& machine_mark() {
    static const std::string kMark = [] {
        std::array<char, 256> name{};
        ::gethostname(name.data(), name.size() - 1);
        std::error_code error;
        const std::string numbering = fs::read_symlink("/proc/self/ns/pid", error).string();
        return fmt::format("{:08x}",
                           static_cast<std::uint32_t>(hash64(std::string(name.data()) + numbering)));
    }();
    return kMark;
}

/// Eight digits for this process among all that have had its number.
const std::string& process_mark() {
    static const std::string kMark = [] {
        std::random_device device;
        return fmt::format("{:08x}", static_cast<std::uint32_t>(device()));
    }();
    return kMark;
}

fs::path folder_of(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

std::string temporary_prefix(const fs::path& path) {
    return fmt::format(".{}{}", path.filename().string(), formats::kTemporaryInfix);
}

std::string temporary_name(const fs::path& path) {
    static std::atomic<unsigned> count = 0;
    const std::string name = fmt::format("{}{}-{}-{}-{}", temporary_prefix(path), ::getpid(), process_mark(),
                                         count++, machine_mark());
    return (path.parent_path() / name).string();
}

/// Whether `PID-WORD-N-MACHINE` is of a process of this machine that is gone, also where this process has its number.
bool is_stale(std::string_view suffix) {
    const auto process = parse_unsigned(suffix.substr(0, suffix.find('-')));
    if (!process || *process == 0 || *process > INT32_MAX ||
        !suffix.ends_with(fmt::format("-{}", machine_mark()))) {
        return false;
    }
    const auto number = static_cast<pid_t>(*process);
    return number == ::getpid() ? !suffix.starts_with(fmt::format("{}-{}-", number, process_mark()))
                                : ::kill(number, 0) != 0 && errno == ESRCH;
}

/// Output folders are given with and without a slash at the end.
std::string without_trailing_slashes(std::string path) {
    while (path.size() > 1 && path.ends_with('/')) {
        path.pop_back();
    }
    return path;
}

/// False, with errno, where that fails.
bool rename_kept(const std::string& from, const std::string& to) {
    const auto kept = keep_temporaries();
    return std::rename(from.c_str(), to.c_str()) == 0;
}

void rename_or_throw(const std::string& from, const std::string& to) {
    if (!rename_kept(from, to)) {
        throw SystemError("create", to, errno);
    }
}

/// False where the file system cannot do it.
bool exchange_names(const std::string& one, const std::string& other) {
    const auto kept = keep_temporaries();
    return ::renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE) == 0;
}

/// Of a file or folder; errors name the output `shown` that it is a part of.
void sync_path(const std::string& path, const std::string& shown) {
    Descriptor::open("write", path, O_RDONLY, shown).sync();
}

/// The rename is done and visible when this runs, so a file system that cannot sync folders is no failure.
void sync_folder_of(const std::string& path) noexcept {
    try {
        sync_path(folder_of(path).string(), path);
    } catch (const std::exception&) {
    }
}

/// Where the bytes of the output `path` belong: links are followed, so that they stay links.
std::string resolve(const std::string& path) {
    std::error_code error;
    if (path != "-" && fs::is_symlink(path, error)) {
        return fs::weakly_canonical(path).string();
    }
    return path;
}

}  // namespace

struct AtomicFile::Impl {
    std::string path;
    std::string target;     ///< path with links followed
    std::string temporary;  ///< equal to target where nothing can be renamed: pipes, devices, stdout
    TemporaryName name;
    Descriptor file;
    std::unique_ptr<Encoder> encoder;
    bool written = false;
    bool done = false;

    explicit Impl(std::string asked) : path(std::move(asked)), target(resolve(path)), temporary(target) {
        if (path == "-") {
            file = Descriptor::standard_output();
            encoder = make_encoder(file, path);
            return;
        }
        const fs::file_status status = fs::status(target);
        if (fs::is_directory(status)) {
            throw SystemError("create", path, EISDIR);
        }
        if (!fs::exists(status) || fs::is_regular_file(status)) {
            remove_stale_temporaries(target);
            temporary = temporary_name(target);
            name = TemporaryName(temporary, [&] {
                file = Descriptor::open("create", temporary, O_WRONLY | O_CREAT | O_EXCL, path);
            });
        } else {
            file = Descriptor::open("write", target, O_WRONLY, path);
        }
        encoder = make_encoder(file, path);
    }

    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    ~Impl() {
        if (!done && renames()) {
            ::unlink(temporary.c_str());
        }
    }

    [[nodiscard]] bool renames() const { return temporary != target; }

    void commit() {
        // A library may have written the file by its temporary name: its bytes are left as they are.
        if (written || !renames() || fs::file_size(temporary) == 0) {
            encoder->finish();
        }
        if (renames()) {
            sync_path(temporary, path);
            file.close();
            rename_or_throw(temporary, target);
            sync_folder_of(target);
        }
        done = true;
    }
};

AtomicFile::AtomicFile(std::string path) : impl_(std::make_unique<Impl>(std::move(path))) {}
AtomicFile::AtomicFile(AtomicFile&&) noexcept = default;
AtomicFile& AtomicFile::operator=(AtomicFile&&) noexcept = default;
AtomicFile::~AtomicFile() = default;

void AtomicFile::write(std::string_view bytes) {
    impl_->written = true;
    impl_->encoder->write(bytes);
}

void AtomicFile::commit() { impl_->commit(); }
const std::string& AtomicFile::path() const { return impl_->path; }
const std::string& AtomicFile::temporary_path() const { return impl_->temporary; }

namespace {

/// A new folder `.NAME.tmp-.../NAME` beside `place`, a path that ends in NAME; what is in it at the end is removed. Whoever is at
/// work in the inner one cannot make it anew once a signal has removed the outer one.
class Nest {
  public:
    explicit Nest(const fs::path& place)
        : outer_(temporary_name(place)), inner_((outer_ / place.filename()).string()) {
        name_ = TemporaryName(outer_.string(), [&] {
            if (::mkdir(outer_.c_str(), kMode) != 0 || ::mkdir(inner_.c_str(), kMode) != 0) {
                const int error = errno;
                ::rmdir(outer_.c_str());
                throw SystemError("create", place.string(), error);
            }
        });
    }
    Nest(const Nest&) = delete;
    Nest& operator=(const Nest&) = delete;

    ~Nest() {
        // Empty, once the inner one has its last name: looking into it could fail.
        if (::rmdir(outer_.c_str()) != 0) {
            std::error_code ignored;
            fs::remove_all(outer_, ignored);
        }
    }

    [[nodiscard]] const std::string& folder() const { return inner_; }
    [[nodiscard]] bool is_beside(const fs::path& path) const { return folder_of(outer_) == folder_of(path); }

  private:
    static constexpr mode_t kMode = 0777;  // less the mask of the user

    fs::path outer_;
    std::string inner_;
    TemporaryName name_;
};

}  // namespace

struct AtomicFolder::Impl {
    std::string path;
    std::unique_ptr<Nest> nest;

    Impl(std::string asked, const std::string& scratch)
        : path(resolve(without_trailing_slashes(std::move(asked)))) {
        const fs::file_status status = fs::status(path);
        if (fs::exists(status) && !fs::is_directory(status)) {
            throw SystemError("create", path, ENOTDIR);
        }
        refuse_around_here();
        std::error_code error;
        fs::create_directories(folder_of(path), error);
        if (error) {
            throw SystemError("create", path, error.value());
        }
        remove_stale_temporaries(path);
        fs::path place = path;
        if (!scratch.empty()) {
            place = scratch / place.filename();
            remove_stale_temporaries(place.string());
        }
        nest = std::make_unique<Nest>(place);
    }

    /// Replacing a folder removes all it holds: the one we stand in, or one above it, is never meant.
    void refuse_around_here() const {
        const fs::path here = fs::current_path();
        const fs::path asked = fs::weakly_canonical(path);
        if (std::mismatch(asked.begin(), asked.end(), here.begin(), here.end()).first == asked.end()) {
            throw UsageError("cannot replace the folder '" + path +
                             "': it is or holds the current one; name a folder of its own");
        }
    }

    /// From scratch to beside `path`, where the last step can be a rename.
    void move_beside() {
        auto arriving = std::make_unique<Nest>(path);
        if (!rename_kept(nest->folder(), arriving->folder())) {
            std::error_code error;
            fs::copy(nest->folder(), arriving->folder(), fs::copy_options::recursive, error);
            if (error) {
                throw SystemError("create", path, error.value());
            }
        }
        nest = std::move(arriving);
    }

    void commit() {
        if (!nest->is_beside(path)) {
            move_beside();
        }
        visit_folders(nest->folder(),
                      [&](const fs::directory_entry& entry) { sync_path(entry.path().string(), path); });
        sync_path(nest->folder(), path);
        if (fs::exists(path)) {
            replace();
        } else {
            rename_or_throw(nest->folder(), path);
        }
        sync_folder_of(path);
        nest.reset();
    }

    /// Both names exist throughout where the file system can exchange them in one step.
    void replace() {
        if (exchange_names(nest->folder(), path)) {
            return;
        }
        const std::string old = temporary_name(path);
        rename_or_throw(path, old);
        try {
            rename_or_throw(nest->folder(), path);
        } catch (const SystemError&) {
            rename_or_throw(old, path);
            throw;
        }
        std::error_code ignored;
        fs::remove_all(old, ignored);
    }
};

AtomicFolder::AtomicFolder(std::string path, const std::string& scratch)
    : impl_(std::make_unique<Impl>(std::move(path), scratch)) {}
AtomicFolder::AtomicFolder(AtomicFolder&&) noexcept = default;
AtomicFolder& AtomicFolder::operator=(AtomicFolder&&) noexcept = default;
AtomicFolder::~AtomicFolder() = default;

const std::string& AtomicFolder::temporary_path() const { return impl_->nest->folder(); }
void AtomicFolder::commit() { impl_->commit(); }

void write_whole_file(const std::string& path, std::string_view bytes) {
    AtomicFile file(path);
    file.write(bytes);
    file.commit();
}

void require_folder_of(const std::string& path) {
    const fs::path folder = folder_of(without_trailing_slashes(path));
    if (path != "-" && !fs::is_directory(folder)) {
        throw UsageError("'" + path + "' cannot be written: " +
                         (fs::exists(folder)
                              ? "'" + folder.string() + "' is a file; name a folder"
                              : "there is no folder '" + folder.string() + "'; make it first"));
    }
    const bool is_device = fs::exists(path) && !fs::is_regular_file(path) && !fs::is_directory(path);
    if (path != "-" && !is_device && ::access(folder.c_str(), W_OK) != 0) {
        throw SystemError("write into the folder", folder.string(), errno);
    }
}

void remove_stale_temporaries(const std::string& path) {
    const fs::path output = without_trailing_slashes(path);
    const std::string prefix = temporary_prefix(output);
    try {
        visit_folder(folder_of(output).string(), [&](const fs::directory_entry& entry) {
            const std::string name = entry.path().filename().string();
            if (name.starts_with(prefix) && is_stale(std::string_view(name).substr(prefix.size()))) {
                std::error_code ignored;
                fs::remove_all(entry.path(), ignored);
            }
        });
    } catch (const SystemError&) {
        // A folder may be one to write in and not to list; what is left there stays.
    }
}

}  // namespace treeline::base
