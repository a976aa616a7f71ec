# shellcheck shell=bash
# Read by the recipes of this folder: messages, the settings file (README.md describes it), measured stages.

set -euo pipefail

pipelines=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# Of the folder named, of the build, or of the installation that the recipes are part of.
programs=${TREELINE_BIN:-$pipelines/../build/release/bin}
if [ -z "${TREELINE_BIN-}" ] && [ -x "$pipelines/../../../bin/fsl" ] && [ ! -d "$programs" ]; then
    programs=$pipelines/../../../bin
fi

say() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
}

fail() {
    say "$@"
    exit 1
}

usage_error() {
    say "$*; try --help"
    exit 2
}

# The arguments of a recipe.
train='' test='' work='' config='' from=''
sets=()
parse_arguments() {
    while [ $# -gt 0 ]; do
        case "$1" in
            --help) help && exit 0 ;;
            --train | --test | --work | --config | --from | --set)
                [ $# -ge 2 ] || usage_error "$1 needs a value"
                if [ "$1" = --set ]; then sets+=("$2"); else printf -v "${1#--}" %s "$2"; fi
                ;;
            *) usage_error "unknown option '$1'" ;;
        esac
        shift 2
    done
    [[ -n $train && -n $test && -n $work ]] || usage_error "--train, --test and --work are needed"
    local file
    for file in "$train" "$test"; do
        [ -r "$file" ] || fail "cannot read '$file'"
    done
}

# The comment at the head of the recipe is its help.
help() {
    sed -n '2,/^$/s/^# \{0,1\}//p' "$0"
}

require_programs() {
    local stage
    for stage in "$@"; do
        [ -x "$programs/$stage" ] ||
            fail "'$programs/$stage' is not there; run scripts/build, or name the folder of the programs in TREELINE_BIN"
    done
}

# One run at a time in a folder: the lock is held as long as this process or a stage of it lives. What killed runs have
# left under temporary names goes, but for the notes that tell the stages which files are theirs.
own_folder() {
    mkdir -p "$1"
    exec 9> "$1/.lock"
    flock --nonblock 9 || fail "another run is at work in '$1'; wait for it, or end it"
    find "$1" \( -name '.*.tmp-*' -o -name '.*.tmp' \) ! -name '.*.tmp-plan' -prune -exec rm -rf {} +
}

# Settings, one an element: SECTION KEY VALUE with a tab between them; of equal keys the last one counts. Keys before the
# first section have the section `all`.
settings=()
sections=" all fpl fsl fmi tfx esl esc ksl ksc usvm isvm compare "

declare -A help_of=()
has_option() {
    [ -n "${help_of[$1]-}" ] || help_of[$1]=$("$programs/$1" --help)
    [[ ${help_of[$1]} =~ (^|[[:space:],])--$2[[:space:],={] ]]
}

# add_setting PLACE SECTION KEY VALUE
add_setting() {
    local stage=$2
    [[ $sections == *" $2 "* ]] || usage_error "$1: no section '$2'; there are$sections"
    case "$2" in
        all) stage=fsl ;;
        usvm | isvm) stage=ksl ;;
        compare) stage= ;;
    esac
    [ -z "$stage" ] || has_option "$stage" "$3" || usage_error "$1: $stage has no option --$3"
    settings+=("$2"$'\t'"$3"$'\t'"$4")
}

# read_settings FILE
read_settings() {
    local line number=0 section=all
    local key='^[[:space:]]*([a-z][a-z0-9-]*)[[:space:]]*=[[:space:]]*'
    local end='[[:space:]]*(#.*)?$'
    [ -r "$1" ] || fail "cannot read '$1'"
    while IFS= read -r line || [ -n "$line" ]; do
        number=$((number + 1))
        if [[ $line =~ ^$end ]]; then
            continue
        elif [[ $line =~ ^[[:space:]]*\[([a-z]+)\]$end ]]; then
            section=${BASH_REMATCH[1]}
        elif [[ $line =~ $key\"([^\"]*)\"$end || $line =~ $key([^[:space:]\"#]+)$end ]]; then
            add_setting "$1:$number" "$section" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
        else
            usage_error "$1:$number: found '$line'; expected [STAGE] or name = value"
        fi
    done < "$1"
}

# add_setting_text SECTION.KEY=VALUE (or KEY=VALUE), as given to --set
add_setting_text() {
    [[ $1 =~ ^(([a-z]+)\.)?([a-z][a-z0-9-]*)=(.*)$ ]] || usage_error "--set '$1': expected STAGE.NAME=VALUE or NAME=VALUE"
    add_setting "--set $1" "${BASH_REMATCH[2]:-all}" "${BASH_REMATCH[3]}" "${BASH_REMATCH[4]}"
}

# The file of --config, then what --set says.
read_all_settings() {
    local set
    [ -z "$config" ] || read_settings "$config"
    for set in ${sets[@]+"${sets[@]}"}; do
        add_setting_text "$set"
    done
}

# setting SECTION KEY [DEFAULT]: prints the value.
setting() {
    local one found=${3-}
    for one in ${settings[@]+"${settings[@]}"}; do
        [[ $one != "$1"$'\t'"$2"$'\t'* ]] || found=${one#*$'\t'*$'\t'}
    done
    printf '%s' "$found"
}

# options_of STAGE [SECTION...]: the array `options` becomes what the settings say to this stage: the keys without a
# section that concern it, then those of its own section, then those of the sections named.
options_of() {
    local stage=$1 section key value wanted
    shift
    local -A chosen=()
    for wanted in all "$stage" "$@"; do
        for one in ${settings[@]+"${settings[@]}"}; do
            IFS=$'\t' read -r section key value <<< "$one"
            [ "$section" = "$wanted" ] || continue
            case "$section.$stage.$key" in
                all.fsl.* | all.ksl.* | all.fpl.kernel | all.fpl.limit | all.tfx.limit | all.*.threads | all.*.memory | all.*.seed | all.*.on-error | \
                    all.*.log-level | all.*.label-until)
                    has_option "$stage" "$key" || continue
                    ;;
                all.*) continue ;;
            esac
            chosen[$key]=$value
        done
    done
    options=()
    for key in "${!chosen[@]}"; do
        options+=("--$key=${chosen[$key]}")
    done
}

# A name of this run, to tell what it made from what it found.
run=$$-$(date +%s%N)

# measured NAME OUTPUT STAGE ARGUMENT...: runs a stage that makes this file or folder, with the options in `options`.
# WORK/measured/NAME.json says what it took when the output was made last. Where the stage fails, its exit code is that of
# the recipe.
measured() {
    local name=$1 output=$2 stage=$3
    shift 3
    mkdir -p "$(dirname "$output")"
    python3 -B "$pipelines/measure.py" --run "$run" --made "$output" --output "$work/measured/$name.json" \
        "$programs/$stage" "$@" ${options[@]+"${options[@]}"} || {
        local code=$?
        say "$name: $stage failed; see above. What is finished stays: run the same command again to go on"
        exit $code
    }
}
