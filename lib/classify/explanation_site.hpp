#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "classify/explanation.hpp"
#include "classify/site_data.hpp"
#include "evaluate/metrics.hpp"

namespace treeline::classify {

/// What a feature has to do with the errors of a test set.
struct ErrorCause {
    double amount = 0;  ///< that it put the predicted class ahead of the gold one, summed over the errors
    std::uint64_t errors = 0;             ///< in which it did
    std::vector<std::uint64_t> examples;  ///< the first of these
};
using ErrorCauses = std::map<std::uint32_t, ErrorCause>;  ///< by feature

/// Adds an example whose label was got wrong; the model must know the gold class.
void add_causes(ErrorCauses& causes, std::uint64_t id, const std::vector<Contribution>& differences);
/// Adds those of later examples.
void add_causes(ErrorCauses& causes, const ErrorCauses& later);

/// Explanations of a test set as a folder that opens from disk: index.html with confusion matrix, the fragments that
/// cause most errors and a table of all examples to filter; page-N.html with some explanations each, bounded in size;
/// data/*.js. Memory: some bytes an example. Not thread-safe.
class ExplanationSite {
  public:
    /// An explanation as the site keeps it.
    struct Entry {
        std::uint64_t id = 0;
        std::string gold;
        std::string predicted;
        double margin = 0;
        std::string sentence;
        std::string section;  ///< to_html()
    };
    [[nodiscard]] static Entry entry_of(const Explanation& explanation);

    /// `folder` is there.
    ExplanationSite(std::string folder, std::string title);
    void add(const Entry& entry);
    /// Writes what is left; `metrics` are those of the test set.
    void finish(const evaluate::Metrics& metrics, const ErrorCauses& causes, const FeatureCatalog& features);

  private:
    [[nodiscard]] std::uint32_t class_number(const std::string& label);
    void finish_page(bool last);
    void finish_sentences();
    void write(const std::string& name, std::string_view text) const;

    std::string folder_;
    std::string title_;
    SiteData data_;
    std::string page_;       ///< sections of the page at hand
    std::string sentences_;  ///< JSON strings of the file at hand
    std::uint32_t pages_ = 0;
    std::uint32_t on_page_ = 0;
    std::map<std::string, std::uint32_t> class_numbers_;  ///< by class_key()
    std::vector<std::string> classes_;
    std::vector<std::uint32_t> ids_, golds_, predictions_, page_of_;
    std::vector<float> margins_;
};

}  // namespace treeline::classify
