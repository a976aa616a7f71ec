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
# with _ for -. Those in short_for are short for --set NAME=VALUE.
train='' test='' work='' config=''
from='' method='' search='' dev='' budget='' measure='' quick='' resume=''
sets=() more_values=' ' more_flags=' '
common_values=' train test work config set ' short_for=' format label-column tree-column threads log-level '
parse_arguments() {
    local name
    while [ $# -gt 0 ]; do
        [[ $1 != --*=* ]] || set -- "${1%%=*}" "${1#*=}" "${@:2}"
        name=${1#--}
        if [ "$1" = --help ]; then
            help && exit 0
        elif [[ $1 == --* && $more_flags == *" $name "* ]]; then
            printf -v "$name" yes
        elif [[ $1 == --* && "$common_values$short_for$more_values" == *" $name "* ]]; then
            [ $# -ge 2 ] || usage_error "$1 needs a value"
            case $name in
                set) sets+=("$2") ;;
                format) sets+=("from=$2") ;;
                *) if [[ $short_for == *" $name "* ]]; then sets+=("$name=$2"); else printf -v "${name//-/_}" %s "$2"; fi ;;
            esac
            shift
        else
            usage_error "unknown option '$1'$(nearest_option "$name")"
        fi
        shift
    done
    [[ -n $train && -n $test && -n $work ]] || usage_error "--train, --test and --work are needed"
    check_search_arguments
    check_file --train "$train"
    check_file --test "$test"
    [ -z "$dev" ] || check_file --dev "$dev"
}

# nearest_option NAME: a question after the option that was meant, if there is one like it.
nearest_option() {
    # shellcheck disable=SC2086 # the names are words
    python3 -c 'import difflib, sys; print(*(f"; did you mean --{one}?" for one in difflib.get_close_matches(sys.argv[1], sys.argv[2:], 1)))' \
        "$1" help $common_values $short_for $more_values $more_flags
}

check_search_arguments() {
    local name
    for name in dev budget measure; do
        [[ -z ${!name} || -n $search ]] || usage_error "--$name is for the search; add --search"
    done
    [[ -z $budget || $budget =~ ^[0-9]+(\.[0-9]+)?[smh]?$ ]] || usage_error "--budget '$budget': expected a time such as 90s, 10m or 1h"
    case $measure in
        '' | auto | accuracy | f1 | macro_f1) ;;
        macro-f1) measure=macro_f1 ;;
        *) usage_error "--measure '$measure': expected auto, accuracy, f1 or macro-f1" ;;
    esac
}

# check_file OPTION FILE: that it is a file that can be read, more than once.
check_file() {
    if [ "$2" = - ]; then
        usage_error "$1 -: standard input can be read once, and the recipe reads the examples more than once; write them to a file first"
    elif [ ! -e "$2" ]; then
        fail "$1: cannot read '$2': there is no such file; check the spelling"
    elif [ -d "$2" ]; then
        usage_error "$1: '$2' is a folder; expected a file of examples"
    elif [ ! -f "$2" ]; then
        usage_error "$1: '$2' is $([ -p "$2" ] && echo a pipe || echo not a plain file), and it is read more than once; write it to a file first"
    elif [ ! -r "$2" ]; then
        fail "$1: cannot read '$2': permission denied"
    fi
}

# The comment at the head of the recipe is its help.
help() {
    sed -n '2,/^$/s/^# \{0,1\}//p' "$0"
}

require_programs() {
    local stage
    for stage in "$@"; do
        [ -x "$programs/$stage" ] || fail "'$programs/$stage' is not there${TREELINE_BIN:+, in the folder that TREELINE_BIN names};" \
            "run scripts/build, or name the folder of the programs in TREELINE_BIN"
    done
}

# check_examples [CLASS]: that the examples to measure on can be read and have labels, and that the training examples have this class,
# before any work is done. Otherwise the training examples are what the first stage reads.
check_examples() {
    options_of tdp
    ignore log-level log-format threads seed
    python3 -B "$pipelines/examples.py" --recipe "$(basename "$0")" --tdp "$programs/tdp" "--test=$test" ${dev:+"--test=$dev"} \
        "--train=$train" "--class=${1-}" "--label-until=$(setting all label-until)" -- ${options[@]+"${options[@]}"} || exit
}

# try_options COMMAND...: runs it with `trying` set: each stage that it measures gets files that are not there, and what is wrong with its options is
# what it says then, before any work is done.
trying='' nowhere=''
try_options() {
    local trying=yes nowhere train test work made
    nowhere=$(mktemp -d "${TMPDIR:-/tmp}/treeline-XXXXXX") || exit
    # shellcheck disable=SC2064 # the name as it is here
    trap "rm -rf '$nowhere'" EXIT
    train=$nowhere/none test=$nowhere/none work=$nowhere made=$nowhere
    "$@"
    rm -rf "$nowhere"
    trap - EXIT
}

# try_stage STAGE ARGUMENT...: as `measured` says.
try_stage() {
    local stage=$1 said code=0
    shift
    said=$("$programs/$stage" "$@" ${options[@]+"${options[@]}"} 2>&1) || code=$?
    if [ $code = 2 ]; then
        printf '%s\n' "$said" >&2
        exit 2
    fi
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
    local said
    if [[ -e $1 && ! -d $1 ]]; then
        fail "--work: '$1' is a file; name a folder"
    elif [[ -L $1 && ! -e $1 ]]; then
        fail "--work: '$1' is a link to '$(readlink "$1")', which is not there; name another folder"
    fi
    said=$(mkdir -p "$1" 2>&1) || fail "--work: cannot make the folder '$1': ${said##*: }; name another one"
    [ -w "$1" ] && { true > "$1/.lock"; } 2> /dev/null || fail "--work: cannot write in '$1'; name another folder, or change its permissions"
    exec 9> "$1/.lock"
    trap interrupted INT
    flock --nonblock 9 || fail "another run is at work in '$1'; wait for it, or end it"
    find "$1" \( -name '.*.tmp-*' -o -name '.*.tmp' \) ! -name '.*.tmp-plan' -prune -exec rm -rf {} +
}

# go_on [CODE]: how to go on, after a failure that the same command can mend: the system refused (1), or a signal.
running='' # the stage at work
go_on() {
    [[ ${1:-1} == 1 || ${1:-1} -gt 128 ]] || return 0
    local with=''
    [[ $running != ksl || $more_flags != *' resume '* || -n $resume ]] || with=', with --resume,'
    printf '. What is finished stays: run the same command again%s to go on' "$with"
}

# The stages hear SIGINT, too, and end; then this is run.
interrupted() {
    [ -n "${TREELINE_WITHIN-}" ] || say "interrupted$(go_on)"
    exit 1
}

# Settings, one an element: SECTION KEY VALUE with a tab between them; of equal keys the last one counts. Keys before the
# first section have the section `all`; has_option says which stages have an option for those.
settings=()
declare -A has_option=()
plain=() # NAME<TAB>PLACE of those before the first section of a file of --config
searched='' # the file that a search wrote

# The defaults, then the file of --config, that of a search, and what --set says, by settings.py.
read_all_settings() {
    local told set kind line given=()
    for set in ${sets[@]+"${sets[@]}"}; do
        given+=("--set=$set")
    done
    settings=() plain=()
    told=$(python3 -B "$pipelines/settings.py" --programs "$programs" "--defaults=$pipelines/settings.toml" ${config:+"--config=$config"} \
        ${searched:+"--config=$searched"} ${given[@]+"${given[@]}"} 2>&1) || {
        local code=$?
        [ $code != 2 ] || usage_error "$told"
        fail "$told"
    }
    while IFS= read -r line; do # not by tabs, with which an empty value would be lost
        kind=${line%%$'\t'*} line=${line#*$'\t'}
        case "$kind" in
            setting) settings+=("$line") ;;
            option) has_option[${line/$'\t'/.}]=yes ;;
            plain) plain+=("$line") ;;
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

# takes STAGE KEY: whether the stage gets a setting that stands before the first section.
takes() {
    [ -n "${has_option[$1.$2]-}" ] || return 1
    case "$1.$2" in
        fsl.* | ksl.* | fpl.kernel | fpl.limit | tfx.limit) ;;
        *.threads | *.memory | *.seed | *.on-error | *.log-level | *.log-format | *.from | *.label-until | *.label-column | *.tree-column) ;;
        *) return 1 ;;
    esac
}

other_run='' # what to say of settings for another run
# taken NAME STAGE...: whether one of the stages gets the setting NAME or SECTION.NAME; else `instead` says what to do.
taken() {
    local name=$1 stage
    shift
    if [[ $name == *.* ]]; then
        instead="this run has the sections $*$other_run"
        [[ " $* " == *" ${name%%.*} "* ]]
        return
    fi
    instead="kernel machines take it, and this run trains none"
    for stage in "$@"; do
        ! takes "$stage" "$name" || return 0
        [ -z "${has_option[$stage.$name]-}" ] || instead="for $stage it is $stage.$name"
    done
    return 1
}

# check_taken SECTION...: that a stage of this run, whose sections these are, gets what --set says; of a file, which may be for other runs, too, it is
# only told.
check_taken() {
    local set one instead
    for set in ${sets[@]+"${sets[@]}"}; do
        taken "${set%%=*}" "$@" || usage_error "--set $set: nothing in this run takes it; $instead"
    done
    for one in ${plain[@]+"${plain[@]}"}; do
        taken "${one%%$'\t'*}" "$@" || say "${one#*$'\t'}: nothing in this run takes it; $instead"
    done
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
            [ "$section" != all ] || takes "$stage" "$key" || continue
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
# step NAME [TEXT], silent within another recipe (TREELINE_WITHIN) and in a try of the options: says which of the steps begins, and how long
# the rest is going to take, as far as the steps before tell.
step() {
    [ -z "${TREELINE_WITHIN-}$trying" ] || return 0
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
# `debug`, and of JSON, everything is passed on.
lines=2

# measured NAME OUTPUT STAGE ARGUMENT...: runs a stage that makes this file or folder, with the options in `options`.
# WORK/measured/NAME.json says what it took when the output was made last. Where the stage fails, its exit code is that of
# the recipe.
measured() {
    local name=$1 output=$2 stage=$3
    shift 3
    mkdir -p "$(dirname "$output")"
    if [ -n "$trying" ]; then
        try_stage "$stage" "$@"
        return
    fi
    running=$stage
    local log=(--log "$work/measured/$name.log" --lines "$lines")
    [[ $(setting all log-level) != debug && $(setting all log-format) != json ]] || log=()
    python3 -B "$pipelines/measure.py" --run "$run" --made "$output" ${log[@]+"${log[@]}"} --output "$work/measured/$name.json" \
        "$programs/$stage" "$@" ${options[@]+"${options[@]}"} || {
        local code=$?
        say "$name: $stage failed; see above$(go_on $code)"
        exit $code
    }
    running=''
}
