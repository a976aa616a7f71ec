#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/manifest.hpp"
#include "base/progress.hpp"

namespace treeline::tfx {

/// The output folder: parts that are made by this process or by others, each with a manifest beside it that
/// is written once the part is whole; `manifest.json` and then `_SUCCESS` once all are there.
class PartFolder {
  public:
    /// `planned`: the manifest of the whole work, without counts and outputs.
    PartFolder(std::string path, base::Manifest planned, std::uint32_t shards, std::string extension);

    /// Makes the folder and looks at what is there. Throws UsageError where it holds parts made otherwise;
    /// `force` removes them.
    void prepare(bool force);

    /// Whether a part is there and was made as planned.
    [[nodiscard]] bool is_made(std::uint32_t shard) const;
    [[nodiscard]] std::string part_path(std::uint32_t shard) const;
    /// Writes the manifest of a part that is there.
    void record(std::uint32_t shard, const base::Manifest::File& part,
                std::map<std::string, base::Manifest::Value> counts);
    /// If all parts are there, writes manifest and _SUCCESS where they are not there already; whether they
    /// were.
    bool finish();

  private:
    [[nodiscard]] base::Manifest planned_part(std::uint32_t shard) const;
    void refuse_strangers(bool force);

    std::string path_;
    base::Manifest planned_;
    std::uint32_t shards_;
    std::string extension_;
};

}  // namespace treeline::tfx
