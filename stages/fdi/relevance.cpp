#include "fdi/relevance.hpp"

#include <algorithm>
#include <numeric>

namespace treeline::fdi {

Relevance::Relevance(const store::Dictionary& dictionary, const std::string& label)
    : dictionary_(dictionary), classes_(dictionary.info().models) {
    if (!label.empty()) {
        which_ = classes_.get_class(label);
    }
}

double Relevance::value(const store::FragmentRecord& record) const {
    return which_ ? classes_.relevance(record.models, *which_) : record.relevance;
}

const std::string& Relevance::label(const store::FragmentRecord& record) const {
    return classes_.name(which_ ? *which_ : classes_.strongest(record.models).which);
}

std::vector<std::uint32_t> Relevance::ranked(std::size_t count) const {
    const std::size_t all = dictionary_.size();
    const std::size_t most = count == 0 ? all : std::min(count, all);
    std::vector<std::uint32_t> ids;
    if (!which_) {
        ids.resize(most);
        std::iota(ids.begin(), ids.end(), 0U);
        return ids;
    }
    for (const store::RankedFragment& one : store::rank_for_class(dictionary_, *which_, count)) {
        ids.push_back(one.id);
    }
    return ids;
}

std::vector<std::uint32_t> Relevance::ranked(const std::vector<std::uint32_t>& ids, std::size_t count) const {
    std::vector<std::uint32_t> chosen;
    if (!which_) {
        chosen = ids;
    } else {
        for (const std::uint32_t id : ranked(0)) {
            if (std::ranges::binary_search(ids, id)) {
                chosen.push_back(id);
            }
        }
    }
    if (count > 0 && chosen.size() > count) {
        chosen.resize(count);
    }
    return chosen;
}

}  // namespace treeline::fdi
