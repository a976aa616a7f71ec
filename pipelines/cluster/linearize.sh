#!/usr/bin/env bash
# pipelines/linearize.sh as many jobs, on this machine or on a Slurm cluster: one a split trains, one a kernel model
# mines, one a shard makes vectors. The same settings give the same bytes.
#
#   pipelines/cluster/linearize.sh --train F --test F --work DIR [--config C] [--set STAGE.NAME=VALUE]...
#       [--profile local|slurm|DIR] [-- SNAKEMAKE-OPTION...]
#
#   --train --test --work --config --set --label-column --tree-column   as in pipelines/linearize.sh; all nodes must see these folders
#   --profile P   how jobs are run: `local` (default), `slurm`, or a folder with a Snakemake profile of one's own
#   -- ...        anything else for Snakemake: -- --jobs 500, -- --dry-run
#
# [fsl] splits and [tfx] shards of the settings are the numbers of jobs, threads the processors of each; memory is taken
# from the size of the input, and more of it each time a job fails. README.md of this folder says how to begin.

. "$(dirname "$0")/../common.sh"

profile=local
mine=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    if [ "$1" = --profile ]; then
        [ $# -ge 2 ] || usage_error "$1 needs a value"
        profile=$2
        shift
    else
        mine+=("$1")
    fi
    shift
done
[ $# = 0 ] || shift
more_values=' from '
parse_arguments ${mine[@]+"${mine[@]}"}
[ -z "$from" ] || usage_error "--from is not for clusters; Snakemake finds out what is to be made"
cluster=$pipelines/cluster
[ -r "$profile/config.yaml" ] || profile=$cluster/profiles/$profile
[ -r "$profile/config.yaml" ] || usage_error "--profile: no file '$profile/config.yaml'"
snakemake=${SNAKEMAKE:-$pipelines/../build/deps/snakemake/bin/snakemake}
[ -x "$snakemake" ] || snakemake=$(command -v snakemake) ||
    fail "no snakemake; run scripts/setup-cluster, or name the program in SNAKEMAKE"
require_programs fsl fmi tfx esl esc
read_all_settings

# The plan that all jobs read: a line is KEY VALUE or STAGE OPTION.
plan() {
    printf 'train\t%s\ntest\t%s\nprograms\t%s\n' "$(realpath "$train")" "$(realpath "$test")" "$(realpath "$programs")"
    for stage in fsl fmi tfx esl esc; do
        options_of "$stage"
        for option in ${options[@]+"${options[@]}"}; do
            printf '%s\t%s\n' "$stage" "$option"
        done
    done
}
own_folder "$work"
plan | python3 -B "$cluster/plan.py" "$work/plan.json"
# Names the run in what it measures; jobs inherit it.
export TREELINE_RUN=$run
exec "$snakemake" --snakefile "$cluster/Snakefile" --directory "$work" --configfile "$work/plan.json" \
    --workflow-profile "$profile" "$@"
