#!/usr/bin/env bash
# The same data through every method: the exact kernel SVM (ksl smo), cutting planes (usvm, isvm), the linearized model
# with the weights that were mined, and retrained, and the sparse model over the whole fragment space (fpl); as baselines
# the majority class, and bags of words through the linear solver (esl). Ends with one table on stdout and writes it as
# report.txt, report.json and, with plots, report.html.
#
#   pipelines/compare.sh --train F --test F --work DIR [--config C] [--set SECTION.NAME=VALUE]...
#
#   --train F   examples to learn from: LABEL<TAB>tree or SVM-light-TK lines; plain, gzip or zstd; any number of classes
#   --test F    examples to measure on
#   --work DIR  folder for everything made: the reports, and a folder for each method and each point of the plots
#   --config C  settings; pipelines/README.md describes the file, pipelines/settings.toml is one
#   --set ...   one setting more; it overrides the file's: fmi.top=5000, compare.thresholds="100 1000"
#
# Settings of its own, in the section [compare], lists in quotes: `methods`; `thresholds` (values of fmi's --top to plot),
# `fragments` (sizes of sparse models to plot, from the path of fpl's search), `samples` (values of ksl's --sample to plot); `costs` (values of C: the
# kernel machines get the best of them by cross-validation of the training examples, ksl --search, and esl searches for its own;
# fpl always does, unless [fpl] says search = false); `class` (the report shows fragments by their relevance for this class
# instead of for any). Run again, it does only what is missing or no longer fits.

. "$(dirname "$0")/common.sh"

parse_arguments "$@"
[ -z "$from" ] || usage_error "--from is for linearize.sh"
require_programs tdp fpl fsl fmi tfx esl esc ksl ksc fdi
read_all_settings
methods=$(setting compare methods "words exact usvm isvm mined linearized sparse")
thresholds=$(setting compare thresholds "100 300 1000 3000")
fragments=$(setting compare fragments "30 100 300 1000")
samples=$(setting compare samples "100 300 3000")
costs=$(setting compare costs "")
class=$(setting compare class "")
for method in $methods; do
    [[ " words exact usvm isvm mined linearized sparse " == *" $method "* ]] || usage_error "compare.methods: no method '$method'"
done
own_folder "$work"
folder=$work

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

# The best C of the kernel machines becomes the setting `cost`, and esl is to search.
choose_costs() {
    local list=() chosen
    work=$folder/search
    say "search: ksl --search"
    read -ra list <<< "$costs"
    options_of ksl
    ignore solver sample constant cost
    measured search "$work/best.toml" ksl --input "$train" --output "$work/best.toml" --refresh --search \
        --search-cost "$(IFS=, && printf '%s' "${list[*]}")" >&2
    chosen=$(sed -n 's/^cost = //p' "$work/best.toml")
    say "search: C = $chosen for the kernel machines"
    sets+=("cost=$chosen" esl.search=true)
    add_setting_text "cost=$chosen"
    add_setting_text esl.search=true
}

# kernel_machine NAME SOLVER [SAMPLE]: trains and measures one in WORK/NAME.
kernel_machine() {
    work=$folder/$1
    say "$1: ksl, ksc"
    case $2 in
        smo) options_of ksl && ignore solver sample constant ;;
        *) options_of ksl "$2" && ignore solver bias shrinking ${3:+sample} ;;
    esac
    measured ksl "$work/model" ksl --input "$train" --output "$work/model" --refresh --solver "$2" ${3:+--sample "$3"}
    options_of ksc
    measured ksc "$work/predictions.tsv" ksc --model "$work/model" --input "$test" --output "$work/predictions.tsv" \
        --metrics "$work/metrics.json" --refresh
}

# linearized NAME [ARGUMENT OF linearize.sh...]: in WORK/NAME.
linearized() {
    local name=$1 set given=()
    shift
    for set in ${sets[@]+"${sets[@]}"}; do
        given+=(--set "$set")
    done
    say "$name: linearize.sh"
    "$pipelines/linearize.sh" --train "$train" --test "$test" --work "$folder/$name" ${config:+--config "$config"} \
        ${given[@]+"${given[@]}"} "$@" > "$folder/$name.txt" || exit
}

# The dictionary and vectors of the linearized model, with the weights that were mined.
mined() {
    local from=$folder/linearized
    work=$folder/mined
    say "mined: esl, esc"
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
    ignore search max-fragments
    measured search "$work/search" fpl --input "$train" --output "$work/search" --refresh --search
    python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["counts"]["c"])' "$work/search/manifest.json"
}

# Bags of words: a dictionary of all words of the training trees.
words() {
    work=$folder/words
    say "words: tdp, fmi, tfx, esl, esc"
    mkdir -p "$work"
    options_of tdp
    "$programs/tdp" ${options[@]+"${options[@]}"} convert --input "$train" --to label-tab-tree |
        python3 -B "$pipelines/words.py" --output "$work" --limit "$(setting all limit 0)" \
            --label-until "$(setting all label-until)" || fail "words: the training examples cannot be read; see above"
    options_of fmi
    ignore top threshold global
    measured fmi "$work/dict" fmi --merge "$work/words.frag" --output "$work/dict" --refresh
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
    say "$(basename "$work"): fpl, esc"
    if [ $# -eq 0 ] && [ "$(setting fpl search true)" = true ]; then
        local chosen
        chosen=$(fpl_search) || exit
        set -- --cost "$chosen"
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

has() {
    [[ " $methods " == *" $1 "* ]]
}

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
if has words; then words; fi
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
python3 -B "$pipelines/report" --work "$folder" --programs "$programs" --train "$train" --test "$test" \
    --methods "$methods" --thresholds "$thresholds" --fragments "$plotted" --samples "$samples" ${class:+--class "$class"}
