#pragma once

#include <string>
#include <vector>

#include "base/planned_output.hpp"

namespace treeline::base {

/// An output folder whose files are made one by one, perhaps by several processes at the same time. Each file is
/// a PlannedOutput; once all are there the folder gets `manifest.json`, which lists them, and then, where asked
/// for, an empty `_SUCCESS`. Both are removed before a file is made again, so that whoever sees them sees
/// finished work. Files of other names in the folder are left alone.
class PartsFolder {
  public:
    /// A file of the folder: its name, and its own plan.
    struct Part {
        std::string name;
        Plan plan;
    };

    /// `plan` is that of the folder as a whole.
    PartsFolder(std::string path, Plan plan, std::vector<Part> parts, bool marks_success);

    [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
    [[nodiscard]] std::string path_of(const std::string& name) const;
    [[nodiscard]] PlannedOutput output(std::size_t part) const;

    /// Whether all parts are recorded, and unchanged.
    [[nodiscard]] bool is_finished() const;
    /// Makes the folder where it is missing. Throws SystemError; UsageError where a file has its name.
    void make() const;
    /// Files whose names start with `prefix` and that are no parts of this work, without manifests.
    [[nodiscard]] std::vector<std::string> find_others(const std::string& prefix) const;
    /// Before parts are made: takes back what says that the folder is finished.
    void reopen() const;
    /// Removes a file that is there from other work, with its manifest.
    void remove(const std::string& name) const;
    /// Whether a manifest says that the part was made in this way; its bytes are not read. Throws where a manifest
    /// is there that cannot be read.
    [[nodiscard]] bool is_recorded(std::size_t part) const;
    /// Whether it is there, and its manifest says that it was made in another way. Throws likewise.
    [[nodiscard]] bool is_of_other_work(std::size_t part) const;
    /// The parts that no manifest records so, by number.
    [[nodiscard]] std::vector<std::size_t> missing() const;
    /// The counts of all parts, added up where they are whole numbers. None must be missing.
    [[nodiscard]] Manifest::Values sum_counts() const;
    /// When none is missing: writes the manifest and _SUCCESS where they are not there yet, and removes what killed
    /// runs have left beside the parts.
    void finish(Manifest::Values counts) const;

  private:
    [[nodiscard]] std::string success_path() const;

    std::string path_;
    Plan plan_;
    std::vector<Part> parts_;
    bool marks_success_;
};

}  // namespace treeline::base
