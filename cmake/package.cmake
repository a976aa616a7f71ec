# Debian packages: `cpack -G DEB` in the folder of a build. treeline has the programs, the recipes, the manual; treeline-dev the
# library. An Arrow that is not the distribution's goes with the programs, below lib/treeline.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME treeline)
set(CPACK_PACKAGE_VENDOR "Treeline")
set(CPACK_PACKAGE_CONTACT "Treeline <treeline@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL programs development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME treeline)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SHLIBDEPS ON)
if(TREELINE_BUNDLED_ARROW)
    get_filename_component(arrow_folder "${TREELINE_BUNDLED_ARROW}" DIRECTORY)
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${arrow_folder}")
endif()
# The recipes are scripts.
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_DEPENDS "bash, python3")
set(CPACK_DEBIAN_PROGRAMS_DESCRIPTION "Tree-kernel learning as fast, readable linear models
 Mines the tree fragments that matter out of tree-kernel SVMs, keeps them in an
 indexed dictionary, rewrites trees as sparse vectors over it and trains linear
 models on them; or learns sparse linear models over all fragments at once.
 .
 Try treeline-quickstart; the manual page treeline(7) lists the programs.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME treeline-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
string(CONCAT CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "treeline (= ${PROJECT_VERSION}), libtbb-dev, libfmt-dev, nlohmann-json3-dev, zlib1g-dev, libbz2-dev, liblzma-dev, "
    "libzstd-dev, libxxhash-dev, librocksdb-dev, liblinear-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "Library of Treeline: headers, static libraries, CMake package
 find_package(Treeline) gives the targets Treeline::treeline and one for each
 folder of the library.")

include(CPack)
