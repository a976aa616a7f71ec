#include "store/fragment_merger.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/names.hpp"
#include "fragment/fragment_family.hpp"
#include "store/class_relevance.hpp"

namespace treeline::store {

namespace {

std::vector<tree::SymbolId> translate(const tree::SymbolTable& from, tree::SymbolTable& to) {
    std::vector<tree::SymbolId> names;
    names.reserve(from.size());
    for (std::uint32_t id = 0; id < from.size(); ++id) {
        names.push_back(to.intern(from.text(tree::SymbolId{id})));
    }
    return names;
}

}  // namespace

void FragmentMerger::adopt(const DictionaryInfo& info) {
    if (!started_) {
        info_.kernel = info.kernel;
        info_.weight = info.weight;
        info_.miner = info.miner;
        started_ = true;
    }
    if (!(info_.kernel == info.kernel) || info_.weight != info.weight) {
        throw base::UsageError(
            "the models do not belong together: " + kernel::to_string(kernel::BasicKernel(info_.kernel)) +
            " with " + std::string(base::name_of(fragment::kWeightNames, info_.weight)) + " weights, and " +
            kernel::to_string(kernel::BasicKernel(info.kernel)) + " with " +
            std::string(base::name_of(fragment::kWeightNames, info.weight)) + " weights (" +
            info.models.front().name + ")");
    }
    if (info_.miner != info.miner) {
        info_.miner = "several";
    }
}

std::uint32_t FragmentMerger::intern(fragment::FragmentView fragment,
                                     const std::vector<tree::SymbolId>& names, bool& added) {
    std::uint64_t hash = fragment.size();
    translated_.clear();
    for (const fragment::FragmentNode& node : fragment) {
        translated_.push_back({names[raw(node.label)], node.children});
        hash = tree::mix_hash(hash, std::uint64_t{raw(translated_.back().label)} << 32 | node.children);
    }
    const std::uint32_t found =
        table_.find(hash, [&](std::uint32_t id) { return std::ranges::equal(fragments_[id], translated_); });
    added = found == tree::IdHashTable::kNone;
    if (!added) {
        return found;
    }
    const auto id = static_cast<std::uint32_t>(fragments_.size());
    if (id == tree::IdHashTable::kNone) {
        throw base::Error("a dictionary holds at most 4294967294 fragments");
    }
    table_.insert(hash, id);
    fragments_.add(translated_);
    return id;
}

void FragmentMerger::say(std::uint32_t fragment, const ModelRelevance& relevance) {
    said_.push_back({fragment, relevance});
    group_begin_.clear();
}

std::size_t FragmentMerger::add(const MinedModel& mined) {
    adopt(mined.info);
    const auto model = static_cast<std::uint32_t>(info_.models.size());
    info_.models.push_back(mined.info.models.front());
    const auto names = translate(mined.symbols, symbols_);
    std::size_t fresh = 0;
    for (std::size_t i = 0; i < mined.fragments.size(); ++i) {
        bool added = false;
        const std::uint32_t id = intern(mined.fragments[i], names, added);
        fresh += added;
        say(id, {model, mined.scores[i].relevance, mined.scores[i].count});
    }
    return fresh;
}

void FragmentMerger::add(const Dictionary& dictionary) {
    adopt(dictionary.info());
    info_.models = dictionary.info().models;
    const auto names = translate(dictionary.symbols(), symbols_);
    dictionary.for_each([&](const Dictionary::Entry& entry) {
        bool added = false;
        const std::uint32_t id = intern(entry.fragment, names, added);
        for (const ModelRelevance& relevance : entry.record.models) {
            say(id, relevance);
        }
        return true;
    });
}

void FragmentMerger::set_scores(const std::vector<std::vector<fragment::Score>>& scores) {
    said_.clear();
    group_begin_.clear();
    for (std::uint32_t model = 0; model < scores.size(); ++model) {
        for (std::uint32_t id = 0; id < scores[model].size(); ++id) {
            if (scores[model][id].count > 0) {
                said_.push_back({id, {model, scores[model][id].relevance, scores[model][id].count}});
            }
        }
    }
}

/// Sorts what was said by fragment, models in order.
void FragmentMerger::group() const {
    if (group_begin_.size() == size() + 1) {
        return;
    }
    group_begin_.assign(size() + 1, 0);
    for (const Said& said : said_) {
        ++group_begin_[said.fragment + 1];
    }
    std::partial_sum(group_begin_.begin(), group_begin_.end(), group_begin_.begin());
    grouped_.resize(said_.size());
    std::vector<std::size_t> next(group_begin_.begin(), group_begin_.end() - 1);
    for (const Said& said : said_) {
        grouped_[next[said.fragment]++] = said.relevance;
    }
    for (std::size_t id = 0; id < size(); ++id) {
        const auto begin = grouped_.begin();
        std::sort(begin + static_cast<std::ptrdiff_t>(group_begin_[id]),
                  begin + static_cast<std::ptrdiff_t>(group_begin_[id + 1]),
                  [](const auto& a, const auto& b) { return a.model < b.model; });
    }
}

std::span<const ModelRelevance> FragmentMerger::relevances(std::uint32_t fragment) const {
    group();
    return {grouped_.data() + group_begin_[fragment], group_begin_[fragment + 1] - group_begin_[fragment]};
}

double FragmentMerger::relevance(std::uint32_t fragment) const {
    return ClassRelevance(info_.models).strongest(relevances(fragment)).relevance;
}

std::vector<std::uint32_t> FragmentMerger::ranked(std::size_t top) const {
    struct Key {
        double relevance;
        std::uint32_t size;
        std::uint32_t id;
    };
    const ClassRelevance classes(info_.models);
    const fragment::FragmentFamily& fragments = fragment::fragments_of(info_.kernel);
    std::vector<Key> keys;
    keys.reserve(size());
    for (std::uint32_t id = 0; id < size(); ++id) {
        const fragment::Shape shape = fragment::measure(fragments_[id]);
        keys.push_back({std::abs(classes.strongest(relevances(id)).relevance), fragments.size(shape), id});
    }
    const auto ties = [](const Key& a, const Key& b) {
        return a.relevance == b.relevance && a.size == b.size;
    };
    std::ranges::sort(keys, [](const Key& a, const Key& b) {
        return a.relevance != b.relevance ? a.relevance > b.relevance
               : a.size != b.size         ? a.size < b.size
                                          : a.id < b.id;
    });
    for (auto begin = keys.begin(); begin != keys.end();) {
        const auto end = std::find_if(begin, keys.end(), [&](const Key& key) { return !ties(*begin, key); });
        if (end - begin > 1) {
            std::vector<std::pair<std::string, std::uint32_t>> texts;
            for (auto at = begin; at != end; ++at) {
                texts.emplace_back(fragment::to_text(fragments_[at->id], symbols_), at->id);
            }
            std::ranges::sort(texts);
            std::ranges::transform(texts, begin, [&](const auto& text) {
                return Key{begin->relevance, begin->size, text.second};
            });
        }
        begin = end;
    }
    if (top > 0 && keys.size() > top) {
        keys.resize(top);
    }
    std::vector<std::uint32_t> ids;
    std::ranges::transform(keys, std::back_inserter(ids), &Key::id);
    return ids;
}

}  // namespace treeline::store
