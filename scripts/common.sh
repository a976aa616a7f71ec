# Read by the scripts of this folder: the project's root as working directory, messages, and the number of jobs.

set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD

say() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
}

fail() {
    say "$@"
    exit 1
}

# As many compilations at once as there are processors, but with 1.5 GB of memory for each.
jobs() {
    local processors memory
    processors=$(nproc)
    memory=$(awk '/^MemAvailable:/ { print int($2 / 1500000) }' /proc/meminfo)
    echo $((memory < 1 ? 1 : memory < processors ? memory : processors))
}

# configure_and_build PRESET [TARGET...]
configure_and_build() {
    local preset=$1
    shift
    if [ ! -f "build/$preset/build.ninja" ]; then
        say "configuring the $preset build"
        cmake --preset "$preset" > /dev/null
    fi
    say "building build/$preset"
    cmake --build "build/$preset" --parallel "${TREELINE_JOBS:-$(jobs)}" ${1:+--target "$@"} >&2
}
