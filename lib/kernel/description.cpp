#include "kernel/description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/names.hpp"
#include "base/text.hpp"

namespace treeline::kernel {
namespace {

constexpr base::NameTable<bool, 2> kNormNames{{{false, "none"}, {true, "self"}}};  ///< of `normalize`
constexpr base::NameTable<Pairing, 2> kPairingNames{{{Pairing::kAligned, "aligned"}, {Pairing::kAll, "all"}}};
constexpr base::NameTable<GapRule, 2> kGapNames{{{GapRule::kSkipped, "skipped"}, {GapRule::kSpan, "span"}}};
constexpr base::NameTable<VectorKernelKind, 2> kVectorKernels{{
    {VectorKernelKind::kLinear, "linear"},
    {VectorKernelKind::kPolynomial, "poly"},
}};
constexpr std::uint64_t kHighestDegree = 1000;
constexpr std::uint64_t kLongestSubsequence = 1'000'000;

const KernelFamily* find_family(std::string_view name) {
    const auto* const found = std::ranges::find(kKernelFamilies, name, &KernelFamily::name);
    return found == kKernelFamilies.end() ? nullptr : found;
}

/// "st sst ... linear poly".
std::string kernel_names() {
    std::string names;
    for (const KernelFamily& family : kKernelFamilies) {
        names.append(family.name).append(" ");
    }
    for (const auto& entry : kVectorKernels) {
        names.append(entry.name).append(" ");
    }
    names.pop_back();
    return names;
}

/// Recursive descent without recursion: sum := term ('+' term)*; term := item ('*' item)*; item := number |
/// name[(k=v,...)].
class Parser {
  public:
    explicit Parser(std::string_view text) : text_(text) {}

    KernelDescription parse() {
        KernelDescription description;
        do {
            description.terms.push_back(parse_term());
        } while (take('+'));
        if (at_ != text_.size()) {
            fail("expected '+', '*' or the end");
        }
        return description;
    }

  private:
    KernelTerm parse_term() {
        KernelTerm term;
        do {
            const std::string_view word = take_word();
            if (word.empty()) {
                fail("expected a kernel (" + kernel_names() + ") or a weight");
            }
            if (const auto weight = base::parse_double(word)) {
                if (!(*weight > 0)) {
                    fail_at(word, "a weight must be above 0");
                }
                term.weight *= *weight;
            } else {
                term.factors.push_back(parse_factor(word));
            }
        } while (take('*'));
        if (term.factors.empty()) {
            fail("expected '*' and a kernel after the weight");
        }
        if (!(term.weight > 0 && std::isfinite(term.weight))) {
            fail("the weights multiply to a number too large or too small");
        }
        return term;
    }

    BasicKernel parse_factor(std::string_view name) {
        if (const KernelFamily* family = find_family(name)) {
            TreeKernel kernel{.kind = family->kind};
            parse_parameters([&](std::string_view key, std::string_view value) {
                if (key == "lambda") {
                    kernel.lambda = decay(value);
                } else if (!family->has_child_parameters() || !child_parameter(kernel, key, value)) {
                    common_parameter(kernel, key, value,
                                     family->has_child_parameters()
                                         ? "lambda, mu, p, terminal, gaps, norm, pairs"
                                         : "lambda, norm, pairs");
                }
            });
            return kernel;
        }
        if (const auto kind = base::find_named(kVectorKernels, name)) {
            VectorKernel kernel{.kind = *kind};
            const bool polynomial = *kind == VectorKernelKind::kPolynomial;
            parse_parameters([&](std::string_view key, std::string_view value) {
                if (key == "d" && polynomial) {
                    const auto degree = base::parse_unsigned(value);
                    if (!degree || *degree < 1 || *degree > kHighestDegree) {
                        fail_at(value, "expected a whole number from 1 to 1000");
                    }
                    kernel.degree = static_cast<std::uint32_t>(*degree);
                } else if (key == "s" && polynomial) {
                    kernel.scale = number(value);
                } else if (key == "c" && polynomial) {
                    kernel.constant = number(value);
                } else {
                    common_parameter(kernel, key, value, polynomial ? "d, s, c, norm, pairs" : "norm, pairs");
                }
            });
            return kernel;
        }
        fail_at(name, "unknown kernel; expected one of " + kernel_names());
    }

    template <typename Set>
    void parse_parameters(Set&& set) {
        if (!take('(')) {
            return;
        }
        if (take(')')) {
            return;
        }
        std::vector<std::string_view> given;
        do {
            const auto key = take_word();
            if (!take('=')) {
                fail("expected NAME=VALUE");
            }
            if (std::ranges::find(given, key) != given.end()) {
                fail_at(key, "given twice");
            }
            given.push_back(key);
            set(key, take_word());
        } while (take(','));
        if (!take(')')) {
            fail("expected ',' or ')'");
        }
    }

    /// False if the parameter is none of KernelFamily::has_child_parameters().
    bool child_parameter(TreeKernel& kernel, std::string_view key, std::string_view value) {
        if (key == "mu") {
            kernel.mu = decay(value);
        } else if (key == "p") {
            const auto longest = base::parse_unsigned(value);
            if (!longest || *longest > kLongestSubsequence) {
                fail_at(value, "expected a whole number up to 1000000; 0 stands for any length");
            }
            kernel.longest = static_cast<std::uint32_t>(*longest);
        } else if (key == "terminal") {
            kernel.terminal = number(value);
            if (!(kernel.terminal > 0)) {
                fail_at(value, "expected a number above 0");
            }
        } else if (key == "gaps") {
            kernel.gaps = named(kGapNames, key, value);
        } else {
            return false;
        }
        return true;
    }

    template <typename Kernel>
    void common_parameter(Kernel& kernel, std::string_view key, std::string_view value,
                          const std::string& known) {
        if (key == "norm") {
            kernel.normalize = named(kNormNames, key, value);
        } else if (key == "pairs") {
            kernel.pairing = named(kPairingNames, key, value);
        } else {
            fail_at(key, "unknown parameter; expected one of " + known);
        }
    }

    template <typename T>
    T named(const base::NameTable<T, 2>& table, std::string_view key, std::string_view value) {
        const auto found = base::find_named(table, value);
        if (!found) {
            fail_at(value, fmt::format("expected {0}={1} or {0}={2}", key, table[0].name, table[1].name));
        }
        return *found;
    }

    double number(std::string_view value) {
        const auto parsed = base::parse_double(value);
        if (!parsed) {
            fail_at(value, "expected a number");
        }
        return *parsed;
    }

    double decay(std::string_view value) {
        const double parsed = number(value);
        if (!(parsed > 0 && parsed <= 1)) {
            fail_at(value, "expected a number above 0 and at most 1");
        }
        return parsed;
    }

    void skip_space() {
        while (at_ < text_.size() && text_[at_] == ' ') {
            ++at_;
        }
    }

    bool take(char c) {
        skip_space();
        if (at_ == text_.size() || text_[at_] != c) {
            return false;
        }
        ++at_;
        return true;
    }

    /// Up to the next of "()*+,= "; but the sign of an exponent ("1e+5") belongs to its number.
    std::string_view take_word() {
        skip_space();
        const std::size_t begin = at_;
        const auto in_exponent = [&] {
            return text_[at_] == '+' && at_ > begin + 1 && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E') &&
                   base::parse_double(text_.substr(begin, at_ - 1 - begin)).has_value();
        };
        while (at_ < text_.size() &&
               (std::string_view("()*+,= ").find(text_[at_]) == std::string_view::npos || in_exponent())) {
            ++at_;
        }
        return text_.substr(begin, at_ - begin);
    }

    [[noreturn]] void fail(const std::string& problem) { fail_at(text_.substr(at_, 0), problem); }

    [[noreturn]] void fail_at(std::string_view part, const std::string& problem) {
        const auto column = static_cast<std::size_t>(part.data() - text_.data()) + 1;
        throw base::UsageError("kernel " + base::quoted(text_) + ", column " + std::to_string(column) + ": " +
                               (part.empty() ? "" : base::quoted(part) + ": ") + problem +
                               "; for example \"sst(lambda=0.4)\" or \"0.6*sst+poly(d=3)\"");
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

/// `,KEY=WORD`.
template <typename T>
std::string spelled(std::string_view key, const base::NameTable<T, 2>& table, T value) {
    return fmt::format(",{}={}", key, base::name_of(table, value));
}

std::string common_suffix(bool normalize, Pairing pairing) {
    return (normalize ? "" : spelled("norm", kNormNames, normalize)) +
           (pairing == Pairing::kAligned ? "" : spelled("pairs", kPairingNames, pairing));
}

/// "name(,a=1,b=2)" -> "name(a=1,b=2)", "name()" -> "name".
std::string with_parameters(std::string_view name, std::string_view parameters) {
    std::string text(name);
    if (!parameters.empty()) {
        text.append("(").append(parameters.substr(1)).append(")");
    }
    return text;
}

/// Those of KernelFamily::has_child_parameters(); all but mu only where they are not the defaults.
std::string child_parameters(const TreeKernel& kernel) {
    std::string text = ",mu=" + base::format_double(kernel.mu);
    if (kernel.longest > 0) {
        text += ",p=" + std::to_string(kernel.longest);
    }
    if (kernel.terminal != 1) {
        text += ",terminal=" + base::format_double(kernel.terminal);
    }
    if (kernel.gaps != GapRule::kSkipped) {
        text += spelled("gaps", kGapNames, kernel.gaps);
    }
    return text;
}

bool uses(const KernelDescription& description, auto&& holds) {
    return std::ranges::any_of(
        description.terms, [&](const KernelTerm& term) { return std::ranges::any_of(term.factors, holds); });
}

}  // namespace

double TreeKernel::childless_value(bool is_leaf) const {
    return std::sqrt(mu) * lambda * (is_leaf ? std::sqrt(terminal) : 1);
}

bool KernelDescription::uses_trees() const {
    return uses(*this, [](const BasicKernel& k) { return std::holds_alternative<TreeKernel>(k); });
}

bool KernelDescription::uses_vectors() const {
    return uses(*this, [](const BasicKernel& k) { return std::holds_alternative<VectorKernel>(k); });
}

KernelDescription parse_kernel(std::string_view text) { return Parser(text).parse(); }

std::string to_string(const BasicKernel& kernel) {
    if (const auto* tree = std::get_if<TreeKernel>(&kernel)) {
        std::string parameters = ",lambda=" + base::format_double(tree->lambda);
        if (tree->family().has_child_parameters()) {
            parameters += child_parameters(*tree);
        }
        return with_parameters(tree->family().name,
                               parameters + common_suffix(tree->normalize, tree->pairing));
    }
    const auto& vector = std::get<VectorKernel>(kernel);
    std::string parameters;
    if (vector.kind == VectorKernelKind::kPolynomial) {
        parameters = ",d=" + std::to_string(vector.degree) + ",s=" + base::format_double(vector.scale) +
                     ",c=" + base::format_double(vector.constant);
    }
    return with_parameters(base::name_of(kVectorKernels, vector.kind),
                           parameters + common_suffix(vector.normalize, vector.pairing));
}

std::string to_string(const KernelDescription& description) {
    std::string text;
    for (const auto& term : description.terms) {
        text += text.empty() ? "" : "+";
        if (term.weight != 1) {
            text += base::format_double(term.weight) + "*";
        }
        for (std::size_t i = 0; i < term.factors.size(); ++i) {
            text += (i > 0 ? "*" : "") + to_string(term.factors[i]);
        }
    }
    return text;
}

KernelDescription describe(const BasicKernel& kernel) { return {{{.weight = 1, .factors = {kernel}}}}; }

const TreeKernel& require_single_tree_kernel(const KernelDescription& description, std::string_view purpose) {
    if (description.terms.size() == 1 && description.terms[0].factors.size() == 1) {
        if (const auto* tree = std::get_if<TreeKernel>(&description.terms[0].factors[0])) {
            return *tree;
        }
    }
    throw base::UsageError(std::string(purpose) +
                           " needs a single tree kernel such as \"sst(lambda=0.4)\", not \"" +
                           to_string(description) + "\"");
}

}  // namespace treeline::kernel
