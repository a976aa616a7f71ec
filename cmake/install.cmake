# What `cmake --install` puts under its prefix, all of it relocatable:
#   bin/                              the programs
#   lib/treeline/libtreeline_*.a      the library, one file a folder of lib/; and libarrow where it is not the system's
#   include/treeline/                 headers, included as in the project: "classify/training.hpp"
#   lib/cmake/Treeline/               find_package(Treeline): Treeline::treeline, or one target a folder (Treeline::kernel)
#   share/treeline/pipelines/         the recipes

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(treeline_library_folder "${CMAKE_INSTALL_LIBDIR}/treeline")
set(treeline_package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/Treeline")

# All of the library, for programs outside.
add_library(treeline INTERFACE)
foreach(module IN LISTS TREELINE_MODULES)
    target_link_libraries(treeline INTERFACE treeline_${module})
    set_target_properties(treeline_${module} PROPERTIES EXPORT_NAME ${module})
    install(TARGETS treeline_${module} EXPORT TreelineTargets ARCHIVE DESTINATION "${treeline_library_folder}")
endforeach()
install(TARGETS treeline EXPORT TreelineTargets)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/lib/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/treeline"
    FILES_MATCHING PATTERN "*.hpp" PATTERN pages EXCLUDE)

# Programs find the library that is installed with them wherever both are moved.
file(RELATIVE_PATH to_libraries "/${CMAKE_INSTALL_BINDIR}" "/${treeline_library_folder}")
set_target_properties(${TREELINE_STAGES} PROPERTIES INSTALL_RPATH "$ORIGIN/${to_libraries}")
install(TARGETS ${TREELINE_STAGES} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")

if(TREELINE_BUNDLED_ARROW)
    install(CODE "file(INSTALL \"${TREELINE_BUNDLED_ARROW}\" DESTINATION
        \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${treeline_library_folder}\" FOLLOW_SYMLINK_CHAIN)")
endif()

install(DIRECTORY "${PROJECT_SOURCE_DIR}/pipelines" DESTINATION "${CMAKE_INSTALL_DATADIR}/treeline"
    USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE)

install(EXPORT TreelineTargets NAMESPACE Treeline:: DESTINATION "${treeline_package_folder}")
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
    DESTINATION "${treeline_package_folder}")
