#include "base/plain_threads.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

namespace treeline::base {

namespace {

thread_local bool is_inside = false;

/// Threads that wait for pieces to take.
class Pool {
  public:
    void run(std::size_t threads, std::size_t pieces, const std::function<void(std::size_t)>& body) {
        const std::lock_guard one_at_a_time(running_);
        const std::size_t helpers = std::min(threads, pieces) - 1;
        {
            const std::lock_guard lock(mutex_);
            body_ = &body;
            pieces_ = pieces;
            next_ = 0;
            wanted_ = helpers;
            busy_ = helpers;
            ++round_;
            while (threads_.size() < helpers) {
                const std::size_t number = threads_.size();
                threads_.emplace_back([this, number, seen = round_ - 1] { help(number, seen); });
            }
        }
        work_.notify_all();
        take_pieces();
        std::unique_lock lock(mutex_);
        done_.wait(lock, [this] { return busy_ == 0; });
    }

    ~Pool() {
        {
            const std::lock_guard lock(mutex_);
            ends_ = true;
        }
        work_.notify_all();
        for (std::thread& thread : threads_) {
            thread.join();
        }
    }

  private:
    void help(std::size_t number, std::size_t seen) {
        is_inside = true;
        for (;;) {
            {
                std::unique_lock lock(mutex_);
                work_.wait(lock, [&] { return ends_ || (round_ != seen && number < wanted_); });
                if (ends_) {
                    return;
                }
                seen = round_;
            }
            take_pieces();
            const std::lock_guard lock(mutex_);
            if (--busy_ == 0) {
                done_.notify_one();
            }
        }
    }

    void take_pieces() {
        for (std::size_t piece = next_++; piece < pieces_; piece = next_++) {
            (*body_)(piece);
        }
    }

    std::mutex running_;
    std::mutex mutex_;
    std::condition_variable work_;
    std::condition_variable done_;
    std::vector<std::thread> threads_;
    const std::function<void(std::size_t)>* body_ = nullptr;
    std::size_t pieces_ = 0;
    std::atomic<std::size_t> next_ = 0;
    std::size_t wanted_ = 0;
    std::size_t busy_ = 0;
    std::size_t round_ = 0;
    bool ends_ = false;
};

/// One run of a pipeline, which its threads go through together.
class Line {
  public:
    Line(const std::function<Parcel()>& read, const std::function<Parcel(const Parcel&)>& work,
         const std::function<void(const Parcel&)>& hand_over)
        : read_(&read), work_(&work), hand_over_(&hand_over) {}

    /// Item after item, until there is none.
    void take_part() {
        std::size_t number = 0;
        while (const Parcel item = next(number)) {
            try {
                const Parcel result = (*work_)(item);
                std::unique_lock lock(mutex_);
                turn_.wait(lock, [&] { return handed_over_ == number || failed_ < number; });
                if (failed_ < number) {
                    return;
                }
                (*hand_over_)(result);
                ++handed_over_;
            } catch (...) {
                fail(number);
            }
            turn_.notify_all();
        }
    }

    void rethrow() const {
        if (error_ != nullptr) {
            std::rethrow_exception(error_);
        }
    }

  private:
    /// Null at the end. Who waits for input keeps nobody from handing over.
    Parcel next(std::size_t& number) {
        const std::lock_guard lock(reading_);
        number = begun_;
        try {
            Parcel item = ended_ ? nullptr : (*read_)();
            ended_ = ended_ || item == nullptr;
            ++begun_;
            return item;
        } catch (...) {
            fail(number);
            turn_.notify_all();
            return nullptr;
        }
    }

    void fail(std::size_t number) {
        ended_ = true;
        const std::lock_guard lock(mutex_);
        if (number < failed_) {
            failed_ = number;
            error_ = std::current_exception();
        }
    }

    const std::function<Parcel()>* read_;
    const std::function<Parcel(const Parcel&)>* work_;
    const std::function<void(const Parcel&)>* hand_over_;
    std::mutex reading_;
    std::size_t begun_ = 0;  // under reading_
    std::atomic<bool> ended_ = false;
    std::mutex mutex_;  // for what follows
    std::condition_variable turn_;
    std::size_t handed_over_ = 0;
    std::size_t failed_ = std::numeric_limits<std::size_t>::max();  // the first item that threw
    std::exception_ptr error_;
};

}  // namespace

void pipe_on_plain_threads(std::size_t threads, const std::function<Parcel()>& read,
                           const std::function<Parcel(const Parcel&)>& work,
                           const std::function<void(const Parcel&)>& hand_over) {
    Line line(read, work, hand_over);
    run_on_plain_threads(threads, threads, [&](std::size_t) { line.take_part(); });
    line.rethrow();
}

void run_on_plain_threads(std::size_t threads, std::size_t pieces,
                          const std::function<void(std::size_t)>& body) {
    if (is_inside || threads <= 1 || pieces <= 1) {
        for (std::size_t piece = 0; piece < pieces; ++piece) {
            body(piece);
        }
        return;
    }
    static Pool pool;
    is_inside = true;
    pool.run(threads, pieces, body);
    is_inside = false;
}

}  // namespace treeline::base
