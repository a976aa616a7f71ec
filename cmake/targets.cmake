# The ways to declare a target. Sources are listed one by one, relative to the calling folder.
#
#   treeline_module(NAME SOURCES ... [LINKS ...])      lib/NAME -> static library treeline_NAME; GROUPS instead of SOURCES: names of
#                                                      lists of sources, each of which is compiled as one where several are
#   treeline_stage(NAME SOURCES ... [LINKS ...])       stages/NAME -> bin/NAME from main.cpp, and the rest of the
#                                                      sources as library treeline_stage_NAME for its tests
#   treeline_unit_test(NAME SOURCES ... [LINKS ...] [DATA])
#                                                      Catch2 program, a ctest. With DATA the cases tagged [data]
#                                                      are the second ctest NAME.data (label data), skipped without the data
#   treeline_benchmark(NAME SOURCES ... [LINKS ...])   Google Benchmark program bench/NAME
#   treeline_fuzzer(NAME SOURCES ... [LINKS ...])      LLVMFuzzerTestOneInput: a ctest that replays
#                                                      tests/fuzz/corpus/NAME, and in the fuzz preset the
#                                                      libFuzzer program fuzz/NAME_fuzzer

add_library(treeline_settings INTERFACE)
# -Wno-sign-conversion gives -Wconversion the meaning it has with g++.
target_compile_options(treeline_settings INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>)
# GCC 12 reports overlaps in std::string's own code that cannot happen (GCC bug 105329).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(treeline_settings INTERFACE -Wno-restrict)
endif()
# With several sources in one compilation g++ takes each for a header, whose types need names that others can see.
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(treeline_settings INTERFACE -Wno-subobject-linkage)
endif()
target_link_libraries(treeline_settings INTERFACE Threads::Threads)
# A program loads the libraries that it calls, not all that a folder of lib/ is linked with.
target_link_options(treeline_settings INTERFACE LINKER:--as-needed)
if(TREELINE_SANITIZE)
    target_compile_options(treeline_settings INTERFACE
        -fsanitize=${TREELINE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
        # g++ warns about the standard library's own code when it is instrumented.
        $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    target_link_options(treeline_settings INTERFACE -fsanitize=${TREELINE_SANITIZE})
endif()

if(TREELINE_TIDY)
    find_program(CLANG_TIDY NAMES clang-tidy clang-tidy-19 clang-tidy-18 clang-tidy-16 clang-tidy-15 clang-tidy-14)
    if(NOT CLANG_TIDY)
        treeline_missing(clang-tidy clang-tidy)
    endif()
    set(CMAKE_CXX_CLANG_TIDY "${CLANG_TIDY};--quiet;--extra-arg=-Wno-unknown-warning-option")
endif()

function(treeline_module name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;GROUPS;LINKS")
    foreach(group IN LISTS arg_GROUPS)
        list(APPEND arg_SOURCES ${${group}})
        set_source_files_properties(${${group}} PROPERTIES UNITY_GROUP ${group})
    endforeach()
    add_library(treeline_${name} STATIC ${arg_SOURCES})
    if(arg_GROUPS)
        set_target_properties(treeline_${name} PROPERTIES UNITY_BUILD_MODE GROUP)
    endif()
    target_include_directories(treeline_${name} PUBLIC
        "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/lib>" "$<INSTALL_INTERFACE:include/treeline>")
    target_compile_features(treeline_${name} PUBLIC cxx_std_20)
    # The extension of the Python package is made of the same objects as the programs.
    set_target_properties(treeline_${name} PROPERTIES
        POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
    target_link_libraries(treeline_${name} PUBLIC ${arg_LINKS} PRIVATE "$<BUILD_INTERFACE:treeline_settings>")
endfunction()

# Sources that read options once take a third less time to compile so; most of it is the code of CLI11.
function(treeline_compile_quickly)
    set_source_files_properties(${ARGN} PROPERTIES
        COMPILE_OPTIONS "$<$<CONFIG:Release>:-O1>;$<$<CONFIG:Release>:-g0>")
endfunction()

function(treeline_stage name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINKS")
    set(main ${arg_SOURCES})
    list(FILTER main INCLUDE REGEX "(^|/)main\\.cpp$")
    list(REMOVE_ITEM arg_SOURCES ${main})
    add_library(treeline_stage_${name} STATIC ${arg_SOURCES})
    target_include_directories(treeline_stage_${name} PUBLIC "${PROJECT_SOURCE_DIR}/stages")
    target_link_libraries(treeline_stage_${name}
        PUBLIC ${arg_LINKS} CLI11::CLI11 PRIVATE treeline_settings)
    add_executable(${name} ${main})
    treeline_compile_quickly(${main})
    target_link_libraries(${name} PRIVATE treeline_stage_${name} treeline_settings)
endfunction()

# A program of the tests: outside bin/, with tests/ on the include path.
function(treeline_test_program name folder)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "SOURCES;LINKS")
    add_executable(${name} ${arg_SOURCES})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${folder}")
    target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
    target_link_libraries(${name} PRIVATE ${arg_LINKS} treeline_test_data treeline_settings)
endfunction()

function(treeline_add_test name)
    add_test(NAME ${name} COMMAND ${ARGN})
    set_tests_properties(${name} PROPERTIES
        SKIP_RETURN_CODE 77
        ENVIRONMENT "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/tsan.supp")
endfunction()

function(treeline_unit_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "DATA" "" "SOURCES;LINKS")
    treeline_test_program(${name}_test tests SOURCES ${arg_SOURCES} LINKS ${arg_LINKS} treeline_catch_main)
    # Under tsan the child of a process that has had threads gets neither threads nor signals.
    set(left_out "~[data]")
    if(TREELINE_SANITIZE MATCHES "thread")
        string(APPEND left_out "~[forks]")
    endif()
    treeline_add_test(${name} ${name}_test "${left_out}")
    if(arg_DATA)
        treeline_add_test(${name}.data ${name}_test "[data]")
        set_property(TEST ${name}.data APPEND PROPERTY ENVIRONMENT "TREELINE_TEST_NEEDS_DATA=1")
        set_property(TEST ${name}.data PROPERTY LABELS data)
    endif()
endfunction()

function(treeline_benchmark name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINKS")
    treeline_test_program(${name} bench
        SOURCES ${arg_SOURCES} LINKS ${arg_LINKS} benchmark::benchmark benchmark::benchmark_main)
endfunction()

function(treeline_fuzzer name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINKS")
    treeline_test_program(${name}_replay fuzz
        SOURCES ${arg_SOURCES} "${PROJECT_SOURCE_DIR}/tests/support/fuzz_replay.cpp" LINKS ${arg_LINKS})
    treeline_add_test(fuzz.${name} ${name}_replay "${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name}")
    if(TREELINE_SANITIZE MATCHES "fuzzer-no-link")
        treeline_test_program(${name}_fuzzer fuzz SOURCES ${arg_SOURCES} LINKS ${arg_LINKS})
        target_link_options(${name}_fuzzer PRIVATE -fsanitize=fuzzer)
    endif()
endfunction()

# Adds the folders of the list that are there.
macro(treeline_add_folders)
    foreach(folder IN ITEMS ${ARGN})
        if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt")
            add_subdirectory(${folder})
        endif()
    endforeach()
endmacro()

set(TREELINE_MODULES base tree example corpus kernel evaluate svm linear polynomial fragment sparse store classify)
set(TREELINE_STAGES tdp fsl fmi tfx fpl esl esc ksl ksc ksm psl psc fdi)
