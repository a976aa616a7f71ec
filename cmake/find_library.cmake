# A library that comes without a CMake package, or whose package differs between distributions: found by a header and
# a library file, as the imported target NAME::NAME. Without it NAME_LIBRARY is false.
function(treeline_import_library name header library)
    if(TARGET ${name}::${name})
        return()
    endif()
    find_path(${name}_INCLUDE_DIR ${header} PATH_SUFFIXES ${ARGN})
    find_library(${name}_LIBRARY ${library})
    mark_as_advanced(${name}_INCLUDE_DIR ${name}_LIBRARY)
    if(${name}_INCLUDE_DIR AND ${name}_LIBRARY)
        add_library(${name}::${name} UNKNOWN IMPORTED)
        set_target_properties(${name}::${name} PROPERTIES
            IMPORTED_LOCATION "${${name}_LIBRARY}"
            INTERFACE_INCLUDE_DIRECTORIES "${${name}_INCLUDE_DIR}")
    endif()
endfunction()

# Those that Treeline takes: name, Debian's package, header, library, folder of the header.
set(treeline_plain_libraries
    "zstd libzstd-dev zstd.h zstd"
    "BZip2 libbz2-dev bzlib.h bz2"
    "LibLZMA liblzma-dev lzma.h lzma"
    "xxHash libxxhash-dev xxhash.h xxhash"
    "RocksDB librocksdb-dev rocksdb/db.h rocksdb"
    "LIBLINEAR liblinear-dev linear.h linear liblinear")
