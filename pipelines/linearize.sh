#!/usr/bin/env bash
# From labelled trees to a linear model over their fragments, measured on test examples. Two ways lead there:
#   sparse  learns weights over all fragments of the kernel at once (fpl), and measures (esc)
#   mined   trains kernel machines on splits (fsl), mines their fragments (fmi), rewrites the trees as vectors over
#           them (tfx), trains a linear model (esl), and measures (esc)
#
#   pipelines/linearize.sh --train F --test F --work DIR [--method M] [--search] [--config C] [--set STAGE.NAME=VALUE]...
#
#   --train F   examples to learn from: LABEL<TAB>tree or SVM-light-TK lines; plain or compressed (gzip, zstd, bzip2, xz); any number of classes
#   --test F    examples to measure on
#   --label-column N --tree-column N
#               where the label and the tree are in these files, if they are tables of more columns than the two
#   --format N  format of these files, if it is not to be told by their first line (tdp convert --help has a list)
#   --work DIR  folder for everything made: sparse/ (or fsl/ dict/ vectors/ model.linear) predictions.tsv metrics.json summary.json
#   --method M  sparse (default) or mined
#   --search    choose kernel parameters, C, L and splits first, on the training examples alone (pipelines/search.py): by
#               cross-validation, or on the examples of --dev F; --budget 10m is the time for it, --measure
#               accuracy|f1|macro-f1 what it makes best. The choice is in DIR/search/settings.toml, for --config
#   --config C  settings; pipelines/README.md describes the file, pipelines/settings.toml has the defaults
#   --set ...   one setting more; it overrides the file's: fpl.cost=2, fmi.top=5000, threads=2
#   --threads N --log-level L
#               short for --set threads=N and --set log-level=L
#   --from S    start at this stage; what is there of the ones before is taken as it is
#
# Run again after an interruption, or with other settings, it does only what is missing or no longer fits. It ends with
# a table on stdout: seconds and peak memory of each stage, and how good the model is; the same in summary.json. What the
# stages said is in DIR/measured/STAGE.log; --set log-level=debug shows all of it.

. "$(dirname "$0")/common.sh"

more_values=' method from dev budget measure ' more_flags=' search '
parse_arguments "$@"
[ -z "$method" ] || sets+=("linearize.method=$method")
require_programs tdp fpl fsl fmi tfx esl esc ksl ksc
read_all_settings
method=$(setting linearize method)
case $method in
    sparse) stages=(fpl esc) steps=(fpl:8 esc:1) ;;
    mined) stages=(fsl fmi tfx esl esc) steps=(fsl:4 fmi:2 tfx:2 esl:4 esc:1) ;;
    *) usage_error "--method '$method': expected sparse or mined" ;;
esac
from=${from:-${stages[0]}}
[ "$method" = mined ] || other_run='; --method mined has fsl fmi tfx esl'
[ -n "${TREELINE_WITHIN-}" ] || check_taken "${stages[@]}" linearize
[[ " ${stages[*]} " == *" $from "* ]] || usage_error "--from '$from': expected one of ${stages[*]}"
while [ "${steps[0]%:*}" != "$from" ]; do steps=("${steps[@]:1}"); done

make_fpl() {
    measured fpl "$work/sparse" fpl --input "$train" --output "$work/sparse" --refresh
}
make_fsl() {
    measured fsl "$work/fsl" fsl --input "$train" --output "$work/fsl" --refresh
}
make_fmi() {
    measured fmi "$work/dict" fmi --models "$work/fsl" --output "$work/dict" --refresh
}
make_tfx() {
    measured tfx "$work/vectors" tfx --dictionary "$work/dict" --input "$train" \
        --output "$work/vectors" --refresh
}
make_esl() {
    [ "$(setting esl mined)" != true ] || options+=(--dictionary "$work/dict")
    measured esl "$work/model.linear" esl --input "$work/vectors" --output "$work/model.linear" --refresh
}
make_esc() {
    measured esc "$work/predictions.tsv" esc --model "$made/model.linear" --dictionary "$made/dict" \
        --trees "$test" --output "$work/predictions.tsv" --metrics "$work/metrics.json" --refresh
}

# The stages from the first one wanted on.
make_stages() {
    local begun=no stage
    for stage in "${stages[@]}"; do
        [ "$stage" != "$from" ] || begun=yes
        [ $begun = yes ] || continue
        step "$stage"
        options_of "$stage"
        "make_$stage"
    done
}

# Within compare.sh: `try` is to try the options alone; in a `run` they have been tried.
[ "${TREELINE_WITHIN-}" = run ] || try_options make_stages
[ "${TREELINE_WITHIN-}" != try ] || exit 0
own_folder "$work"
if [ -n "${TREELINE_WITHIN-}" ]; then lines=0; else check_examples; fi
[ -z "$search" ] || search_settings "$method"
made=$work
[ "$method" = mined ] || made=$work/sparse
make_stages
python3 -B "$pipelines/summarize.py" --work "$work" --made "$made" --run "$run" --stages "${stages[@]}"
