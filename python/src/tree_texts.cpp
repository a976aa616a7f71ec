#include "tree_texts.hpp"

#include "base/error.hpp"
#include "example/example_format.hpp"
#include "tree/bracket_writer.hpp"

namespace nb = nanobind;

namespace treeline::python {

namespace {

std::string item_name(std::size_t number) { return "X[" + std::to_string(number) + "]"; }

std::string kind_of(nb::handle object) { return nb::type_name(object.type()).c_str(); }

std::string_view utf8_of(nb::handle text, const std::string& what) {
    Py_ssize_t size = 0;
    const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (bytes == nullptr) {
        PyErr_Clear();
        throw nb::value_error((what + " has surrogates that no UTF-8 text stands for").c_str());
    }
    return {bytes, static_cast<std::size_t>(size)};
}

bool is_text(nb::handle object) { return PyUnicode_Check(object.ptr()) != 0; }

/// A node that is not a string: its label, and a list of its children.
struct ObjectNode {
    nb::object label;
    nb::object children;
};

nb::object list_of(nb::handle children, const std::string& what) {
    if (is_text(children) || PyBytes_Check(children.ptr()) != 0) {
        throw nb::type_error(
            (what + ": the children of a node are a text; expected a sequence of nodes").c_str());
    }
    PyObject* const list = PySequence_Fast(children.ptr(), "");
    if (list == nullptr) {
        PyErr_Clear();
        throw nb::type_error(
            (what + ": the children of a node are a " + kind_of(children) + "; expected a sequence of nodes")
                .c_str());
    }
    return nb::steal(list);
}

ObjectNode open_node(nb::handle node, const std::string& what) {
    const bool pair = (PyTuple_Check(node.ptr()) != 0 || PyList_CheckExact(node.ptr()) != 0) &&
                      PySequence_Size(node.ptr()) == 2;
    ObjectNode out;
    if (pair) {
        out = {nb::steal(PySequence_GetItem(node.ptr(), 0)), nb::steal(PySequence_GetItem(node.ptr(), 1))};
        out.children = list_of(out.children, what);
    } else if (nb::hasattr(node, "label")) {
        out.label = node.attr("label");
        if (PyCallable_Check(out.label.ptr()) != 0) {
            out.label = out.label();
            out.children = list_of(node, what);
        } else {
            out.children = list_of(nb::getattr(node, "children", nb::tuple()), what);
        }
    }
    if (!out.label.is_valid() || !is_text(out.label)) {
        throw nb::type_error(
            (what +
             ": expected a tree: brackets '(S (NP ...) ...)', an nltk.Tree or (label, children); found " +
             (out.label.is_valid() ? "a node whose label is a " + kind_of(out.label) : "a " + kind_of(node)))
                .c_str());
    }
    return out;
}

void append_label(std::string& out, nb::handle label, const std::string& what) {
    try {
        tree::append_label(out, utf8_of(label, what));
    } catch (const base::Error& error) {
        throw nb::value_error((what + ": " + error.what()).c_str());
    }
}

/// Appends the brackets of a node and all below it. Nothing recurses on the machine stack.
void append_object(std::string& out, nb::handle root, const std::string& what) {
    struct Open {
        ObjectNode node;
        Py_ssize_t next = 0;
    };
    std::vector<Open> open;
    const auto enter = [&](nb::handle node) {
        open.push_back({open_node(node, what)});
        out += '(';
        append_label(out, open.back().node.label, what);
    };
    enter(root);
    while (!open.empty()) {
        Open& top = open.back();
        if (top.next == PySequence_Fast_GET_SIZE(top.node.children.ptr())) {
            out += ')';
            open.pop_back();
            continue;
        }
        const nb::object child = nb::borrow(PySequence_Fast_GET_ITEM(top.node.children.ptr(), top.next++));
        out += ' ';
        if (is_text(child)) {
            append_label(out, child, what);
        } else {
            enter(child);
        }
    }
}

/// The column of characters of a byte of a text, from 1.
std::uint64_t column_of(std::string_view text, std::size_t offset) {
    std::uint64_t column = 1;
    for (const char c : text.substr(0, offset)) {
        column += (static_cast<unsigned char>(c) & 0xc0U) != 0x80U ? 1 : 0;
    }
    return column;
}

}  // namespace

TreeTexts::TreeTexts(nb::handle trees) {
    if (is_text(trees) || PyBytes_Check(trees.ptr()) != 0) {
        throw nb::type_error("X is one text; expected a sequence of trees, [tree]");
    }
    if (!has_arrow_data(trees)) {
        read_sequence(trees);
        return;
    }
    arrow_ = std::make_unique<ArrowData>(trees);
    for (const ArrowArray& array : arrow_->arrays()) {
        const ArrowColumn column(arrow_->schema(), array);
        if (column.is_batch()) {
            throw nb::value_error("X is a table; expected one column of trees, such as table['tree']");
        }
        append_texts(column, "X", texts_);
    }
}

TreeTexts::TreeTexts(const ArrowColumn& column, const std::string& what) {
    append_texts(column, what, texts_);
}

void TreeTexts::read_sequence(nb::handle trees) {
    PyObject* const items = PySequence_Fast(trees.ptr(), "");
    if (items == nullptr) {
        PyErr_Clear();
        throw nb::type_error(("X is a " + kind_of(trees) + "; expected a sequence of trees").c_str());
    }
    items_ = nb::steal(items);
    const auto size = static_cast<std::size_t>(PySequence_Fast_GET_SIZE(items));
    texts_.reserve(size);
    for (std::size_t i = 0; i < size; ++i) {
        const nb::handle item = PySequence_Fast_GET_ITEM(items, static_cast<Py_ssize_t>(i));
        if (is_text(item)) {
            texts_.push_back(utf8_of(item, item_name(i)));
        } else {
            append_object(written_.emplace_back(), item, item_name(i));
            texts_.push_back(written_.back());
        }
    }
}

std::string to_brackets(nb::handle tree) {
    if (is_text(tree)) {
        return std::string(utf8_of(tree, "the tree"));
    }
    std::string out;
    append_object(out, tree, "the tree");
    return out;
}

example::Example& TreeParser::parse(std::size_t number) {
    const std::string_view text = (*texts_)[number];
    try {
        parser_.parse(text, example::ExampleFormat::kTrees, example_);
    } catch (const base::SyntaxError& error) {
        throw base::InputError(
            {item_name(number), 0, 0},
            "column " + std::to_string(column_of(text, error.offset())) + ": " + error.what());
    }
    return example_;
}

void add_examples(const TreeTexts& texts, const Labels& labels, tree::Forest& forest,
                  example::ExampleSet& set, Listener& listener) {
    constexpr std::size_t kReportEvery = 4096;
    TreeParser parser(texts);
    listener.start("reading trees", texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        example::Example& example = parser.parse(i);
        if (!labels.labels.empty()) {
            example.label = labels.labels[i];
        }
        if (!labels.costs.empty()) {
            example.cost = labels.costs[i];
        }
        set.add(example, forest);
        if (i % kReportEvery == 0) {
            listener.update(i);
        }
    }
    listener.finish();
}

}  // namespace treeline::python
