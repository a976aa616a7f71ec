#!/usr/bin/env bash
# linearize.sh and compare.sh --quick with default settings on every labelled file of the development data and on generated data with 2, 11 and
# 50 classes, one of them with a single example, and on 30 lines: each must end with a model; files without labelled trees must be refused. Prints a line
# for each; the exit code is 1 if one fails.
#
#   tests/recipes/sweep.sh [--limit N] [--work DIR]     N training examples at most (default 2000; 0 = all), TREELINE_DATA as in other tests

set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
data=${TREELINE_DATA:-$root/../shared/data}
limit=2000 work=$(mktemp -d)
while [ $# -gt 0 ]; do
    case "$1" in
        --limit) limit=$2 ;;
        --work) work=$2 ;;
        *) sed -n '2,5s/^# \{0,1\}//p' "$0" && exit 2 ;;
    esac
    shift 2
done
mkdir -p "$work"
failed=0

# sweep NAME TRAIN TEST [SETTING...]: both recipes.
sweep() {
    local name=$1 train=$2 test=$3 recipe set more=()
    shift 3
    for set in "$@"; do
        more+=(--set "$set")
    done
    for recipe in linearize.sh compare.sh; do
        local began=$SECONDS quick=
        [ $recipe = linearize.sh ] || quick=--quick
        if "$root/pipelines/$recipe" --train "$train" --test "$test" --work "$work/$name/$recipe" $quick ${more[@]+"${more[@]}"} \
            > "$work/$name.$recipe.out" 2> "$work/$name.$recipe.log"; then
            echo "$name: $recipe: $((SECONDS - began)) s: $(grep -h -e 'test examples:' -e '^sparse, whole' "$work/$name.$recipe.out" | head -n 1)"
        else
            echo "$name: $recipe: FAILED: $(tail -n 2 "$work/$name.$recipe.log")"
            failed=1
        fi
    done
    rm -rf "${work:?}/$name"
}

# generated CLASSES EXAMPLES: lines; the last class has one example.
generated() {
    awk -v classes="$1" -v examples="$2" 'BEGIN { srand(4); for (i = 0; i < examples - 1; i++) { c = i % (classes - 1)
        print "c" c "\t(S (A" c % 7 " w" int(rand() * 9) ")(B x" int(c / 7) ")(C y" int(rand() * 5) "))" } print "single\t(S (Z y))" }'
}
for classes in 2 11 50; do
    generated $classes 1000 > "$work/generated-$classes.tsv"
    sweep "generated-$classes" "$work/generated-$classes.tsv" "$work/generated-$classes.tsv"
done
head -n 30 "$work/generated-50.tsv" > "$work/thirty.tsv"
sweep thirty "$work/thirty.tsv" "$work/thirty.tsv"
[ -d "$data" ] || { echo "no development data in '$data': skipped" && exit $failed; }
for part in ewt ewtnom; do
    for task in bc.dat rm.tsv; do
        sweep "$part.$task" "$data/srl/$part.train.$task.gz" "$data/srl/$part.dev.$task.gz" "limit=$limit"
    done
done
for kind in const grct lct loct; do
    sweep "qc_$kind" "$data/qc/qc_${kind}_train.tsv.gz" "$data/qc/qc_${kind}_test.tsv.gz" "limit=$limit"
    sweep "qc_$kind.coarse" "$data/qc/qc_${kind}_train.tsv.gz" "$data/qc/qc_${kind}_test.tsv.gz" "limit=$limit" label-until=:
done
# Files of other things are refused at once, with what is wrong.
for file in qc/qc_bow_train.tsv.gz trees/trees_sinica.txt.gz binary/a9a.train.svm.gz binary/chunk.labels.tsv srl/srl_ewt.tsv.gz srl/split_ewt.tsv oracle/ptk_scores.txt \
    oracle/svmlighttk_models/ABBR.model.gz; do
    for recipe in linearize.sh compare.sh; do
        said=
        if ! "$root/pipelines/$recipe" --train "$data/$file" --test "$data/$file" --work "$work/refused" > /dev/null 2> "$work/refused.log"; then
            said=$(grep -m 1 expected "$work/refused.log") || true
        fi
        echo "$file: $recipe: ${said:-NOT REFUSED, or without saying why}"
        [ -n "$said" ] || failed=1
        rm -rf "${work:?}/refused"
    done
done
exit $failed
