#include "evaluate/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace treeline::evaluate {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kCompleteConfusion = 100;

double percent(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void Metrics::add(std::string_view gold, std::string_view predicted, std::uint64_t count) {
    const ClassId gold_id = intern(gold);
    const ClassId predicted_id = intern(predicted);
    classes_[gold_id].support += count;
    classes_[predicted_id].predicted += count;
    classes_[gold_id].hits += gold_id == predicted_id ? count : 0;
    pairs_[{gold_id, predicted_id}] += count;
    examples_ += count;
}

Metrics::ClassId Metrics::intern(std::string_view label) {
    if (const auto found = by_label_.find(label); found != by_label_.end()) {
        return found->second;
    }
    const auto [entry, added] = by_key_.try_emplace(example::class_key(label), classes_.size());
    if (added) {
        classes_.push_back({.label = std::string(label)});
    }
    by_label_.emplace(label, entry->second);
    labels_.emplace_back(label);
    return entry->second;
}

double Metrics::accuracy() const {
    std::uint64_t hits = 0;
    for (const Class& one : classes_) {
        hits += one.hits;
    }
    return percent(hits, examples_);
}

double Metrics::macro_f1() const {
    const std::vector<ClassScore> scores = classes();
    double sum = 0;
    for (const ClassScore& score : scores) {
        sum += score.f1;
    }
    return scores.empty() ? 0 : sum / static_cast<double>(scores.size());
}

std::vector<ClassScore> Metrics::classes() const {
    const example::ClassSet set = class_set();
    std::vector<ClassScore> scores(set.size());
    for (const Class& one : classes_) {
        const std::uint32_t number = *set.find(one.label);
        scores[number] = {.label = set.names()[number],
                          .precision = percent(one.hits, one.predicted),
                          .recall = percent(one.hits, one.support),
                          .f1 = percent(2 * one.hits, one.predicted + one.support),
                          .support = one.support,
                          .predicted = one.predicted};
    }
    return scores;
}

std::uint64_t Metrics::confusion(std::string_view gold, std::string_view predicted) const {
    const auto gold_id = by_key_.find(example::class_key(gold));
    const auto predicted_id = by_key_.find(example::class_key(predicted));
    if (gold_id == by_key_.end() || predicted_id == by_key_.end()) {
        return 0;
    }
    const auto found = pairs_.find({gold_id->second, predicted_id->second});
    return found == pairs_.end() ? 0 : found->second;
}

bool Metrics::is_signed_binary() const { return class_set().is_signed(); }

std::string to_json(const Metrics& metrics) {
    const std::vector<ClassScore> scores = metrics.classes();
    Json classes = Json::object();
    Json confusion = Json::object();
    for (const ClassScore& gold : scores) {
        classes[gold.label] = {{"precision", gold.precision},
                               {"recall", gold.recall},
                               {"f1", gold.f1},
                               {"support", gold.support}};
        Json& row = confusion[gold.label] = Json::object();
        for (const ClassScore& predicted : scores) {
            const std::uint64_t count = metrics.confusion(gold.label, predicted.label);
            if (count > 0 || scores.size() <= kCompleteConfusion) {
                row[predicted.label] = count;
            }
        }
    }
    const Json json = {{"examples", metrics.examples()}, {"accuracy", metrics.accuracy()},
                       {"micro_f1", metrics.micro_f1()}, {"macro_f1", metrics.macro_f1()},
                       {"classes", std::move(classes)},  {"confusion", std::move(confusion)}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string describe_unknown_labels(const Metrics& metrics, std::span<const std::string> known) {
    constexpr std::size_t kNamed = 5;
    const example::ClassSet classes(known);
    std::uint64_t examples = 0;
    std::size_t labels = 0;
    std::string named;
    for (const ClassScore& score : metrics.classes()) {
        if (score.support == 0 || classes.find(score.label)) {
            continue;
        }
        examples += score.support;
        if (++labels <= kNamed) {
            named += fmt::format("{}{} ({})", labels > 1 ? ", " : "", score.label, score.support);
        }
    }
    if (labels == 0) {
        return {};
    }
    return fmt::format("{} example{} a label that the model was not trained on and count{} as errors: {}{}",
                       examples, examples == 1 ? " has" : "s have", examples == 1 ? "s" : "", named,
                       labels > kNamed ? fmt::format(" and {} labels more", labels - kNamed) : "");
}

std::string to_text(const Metrics& metrics) {
    const std::vector<ClassScore> scores = metrics.classes();
    std::string text;
    if (metrics.is_signed_binary() && scores.front().label == "+1") {
        const ClassScore& positive = scores.front();
        text += fmt::format("class +1: precision {:.2f}, recall {:.2f}, F1 {:.2f}\n", positive.precision,
                            positive.recall, positive.f1);
    }
    text += fmt::format("accuracy {:.2f}, micro F1 {:.2f}, macro F1 {:.2f} on {} examples",
                        metrics.accuracy(), metrics.micro_f1(), metrics.macro_f1(), metrics.examples());
    std::size_t width = std::string_view("class").size();
    for (const ClassScore& score : scores) {
        width = std::max(width, score.label.size());
    }
    text += fmt::format("\n{:<{}}  precision  recall      F1  support", "class", width);
    for (const ClassScore& score : scores) {
        text += fmt::format("\n{:<{}}  {:9.2f}  {:6.2f}  {:6.2f}  {:7}", score.label, width, score.precision,
                            score.recall, score.f1, score.support);
    }
    return text;
}

}  // namespace treeline::evaluate
