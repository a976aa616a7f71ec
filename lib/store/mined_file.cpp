#include "store/mined_file.hpp"

#include "base/error.hpp"
#include "base/format_names.hpp"
#include "base/names.hpp"
#include "base/sealed_text.hpp"
#include "base/syntax_error.hpp"
#include "base/text.hpp"

namespace treeline::store {

void write_mined(const std::string& path, const MinedModel& mined) {
    base::SealedFile file(path);
    std::string line;
    const auto put = [&](std::string_view text) {
        line += text;
        line += '\n';
        file.write(line);
        line.clear();
    };
    put(base::mark_of(base::formats::kMined));
    put("# kernel " + kernel::to_string(kernel::BasicKernel(mined.info.kernel)));
    put(std::string("# weight ") + std::string(base::name_of(fragment::kWeightNames, mined.info.weight)));
    put("# miner " + mined.info.miner);
    put("# model " + encode_models(mined.info.models));
    for (std::size_t i = 0; i < mined.fragments.size(); ++i) {
        line = base::format_double(mined.scores[i].relevance) + '\t' + std::to_string(mined.scores[i].count) +
               '\t';
        fragment::append_text(line, mined.fragments[i], mined.symbols);
        put("");
    }
    put("# end " + std::to_string(mined.fragments.size()));
    file.commit();
}

MinedModel read_mined(const std::string& path) {
    MinedModel mined;
    base::SealedLines lines(path);
    std::string_view line;
    const auto fail = [&](std::string_view problem, std::size_t column = 0) {
        throw base::InputError(lines.place(column), problem);
    };
    const auto head = [&](std::string_view name) {
        const std::string start = "# " + std::string(name) + " ";
        if (!lines.next(line) || !line.starts_with(start)) {
            fail("expected the line '" + start + "...' of a file of mined fragments");
        }
        return line.substr(start.size());
    };
    const auto version =
        lines.next(line) ? base::known_version_of(base::formats::kMined, line) : std::nullopt;
    if (!version) {
        fail(base::describe_other(base::formats::kMined, line));
    }
    try {
        mined.info.kernel =
            kernel::require_single_tree_kernel(kernel::parse_kernel(head("kernel")), "mined fragments");
        const std::string_view word = head("weight");
        const auto weight = base::find_named(fragment::kWeightNames, word);
        if (!weight) {
            fail("unknown weight " + base::quoted(word));
        }
        mined.info.weight = *weight;
        mined.info.miner = head("miner");
        mined.info.models = decode_models(head("model"));
    } catch (const base::UsageError& error) {
        fail(error.what());
    } catch (const FormatError& error) {
        fail(error.what());
    }
    if (mined.info.models.size() != 1) {
        fail("expected one model");
    }
    while (lines.next(line)) {
        if (line.starts_with("# end ")) {
            if (base::parse_unsigned(line.substr(6)) != mined.fragments.size()) {
                fail("the number of fragments differs: there are " + std::to_string(mined.fragments.size()));
            }
            if (lines.next(line)) {
                fail("there is more after the end");
            }
            if (*version > 1) {
                lines.require_seal();
            }
            return mined;
        }
        const std::size_t first = line.find('\t');
        const std::size_t second = first == std::string_view::npos ? first : line.find('\t', first + 1);
        if (second == std::string_view::npos) {
            fail("expected relevance, count and fragment, separated by tabs");
        }
        const auto relevance = base::parse_double(line.substr(0, first));
        const auto count = base::parse_unsigned(line.substr(first + 1, second - first - 1));
        if (!relevance || !count) {
            fail("expected two numbers before the fragment");
        }
        try {
            mined.fragments.add(fragment::parse_fragment(line.substr(second + 1), mined.symbols));
        } catch (const base::SyntaxError& error) {
            fail(error.what(), second + 2 + error.offset());
        }
        mined.scores.push_back({*relevance, *count});
    }
    fail("the file ends early; expected '# end N'");
    return mined;
}

}  // namespace treeline::store
