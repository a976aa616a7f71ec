#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/manifest.hpp"

namespace treeline::base {

class AtomicFolder;

/// Whether a file can be read or written only once, from start to end: stdin and stdout (`-`), pipes and devices.
[[nodiscard]] bool is_stream(const std::string& path);

/// Work about to begin: its manifest without counts and outputs, and where its inputs are.
struct Plan {
    Manifest manifest;
    std::vector<std::string> inputs;

    /// Whether every input has a digest: otherwise nobody can tell whether the work was done before.
    [[nodiscard]] bool knows_inputs() const;
};

/// The plan of a stage with `options` in effect. A folder is known by the manifest in it; streams, and folders
/// without a manifest, have no digest. Throws SystemError for an input that cannot be read.
[[nodiscard]] Plan plan_work(std::string stage, Manifest::Values options,
                             const std::vector<std::string>& inputs);

/// An option, true, in the manifest of an output that is only what an interrupted run had so far.
inline constexpr const char* kInterruptedOption = "interrupted";

/// What is at the place of an output, seen from the work that is planned.
enum class OutputState {
    kMissing,  ///< nothing, or an empty file or folder
    kCurrent,  ///< the output of this very work, unchanged: it need not be made again
    kUnfinished,  ///< ours, of this very work, but damaged, or interrupted, or never recorded because the run was killed
    kOther,   ///< ours, of other work (or perhaps of other work: inputs that are not known)
    kForeign  ///< no manifest of ours names it
};

/// One output of a stage, a file or a folder, and the rule for what is up to date. The manifest of a file stands
/// beside it and is written after it; from begin() until then a note, `.NAME.tmp-plan`, says that what appears
/// under the name is ours, so that a run killed in between is made good by the next one. A folder appears with
/// its manifest inside, whose outputs, or a list of checksums (checksums.hpp), name what else is in it. Streams have neither, and are always kMissing. Not thread-safe; movable.
class PlannedOutput {
  public:
    /// `role` tells the files of one plan apart ("metrics"); it becomes part of the file's manifest.
    PlannedOutput(std::string path, Plan plan, const std::string& role = {});
    PlannedOutput(PlannedOutput&&) noexcept;
    PlannedOutput& operator=(PlannedOutput&&) noexcept;
    /// Takes the note back, unless a file is there that only a note explains.
    ~PlannedOutput();

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] bool is_stream() const { return base::is_stream(path_); }

    /// Reads the manifest and, where it is of this work, all bytes of the output.
    [[nodiscard]] OutputState state() const;
    /// Whether replacing it would destroy what no manifest of ours names.
    [[nodiscard]] bool holds_foreign() const;
    /// What is wrong with the manifest that is there; empty where it can be read, or there is none.
    [[nodiscard]] std::string find_manifest_error() const;
    /// The input that is the same file or folder by whatever path or link, or one that a folder holds; empty if
    /// there is none.
    [[nodiscard]] std::string find_input_in_it() const;

    /// Before the work: removes what killed runs have left beside the output and leaves the note. Throws
    /// SystemError where the folder cannot be written.
    void begin();
    /// Instead of the work, where it is up to date: removes what killed runs have left beside the output.
    void tidy() const;
    /// After a file has appeared: writes its manifest. Nothing happens for streams.
    void record(Manifest::Values counts);
    /// The same with what the file was meant to be, where its writer knows that.
    void record(Manifest::Values counts, Manifest::File file);
    /// Writes the manifest of all files of `folder` into it, and lets it appear.
    void commit(AtomicFolder& folder, Manifest::Values counts);

  private:
    [[nodiscard]] OutputState compare(const std::optional<Manifest>& made) const;
    void take_note_back();

    std::string path_;
    Plan plan_;
    std::string note_;                 ///< path of the note, while it is there
    std::vector<std::int64_t> stamp_;  ///< identity of the file that was there at begin()
    bool explains_old_ = false;        ///< whether a killed run's note said that this file is ours
};

/// Whether two manifests are of the same work: stage, version, options, inputs.
[[nodiscard]] bool is_same_work(const Manifest& a, const Manifest& b);

/// The manifest at `path`; nothing if there is none or it is not one.
[[nodiscard]] std::optional<Manifest> find_manifest(const std::string& path);

}  // namespace treeline::base
