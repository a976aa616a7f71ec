#include "linear/block_dual.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "base/random.hpp"

namespace treeline::linear {

namespace {

/// One column of a model and its descent on the rows of a block.
class Column {
  public:
    Column(LinearModel& model, std::size_t column, bool l2_loss)
        : model_(&model), column_(column), columns_(model.columns()), l2_loss_(l2_loss) {}

    /// One step on a row of squared length `square`; returns the projected gradient.
    double step(const SparseRow& row, double square, double y, double c, double& alpha) {
        const double diagonal = l2_loss_ ? 0.5 / c : 0;
        const double most = l2_loss_ ? std::numeric_limits<double>::infinity() : c;
        const double gradient = y * decision(row) - 1 + diagonal * alpha;
        const double projected = alpha <= 0      ? std::min(gradient, 0.0)
                                 : alpha >= most ? std::max(gradient, 0.0)
                                                 : gradient;
        if (projected == 0 || square + diagonal <= 0) {
            return projected;
        }
        const double old = alpha;
        alpha = std::min(std::max(alpha - gradient / (square + diagonal), 0.0), most);
        add(row, (alpha - old) * y);
        return projected;
    }

  private:
    [[nodiscard]] double decision(const SparseRow& row) const {
        double sum = model_->bias_value(column_);
        for (std::size_t i = 0; i < row.indices.size(); ++i) {
            sum += model_->weights[row.indices[i] * columns_ + column_] * static_cast<double>(row.values[i]);
        }
        return sum;
    }
    void add(const SparseRow& row, double factor) {
        for (std::size_t i = 0; i < row.indices.size(); ++i) {
            model_->weights[row.indices[i] * columns_ + column_] +=
                factor * static_cast<double>(row.values[i]);
        }
        if (model_->has_bias()) {
            model_->weights[model_->features * columns_ + column_] += factor * model_->bias;
        }
    }

    LinearModel* model_;
    std::size_t column_;
    std::size_t columns_;
    bool l2_loss_;
};

double squared_length(const SparseRow& row, double bias) {
    double sum = bias >= 0 ? bias * bias : 0;
    for (const float value : row.values) {
        sum += static_cast<double>(value) * static_cast<double>(value);
    }
    return sum;
}

}  // namespace

bool has_block_dual(LinearSolver solver) {
    return solver == LinearSolver::kL2rL1lossSvcDual || solver == LinearSolver::kL2rL2lossSvcDual ||
           solver == LinearSolver::kL2rL2lossSvc;
}

std::uint64_t block_bytes(std::uint64_t rows, std::uint64_t features, std::uint64_t classes) {
    const std::uint64_t columns = classes > 2 ? classes : 1;
    return (rows + features + 1) * columns * sizeof(double);
}

LinearModel train_blocks(RowBlocks& blocks, const LinearProblem& head, const LinearOptions& options,
                         const BlockDualOptions& block_options, BlockDualReport& report,
                         base::ProgressObserver& observer) {
    validate(options);
    validate(head);
    if (!has_block_dual(options.solver)) {
        throw base::UsageError(std::string(name_of(options.solver).option) +
                               " cannot be trained block by block");
    }
    LinearModel model = starting_model(head, options);
    const std::size_t columns = model.columns();
    std::vector<std::uint32_t> column_of_class(head.labels.size());
    for (std::size_t i = 0; i < head.labels.size(); ++i) {
        column_of_class[i] = static_cast<std::uint32_t>(*find_label(model.labels, head.labels[i]));
    }
    std::vector<std::vector<double>> costs;
    for (std::size_t column = 0; column < columns; ++column) {
        costs.push_back(class_costs(head, options, model, column));
    }
    std::vector<std::vector<double>> alphas(blocks.block_count());
    for (std::size_t block = 0; block < alphas.size(); ++block) {
        alphas[block].resize(blocks.block_rows(block) * columns);
    }
    const double epsilon = options.epsilon.value_or(default_epsilon(LinearSolver::kL2rL2lossSvcDual));
    const bool l2_loss = options.solver != LinearSolver::kL2rL1lossSvcDual;
    base::Random random(options.seed);
    std::vector<std::size_t> block_order(blocks.block_count());
    std::iota(block_order.begin(), block_order.end(), std::size_t{0});
    std::vector<std::size_t> row_order;
    std::vector<double> squares;
    report = {};
    observer.start("iterations over blocks", block_options.most_iterations);
    while (!report.converged && report.iterations < block_options.most_iterations) {
        random.shuffle(std::span(block_order));
        double largest = 0;
        double smallest = 0;
        for (const std::size_t number : block_order) {
            const LinearProblem& block = blocks.block(number);
            row_order.resize(block.rows.size());
            std::iota(row_order.begin(), row_order.end(), std::size_t{0});
            squares.clear();
            for (const SparseRow& row : block.rows) {
                squares.push_back(squared_length(row, model.bias));
            }
            for (std::size_t pass = 0; pass < block_options.inner_passes; ++pass) {
                random.shuffle(std::span(row_order));
                for (const std::size_t i : row_order) {
                    const std::uint32_t own = column_of_class[block.classes[i]];
                    for (std::size_t column = 0; column < columns; ++column) {
                        const double y = own == column ? 1 : -1;
                        const double violation = Column(model, column, l2_loss)
                                                     .step(block.rows[i], squares[i], y,
                                                           costs[column][block.classes[i]] * block.weight(i),
                                                           alphas[number][i * columns + column]);
                        if (pass == 0) {
                            largest = std::max(largest, violation);
                            smallest = std::min(smallest, violation);
                        }
                    }
                }
            }
        }
        report.violation = largest - smallest;
        report.converged = report.violation <= epsilon;
        observer.update(++report.iterations);
    }
    observer.finish();
    return model;
}

}  // namespace treeline::linear
