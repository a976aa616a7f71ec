#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/output.hpp"
#include "common/outputs.hpp"

namespace treeline::tdp {

/// Which split a document belongs to.
class SplitList {
  public:
    /// Lines `document<TAB>split`; a document that ends in `*` stands for all that start so. Empty lines and
    /// those that start with `#` are passed over.
    explicit SplitList(const std::string& path);
    /// The split of the document itself, else of its longest listed start; null if there is none.
    [[nodiscard]] const std::string* find(const std::string& document) const;

  private:
    std::map<std::string, std::string> splits_;
};

/// A folder of files that appears whole or not at all.
class OutputFolder {
  public:
    explicit OutputFolder(const std::string& path) : folder_(path) {}
    /// The file of that name, made at first use.
    base::AtomicFile& file(const std::string& name);
    void commit(stage::Outputs& outputs, stage::Values counts);

  private:
    base::AtomicFolder folder_;
    std::map<std::string, base::AtomicFile> files_;
};

}  // namespace treeline::tdp
