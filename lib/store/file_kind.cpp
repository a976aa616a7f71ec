#include "store/file_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "base/error.hpp"
#include "base/folder.hpp"
#include "base/format_names.hpp"
#include "base/input.hpp"
#include "base/text.hpp"
#include "example/example_format.hpp"
#include "example/line_words.hpp"

namespace treeline::store {

namespace {

namespace fs = std::filesystem;
namespace formats = base::formats;

struct Description {
    FileKind kind;
    std::string_view what;
    std::string_view reader;  ///< what to do with it
    std::string_view maker;   ///< where it comes from
};

constexpr std::array kDescriptions = {
    Description{FileKind::kExamples, "a file of examples",
                "tfx makes vectors of them, ksl and fpl learn from them", "tdp prepares them"},
    Description{FileKind::kKernelModel, "a kernel model", "ksc classifies with it, fmi mines it",
                "ksl and fsl make one"},
    Description{FileKind::kLinearModel, "a linear model", "esc classifies with it", "esl and fpl make one"},
    Description{FileKind::kPolynomialModel, "a model of conjunctions", "psc classifies with it",
                "psl makes one"},
    Description{FileKind::kVectors, "vectors (Arrow)", "esl and psl learn from them, esc classifies them",
                "tfx makes them of examples and a dictionary"},
    Description{FileKind::kLibsvmVectors, "vectors as LIBSVM text",
                "LIBLINEAR and psl read them; have tfx write Arrow files, as it does unless told otherwise",
                "tfx makes them"},
    Description{FileKind::kDictionary, "a fragment dictionary", "tfx and fdi read it",
                "fmi and fpl make one"},
    Description{FileKind::kSparseFolder, "a folder of fpl's",
                "name the file model.linear or the folder dict in it", "fpl makes one"},
};

const Description& description_of(FileKind kind) {
    return *std::ranges::find(kDescriptions, kind, &Description::kind);
}

FileKind kind_of_text(std::string_view text) {
    using enum example::ExampleFormat;
    while (text.starts_with('#') || text.starts_with('\n')) {
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    }
    const std::string_view line = text.substr(0, text.find('\n'));
    switch (example::guess_format(line)) {
        case kLabelTabTree:
        case kTrees:
        case kTreebank:
        case kKelp: return FileKind::kExamples;
        default: break;
    }
    if (line.find(example::kBeginTree) != std::string_view::npos ||
        line.find("\t(") != std::string_view::npos) {
        return FileKind::kExamples;
    }
    example::LineWords words(line);
    words.take(words.peek());
    return example::looks_like_feature(words.peek()) ? FileKind::kLibsvmVectors : FileKind::kUnknown;
}

FileKind kind_of_file(const std::string& path) {
    constexpr std::size_t kHead = 4096;
    std::string head(kHead, '\0');
    head.resize(base::InputStream(path).read(head));
    if (head.starts_with("SVM-light Version")) {
        return FileKind::kKernelModel;
    }
    if (head.starts_with("solver_type ")) {
        return FileKind::kLinearModel;
    }
    if (head.starts_with(formats::kPolynomialModel.words)) {
        return FileKind::kPolynomialModel;
    }
    if (head.starts_with("ARROW1")) {
        return FileKind::kVectors;
    }
    return base::find_invalid_utf8(head.substr(0, head.rfind('\n'))) ? FileKind::kUnknown
                                                                     : kind_of_text(head);
}

FileKind kind_of_folder(const fs::path& folder) {
    if (fs::exists(folder / "CURRENT") && fs::exists(folder / formats::kChecksumFile)) {
        return FileKind::kDictionary;
    }
    if (fs::exists(folder / "model.linear") && fs::exists(folder / "dict")) {
        return FileKind::kSparseFolder;
    }
    FileKind kind = FileKind::kUnknown;
    base::visit_folder(folder.string(), [&](const fs::directory_entry& entry) {
        const std::string name = entry.path().filename().string();
        const bool part = name.starts_with(formats::kPartPrefix);
        if (part && name.ends_with(formats::kArrowEnding)) {
            kind = FileKind::kVectors;
        } else if (kind != FileKind::kVectors && name.ends_with(formats::kLibsvmEnding)) {
            kind = part ? FileKind::kLibsvmVectors : FileKind::kKernelModel;
        }
    });
    return kind;
}

}  // namespace

FileKind kind_of(const std::string& path) {
    try {
        return fs::is_directory(path)      ? kind_of_folder(path)
               : fs::is_regular_file(path) ? kind_of_file(path)
                                           : FileKind::kUnknown;
    } catch (const base::Error&) {
        return FileKind::kUnknown;
    } catch (const fs::filesystem_error&) {
        return FileKind::kUnknown;
    }
}

void require_kind(const std::string& path, FileKind expected) {
    const FileKind found = kind_of(path);
    if (found == FileKind::kUnknown || found == expected) {
        return;
    }
    const Description& is = description_of(found);
    const Description& should_be = description_of(expected);
    throw base::InputError({path}, fmt::format("found {} ({}); expected {}: {}", is.what, is.reader,
                                               should_be.what, should_be.maker));
}

}  // namespace treeline::store
