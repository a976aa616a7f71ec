# shellcheck shell=bash
# Read by the recipes of this folder: arguments, the lock of the paper's folder, and the module NAME.py that does the work.

. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

# paper ARGUMENT...
paper() {
    local name data='' size=small
    name=$(basename "$0" .sh)
    while [ $# -gt 0 ]; do
        case "$1" in
            --help) help && exit 0 ;;
            --data | --work | --size)
                [ $# -ge 2 ] || usage_error "$1 needs a value"
                printf -v "${1#--}" %s "$2"
                ;;
            *) usage_error "unknown option '$1'" ;;
        esac
        shift 2
    done
    [[ -n $data && -n $work ]] || usage_error "--data and --work are needed"
    [[ $size == small || $size == full ]] || usage_error "--size '$size': expected small or full"
    [ -d "$data" ] || fail "no folder '$data'"
    require_programs tdp fsl fmi tfx esl esc ksl ksc ksm psl psc fdi
    own_folder "$work/$name"
    python3 -B "$pipelines/papers" --paper "$name" --data "$data" --work "$work" --size "$size" --programs "$programs" --run "$run"
}
