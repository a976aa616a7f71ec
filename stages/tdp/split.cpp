#include "tdp/split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "base/error.hpp"
#include "base/format_names.hpp"
#include "base/text.hpp"
#include "common/outputs.hpp"
#include "tdp/example_lines.hpp"
#include "tdp/split_folder.hpp"

namespace treeline::tdp {

Dealer::Dealer(std::vector<double> weights) : shares_(std::move(weights)), counts_(shares_.size()) {
    const double sum = std::accumulate(shares_.begin(), shares_.end(), 0.0);
    for (double& share : shares_) {
        share /= sum;
    }
}

std::size_t Dealer::choose(base::Random& random) const {
    // What a part lacks to its share of one item more; together they lack 1, so some part lacks something.
    const auto lacks = [&](std::size_t part) {
        return std::max(0.0,
                        shares_[part] * static_cast<double>(total_ + 1) - static_cast<double>(counts_[part]));
    };
    double all = 0;
    for (std::size_t part = 0; part < shares_.size(); ++part) {
        all += lacks(part);
    }
    double rest = random.uniform() * all;
    std::size_t chosen = 0;
    for (std::size_t part = 0; part < shares_.size(); ++part) {
        if (lacks(part) > 0) {
            chosen = part;
            rest -= lacks(part);
            if (rest < 0) {
                break;
            }
        }
    }
    return chosen;
}

std::pair<std::string, double> parse_part(const std::string& text) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const auto weight = base::parse_double(std::string_view(text).substr(std::min(equals + 1, text.size())));
    const std::string name = text.substr(0, equals);
    if (!weight || !(*weight > 0) || name.empty() || name.front() == '.' ||
        name.find('/') != std::string::npos) {
        throw base::UsageError("--parts: " + base::quoted(text) +
                               "; expected NAME=WEIGHT with a weight above 0");
    }
    return {name, *weight};
}

stage::Summary split(const SplitOptions& options, const stage::CommonOptions& common,
                     base::ProgressObserver& progress) {
    std::vector<std::string> names;
    std::vector<double> weights;
    for (const auto& part : options.parts) {
        auto [name, weight] = parse_part(part);
        if (std::ranges::count(names, name) > 0) {
            throw base::UsageError("--parts: " + base::quoted(name) + " twice");
        }
        names.push_back(std::move(name));
        weights.push_back(weight);
    }
    const auto planned = stage::plan_work("tdp split",
                                          {{"parts", fmt::format("{}", fmt::join(options.parts, ","))},
                                           {"stratify", options.stratify},
                                           {"column", stage::value_of(options.column)},
                                           {"ending", options.ending},
                                           {"seed", stage::value_of(common.seed)}},
                                          common, {options.input});
    stage::Outputs outputs(planned, {{options.output, {}}}, common, progress);
    if (!outputs.begin()) {
        return {};
    }
    ExampleLines lines(options.input);
    OutputFolder folder(options.output);
    for (const auto& name : names) {
        folder.file(name + options.ending);
    }
    base::Random random(common.seed);
    std::map<std::string, Dealer, std::less<>> dealers;       // of each class
    std::map<std::string, std::size_t, std::less<>> grouped;  // parts of the groups seen
    std::string_view line;
    stage::Summary summary;
    progress.start("lines", 0);
    while (lines.next(line)) {
        progress.update(++summary.in);
        const bool groups = options.column > 0;
        const std::string_view key = options.stratify && !groups ? lines.label(line) : std::string_view();
        auto dealer = dealers.find(key);
        if (dealer == dealers.end()) {
            dealer = dealers.emplace(key, Dealer(weights)).first;
        }
        std::size_t part = 0;
        if (groups) {
            const auto group = lines.column(line, options.column);
            auto known = grouped.find(group);
            if (known == grouped.end()) {
                known = grouped.emplace(group, dealer->second.choose(random)).first;
            }
            part = known->second;
        } else {
            part = dealer->second.choose(random);
        }
        dealer->second.add(part);
        auto& file = folder.file(names[part] + options.ending);
        file.write(line);
        file.write("\n");
        ++summary.out;
    }
    progress.finish();
    for (const auto& [group, part] : grouped) {
        folder.file(std::string(base::formats::kSplitsFile)).write(group + "\t" + names[part] + "\n");
    }
    folder.commit(outputs, {{"lines", stage::value_of(summary.out)}});
    return summary;
}

}  // namespace treeline::tdp
