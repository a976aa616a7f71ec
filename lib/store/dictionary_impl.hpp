#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "store/class_relevance.hpp"
#include "store/dictionary.hpp"
#include "store/rocks.hpp"

namespace treeline::store {

/// The open dictionary; for dictionary.cpp and dictionary_verify.cpp.
struct Dictionary::Impl {
    explicit Impl(const std::string& path);

    [[nodiscard]] std::optional<std::string> look_up(Family family, const std::string& key) const;
    [[nodiscard]] std::string require(Family family, const std::string& key) const;
    /// All entries in the order of their keys, checksums of blocks verified.
    void scan(Family family, const std::function<bool(std::string_view, std::string_view)>& visit) const;

    /// Arcs of all tails: of label l, number n (from 1) at begin[l] + n - 1.
    struct Arcs {
        std::vector<std::size_t> begin;
        std::vector<Tail> next;
        /// Labels from `tail` to the end. Throws FormatError where an arc is missing or the way does not end.
        void follow(Tail tail, std::vector<std::uint32_t>& sequence) const;
    };
    [[nodiscard]] Arcs load_arcs() const;
    [[nodiscard]] fragment::Fragment fragment_of(std::span<const std::uint32_t> sequence) const;

    // Steps of Dictionary::verify, in dictionary_verify.cpp. Each appends what is wrong, or throws FormatError where there is
    // no going on.
    void verify_digest(std::vector<std::string>& problems) const;
    void verify_tails(std::vector<std::string>& problems) const;
    void verify_fragments(const Dictionary& dictionary, std::vector<std::string>& problems) const;
    void verify_entry(const Entry& entry, const ClassRelevance& classes) const;

    [[noreturn]] void fail(const std::string& problem) const;
    /// What `read` returns; a FormatError becomes an InputError that names the dictionary.
    template <typename Read>
    decltype(auto) checked(const Read& read) const {
        try {
            return read();
        } catch (const FormatError& error) {
            fail(error.what());
        }
    }
    /// A record whose models are all there.
    [[nodiscard]] FragmentRecord record_of(std::string_view value) const;
    [[nodiscard]] std::uint32_t fragment_number(std::uint64_t number) const;

    std::string path;
    RocksHandle handle;
    DictionaryInfo info;
    std::uint32_t fragments = 0;
    std::uint64_t tails = 0;
    std::uint64_t unshared_tails = 0;
    std::string digest;
    tree::SymbolTable symbols;
    std::vector<LabelKind> kinds;            // by number of label
    std::vector<tree::SymbolId> names;       // by number of label; meaningless for "up"
    std::vector<std::uint32_t> inner_label;  // by symbol; 0 = none
    std::vector<std::uint32_t> leaf_label;
};

}  // namespace treeline::store
