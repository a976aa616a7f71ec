#include "tdp/sample.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/output.hpp"
#include "base/random.hpp"
#include "common/outputs.hpp"
#include "tdp/example_lines.hpp"

namespace treeline::tdp {

namespace {

/// Lines drawn at random from a stream, each with the same chance (reservoir sampling), with their numbers.
class Reservoir {
  public:
    Reservoir(std::uint64_t size, const base::Random& random) : size_(size), random_(random) {}
    void offer(std::string_view line, std::uint64_t number) {
        ++seen_;
        if (lines_.size() < size_) {
            lines_.emplace_back(number, line);
        } else if (const std::uint64_t place = random_.below(seen_); place < size_) {
            lines_[place] = {number, std::string(line)};
        }
    }
    [[nodiscard]] std::vector<std::pair<std::uint64_t, std::string>>& lines() { return lines_; }

  private:
    std::uint64_t size_;
    base::Random random_;
    std::uint64_t seen_ = 0;
    std::vector<std::pair<std::uint64_t, std::string>> lines_;
};

}  // namespace

stage::Summary sample(const SampleOptions& options, const stage::CommonOptions& common,
                      base::ProgressObserver& progress) {
    if ((options.count > 0 ? 1 : 0) + (options.fraction > 0 ? 1 : 0) + (options.per_class > 0 ? 1 : 0) != 1 ||
        !(options.fraction <= 1)) {
        throw base::UsageError("give one of --count N, --fraction F (up to 1) and --per-class N");
    }
    const auto planned = stage::plan_work("tdp sample",
                                          {{"count", stage::value_of(options.count)},
                                           {"fraction", options.fraction},
                                           {"per-class", stage::value_of(options.per_class)},
                                           {"seed", stage::value_of(common.seed)}},
                                          common, {options.input});
    stage::Outputs outputs(planned, {{options.output, {}}}, common, progress);
    if (!outputs.begin()) {
        return {};
    }
    ExampleLines lines(options.input);
    base::AtomicFile file(options.output);
    base::Random random(common.seed);
    std::map<std::string, Reservoir, std::less<>> reservoirs;  // of each class
    std::string_view line;
    stage::Summary summary;
    const auto keep = [&](std::string_view text) {
        file.write(text);
        file.write("\n");
        ++summary.out;
    };
    progress.start("lines", 0);
    while (lines.next(line)) {
        progress.update(++summary.in);
        if (options.fraction > 0) {
            if (random.uniform() < options.fraction) {
                keep(line);
            }
            continue;
        }
        const std::string_view key = options.per_class > 0 ? lines.label(line) : std::string_view();
        auto reservoir = reservoirs.find(key);
        if (reservoir == reservoirs.end()) {
            Reservoir fresh(std::max(options.count, options.per_class), random.fork(base::hash64(key)));
            reservoir = reservoirs.emplace(key, std::move(fresh)).first;
        }
        reservoir->second.offer(line, summary.in);
    }
    std::vector<std::pair<std::uint64_t, std::string>> drawn;
    for (auto& [key, reservoir] : reservoirs) {
        std::ranges::move(reservoir.lines(), std::back_inserter(drawn));
    }
    std::ranges::sort(drawn, {}, [](const auto& entry) { return entry.first; });
    for (const auto& [number, text] : drawn) {
        keep(text);
    }
    progress.finish();
    file.commit();
    outputs.record({{"lines", stage::value_of(summary.out)}});
    return summary;
}

}  // namespace treeline::tdp
