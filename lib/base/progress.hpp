#pragma once

#include <cstdint>
#include <string_view>

namespace treeline::base {

/// What long work tells whoever watches. The library reports; only stages print.
/// Methods may be called from any thread; implementations synchronize themselves.
class ProgressObserver {
  public:
    virtual ~ProgressObserver() = default;
    /// A piece of work starts; `total` units are expected (0 = not known).
    virtual void start(std::string_view task, std::uint64_t total) = 0;
    /// `done` units of the work started last are finished (absolute, not a difference).
    virtual void update(std::uint64_t done) = 0;
    /// It has ended.
    virtual void finish() = 0;
    /// A remark worth a line of its own.
    virtual void note(std::string_view text) = 0;
    /// A remark for those who ask how the work went: iterations, rows, seconds.
    virtual void detail(std::string_view) {}
    /// Something that is probably not as it should be. The same text may come any number of times.
    virtual void warn(std::string_view text) { note(text); }
};

/// Ignores everything; the default where an observer is optional.
ProgressObserver& silent_observer();

}  // namespace treeline::base
