#include "tdp/split_folder.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/input.hpp"
#include "base/text.hpp"

namespace treeline::tdp {

SplitList::SplitList(const std::string& path) {
    base::LineReader lines(path);
    std::string_view line;
    while (lines.next(line)) {
        if (line.empty() || line.starts_with('#')) {
            continue;
        }
        const std::size_t tab = std::min(line.find('\t'), line.size());
        const auto split = line.substr(std::min(tab + 1, line.size()));
        // A split names files.
        if (tab == 0 || split.empty() || split.starts_with('.') ||
            split.find_first_of(std::string_view("/\t\0", 3)) != std::string_view::npos) {
            throw base::InputError(lines.place(tab + 1),
                                   "found " + base::quoted(line) + "; expected document<TAB>split");
        }
        const auto [entry, added] = splits_.try_emplace(std::string(line.substr(0, tab)), split);
        if (!added && entry->second != split) {
            throw base::InputError(lines.place(tab + 2), "the document " + base::quoted(entry->first) +
                                                             " is in split " + base::quoted(entry->second) +
                                                             " already");
        }
    }
}

const std::string* SplitList::find(const std::string& document) const {
    auto found = splits_.find(document);
    for (std::size_t size = document.size() + 1; found == splits_.end() && size-- > 0;) {
        found = splits_.find(document.substr(0, size) + "*");
    }
    return found == splits_.end() ? nullptr : &found->second;
}

base::AtomicFile& OutputFolder::file(const std::string& name) {
    const auto found = files_.find(name);
    return found != files_.end()
               ? found->second
               : files_.emplace(name, base::AtomicFile(folder_.temporary_path() + "/" + name)).first->second;
}

void OutputFolder::commit(stage::Outputs& outputs, stage::Values counts) {
    for (auto& [name, file] : files_) {
        file.commit();
    }
    outputs.commit(folder_, std::move(counts));
}

}  // namespace treeline::tdp
