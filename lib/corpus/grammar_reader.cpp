#include <algorithm>
#include <map>
#include <optional>

#include "base/error.hpp"
#include "base/input.hpp"
#include "base/text.hpp"
#include "corpus/grammar.hpp"
#include "tree/bracket_reader.hpp"
#include "tree/bracket_writer.hpp"

namespace treeline::corpus {

namespace {

struct Token {
    enum class Kind { kEnd, kSymbol, kWord, kArrow, kBar, kWeight };
    Kind kind = Kind::kEnd;
    std::string_view text;  // without quotes and brackets
    std::size_t column = 0;
};

/// Tokens of a line; the last is kEnd.
class Tokens {
  public:
    Tokens(const base::LineReader& lines, std::string_view line) : lines_(lines), line_(line) { advance(); }

    [[nodiscard]] const Token& peek() const { return token_; }
    Token take() {
        const Token token = token_;
        advance();
        return token;
    }
    Token expect(Token::Kind kind, const char* what) {
        if (token_.kind != kind) {
            fail(token_.column, std::string("expected ") + what);
        }
        return take();
    }
    [[noreturn]] void fail(std::size_t column, const std::string& problem) const {
        const auto rest = line_.substr(std::min(column - 1, line_.size()));
        const auto end = static_cast<std::size_t>(std::ranges::find_if(rest, tree::is_space) - rest.begin());
        throw base::InputError(
            lines_.place(column),
            (rest.empty() ? "the line ends" : "found " + base::quoted(rest.substr(0, end))) + "; " + problem);
    }

  private:
    void advance() {
        using enum Token::Kind;
        while (at_ < line_.size() && tree::is_space(line_[at_])) {
            ++at_;
        }
        const auto rest = line_.substr(at_);
        const std::size_t column = at_ + 1;
        if (rest.empty() || rest.front() == '#') {
            token_ = {kEnd, {}, column};
        } else if (rest.front() == '\'' || rest.front() == '"' || rest.front() == '[') {
            const bool weight = rest.front() == '[';
            const std::size_t end = rest.find(weight ? ']' : rest.front(), 1);
            if (end == std::string_view::npos) {
                fail(column, std::string("expected a closing ") + (weight ? ']' : rest.front()));
            }
            token_ = {weight ? kWeight : kWord, rest.substr(1, end - 1), column};
            at_ += end + 1;
        } else {
            const std::size_t end =
                rest.front() == '|' ? 1 : std::min(rest.find_first_of(" \t\v\f\r|[]'\"", 0), rest.size());
            if (end == 0) {
                fail(column, "expected a symbol, a word in quotes or a weight in []");
            }
            const auto text = rest.substr(0, end);
            token_ = {text == "|" ? kBar : text == "->" ? kArrow : kSymbol, text, column};
            at_ += end;
        }
    }

    const base::LineReader& lines_;
    std::string_view line_;
    std::size_t at_ = 0;
    Token token_;
};

class Reader {
  public:
    explicit Reader(const std::string& path) : lines_(path) {}

    Grammar read() {
        std::string_view line;
        while (lines_.next(line)) {
            if (const auto bad = base::find_invalid_utf8(line)) {
                throw base::InputError(lines_.place(*bad + 1), "not valid UTF-8");
            }
            if (const auto nul = line.find('\0'); nul != std::string_view::npos) {
                throw base::InputError(lines_.place(nul + 1), "NUL byte; expected text");
            }
            Tokens tokens(lines_, line);
            read_line(tokens);
        }
        return build();
    }

  private:
    struct Draft {
        std::string name;
        std::string label;
        base::Place place;  // of the first mention
        std::vector<Grammar::Production> productions;
        std::vector<double> weights;
    };

    void read_line(Tokens& tokens) {
        using enum Token::Kind;
        if (tokens.peek().kind == kEnd) {
            return;
        }
        if (tokens.peek().kind == kBar) {
            if (!last_) {
                tokens.fail(tokens.peek().column, "expected a production before it");
            }
            tokens.take();
            read_alternatives(tokens, *last_);
            return;
        }
        const Token head = tokens.expect(kSymbol, "a symbol, 'class', 'noise' or 'nodes' to start the line");
        if (tokens.peek().kind == kArrow) {
            tokens.take();
            last_ = find(head);
            read_alternatives(tokens, *last_);
            return;
        }
        last_.reset();
        if (head.text == "class") {
            const Token label = tokens.take();
            if (label.kind != kSymbol && label.kind != kWord) {
                tokens.fail(label.column, "expected a label");
            }
            class_weights_.push_back(read_weight(tokens));
            const std::uint32_t start = find(tokens.expect(kSymbol, "the symbol its trees start from"));
            classes_.push_back({std::string(label.text), start});
            if (label.text.empty() || std::ranges::any_of(label.text, tree::is_space)) {
                tokens.fail(label.column, "expected a label without spaces");
            }
        } else if (head.text == "noise") {
            noise_ = read_number(tokens, 0, 1);
        } else if (head.text == "nodes") {
            nodes_ = static_cast<std::size_t>(read_number(tokens, 1, 1e6));
        } else {
            tokens.fail(tokens.peek().column, "expected '->' after a symbol");
        }
        tokens.expect(kEnd, "the end of the line");
    }

    double read_number(Tokens& tokens, double least, double most) {
        const Token token = tokens.take();
        const auto number = base::parse_double(token.text);
        if (token.kind != Token::Kind::kSymbol || !number || *number < least || *number > most) {
            tokens.fail(token.column, "expected a number from " + base::format_double(least) + " to " +
                                          base::format_double(most));
        }
        return *number;
    }

    double read_weight(Tokens& tokens) {
        if (tokens.peek().kind != Token::Kind::kWeight) {
            return 1;
        }
        const Token token = tokens.take();
        const auto weight = base::parse_double(token.text);
        if (!weight || !(*weight > 0) || *weight > 1e100) {
            tokens.fail(token.column, "expected a weight above 0");
        }
        return *weight;
    }

    std::uint32_t find(const Token& token) {
        const auto [entry, added] =
            numbers_.try_emplace(std::string(token.text), static_cast<std::uint32_t>(drafts_.size()));
        if (added) {
            const auto label = token.text.substr(0, std::max<std::size_t>(token.text.find('/', 1), 1));
            std::string escaped;
            tree::append_label(escaped, label);
            drafts_.push_back({entry->first, escaped, lines_.place(token.column), {}, {}});
        }
        return entry->second;
    }

    void read_alternatives(Tokens& tokens, std::uint32_t symbol) {
        using enum Token::Kind;
        do {
            Grammar::Production production;
            std::string text = "(" + drafts_[symbol].label;
            const std::size_t column = tokens.peek().column;
            bool any = false;
            for (; tokens.peek().kind == kSymbol || tokens.peek().kind == kWord; any = true) {
                const Token token = tokens.take();
                text += ' ';
                if (token.kind == kSymbol) {
                    production.push_back({std::move(text), find(token)});
                    text.clear();
                    continue;
                }
                if (token.text.empty()) {
                    tokens.fail(token.column, "expected a word between the quotes");
                }
                tree::append_label(text, token.text);
            }
            if (!any) {
                tokens.fail(column, "expected a symbol or a word in quotes");
            }
            if (production.size() == 1 && text.empty() &&
                drafts_[production[0].symbol].label == drafts_[symbol].label) {
                production[0].text.clear();  // a change of state, not a node
                production.push_back({"", Grammar::kNoSymbol});
            } else {
                production.push_back({text + ")", Grammar::kNoSymbol});
            }
            drafts_[symbol].productions.push_back(std::move(production));
            drafts_[symbol].weights.push_back(read_weight(tokens));
        } while (tokens.peek().kind == kBar && (tokens.take(), true));
        tokens.expect(kEnd, "'|' or the end of the line");
    }

    Grammar build() {
        if (classes_.empty()) {
            throw base::InputError({lines_.path(), 0, 0},
                                   "no class; expected a line such as 'class +1 [3] S'");
        }
        const auto shortest = find_shortest();
        std::vector<Grammar::Symbol> symbols;
        for (std::size_t i = 0; i < drafts_.size(); ++i) {
            symbols.push_back(
                {std::move(drafts_[i].productions), WeightedChoice(drafts_[i].weights), shortest[i]});
        }
        return Grammar(
            {std::move(symbols), std::move(classes_), WeightedChoice(class_weights_), noise_, nodes_});
    }

    /// The production of each symbol with the lowest tree. Symbols are settled in the order of that height:
    /// a production counts the symbols it still waits for.
    std::vector<std::size_t> find_shortest() {
        struct Use {
            std::uint32_t symbol;
            std::size_t production;
        };
        std::vector<std::vector<Use>> uses(drafts_.size());
        std::vector<std::vector<std::size_t>> waiting(drafts_.size());
        std::vector<std::optional<std::size_t>> shortest(drafts_.size());
        std::vector<std::uint32_t> settled;
        const auto settle = [&](Use use) {
            if (!shortest[use.symbol]) {
                shortest[use.symbol] = use.production;
                settled.push_back(use.symbol);
            }
        };
        for (std::uint32_t i = 0; i < drafts_.size(); ++i) {
            if (drafts_[i].productions.empty()) {
                throw base::InputError(drafts_[i].place, "no production for the symbol " +
                                                             base::quoted(drafts_[i].name) +
                                                             "; add one, or put a word in quotes");
            }
            for (std::size_t p = 0; p < drafts_[i].productions.size(); ++p) {
                const auto& production = drafts_[i].productions[p];
                waiting[i].push_back(production.size() - 1);
                for (const auto& item : production) {
                    if (item.symbol != Grammar::kNoSymbol) {
                        uses[item.symbol].push_back({i, p});
                    }
                }
                if (production.size() == 1) {
                    settle({i, p});
                }
            }
        }
        for (std::size_t next = 0; next < settled.size(); ++next) {
            for (const Use use : uses[settled[next]]) {
                if (--waiting[use.symbol][use.production] == 0) {
                    settle(use);
                }
            }
        }
        std::vector<std::size_t> result;
        for (std::size_t i = 0; i < drafts_.size(); ++i) {
            if (!shortest[i]) {
                throw base::InputError(drafts_[i].place, "the symbol " + base::quoted(drafts_[i].name) +
                                                             " never ends; expected a production without it");
            }
            result.push_back(*shortest[i]);
        }
        return result;
    }

    base::LineReader lines_;
    std::map<std::string, std::uint32_t> numbers_;
    std::vector<Draft> drafts_;
    std::optional<std::uint32_t> last_;  // the symbol whose productions a line may continue
    std::vector<Grammar::Class> classes_;
    std::vector<double> class_weights_;
    double noise_ = 0;
    std::size_t nodes_ = 1000;
};

}  // namespace

Grammar read_grammar(const std::string& path) { return Reader(path).read(); }

}  // namespace treeline::corpus
