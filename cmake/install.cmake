# What `cmake --install` puts under its prefix, all of it relocatable:
#   bin/                              the programs; treeline-quickstart, treeline-linearize, treeline-compare: the recipes
#   lib/treeline/libtreeline_*.a      the library, one file a folder of lib/; and libarrow where it is not the system's
#   include/treeline/                 headers, included as in the project: "classify/training.hpp"
#   lib/cmake/Treeline/               find_package(Treeline): Treeline::treeline, or one target a folder (Treeline::kernel)
#   share/treeline/                   pipelines/, the recipes, and data/, the sample
#   share/man/, share/bash-completion/, share/zsh/, share/fish/    manual and completion, made of the programs' option tables
#   share/doc/treeline/               README, CHANGELOG, LICENSE, docs/
# Everything belongs to one of two components: programs, development.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(treeline_library_folder "${CMAKE_INSTALL_LIBDIR}/treeline")
set(treeline_package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/Treeline")

# All of the library, for programs outside.
add_library(treeline INTERFACE)
foreach(module IN LISTS TREELINE_MODULES)
    target_link_libraries(treeline INTERFACE treeline_${module})
    set_target_properties(treeline_${module} PROPERTIES EXPORT_NAME ${module})
    install(TARGETS treeline_${module} EXPORT TreelineTargets
        ARCHIVE DESTINATION "${treeline_library_folder}" COMPONENT development)
endforeach()
install(TARGETS treeline EXPORT TreelineTargets COMPONENT development)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/lib/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/treeline"
    COMPONENT development FILES_MATCHING PATTERN "*.hpp" PATTERN pages EXCLUDE)

# Programs find the library that is installed with them wherever both are moved.
file(RELATIVE_PATH to_libraries "/${CMAKE_INSTALL_BINDIR}" "/${treeline_library_folder}")
set_target_properties(${TREELINE_STAGES} PROPERTIES INSTALL_RPATH "$ORIGIN/${to_libraries}")
install(TARGETS ${TREELINE_STAGES} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT programs)

if(TREELINE_BUNDLED_ARROW)
    install(CODE "file(INSTALL \"${TREELINE_BUNDLED_ARROW}\" DESTINATION
        \"\${CMAKE_INSTALL_PREFIX}/${treeline_library_folder}\" FOLLOW_SYMLINK_CHAIN)" COMPONENT programs)
endif()

install(DIRECTORY "${PROJECT_SOURCE_DIR}/pipelines" "${PROJECT_SOURCE_DIR}/data"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/treeline"
    COMPONENT programs USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE)
foreach(recipe IN ITEMS quickstart linearize compare)
    configure_file("${PROJECT_SOURCE_DIR}/cmake/recipe.in" "${PROJECT_BINARY_DIR}/package/treeline-${recipe}" @ONLY)
    install(PROGRAMS "${PROJECT_BINARY_DIR}/package/treeline-${recipe}"
        DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT programs)
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${PROJECT_SOURCE_DIR}/CITATION.cff"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/treeline" COMPONENT programs)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/treeline" COMPONENT programs RENAME copyright)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/treeline" COMPONENT programs)
install(FILES "${PROJECT_SOURCE_DIR}/lib/classify/pages/treeline.css" "${PROJECT_SOURCE_DIR}/lib/classify/pages/drawing.css"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/treeline/pipelines/report" COMPONENT programs)

# Manual and completion are what the programs that are being installed say of themselves.
set(help_folder "${PROJECT_BINARY_DIR}/help")
set(help_programs "")
foreach(stage IN LISTS TREELINE_STAGES)
    string(APPEND help_programs " \"$<TARGET_FILE:${stage}>\"")
endforeach()
install(CODE "execute_process(COMMAND \"${Python3_EXECUTABLE}\" -B \"${PROJECT_SOURCE_DIR}/cmake/help_pages.py\"
    --output \"${help_folder}\"${help_programs} COMMAND_ERROR_IS_FATAL ANY)" COMPONENT programs)
install(DIRECTORY "${help_folder}/" DESTINATION "${CMAKE_INSTALL_DATADIR}" COMPONENT programs)

install(EXPORT TreelineTargets NAMESPACE Treeline:: DESTINATION "${treeline_package_folder}" COMPONENT development)
set(treeline_bundles_arrow FALSE)
if(TREELINE_BUNDLED_ARROW)
    set(treeline_bundles_arrow TRUE)
endif()
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/TreelineConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/package/TreelineConfig.cmake"
    INSTALL_DESTINATION "${treeline_package_folder}" PATH_VARS treeline_library_folder)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/TreelineConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES
    "${PROJECT_BINARY_DIR}/package/TreelineConfig.cmake"
    "${PROJECT_BINARY_DIR}/package/TreelineConfigVersion.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/find_library.cmake"
    DESTINATION "${treeline_package_folder}" COMPONENT development)
