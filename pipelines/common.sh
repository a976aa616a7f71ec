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

# The arguments of a recipe: those that all have, and those that it lists in more_values and more_flags; the variables of these names,
# with _ for -.
train='' test='' work='' config=''
label_column='' tree_column='' from='' method='' search='' dev='' budget='' measure='' quick='' resume=''
sets=() more_values=' ' more_flags=' '
parse_arguments() {
    while [ $# -gt 0 ]; do
        if [ "$1" = --help ]; then
            help && exit 0
        elif [[ $1 == --* && $more_flags == *" ${1#--} "* ]]; then
            printf -v "${1#--}" yes
        elif [[ $1 == --* && " train test work config set label-column tree-column $more_values" == *" ${1#--} "* ]]; then
            [ $# -ge 2 ] || usage_error "$1 needs a value"
            local name=${1#--}
            if [ "$1" = --set ]; then sets+=("$2"); else printf -v "${name//-/_}" %s "$2"; fi
            shift
        else
            usage_error "unknown option '$1'"
        fi
        shift
    done
    [[ -n $train && -n $test && -n $work ]] || usage_error "--train, --test and --work are needed"
    [ -z "$label_column" ] || sets+=("label-column=$label_column")
    [ -z "$tree_column" ] || sets+=("tree-column=$tree_column")
    local file
    for file in "$train" "$test" ${dev:+"$dev"}; do
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

# check_examples: that the test examples can be read, before any work is done. The training examples are what the first stage reads.
check_examples() {
    local file
    options_of tdp
    ignore log-level
    for file in "$test" ${dev:+"$dev"}; do
        "$programs/tdp" convert --log-level quiet ${options[@]+"${options[@]}"} --input "$file" --output /dev/null || exit
    done
}

# search_settings METHOD...: chooses settings for these methods.
search_settings() {
    python3 -B "$pipelines/search.py" --train "$train" --work "$work/search" --programs "$programs" --methods "$@" ${dev:+--dev "$dev"} \
        ${budget:+--budget "$budget"} ${measure:+--measure "$measure"} --settings "${settings[@]}" >&2 || exit
    searched=$work/search/settings.toml
    read_all_settings
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
# first section have the section `all`; has_option says which stages have an option for those.
settings=()
declare -A has_option=()
searched='' # the file that a search wrote

# The defaults, then the file of --config, that of a search, and what --set says, by settings.py.
read_all_settings() {
    local told set kind line given=()
    for set in ${sets[@]+"${sets[@]}"}; do
        given+=("--set=$set")
    done
    settings=()
    told=$(python3 -B "$pipelines/settings.py" --programs "$programs" "--config=$pipelines/settings.toml" ${config:+"--config=$config"} \
        ${searched:+"--config=$searched"} ${given[@]+"${given[@]}"} 2>&1) || {
        local code=$?
        [ $code != 2 ] || usage_error "$told"
        fail "$told"
    }
    while IFS=$'\t' read -r kind line; do
        case "$kind" in
            setting) settings+=("$line") ;;
            option) has_option[${line/$'\t'/.}]=yes ;;
        esac
    done <<< "$told"
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
                    all.*.log-level | all.*.label-until | all.*.label-column | all.*.tree-column)
                    [ -n "${has_option[$stage.$key]-}" ] || continue
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

# ignore NAME...: takes options away that the solver at hand does not have, or that are given otherwise.
ignore() {
    local name option kept=()
    for option in ${options[@]+"${options[@]}"}; do
        for name in "$@"; do
            [[ $option != --$name=* ]] || continue 2
        done
        kept+=("$option")
    done
    options=(${kept[@]+"${kept[@]}"})
}

# A name of this run, to tell what it made from what it found.
run=$$-$(date +%s%N)

# The steps of a run, NAME:SHARE with the share of its time that each is expected to take.
steps=() steps_begun=0 share_begun=0 steps_since=0
# step NAME [TEXT], silent within another recipe (TREELINE_WITHIN): says which of the steps begins, and how long the rest is going to take, as far as the steps before tell.
step() {
    [ -z "${TREELINE_WITHIN-}" ] || return 0
    [ $steps_begun -gt 0 ] || steps_since=$SECONDS
    local one all=0 left='' spent=$((SECONDS - steps_since))
    for one in "${steps[@]}"; do
        all=$((all + ${one#*:}))
    done
    if [ "$share_begun" -gt 0 ] && [ "$spent" -ge 2 ]; then
        left="; $(duration "$spent") so far, about $(duration $((spent * (all - share_begun) / share_begun))) left"
    fi
    say "$((steps_begun + 1)) of ${#steps[@]}: ${2:-$1}$left"
    steps_begun=$((steps_begun + 1))
    for one in "${steps[@]}"; do
        [ "${one%:*}" != "$1" ] || share_begun=$((share_begun + ${one#*:}))
    done
}

# duration SECONDS: as a person says it.
duration() {
    if [ "$1" -lt 100 ]; then
        printf '%d s' "$1"
    else
        printf '%d min' $((($1 + 30) / 60))
    fi
}

# Lines of a stage that are passed on, beside its progress and its last one; all are in WORK/measured/NAME.log. With the log level
# `debug` everything is passed on.
lines=2

# measured NAME OUTPUT STAGE ARGUMENT...: runs a stage that makes this file or folder, with the options in `options`.
# WORK/measured/NAME.json says what it took when the output was made last. Where the stage fails, its exit code is that of
# the recipe.
measured() {
    local name=$1 output=$2 stage=$3
    shift 3
    local log=(--log "$work/measured/$name.log" --lines "$lines")
    [ "$(setting all log-level)" != debug ] || log=()
    mkdir -p "$(dirname "$output")"
    python3 -B "$pipelines/measure.py" --run "$run" --made "$output" ${log[@]+"${log[@]}"} --output "$work/measured/$name.json" \
        "$programs/$stage" "$@" ${options[@]+"${options[@]}"} || {
        local code=$?
        say "$name: $stage failed; see above. What is finished stays: run the same command again to go on"
        exit $code
    }
}
