#include "fragment/weight.hpp"

#include "fragment/fragment_family.hpp"

namespace treeline::fragment {

double occurrence_value(FragmentView fragment, const kernel::TreeKernel& kernel, WeightScheme scheme) {
    return fragments_of(kernel).occurrence_value(fragment, kernel, scheme);
}

}  // namespace treeline::fragment
