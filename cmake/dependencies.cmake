# Everything Treeline takes from outside, each as an imported (hence SYSTEM) target:
#   TBB::tbb fmt::fmt CLI11::CLI11 nlohmann_json::nlohmann_json ZLIB::ZLIB zstd::zstd xxHash::xxHash
#   RocksDB::RocksDB Arrow::Arrow LIBLINEAR::LIBLINEAR Catch2::Catch2 benchmark::benchmark

function(treeline_missing name package)
    message(FATAL_ERROR "${name} was not found. On Debian and Ubuntu it is the package ${package}; "
                        "scripts/setup installs everything that Treeline needs.")
endfunction()

# A library that is found by its CMake package.
macro(treeline_find_package name package)
    find_package(${name} ${ARGN} QUIET)
    if(NOT ${name}_FOUND)
        treeline_missing(${name} ${package})
    endif()
endmacro()

# A library that comes without a CMake package, or whose package differs between distributions:
# found by a header and a library file.
function(treeline_find_library name package header library)
    find_path(${name}_INCLUDE_DIR ${header} PATH_SUFFIXES ${ARGN})
    find_library(${name}_LIBRARY ${library})
    mark_as_advanced(${name}_INCLUDE_DIR ${name}_LIBRARY)
    if(NOT ${name}_INCLUDE_DIR OR NOT ${name}_LIBRARY)
        treeline_missing(${name} ${package})
    endif()
    add_library(${name}::${name} UNKNOWN IMPORTED)
    set_target_properties(${name}::${name} PROPERTIES
        IMPORTED_LOCATION "${${name}_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${${name}_INCLUDE_DIR}")
endfunction()

find_package(Threads REQUIRED)
treeline_find_package(ZLIB zlib1g-dev)
treeline_find_package(TBB libtbb-dev CONFIG)
treeline_find_package(fmt libfmt-dev CONFIG)
treeline_find_package(CLI11 libcli11-dev CONFIG)
treeline_find_package(nlohmann_json nlohmann-json3-dev CONFIG)
treeline_find_library(zstd libzstd-dev zstd.h zstd)
treeline_find_library(xxHash libxxhash-dev xxhash.h xxhash)
treeline_find_library(RocksDB librocksdb-dev rocksdb/db.h rocksdb)
treeline_find_library(LIBLINEAR liblinear-dev linear.h linear liblinear)
include(arrow)

if(TREELINE_TESTS)
    treeline_find_package(Catch2 catch2 CONFIG)
    find_package(Python3 COMPONENTS Interpreter QUIET)
    if(NOT Python3_FOUND)
        treeline_missing("The Python 3 interpreter" python3)
    endif()
endif()

if(TREELINE_BENCHMARKS)
    treeline_find_package(benchmark libbenchmark-dev CONFIG)
endif()
