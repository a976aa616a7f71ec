#!/usr/bin/env bash
# From labelled trees to a linear model over their fragments: trains kernel machines on splits (fsl), mines their
# fragments (fmi), rewrites the trees as vectors over them (tfx), trains a linear model (esl), and measures it (esc).
#
#   pipelines/linearize.sh --train F --test F --work DIR [--config C] [--set STAGE.NAME=VALUE]... [--from STAGE]
#
#   --train F   examples to learn from: LABEL<TAB>tree or SVM-light-TK lines; plain, gzip or zstd; any number of classes
#   --test F    examples to measure on
#   --work DIR  folder for everything made: fsl/ dict/ vectors/ model.linear predictions.tsv metrics.json summary.json
#   --config C  settings; pipelines/README.md describes the file, pipelines/settings.toml is one
#   --set ...   one setting more; it overrides the file's: fmi.top=5000, threads=2
#   --from S    start at this stage (fsl fmi tfx esl esc); what is there of the ones before is taken as it is
#
# Run again after an interruption, or with other settings, it does only what is missing or no longer fits. It ends with
# a table on stdout: seconds and peak memory of each stage, and how good the model is; the same in summary.json.

. "$(dirname "$0")/common.sh"

stages=(fsl fmi tfx esl esc)
parse_arguments "$@"
from=${from:-fsl}
[[ " ${stages[*]} " == *" $from "* ]] || usage_error "--from '$from': expected one of ${stages[*]}"
require_programs "${stages[@]}"
read_all_settings
own_folder "$work"

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
    measured esc "$work/predictions.tsv" esc --model "$work/model.linear" --dictionary "$work/dict" \
        --trees "$test" --output "$work/predictions.tsv" --metrics "$work/metrics.json" --refresh
}

started=no
for number in "${!stages[@]}"; do
    stage=${stages[$number]}
    [ "$stage" != "$from" ] || started=yes
    [ $started = yes ] || continue
    say "$((number + 1)) of ${#stages[@]}: $stage"
    options_of "$stage"
    "make_$stage"
done
python3 -B "$pipelines/summarize.py" --work "$work" --run "$run" --stages "${stages[@]}"
