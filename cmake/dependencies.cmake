# Everything Treeline takes from outside, each as an imported (hence SYSTEM) target:
#   TBB::tbb fmt::fmt CLI11::CLI11 nlohmann_json::nlohmann_json ZLIB::ZLIB BZip2::BZip2 LibLZMA::LibLZMA
#   zstd::zstd xxHash::xxHash RocksDB::RocksDB Arrow::Arrow LIBLINEAR::LIBLINEAR Catch2::Catch2 benchmark::benchmark

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

include(find_library)

find_package(Threads REQUIRED)
treeline_find_package(ZLIB zlib1g-dev)
treeline_find_package(TBB libtbb-dev CONFIG)
treeline_find_package(fmt libfmt-dev CONFIG)
treeline_find_package(CLI11 libcli11-dev CONFIG)
treeline_find_package(nlohmann_json nlohmann-json3-dev CONFIG)
foreach(library IN LISTS treeline_plain_libraries)
    string(REPLACE " " ";" library "${library}")
    list(POP_FRONT library name debian)
    treeline_import_library(${name} ${library})
    if(NOT TARGET ${name}::${name})
        treeline_missing(${name} ${debian})
    endif()
endforeach()
include(arrow)

find_package(Python3 COMPONENTS Interpreter QUIET)
if(NOT Python3_FOUND)
    treeline_missing("The Python 3 interpreter" python3)
endif()

if(TREELINE_TESTS)
    treeline_find_package(Catch2 catch2 CONFIG)
endif()

if(TREELINE_BENCHMARKS)
    treeline_find_package(benchmark libbenchmark-dev CONFIG)
endif()
