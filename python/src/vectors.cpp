#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "arrays.hpp"
#include "arrow_export.hpp"
#include "arrow_import.hpp"
#include "bindings.hpp"
#include "classify/tree_space.hpp"
#include "explicit_vectors.hpp"
#include "store/dictionary.hpp"
#include "store/vectors.hpp"
#include "work.hpp"

namespace nb = nanobind;

// A vector of owners looks as if it could be copied.
template <>
struct nanobind::detail::is_copy_constructible<treeline::classify::TreeSpace> : std::false_type {};

namespace treeline::python {

namespace {

using classify::TreeSpace;

nb::tuple to_csr(VectorRows rows) {
    return nb::make_tuple(to_array<std::int64_t>(std::move(rows.ends)),
                          to_array<std::int32_t>(std::move(rows.indices)),
                          to_array<float>(std::move(rows.values)));
}

nb::tuple transform(const TreeSpace& space, nb::handle trees, std::size_t threads, nb::object progress) {
    const TreeTexts texts(trees);
    VectorRows rows;
    run({threads, std::move(progress)},
        [&](Listener& listener) { rows = vectorize(space, texts, listener); });
    return to_csr(std::move(rows));
}

ArrowField label_field(const std::vector<std::string_view>& labels, bool plain) {
    std::vector<std::string> names;
    std::vector<std::int32_t> codes;
    if (plain) {
        names.assign(labels.begin(), labels.end());
        return ArrowField::texts("label", names);
    }
    std::unordered_map<std::string_view, std::int32_t> known;
    for (const std::string_view label : labels) {
        const auto [found, added] = known.emplace(label, static_cast<std::int32_t>(names.size()));
        if (added) {
            names.emplace_back(label);
        }
        codes.push_back(found->second);
    }
    return ArrowField::coded_texts("label", std::move(codes), names);
}

template <typename To, typename From>
std::vector<To> converted(const std::vector<From>& values) {
    return {values.begin(), values.end()};
}

ArrowTable vectors_table(const TreeSpace& space, VectorRows rows, std::vector<std::uint64_t> ids,
                         const std::vector<std::string_view>& labels, bool signed_types) {
    if (rows.ends.back() > std::numeric_limits<std::int32_t>::max()) {
        throw nb::value_error("more than 2,147,483,647 entries in one batch; give smaller batches");
    }
    const auto offsets = converted<std::int32_t>(rows.ends);
    std::vector<ArrowField> fields;
    fields.push_back(signed_types ? ArrowField::numbers("id", converted<std::int64_t>(ids))
                                  : ArrowField::numbers("id", std::move(ids)));
    fields.push_back(label_field(labels, signed_types));
    fields.push_back(
        ArrowField::lists("indices", offsets,
                          signed_types ? ArrowField::numbers("item", converted<std::int32_t>(rows.indices))
                                       : ArrowField::numbers("item", std::move(rows.indices))));
    fields.push_back(
        ArrowField::lists("values", offsets, ArrowField::numbers("item", std::move(rows.values))));
    return ArrowTable(std::move(fields), store::metadata_of(space.info()));
}

/// The rows that tfx makes of a record batch; without ids rows are numbered from `first`.
ArrowTable transform_batch(const TreeSpace& space, nb::handle batch, const std::string& tree,
                           const std::optional<std::string>& label, const std::optional<std::string>& id,
                           std::uint64_t first, bool signed_types, std::size_t threads) {
    const ArrowData data(batch);
    std::vector<std::string_view> labels;
    std::vector<std::uint64_t> ids;
    VectorRows all;
    const auto require = [](const ArrowColumn& from, const std::string& name) {
        const auto found = from.find(name);
        if (!found) {
            throw nb::value_error(("the batch has no column '" + name + "'").c_str());
        }
        return *found;
    };
    for (const ArrowArray& array : data.arrays()) {
        const ArrowColumn columns(data.schema(), array);
        if (!columns.is_batch()) {
            throw nb::type_error("expected a record batch with a column of trees");
        }
        const TreeTexts texts(require(columns, tree), tree);
        if (label) {
            append_texts(require(columns, *label), *label, labels);
        } else {
            labels.resize(labels.size() + texts.size());
        }
        if (id) {
            append_numbers(require(columns, *id), *id, ids);
        } else {
            const std::size_t before = ids.size();
            ids.resize(before + texts.size());
            std::iota(ids.begin() + static_cast<std::ptrdiff_t>(before), ids.end(), first + before);
        }
        run({threads}, [&](Listener& listener) {
            const VectorRows rows = vectorize(space, texts, listener);
            const auto entries = static_cast<std::int64_t>(all.indices.size());
            for (std::size_t i = 1; i < rows.ends.size(); ++i) {
                all.ends.push_back(entries + rows.ends[i]);
            }
            all.indices.insert(all.indices.end(), rows.indices.begin(), rows.indices.end());
            all.values.insert(all.values.end(), rows.values.begin(), rows.values.end());
        });
    }
    return vectors_table(space, std::move(all), std::move(ids), labels, signed_types);
}

nb::dict to_dict(const store::VectorsInfo& info) {
    nb::dict out;
    out["kernel"] = info.kernel;
    out["norm"] = info.norm;
    out["vectors"] = info.vectors;
    out["fragments"] = info.fragments;
    out["dictionary"] = info.dictionary;
    return out;
}

store::VectorsInfo from_dict(const nb::dict& given) {
    store::VectorsInfo info;
    info.kernel = nb::cast<std::string>(given["kernel"]);
    info.norm = nb::cast<std::string>(given["norm"]);
    info.vectors = nb::cast<std::string>(given["vectors"]);
    info.fragments = nb::cast<std::uint64_t>(given["fragments"]);
    info.dictionary = nb::cast<std::string>(given["dictionary"]);
    return info;
}

nb::tuple read_vectors(const std::string& path) {
    VectorRows rows;
    std::vector<std::uint64_t> ids;
    std::vector<std::string> labels;
    std::vector<double> weights;
    store::VectorsInfo info;
    {
        const nb::gil_scoped_release released;
        const std::vector<store::VectorsFile> files = store::open_vectors(path);
        info = files.front().info();
        store::VectorsReader reader(files);
        store::VectorRow row;
        while (reader.next(row)) {
            ids.push_back(row.id);
            labels.emplace_back(row.label);
            weights.push_back(row.weight);
            rows.indices.insert(rows.indices.end(), row.indices.begin(), row.indices.end());
            rows.values.insert(rows.values.end(), row.values.begin(), row.values.end());
            rows.ends.push_back(static_cast<std::int64_t>(rows.indices.size()));
        }
    }
    return nb::make_tuple(to_csr(std::move(rows)), to_array<std::uint64_t>(std::move(ids)), labels,
                          to_array<double>(std::move(weights)), to_dict(info));
}

void write_vectors(const std::string& path, const InputArray<std::int64_t>& ends,
                   const InputArray<std::int32_t>& indices, const InputArray<float>& values,
                   const std::vector<std::string>& labels, const nb::dict& given) {
    const store::VectorsInfo info = from_dict(given);
    const auto offsets = span_of(ends);
    const auto all_values = span_of(values);
    const std::span<const std::uint32_t> all_indices{reinterpret_cast<const std::uint32_t*>(indices.data()),
                                                     indices.size()};
    const nb::gil_scoped_release released;
    const auto sink = store::make_arrow_sink(path, info);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const auto begin = static_cast<std::size_t>(offsets[i]);
        const auto size = static_cast<std::size_t>(offsets[i + 1]) - begin;
        sink->add({i, labels[i], all_indices.subspan(begin, size), all_values.subspan(begin, size)});
    }
    (void)sink->commit();
}

}  // namespace

void bind_vectors(nb::module_& module) {
    using nb::arg;
    nb::class_<TreeSpace>(module, "TreeSpace")
        .def(
            "__init__",
            [](TreeSpace* self, const store::Dictionary& dictionary, const std::string& norm) {
                fragment::VectorizerOptions options;
                options.norm = value_of(fragment::kVectorNormNames, "norm", norm);
                const nb::gil_scoped_release released;
                new (self) TreeSpace(dictionary, options);
            },
            arg("dictionary"), arg("norm"))
        .def_prop_ro("info", [](const TreeSpace& space) { return to_dict(space.info()); })
        .def("transform", &transform, arg("trees"), arg("threads"), arg("progress").none())
        .def("transform_batch", &transform_batch, arg("batch"), arg("tree"), arg("label").none(),
             arg("id").none(), arg("first"), arg("signed_types"), arg("threads"));
    module.def("read_vectors", &read_vectors, arg("path"));
    module.def("write_vectors", &write_vectors, arg("path"), arg("ends"), arg("indices"), arg("values"),
               arg("labels"), arg("info"));
}

}  // namespace treeline::python
