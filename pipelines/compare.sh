#!/usr/bin/env bash
# The same data through every method: the exact kernel SVM (ksl smo), cutting planes (usvm, isvm), the linearized model
# with the weights that were mined, and retrained, and the sparse model over the whole fragment space (fpl); as baselines
# the majority class, and bags of words and of productions through the linear solver (esl). Ends with one table on stdout and writes
# it as report.txt, report.json, report.csv and, with plots and links to fragments and explanations, report.html.
#
#   pipelines/compare.sh --train F --test F --work DIR [--quick] [--search] [--config C] [--set SECTION.NAME=VALUE]...
#
#   --train F   examples to learn from: LABEL<TAB>tree or SVM-light-TK lines; plain or compressed (gzip, zstd, bzip2, xz); any number of classes
#   --test F    examples to measure on
#   --label-column N --tree-column N
#               where the label and the tree are in these files, if they are tables of more columns than the two
#   --format N  format of these files, if it is not to be told by their first line (tdp convert --help has a list)
#   --work DIR  folder for everything made: the reports, and a folder for each method and each point of the plots
#   --quick     a first look, about a minute for 10,000 examples: no cutting planes, few points, every C as the settings have it
#   --search    choose kernel parameters, C, L and splits first, on the training examples alone (pipelines/search.py): by
#               cross-validation, or on the examples of --dev F; --budget 10m is the time for it, --measure
#               accuracy|f1|macro-f1 what it makes best. The choice is in DIR/search/settings.toml, for --config
#   --resume    take up the checkpoints that kernel machines left when they were interrupted
#   --config C  settings; pipelines/README.md describes the file, pipelines/settings.toml has the defaults
#   --set ...   one setting more; it overrides the file's: fmi.top=5000, compare.thresholds="100 1000"
#   --threads N --log-level L
#               short for --set threads=N and --set log-level=L
#
# Settings of its own, in the section [compare], lists among them: `methods`; `thresholds` (values of fmi's --top to plot),
# `fragments` (sizes of sparse models to plot, from the path of fpl's search), `samples` (values of ksl's --sample to plot); `costs` (values of C: the
# kernel machines get the best of them by cross-validation of the training examples, ksl --search, and esl searches for its own;
# fpl always does, unless --quick, --search, or [fpl] search = false); `class` (the report shows the strongest fragments of
# this class alone). Run again, it does only what is missing or no longer fits. What the stages said is in DIR/METHOD/measured/STAGE.log.

. "$(dirname "$0")/common.sh"

more_values=' dev budget measure ' more_flags=' quick search resume '
parse_arguments "$@"
require_programs tdp fpl fsl fmi tfx esl esc ksl ksc fdi
read_all_settings
known="words productions exact usvm isvm mined linearized sparse"
if [ -n "$quick" ]; then
    known_first="words productions exact linearized sparse" thresholds="300 1000" samples=
else
    known_first=$known thresholds="100 300 1000 3000" samples="100 300 3000"
fi
methods=$(setting compare methods "$known_first")
thresholds=$(setting compare thresholds "$thresholds")
fragments=$(setting compare fragments "30 100 300 1000")
samples=$(setting compare samples "$samples")
costs=$(setting compare costs "")
class=$(setting compare class "")
for method in $methods; do
    [[ " $known " == *" $method "* ]] || usage_error "compare.methods: no method '$method'; there are $known"
done
fpl_searches=$(setting fpl search true)
[ -z "$quick$search" ] || fpl_searches=false
[ "$fpl_searches" = true ] || fragments=
folder=$work
lines=0 # of each stage; there are many

has() {
    [[ " $methods " == *" $1 "* ]]
}

# The sections that the methods of this run take settings from.
sections_of_run() {
    local one sections=compare
    for one in $methods; do
        case $one in
            words | productions) sections+=" fmi tfx esl esc" ;;
            exact) sections+=" ksl ksc" ;;
            usvm | isvm) sections+=" ksl ksc $one" ;;
            mined | linearized) sections+=" fsl fmi tfx esl esc" ;;
            sparse) sections+=" fpl esc" ;;
        esac
    done
    [ -z "$costs" ] || sections+=" ksl"
    printf '%s\n' $sections | awk '!seen[$0]++'
}

# The steps of this run, with how long they take beside each other.
plan_steps() {
    local one method
    if has sparse; then
        steps+=("sparse:$([ "$fpl_searches" = true ] && echo 30 || echo 3)")
        for one in $fragments; do steps+=("sparse-$one:1"); done
    fi
    [ -z "$costs" ] || steps+=(search:10)
    for method in words productions; do
        if has $method; then steps+=("$method:1"); fi
    done
    if has exact; then steps+=(exact:4); fi
    for method in usvm isvm; do
        if has $method; then
            steps+=("$method:4")
            for one in $samples; do steps+=("$method-$one:4"); done
        fi
    done
    if has mined || has linearized; then
        steps+=(linearized:6)
        if has mined; then steps+=(mined:1); fi
        for one in $thresholds; do steps+=("top-$one:2"); done
    fi
    steps+=(report:1)
}

# The best C of the kernel machines becomes the setting `cost`, and esl is to search.
choose_costs() {
    local list=() chosen
    work=$folder/search
    step search "search: ksl --search"
    read -ra list <<< "$costs"
    options_of ksl
    ignore solver sample constant cost
    measured search "$work/best.toml" ksl --input "$train" --output "$work/best.toml" --refresh --search \
        --search-cost "$(IFS=, && printf '%s' "${list[*]}")" >&2
    chosen=$(sed -n 's/^cost = //p' "$work/best.toml")
    say "search: C = $chosen for the kernel machines"
    sets+=("cost=$chosen" esl.search=true)
    read_all_settings
}

# kernel_machine NAME SOLVER [SAMPLE]: trains and measures one in WORK/NAME.
kernel_machine() {
    work=$folder/$1
    step "$1" "$1: ksl, ksc"
    case $2 in
        smo) options_of ksl && ignore solver sample constant ;;
        *) options_of ksl "$2" && ignore solver bias shrinking ${3:+sample} ;;
    esac
    measured ksl "$work/model" ksl --input "$train" --output "$work/model" --refresh --solver "$2" ${3:+--sample "$3"} \
        ${resume:+--resume}
    options_of ksc
    measured ksc "$work/predictions.tsv" ksc --model "$work/model" --input "$test" --output "$work/predictions.tsv" \
        --metrics "$work/metrics.json" --refresh
}

# linearized NAME [ARGUMENT OF linearize.sh...]: in WORK/NAME.
linearized() {
    local name=$1
    shift
    step "$name" "$name: linearize.sh"
    within run --train "$train" --test "$test" --work "$folder/$name" "$@" > "$folder/$name.txt" || exit
}

# within HOW ARGUMENT...: linearize.sh, as it is within this recipe, with the settings of this one.
within() {
    local how=$1 one section key value given=()
    shift
    for one in ${settings[@]+"${settings[@]}"}; do
        IFS=$'\t' read -r section key value <<< "$one"
        [ "$section" != all ] || section=
        given+=(--set "$section${section:+.}$key=$value")
    done
    TREELINE_WITHIN=$how "$pipelines/linearize.sh" --method mined "${given[@]}" "$@"
}

# The dictionary and vectors of the linearized model, with the weights that were mined.
mined() {
    local from=$folder/linearized
    work=$folder/mined
    step mined "mined: esl, esc"
    options_of esl
    ignore mined dictionary search start-from
    measured esl "$work/model.linear" esl --input "$from/vectors" --dictionary "$from/dict" --mined \
        --output "$work/model.linear" --refresh
    options_of esc
    measured esc "$work/predictions.tsv" esc --model "$work/model.linear" --dictionary "$from/dict" --trees "$test" \
        --output "$work/predictions.tsv" --metrics "$work/metrics.json" --refresh
}

# A point of the plot over L: the kernel models of the linearized model, other dictionaries.
threshold() {
    mkdir -p "$folder/top-$1"
    ln -sfn ../linearized/fsl "$folder/top-$1/fsl"
    linearized "top-$1" --set "fmi.top=$1" --from fmi
}

# fpl_search: chooses C by cross-validation of the training examples in WORK/search; prints it.
fpl_search() {
    options_of fpl
    ignore search max-fragments cost
    measured search "$work/search" fpl --input "$train" --output "$work/search" --refresh --search
    [ -n "$trying" ] || python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["counts"]["c"])' "$work/search/manifest.json"
}

# bags: the files that the baselines are made from, in WORK/words.
bags() {
    work=$folder/words
    mkdir -p "$work"
    options_of tdp
    "$programs/tdp" convert ${options[@]+"${options[@]}"} --input "$train" --to label-tab-tree 2> "$work/tdp.log" |
        python3 -B "$pipelines/bags.py" --output "$work" --limit "$(setting all limit 0)" --label-until "$(setting all label-until)" ||
        fail "words: the training examples cannot be read: $(tail -n 1 "$work/tdp.log")"
}

# bag NAME: words or productions; a dictionary of all of them in the training trees.
bag() {
    work=$folder/$1
    step "$1" "$1: tdp, fmi, tfx, esl, esc"
    options_of fmi
    ignore top threshold global
    measured fmi "$work/dict" fmi --merge "$folder/words/$1.frag" --output "$work/dict" --refresh
    options_of tfx
    ignore norm vectors
    measured tfx "$work/vectors" tfx --dictionary "$work/dict" --input "$train" --output "$work/vectors" --refresh \
        --norm explicit --vectors none
    options_of esl
    ignore mined dictionary start-from
    measured esl "$work/model.linear" esl --input "$work/vectors" --output "$work/model.linear" --refresh
    options_of esc
    measured esc "$work/predictions.tsv" esc --model "$work/model.linear" --dictionary "$work/dict" --trees "$test" \
        --output "$work/predictions.tsv" --metrics "$work/metrics.json" --refresh
}

# sparse NAME [OPTION OF fpl...]: learns in the whole fragment space and measures in WORK/NAME; without options with the C
# that a search finds or the settings have.
sparse() {
    work=$folder/$1
    shift
    step "$(basename "$work")" "$(basename "$work"): fpl, esc"
    if [ $# -eq 0 ] && [ "$fpl_searches" = true ]; then
        local chosen
        chosen=$(fpl_search) || exit
        set -- --cost "${chosen:-1}"
    fi
    options_of fpl
    ignore search path folds dev max-fragments ${1:+cost}
    measured fpl "$work/model" fpl --input "$train" --output "$work/model" --refresh "$@"
    options_of esc
    measured esc "$work/predictions.tsv" esc --model "$work/model/model.linear" --dictionary "$work/model/dict" \
        --trees "$test" --output "$work/predictions.tsv" --metrics "$work/metrics.json" --refresh
}

# path_cost N: prints the largest C of the path of fpl's search whose model has at most N fragments, if there is one.
path_cost() {
    [ -f "$folder/sparse/search/path.json" ] || return 0
    python3 -c '
import json, sys
steps = json.load(open(sys.argv[1]))["steps"]
print(*[step["c"] for step in steps if step["features"] <= int(sys.argv[2])][-1:])' "$folder/sparse/search/path.json" "$1"
}

# What the stages say of their options, each once.
try_methods() {
    local folder=$nowhere method
    if has sparse; then sparse sparse; fi
    for method in words productions; do
        if has $method; then bag $method; fi
    done
    if has exact; then kernel_machine exact smo; fi
    for method in usvm isvm; do
        if has $method; then kernel_machine $method $method; fi
    done
    if has mined || has linearized; then
        : > "$train"
        within try --train "$train" --test "$train" --work "$nowhere/linearized" || exit
    fi
}

mapfile -t sections < <(sections_of_run)
check_taken "${sections[@]}"
try_options try_methods
own_folder "$folder"
check_examples "$class"
if [ -n "$search" ]; then
    wanted=()
    for method in exact mined sparse; do
        if has $method || { [ $method = mined ] && has linearized; }; then wanted+=($method); fi
    done
    search_settings "${wanted[@]}"
fi
plan_steps
plotted=''
if has sparse; then  # first, because what it does not accept is known before the long work
    sparse sparse
    for most in $fragments; do
        cost=$(path_cost "$most")
        [ -n "$cost" ] || continue
        sparse "sparse-$most" --cost "$cost"
        plotted+=" $most"
    done
fi
if [ -n "$costs" ]; then choose_costs; fi
if has words || has productions; then bags; fi
for method in words productions; do
    if has $method; then bag $method; fi
done
if has exact; then kernel_machine exact smo; fi
for method in usvm isvm; do
    if has $method; then
        kernel_machine $method $method
        for sample in $samples; do
            kernel_machine "$method-$sample" $method "$sample"
        done
    fi
done
if has mined || has linearized; then
    linearized linearized
    if has mined; then mined; fi
    for threshold in $thresholds; do
        threshold "$threshold"
    done
fi
step report
python3 -B "$pipelines/report" --work "$folder" --programs "$programs" --train "$train" --test "$test" \
    --methods "$methods" --thresholds "$thresholds" --fragments "$plotted" --samples "$samples" ${class:+--class="$class"}
