#include "base/encoder.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <new>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace treeline::base {

namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 18;

class PlainEncoder final : public Encoder {
  public:
    explicit PlainEncoder(Descriptor& file) : file_(file) { buffer_.reserve(kBuffer); }

    void write(std::string_view bytes) override {
        if (buffer_.size() + bytes.size() > kBuffer) {
            finish();
        }
        if (bytes.size() > kBuffer) {
            file_.write_all(bytes);
        } else {
            buffer_.append(bytes);
        }
    }

    void finish() override {
        file_.write_all(buffer_);
        buffer_.clear();
    }

  private:
    Descriptor& file_;
    std::string buffer_;
};

class GzipEncoder final : public Encoder {
  public:
    explicit GzipEncoder(Descriptor& file) : file_(file), buffer_(kBuffer) {
        constexpr int kGzipWindow = 15 + 16;
        constexpr int kMemoryLevel = 8;
        if (deflateInit2(&state_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemoryLevel,
                         Z_DEFAULT_STRATEGY) != Z_OK) {
            throw std::bad_alloc();
        }
    }
    GzipEncoder(const GzipEncoder&) = delete;
    GzipEncoder& operator=(const GzipEncoder&) = delete;
    ~GzipEncoder() override { deflateEnd(&state_); }

    void write(std::string_view bytes) override {
        constexpr std::size_t kPiece = std::size_t{1} << 30;
        for (; !bytes.empty(); bytes.remove_prefix(std::min(kPiece, bytes.size()))) {
            deflate_all(bytes.substr(0, kPiece), Z_NO_FLUSH);
        }
    }

    void finish() override { deflate_all({}, Z_FINISH); }

  private:
    void deflate_all(std::string_view bytes, int flush) {
        state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
        state_.avail_in = static_cast<uInt>(bytes.size());
        do {
            state_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
            state_.avail_out = static_cast<uInt>(buffer_.size());
            deflate(&state_, flush);
            file_.write_all({buffer_.data(), buffer_.size() - state_.avail_out});
        } while (state_.avail_out == 0);
    }

    Descriptor& file_;
    std::vector<char> buffer_;
    z_stream state_{};
};

class ZstdEncoder final : public Encoder {
  public:
    explicit ZstdEncoder(Descriptor& file) : file_(file), buffer_(kBuffer), state_(ZSTD_createCCtx()) {
        if (state_ == nullptr) {
            throw std::bad_alloc();
        }
        ZSTD_CCtx_setParameter(state_, ZSTD_c_checksumFlag, 1);
    }
    ZstdEncoder(const ZstdEncoder&) = delete;
    ZstdEncoder& operator=(const ZstdEncoder&) = delete;
    ~ZstdEncoder() override { ZSTD_freeCCtx(state_); }

    void write(std::string_view bytes) override { compress_all(bytes, ZSTD_e_continue); }
    void finish() override { compress_all({}, ZSTD_e_end); }

  private:
    void compress_all(std::string_view bytes, ZSTD_EndDirective directive) {
        ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
        std::size_t left = 0;
        do {
            ZSTD_outBuffer out{buffer_.data(), buffer_.size(), 0};
            left = ZSTD_compressStream2(state_, &out, &in, directive);
            if (ZSTD_isError(left) != 0) {
                throw Error("cannot compress '" + file_.path() + "': " + ZSTD_getErrorName(left));
            }
            file_.write_all({buffer_.data(), out.pos});
        } while (directive == ZSTD_e_end ? left > 0 : in.pos < in.size);
    }

    Descriptor& file_;
    std::vector<char> buffer_;
    ZSTD_CCtx* state_;
};

}  // namespace

std::unique_ptr<Encoder> make_encoder(Descriptor& file, std::string_view name) {
    if (name.ends_with(".gz")) {
        return std::make_unique<GzipEncoder>(file);
    }
    if (name.ends_with(".zst")) {
        return std::make_unique<ZstdEncoder>(file);
    }
    return std::make_unique<PlainEncoder>(file);
}

}  // namespace treeline::base
