#include "classify/explanation_site.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/output.hpp"
#include "classify/explanation_page.hpp"
#include "classify/markup.hpp"
#include "classify/pages.hpp"
#include "example/class_set.hpp"

namespace treeline::classify {

namespace {

constexpr std::size_t kPageBytes = 512 << 10;  // a page that has reached this is full
constexpr std::uint32_t kPageExamples = 50;
constexpr std::size_t kSentences = 500;  // in a file; summary.js knows it, too
constexpr std::size_t kSentence = 200;   // characters of a sentence in the table
constexpr std::size_t kCauseExamples = 5;
constexpr std::size_t kShownCauses = 30;
constexpr std::size_t kMatrixClasses = 40;
constexpr std::size_t kShownPairs = 60;
constexpr std::uint32_t kNoClass = 0xffffffffU;

/// The address of the examples of a cell.
std::string cell_address(std::string_view gold, std::string_view predicted) {
    const auto encoded = [](std::string_view text) {
        std::string out;
        for (const char c : text) {
            const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
        }
        return out;
    };
    return fmt::format("#?gold={}&amp;predicted={}", encoded(gold), encoded(predicted));
}

std::string heading_cell(std::string_view label) {
    return fmt::format("<th title=\"{}\">{}</th>", escape_markup(shortened(label, 200)),
                       escape_markup(shortened(label, 14)));
}

std::string confusion_matrix(const evaluate::Metrics& metrics,
                             const std::vector<evaluate::ClassScore>& classes) {
    std::string head;
    std::string rows;
    for (const evaluate::ClassScore& column : classes) {
        head += heading_cell(column.label);
    }
    for (const evaluate::ClassScore& row : classes) {
        rows += "<tr>" + heading_cell(row.label);
        for (const evaluate::ClassScore& column : classes) {
            const std::uint64_t count = metrics.confusion(row.label, column.label);
            const double share =
                row.support == 0 ? 0 : static_cast<double>(count) / static_cast<double>(row.support);
            if (count == 0) {
                rows += "<td class=\"none\">·</td>";
            } else {
                rows += fmt::format("<td class=\"{}\" style=\"--share:{:.3f}\"><a href=\"{}\">{}</a></td>",
                                    row.label == column.label ? "hit" : "miss", share,
                                    cell_address(row.label, column.label), shown_count(count));
            }
        }
        rows += "</tr>\n";
    }
    return "<div class=\"scroll\"><table class=\"confusion\"><thead><tr><th>gold \\ predicted</th>" + head +
           "</tr></thead><tbody>\n" + rows + "</tbody></table></div>\n";
}

/// Where a matrix would have too many cells: the confusions, most frequent first.
std::string confusion_list(const evaluate::Metrics& metrics,
                           const std::vector<evaluate::ClassScore>& classes) {
    struct Pair {
        std::uint64_t count;
        const std::string* gold;
        const std::string* predicted;
    };
    std::vector<Pair> pairs;
    for (const evaluate::ClassScore& row : classes) {
        for (const evaluate::ClassScore& column : classes) {
            if (const std::uint64_t count = metrics.confusion(row.label, column.label);
                count > 0 && &row != &column) {
                pairs.push_back({count, &row.label, &column.label});
            }
        }
    }
    std::ranges::stable_sort(pairs, std::greater<>{}, &Pair::count);
    pairs.resize(std::min(pairs.size(), kShownPairs));
    std::string rows;
    for (const Pair& one : pairs) {
        rows += fmt::format(
            "<tr><td class=\"number\"><a href=\"{}\">{}</a></td><td>{}</td><td>{}</td></tr>\n",
            cell_address(*one.gold, *one.predicted), shown_count(one.count),
            escape_markup(shortened(*one.gold, 60)), escape_markup(shortened(*one.predicted, 60)));
    }
    return "<div class=\"scroll\"><table><thead><tr><th class=\"number\">examples</th><th>gold</th><th>predicted</th></tr>"
           "</thead><tbody>\n" +
           rows + "</tbody></table></div>\n";
}

std::string class_table(const std::vector<evaluate::ClassScore>& classes) {
    std::string rows;
    for (const evaluate::ClassScore& one : classes) {
        rows += fmt::format(
            "<tr><td class=\"name\" title=\"{}\">{}</td><td class=\"number\">{}</td><td class=\"number\">{:.2f}</td>"
            "<td class=\"number\">{:.2f}</td><td class=\"number\">{:.2f}</td></tr>\n",
            escape_markup(shortened(one.label, 200)), escape_markup(shortened(one.label, 60)),
            shown_count(one.support), one.precision, one.recall, one.f1);
    }
    return "<div class=\"scroll\"><table><thead><tr><th>class</th><th class=\"number\">examples</th>"
           "<th class=\"number\">precision</th><th class=\"number\">recall</th><th class=\"number\">F1</th></tr></thead><tbody>\n" +
           rows + "</tbody></table></div>\n";
}

std::string cause_table(const ErrorCauses& causes, const FeatureCatalog& features,
                        const std::map<std::uint64_t, std::uint32_t>& page_of) {
    std::vector<const ErrorCauses::value_type*> ranked;
    for (const auto& one : causes) {
        ranked.push_back(&one);
    }
    std::ranges::stable_sort(ranked, std::greater<>{}, [](const auto* one) { return one->second.amount; });
    ranked.resize(std::min(ranked.size(), kShownCauses));
    std::string rows;
    for (const auto* one : ranked) {
        std::string links;
        for (const std::uint64_t id : one->second.examples) {
            const auto page = page_of.find(id);
            links += page == page_of.end()
                         ? fmt::format(" {}", id)
                         : fmt::format(" <a href=\"page-{}.html#e{}\">{}</a>", page->second, id, id);
        }
        rows += fmt::format(
            "<tr><td class=\"number against\">{}</td><td class=\"number\">{}</td><td><code>{}</code></td><td>{}</td></tr>\n",
            shown_number(one->second.amount), shown_count(one->second.errors),
            escape_markup(shortened(features.get(one->first).name, 300)), links);
    }
    return "<div class=\"scroll\"><table><thead><tr><th class=\"number\">weight</th><th class=\"number\">errors</th><th>fragment</th>"
           "<th>examples</th></tr></thead><tbody>\n" +
           rows + "</tbody></table></div>\n";
}

}  // namespace

void add_causes(ErrorCauses& causes, std::uint64_t id, const std::vector<Contribution>& differences) {
    for (const Contribution& item : differences) {
        if (item.product > 0) {
            ErrorCause& cause = causes[item.index];
            cause.amount += item.product;
            ++cause.errors;
            if (cause.examples.size() < kCauseExamples) {
                cause.examples.push_back(id);
            }
        }
    }
}

void add_causes(ErrorCauses& causes, const ErrorCauses& later) {
    for (const auto& [feature, one] : later) {
        ErrorCause& cause = causes[feature];
        cause.amount += one.amount;
        cause.errors += one.errors;
        const std::size_t room = kCauseExamples - std::min(kCauseExamples, cause.examples.size());
        cause.examples.insert(
            cause.examples.end(), one.examples.begin(),
            one.examples.begin() + static_cast<std::ptrdiff_t>(std::min(room, one.examples.size())));
    }
}

ExplanationSite::Entry ExplanationSite::entry_of(const Explanation& explanation) {
    return {.id = explanation.id,
            .gold = explanation.gold,
            .predicted = explanation.predicted,
            .margin = explanation.margin,
            .sentence = shortened(sentence_of(explanation), kSentence),
            .section = to_html(explanation)};
}

ExplanationSite::ExplanationSite(std::string folder, std::string title)
    : folder_(std::move(folder)), title_(std::move(title)), data_(folder_) {}

std::uint32_t ExplanationSite::class_number(const std::string& label) {
    if (label.empty()) {
        return kNoClass;
    }
    const auto [found, unseen] =
        class_numbers_.try_emplace(example::class_key(label), static_cast<std::uint32_t>(classes_.size()));
    if (unseen) {
        classes_.push_back(label);
    }
    return found->second;
}

void ExplanationSite::add(const Entry& entry) {
    if (on_page_ == kPageExamples || (on_page_ > 0 && page_.size() + entry.section.size() > kPageBytes)) {
        finish_page(false);
    }
    ids_.push_back(static_cast<std::uint32_t>(entry.id));
    golds_.push_back(class_number(entry.gold));
    predictions_.push_back(class_number(entry.predicted));
    margins_.push_back(static_cast<float>(entry.margin));
    page_of_.push_back(pages_);
    page_ += entry.section;
    ++on_page_;
    sentences_.append(sentences_.empty() ? "" : ",\n").append(json_text(entry.sentence));
    if (ids_.size() % kSentences == 0) {
        finish_sentences();
    }
}

void ExplanationSite::finish_page(bool last) {
    std::string links = "<a href=\"index.html\">Summary</a>";
    links += pages_ > 0 ? fmt::format(" <a href=\"page-{}.html\">Previous page</a>", pages_ - 1) : "";
    links += last ? "" : fmt::format(" <a href=\"page-{}.html\">Next page</a>", pages_ + 1);
    write(fmt::format("page-{}.html", pages_), html_head(title_, links) + page_ + html_foot());
    page_.clear();
    on_page_ = 0;
    ++pages_;
}

void ExplanationSite::finish_sentences() {
    data_.write(fmt::format("sentences/{}", (ids_.size() - 1) / kSentences), "[" + sentences_ + "]");
    sentences_.clear();
}

void ExplanationSite::write(const std::string& name, std::string_view text) const {
    base::write_whole_file((std::filesystem::path(folder_) / name).string(), text);
}

void ExplanationSite::finish(const evaluate::Metrics& metrics, const ErrorCauses& causes,
                             const FeatureCatalog& features) {
    if (on_page_ > 0) {
        finish_page(true);
    }
    if (!sentences_.empty()) {
        finish_sentences();
    }
    std::vector<std::string> labels;
    std::ranges::transform(classes_, std::back_inserter(labels), json_text);
    data_.write("list",
                fmt::format(R"({{"classes":[{}],"ids":{},"gold":{},"predicted":{},"margin":{},"page":{}}})",
                            fmt::join(labels, ","), packed(ids_), packed(golds_), packed(predictions_),
                            packed(margins_), packed(page_of_)));
    std::map<std::uint64_t, std::uint32_t> pages;
    for (std::size_t i = 0; i < ids_.size(); ++i) {
        pages.emplace(ids_[i], page_of_[i]);
    }
    const std::vector<evaluate::ClassScore> classes = metrics.classes();
    std::string body;
    if (metrics.examples() > 0) {
        body += fmt::format(
            "<p class=\"lead\">{:.2f}% of {} examples are right; macro F1 {:.2f}.</p>\n<h2>Confusions</h2>\n",
            metrics.accuracy(), shown_count(metrics.examples()), metrics.macro_f1());
        body += classes.size() <= kMatrixClasses ? confusion_matrix(metrics, classes)
                                                 : confusion_list(metrics, classes);
        body += "<p class=\"note\">A number leads to its examples.</p>\n<h2>Classes</h2>\n" +
                class_table(classes);
    }
    if (!causes.empty()) {
        body +=
            "<h2>Fragments that cause most errors</h2>\n<p class=\"note\">By what they added to the lead of the predicted class "
            "over the gold one, summed over all errors.</p>\n" +
            cause_table(causes, features, pages);
    }
    const std::string script = std::string(site_js()).append(summary_js());
    std::string page = fill_page(summary_html(), script);
    const std::string title = escape_markup(title_);
    write("index.html",
          filled(filled(filled(std::move(page), "@TITLE@", title), "@TITLE@", title), "@BODY@", body));
}

}  // namespace treeline::classify
