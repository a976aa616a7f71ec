#include "store/svm_light_header.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>

#include "base/error.hpp"
#include "base/format_names.hpp"
#include "base/text.hpp"

namespace treeline::store {

using base::formats::kKernelPrefix;
using kernel::BasicKernel;
using kernel::KernelDescription;
using kernel::KernelTerm;
using kernel::Pairing;
using kernel::TreeKernel;
using kernel::TreeKernelKind;
using kernel::VectorKernel;
using kernel::VectorKernelKind;

namespace {

/// Positions in SvmLightHeader::names().
enum Field : std::size_t {
    kType,
    kD,
    kG,
    kS,
    kR,
    kCustom,
    kL,
    kT,
    kC,
    kF,
    kSecond,
    kM,
    kN,
    kV,
    kW,
    kU,
    kFieldCount
};

/// Of one node, that PTK and uPTK of SVM-light-TK pair.
constexpr std::uint32_t kMostChildren = 5;
/// -F 0..4.
constexpr std::array kTreeKinds{TreeKernelKind::kSt, TreeKernelKind::kSst, TreeKernelKind::kSstBow,
                                TreeKernelKind::kPtk, TreeKernelKind::kUptk};

std::string eight_digits(double value) {
    std::array<char, 32> text{};
    const int size = std::snprintf(text.data(), text.size(), "%.8g", value);
    return {text.data(), static_cast<std::size_t>(size)};
}

std::string six_decimals(double value) {
    std::array<char, 400> text{};
    const int size = std::snprintf(text.data(), text.size(), "%f", value);
    return {text.data(), static_cast<std::size_t>(size)};
}

/// Reads single parameters; errors name them.
class Fields {
  public:
    explicit Fields(const SvmLightHeader& header) : header_(header) {}

    [[nodiscard]] const std::string& text(Field field) const { return header_.values[field]; }

    [[nodiscard]] double number(Field field) const {
        const auto value = base::parse_double(text(field));
        return value ? *value : refuse<double>(field, "expected a number");
    }
    [[nodiscard]] double decay(Field field) const {
        const double value = number(field);
        return value > 0 && value <= 1 ? value
                                       : refuse<double>(field, "expected a number above 0 and at most 1");
    }
    [[nodiscard]] std::uint64_t choice(Field field, std::uint64_t count, const std::string& expected) const {
        const auto value = base::parse_unsigned(text(field));
        return value && *value < count ? *value : refuse<std::uint64_t>(field, "expected " + expected);
    }
    [[nodiscard]] Pairing pairing(Field field) const {
        if (text(field) != "S" && text(field) != "A") {
            refuse<int>(field, "expected S or A");
        }
        return text(field) == "A" ? Pairing::kAll : Pairing::kAligned;
    }

    template <typename Result>
    [[noreturn]] Result refuse(Field field, const std::string& expected) const {
        throw base::UsageError(std::string(SvmLightHeader::names()[field]) + " is " +
                               base::quoted(text(field)) + "; " + expected);
    }

  private:
    const SvmLightHeader& header_;
};

VectorKernel vector_kernel(const Fields& fields, bool polynomial, bool normalize) {
    VectorKernel kernel{.normalize = normalize, .pairing = fields.pairing(kV)};
    if (polynomial) {
        kernel.kind = VectorKernelKind::kPolynomial;
        kernel.degree = static_cast<std::uint32_t>(fields.choice(kD, 1001, "a whole number from 1 to 1000"));
        if (kernel.degree == 0) {
            fields.refuse<int>(kD, "expected a whole number from 1 to 1000");
        }
        kernel.scale = fields.number(kS);
        kernel.constant = fields.number(kR);
    }
    return kernel;
}

KernelDescription combination(const Fields& fields) {
    const auto norm = fields.choice(kN, 4, "0 (none), 1 (trees), 2 (vectors) or 3 (both)");
    const std::string& combine = fields.text(kC);
    const bool trees = combine == "T" || combine == "+" || combine == "*";
    const bool vectors = combine == "V" || combine == "+" || combine == "*";
    if (!trees && !vectors) {
        fields.refuse<int>(kC, "expected T, V, + or *");
    }
    KernelDescription description;
    if (trees) {
        TreeKernel tree{
            .kind = kTreeKinds[fields.choice(kF, kTreeKinds.size(), "0 to 4 (ST, SST, SST-bow, PTK, uPTK)")],
            .lambda = fields.decay(kL),
            .normalize = (norm & 1U) != 0,
            .pairing = fields.pairing(kW)};
        if (tree.family().has_child_parameters()) {
            tree.mu = fields.decay(kM);
            tree.longest = kMostChildren;
        }
        const double weight = combine == "T" ? 1 : fields.number(kT);
        if (!(weight > 0)) {
            fields.refuse<int>(kT, "expected a number above 0");
        }
        description.terms.push_back({weight, {tree}});
    }
    if (vectors) {
        const bool polynomial = fields.choice(kSecond, 2, "0 (linear) or 1 (polynomial)") == 1;
        const VectorKernel vector = vector_kernel(fields, polynomial, (norm & 2U) != 0);
        if (combine == "*") {
            description.terms[0].factors.emplace_back(vector);
        } else {
            description.terms.push_back({1, {vector}});
        }
    }
    return description;
}

/// Sets what the kernels say; the order of terms and their number is judged by reading the head back.
void fill(SvmLightHeader& header, const KernelDescription& description) {
    unsigned norm = 0;
    bool trees = false;
    bool vectors = false;
    for (const KernelTerm& term : description.terms) {
        for (const BasicKernel& factor : term.factors) {
            if (const auto* tree = std::get_if<TreeKernel>(&factor)) {
                const auto kind = std::ranges::find(kTreeKinds, tree->kind);
                header.values[kF] =
                    kind == kTreeKinds.end() ? "1" : std::to_string(kind - kTreeKinds.begin());
                header.values[kL] = eight_digits(tree->lambda);
                header.values[kM] = six_decimals(tree->mu);
                header.values[kW] = tree->pairing == Pairing::kAll ? "A" : "S";
                header.values[kT] = eight_digits(term.weight);
                norm |= tree->normalize ? 1U : 0U;
                trees = true;
            } else {
                const auto& vector = std::get<VectorKernel>(factor);
                const bool polynomial = vector.kind == VectorKernelKind::kPolynomial;
                header.values[kSecond] = polynomial ? "1" : "0";
                header.values[kD] = std::to_string(vector.degree);
                header.values[kS] = eight_digits(vector.scale);
                header.values[kR] = eight_digits(vector.constant);
                header.values[kV] = vector.pairing == Pairing::kAll ? "A" : "S";
                norm |= vector.normalize ? 2U : 0U;
                vectors = true;
            }
        }
    }
    header.values[kC] = !vectors ? "T" : !trees ? "V" : description.terms.size() == 1 ? "*" : "+";
    if (trees != vectors) {
        norm = norm == 0 ? 0 : 3;
    }
    header.values[kN] = std::to_string(norm);
}

/// The head in the parameters of SVM-light-TK alone.
SvmLightHeader native_header(const KernelDescription& kernel) {
    SvmLightHeader header{
        {"5", "3", "1", "1", "1", "empty", "0.4", "1", "T", "1", "1", "0.400000", "3", "S", "S", "0"}};
    fill(header, kernel);
    return header;
}

/// What SVM-light-TK makes of a head: the weight of the trees is that of a sum, products have none.
KernelDescription computed_with(const SvmLightHeader& header) {
    KernelDescription kernel = from_svm_light_header(header);
    if (header.values[kC] == "*") {
        kernel.terms[0].weight = 1;
    }
    return kernel;
}

}  // namespace

const std::vector<std::string_view>& SvmLightHeader::names() {
    static const std::vector<std::string_view> kNames{
        "kernel type",         "kernel parameter -d", "kernel parameter -g", "kernel parameter -s",
        "kernel parameter -r", "kernel parameter -u", "kernel parameter -L", "kernel parameter -T",
        "kernel parameter -C", "kernel parameter -F", "kernel parameter -S", "kernel parameter -M",
        "kernel parameter -N", "kernel parameter -V", "kernel parameter -W", "kernel parameter -U"};
    return kNames;
}

SvmLightHeader to_svm_light_header(const KernelDescription& kernel) {
    SvmLightHeader header = native_header(kernel);
    const std::string text = to_string(kernel);
    if (to_string(computed_with(header)) != text) {
        header.values[kCustom] = std::string(kKernelPrefix) + text;
    }
    return header;
}

KernelDescription svm_light_kernel(const KernelDescription& kernel) {
    return computed_with(native_header(kernel));
}

KernelDescription from_svm_light_header(const SvmLightHeader& header) {
    const Fields fields(header);
    const std::string& custom = fields.text(kCustom);
    if (custom.starts_with(kKernelPrefix)) {
        return kernel::parse_kernel(std::string_view(custom).substr(kKernelPrefix.size()));
    }
    const auto type = base::parse_unsigned(fields.text(kType));
    if (type == 0U || type == 1U) {
        return describe(vector_kernel(fields, type == 1U, false));
    }
    if (type != 5U) {
        fields.refuse<int>(kType, "expected 0 (linear), 1 (polynomial) or 5 (trees and vectors)");
    }
    return combination(fields);
}

}  // namespace treeline::store
