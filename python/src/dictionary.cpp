#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrow_export.hpp"
#include "base/error.hpp"
#include "bindings.hpp"
#include "fragment/fragment.hpp"
#include "kernel/description.hpp"
#include "store/class_relevance.hpp"
#include "store/dictionary.hpp"
#include "tree_texts.hpp"

namespace nb = nanobind;

namespace treeline::python {

namespace {

using store::Dictionary;

nb::dict describe(const Dictionary& dictionary, const store::ClassRelevance& classes,
                  const Dictionary::Entry& entry) {
    const store::FragmentRecord& record = entry.record;
    const auto strongest = classes.strongest(record.models);
    nb::dict out;
    out["id"] = entry.id;
    out["fragment"] = fragment::to_text(entry.fragment, dictionary.symbols());
    out["relevance"] = strongest.relevance;
    out["class"] = classes.name(strongest.which);
    out["size"] = record.expanded;
    out["nodes"] = record.nodes;
    out["depth"] = record.depth;
    out["count"] = record.count();
    return out;
}

/// The columns of a table of fragments, in the order of fdi's.
class FragmentColumns {
  public:
    void add(const Dictionary& dictionary, const Dictionary::Entry& entry, double relevance,
             const std::string& label) {
        ids_.push_back(entry.id);
        texts_.push_back(fragment::to_text(entry.fragment, dictionary.symbols()));
        relevances_.push_back(relevance);
        classes_.push_back(label);
        sizes_.push_back(entry.record.expanded);
        nodes_.push_back(entry.record.nodes);
        depths_.push_back(entry.record.depth);
        counts_.push_back(entry.record.count());
    }
    [[nodiscard]] ArrowTable table() && {
        std::vector<ArrowField> fields;
        fields.push_back(ArrowField::numbers("id", std::move(ids_)));
        fields.push_back(ArrowField::texts("fragment", texts_));
        fields.push_back(ArrowField::numbers("relevance", std::move(relevances_)));
        fields.push_back(ArrowField::texts("class", classes_));
        fields.push_back(ArrowField::numbers("size", std::move(sizes_)));
        fields.push_back(ArrowField::numbers("nodes", std::move(nodes_)));
        fields.push_back(ArrowField::numbers("depth", std::move(depths_)));
        fields.push_back(ArrowField::numbers("count", std::move(counts_)));
        return ArrowTable(std::move(fields));
    }

  private:
    std::vector<std::uint32_t> ids_;
    std::vector<std::string> texts_;
    std::vector<double> relevances_;
    std::vector<std::string> classes_;
    std::vector<std::uint32_t> sizes_;
    std::vector<std::uint32_t> nodes_;
    std::vector<std::uint32_t> depths_;
    std::vector<std::uint64_t> counts_;
};

/// Fragments `begin` to `end` - 1 by rank, each with the class for which it is most relevant.
ArrowTable table(const Dictionary& dictionary, std::uint32_t begin, std::uint32_t end) {
    const nb::gil_scoped_release released;
    const store::ClassRelevance classes(dictionary.info().models);
    FragmentColumns columns;
    const auto add = [&](const Dictionary::Entry& entry) {
        const auto strongest = classes.strongest(entry.record.models);
        columns.add(dictionary, entry, strongest.relevance, classes.name(strongest.which));
    };
    if (begin == 0 && end == dictionary.size()) {
        dictionary.for_each([&](const Dictionary::Entry& entry) {
            add(entry);
            return true;
        });
    } else {
        for (std::uint32_t id = begin; id < end; ++id) {
            add(dictionary.get(id));
        }
    }
    return std::move(columns).table();
}

/// The fragments most relevant for a class.
ArrowTable top_of_class(const Dictionary& dictionary, std::size_t count, const std::string& label) {
    const nb::gil_scoped_release released;
    const store::ClassRelevance classes(dictionary.info().models);
    FragmentColumns columns;
    for (const store::RankedFragment& ranked :
         store::rank_for_class(dictionary, classes.get_class(label), count)) {
        columns.add(dictionary, dictionary.get(ranked.id), ranked.relevance, label);
    }
    return std::move(columns).table();
}

std::optional<std::uint32_t> find(const Dictionary& dictionary, const std::string& text) {
    tree::SymbolTable symbols;
    const fragment::Fragment fragment = fragment::parse_fragment(text, symbols);
    return dictionary.find(fragment, symbols);
}

nb::list models(const Dictionary& dictionary) {
    nb::list out;
    for (const store::DictionaryModel& model : dictionary.info().models) {
        nb::dict one;
        one["name"] = model.name;
        one["class"] = model.label;
        one["support_vectors"] = model.support_vectors;
        one["mined"] = model.mined;
        one["least"] = model.least;
        one["norm"] = model.norm;
        one["retained"] = model.retained;
        out.append(one);
    }
    return out;
}

}  // namespace

void bind_dictionary(nb::module_& module) {
    nb::class_<ArrowTable>(module, "ArrowTable")
        .def("__len__", &ArrowTable::size)
        .def("column_names", &ArrowTable::column_names)
        .def("column", &ArrowTable::column, nb::arg("name"))
        .def("__arrow_c_array__", &ArrowTable::array, nb::arg("requested_schema").none() = nb::none())
        .def("__arrow_c_stream__", &ArrowTable::stream, nb::arg("requested_schema").none() = nb::none());
    nb::class_<Dictionary>(module, "Dictionary")
        .def(nb::init<const std::string&>(), nb::arg("path"), nb::call_guard<nb::gil_scoped_release>())
        .def("__len__", &Dictionary::size)
        .def_prop_ro("path", &Dictionary::path)
        .def_prop_ro("digest", &Dictionary::digest)
        .def_prop_ro("kernel",
                     [](const Dictionary& dictionary) {
                         return kernel::to_string(kernel::BasicKernel(dictionary.info().kernel));
                     })
        .def_prop_ro("models", &models)
        .def("classes",
             [](const Dictionary& dictionary) {
                 return store::ClassRelevance(dictionary.info().models).classes().names();
             })
        .def("get",
             [](const Dictionary& dictionary, std::uint32_t id) {
                 return describe(dictionary, store::ClassRelevance(dictionary.info().models),
                                 dictionary.get(id));
             })
        .def("find", &find, nb::arg("text"))
        .def("table", &table, nb::arg("begin"), nb::arg("end"))
        .def("top_of_class", &top_of_class, nb::arg("count"), nb::arg("label"));
}

}  // namespace treeline::python
