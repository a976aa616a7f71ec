# Arrow::Arrow, from one of
#   1. build/deps/arrow, which scripts/setup puts there where the system has no Arrow: either an installation
#      with a CMake package, or the unpacked pyarrow wheel (headers and libarrow.so.N, no CMake package);
#   2. the Arrow that CMake finds by itself (a distribution's libarrow-dev, CMAKE_PREFIX_PATH).
# TREELINE_BUNDLED_ARROW is the shared library of 1, which is then installed with Treeline; empty for 2.

set(arrow_root "${PROJECT_SOURCE_DIR}/build/deps/arrow")
set(TREELINE_BUNDLED_ARROW "")

if(EXISTS "${arrow_root}/lib/cmake/Arrow")
    find_package(Arrow CONFIG QUIET PATHS "${arrow_root}" NO_DEFAULT_PATH)
    if(EXISTS "${arrow_root}/lib/libarrow.so")
        set(TREELINE_BUNDLED_ARROW "${arrow_root}/lib/libarrow.so")
    endif()
elseif(EXISTS "${arrow_root}/include/arrow/api.h")
    file(GLOB arrow_library "${arrow_root}/libarrow.so.[0-9]*")
    set(TREELINE_BUNDLED_ARROW "${arrow_library}")
    add_library(Arrow::Arrow SHARED IMPORTED)
    set_target_properties(Arrow::Arrow PROPERTIES
        IMPORTED_LOCATION "${arrow_library}"
        INTERFACE_INCLUDE_DIRECTORIES "${arrow_root}/include")
    message(STATUS "Arrow: ${arrow_library}")
else()
    find_package(Arrow CONFIG QUIET)
endif()

if(NOT TARGET Arrow::Arrow)
    if(TARGET Arrow::arrow_shared)
        add_library(Arrow::Arrow ALIAS Arrow::arrow_shared)
    elseif(TARGET Arrow::arrow_static)
        add_library(Arrow::Arrow ALIAS Arrow::arrow_static)
    else()
        treeline_missing("Apache Arrow C++" "libarrow-dev (where the distribution has it)")
    endif()
    message(STATUS "Arrow: ${Arrow_DIR}")
endif()
