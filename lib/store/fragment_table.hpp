#pragma once

#include <memory>
#include <string>

#include "store/dictionary.hpp"

namespace treeline::store {

/// Fragments as an Arrow IPC file, a row each, with the columns
///     id: uint32, fragment: string, relevance: float64, class: string, size, nodes, depth: uint32, count: uint64,
///     models: list<struct<model: string, relevance: float64, count: uint64>>
/// Whole or not at all.
class FragmentTable {
  public:
    /// The dictionary, which must outlive this, gives labels and names of models.
    FragmentTable(const std::string& path, const Dictionary& dictionary);
    ~FragmentTable();

    /// A fragment with its relevance for a class.
    void add(const Dictionary::Entry& entry, double relevance, const std::string& label);
    void commit();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace treeline::store
